namespace AsyncLog;

/// <summary>The period of a file: from one boundary of local wall time to the next.</summary>
/// <param name="StartTicks">The first UTC instant at which the clock shows it.</param>
/// <param name="EndTicks">The first UTC instant after it.</param>
/// <remarks>
/// Hours and minutes that the clock repeats are periods of their own with the same start; where the clock goes back to the middle of an hour, the
/// period lasts until the end of that hour. A longer period that begins inside a repeated hour begins at its first occurrence, so that every local day
/// has one file. A skipped boundary is the first instant after the gap.
/// </remarks>
internal readonly record struct FilePeriod(DateTime Start, long StartTicks, long EndTicks)
{
    private const long Never = long.MaxValue;

    /// <summary>The first instant after the period; the last instant of the calendar where it never ends.</summary>
    public DateTimeOffset End => new(Math.Min(EndTicks, DateTime.MaxValue.Ticks), TimeSpan.Zero);

    public bool IsOverAt(DateTimeOffset instant) => instant.UtcTicks >= EndTicks;

    /// <summary>Returns true if it begins after an instant.</summary>
    public bool IsAheadOf(DateTimeOffset instant) => instant.UtcTicks < StartTicks;

    public static FilePeriod Containing(DateTimeOffset instant, RollingInterval interval, TimeZoneInfo zone)
    {
        var clock = new WallClock(zone);
        long now = instant.UtcTicks;
        DateTime start = Floor(new DateTime(clock.ToLocal(now)), interval);
        if (interval == RollingInterval.None)
            return new FilePeriod(start, clock.FirstInstantOf(start.Ticks), Never);
        if (interval is RollingInterval.Hour or RollingInterval.Minute)
            return new FilePeriod(start, clock.FirstInstantOf(start.Ticks), EndOfShort(clock, now, start, interval));

        // Behind a clock set back across the boundary the next period has begun already.
        DateTime? next = Next(start, interval);
        while (next is { } later && clock.FirstInstantOf(later.Ticks) <= now)
        {
            start = later;
            next = Next(start, interval);
        }

        return new FilePeriod(start, clock.FirstInstantOf(start.Ticks), next is { } end ? clock.FirstInstantOf(end.Ticks) : Never);
    }

    private static long EndOfShort(WallClock clock, long now, DateTime start, RollingInterval interval)
    {
        if (Next(start, interval) is not { } next)
            return Never;
        long offset = clock.OffsetAt(now);
        long end = next.Ticks - offset;
        if (clock.OffsetAt(end) == offset)
            return end;

        long change = clock.ChangeIn(now, end);
        long offsetAfter = clock.OffsetAt(change);
        long shown = change + offsetAfter;
        if (offsetAfter > offset)
            return next.Ticks <= shown ? change : next.Ticks - offsetAfter;

        DateTime floor = Floor(new DateTime(shown), interval);
        return floor.Ticks == shown ? change : (Next(floor, interval)?.Ticks ?? Never) - offsetAfter;
    }

    private static DateTime Floor(DateTime local, RollingInterval interval) => interval switch
    {
        RollingInterval.Year => new DateTime(local.Year, 1, 1),
        RollingInterval.Month => new DateTime(local.Year, local.Month, 1),
        RollingInterval.Week => local.Date.AddDays(-(((int)local.DayOfWeek + 6) % 7)),
        RollingInterval.Hour => new DateTime(local.Ticks - (local.Ticks % TimeSpan.TicksPerHour)),
        RollingInterval.Minute => new DateTime(local.Ticks - (local.Ticks % TimeSpan.TicksPerMinute)),
        _ => local.Date,
    };

    /// <summary>Null where the last day or year of the calendar is reached.</summary>
    private static DateTime? Next(DateTime start, RollingInterval interval)
    {
        if (DateTime.MaxValue - start < Longest(interval))
            return null;
        return interval switch
        {
            RollingInterval.Year => start.AddYears(1),
            RollingInterval.Month => start.AddMonths(1),
            RollingInterval.Week => start.AddDays(7),
            RollingInterval.Day => start.AddDays(1),
            RollingInterval.Hour => start.AddHours(1),
            _ => start.AddMinutes(1),
        };
    }

    private static TimeSpan Longest(RollingInterval interval) => TimeSpan.FromDays(interval switch
    {
        RollingInterval.Year => 366,
        RollingInterval.Month => 31,
        RollingInterval.Week => 7,
        _ => 1,
    });
}

/// <summary>Local time of one zone, computed from UTC only, because that direction is never ambiguous. All values are ticks.</summary>
internal readonly struct WallClock(TimeZoneInfo zone)
{
    public long OffsetAt(long utc) => zone.GetUtcOffset(new DateTime(Clamp(utc), DateTimeKind.Utc)).Ticks;

    public long ToLocal(long utc) => Clamp(utc + OffsetAt(utc));

    /// <summary>The first instant at which the clock shows a local time; of a skipped time, the first instant after the gap.</summary>
    public long FirstInstantOf(long local)
    {
        // A day is more than any offset and less than the distance of two changes.
        long before = OffsetAt(local - TimeSpan.TicksPerDay);
        long after = OffsetAt(local + TimeSpan.TicksPerDay);
        if (OffsetAt(local - before) == before)
            return Clamp(local - before);
        return OffsetAt(local - after) == after ? Clamp(local - after) : ChangeIn(local - after, local - before);
    }

    /// <summary>The last instant at which the clock shows a local time; of a skipped time, the first instant after the gap.</summary>
    public DateTimeOffset LastInstantOf(DateTime date)
    {
        long local = date.Ticks;
        long after = OffsetAt(local + TimeSpan.TicksPerDay);
        return new DateTimeOffset(OffsetAt(local - after) == after ? Clamp(local - after) : FirstInstantOf(local), TimeSpan.Zero);
    }

    /// <summary>The instant after <paramref name="from"/>, and not after <paramref name="to"/>, at which the offset changes.</summary>
    public long ChangeIn(long from, long to)
    {
        long offset = OffsetAt(from);
        while (to - from > 1)
        {
            long middle = from + ((to - from) / 2);
            if (OffsetAt(middle) == offset)
                from = middle;
            else
                to = middle;
        }

        return to;
    }

    private static long Clamp(long ticks) => Math.Clamp(ticks, 0, DateTime.MaxValue.Ticks);
}
