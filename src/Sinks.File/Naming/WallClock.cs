namespace AsyncLog;

/// <summary>Local time of one zone, computed from UTC only, because that direction is never ambiguous. All values are ticks.</summary>
internal readonly struct WallClock(TimeZoneInfo zone)
{
    public long OffsetAt(long utc) => zone.GetUtcOffset(new DateTime(Clamp(utc), DateTimeKind.Utc)).Ticks;

    public long ToLocal(long utc) => Clamp(utc + OffsetAt(utc));

    /// <summary>The first instant at which the clock shows a local time; of a time that is skipped, the first instant after the gap.</summary>
    public long FirstInstantOf(long local)
    {
        // A day to either side is more than any offset and less than the distance of two changes.
        long before = OffsetAt(local - TimeSpan.TicksPerDay);
        long after = OffsetAt(local + TimeSpan.TicksPerDay);
        if (OffsetAt(local - before) == before)
            return Clamp(local - before);
        return OffsetAt(local - after) == after ? Clamp(local - after) : ChangeIn(local - after, local - before);
    }

    /// <summary>The last instant at which the clock shows a local time; of a time that is skipped, the first instant after the gap.</summary>
    public long LastInstantOf(long local)
    {
        long after = OffsetAt(local + TimeSpan.TicksPerDay);
        return OffsetAt(local - after) == after ? Clamp(local - after) : FirstInstantOf(local);
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
