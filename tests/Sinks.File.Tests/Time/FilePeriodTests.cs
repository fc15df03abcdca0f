using System.Globalization;

namespace AsyncLog.Tests.Time;

public sealed class FilePeriodTests
{
    public static TheoryData<string> Zones => [.. TimeZoneInfo.GetSystemTimeZones().Select(zone => zone.Id)];

    [Theory]
    [InlineData(RollingInterval.Year, "2026-01-01 00:00", "2027-01-01 00:00")]
    [InlineData(RollingInterval.Month, "2026-11-01 00:00", "2026-12-01 00:00")]
    [InlineData(RollingInterval.Week, "2026-11-16 00:00", "2026-11-23 00:00")]
    [InlineData(RollingInterval.Day, "2026-11-20 00:00", "2026-11-21 00:00")]
    [InlineData(RollingInterval.Hour, "2026-11-20 12:00", "2026-11-20 13:00")]
    [InlineData(RollingInterval.Minute, "2026-11-20 12:31", "2026-11-20 12:32")]
    public void A_period_is_the_half_open_local_interval(RollingInterval interval, string start, string end)
    {
        TimeSpan offset = TimeSpan.FromHours(2);
        TimeZoneInfo zone = TimeZoneInfo.CreateCustomTimeZone("test", offset, displayName: null, standardDisplayName: null);
        FilePeriod period = FilePeriod.Containing(At("2026-11-20 12:31:07") - offset, interval, zone);
        DateTimeOffset first = At(start) - offset;
        DateTimeOffset next = At(end) - offset;

        Assert.Equal(new FilePeriod(At(start).UtcDateTime, first.UtcTicks, next.UtcTicks), period);
        Assert.Equal((true, false), (period.IsAheadOf(first.AddTicks(-1)), period.IsAheadOf(first)));
        Assert.Equal((false, true), (period.IsOverAt(next.AddTicks(-1)), period.IsOverAt(next)));
        Assert.Equal(period, FilePeriod.Containing(first, interval, zone));
        Assert.Equal(period, FilePeriod.Containing(next.AddTicks(-1), interval, zone));
        Assert.Equal(
            (first.UtcTicks, next.UtcTicks),
            (FilePeriod.Containing(first.AddTicks(-1), interval, zone).EndTicks, FilePeriod.Containing(next, interval, zone).StartTicks));
    }

    [Fact]
    public void Without_an_interval_a_period_never_ends() =>
        Assert.False(FilePeriod.Containing(At("2026-11-20 12:31"), RollingInterval.None, TimeZoneInfo.Utc).IsOverAt(DateTimeOffset.MaxValue));

    [Theory]
    [InlineData("2026-11-01 05:59:59", "2026-11-01 01:00", "2026-11-01 06:00")]
    [InlineData("2026-11-01 06:00:00", "2026-11-01 01:00", "2026-11-01 07:00")]
    [InlineData("2026-11-01 04:30:00", "2026-11-01 00:00", "2026-11-01 05:00")]
    [InlineData("2026-03-08 06:59:59", "2026-03-08 01:00", "2026-03-08 07:00")]
    [InlineData("2026-03-08 07:00:00", "2026-03-08 03:00", "2026-03-08 08:00")]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void The_repeated_hour_is_a_period_of_its_own_and_the_skipped_one_is_none(string utc, string start, string end) =>
        AssertPeriod(utc, RollingInterval.Hour, "America/New_York", start, end);

    [Theory]
    [InlineData("2026-04-04 14:45", "2026-04-05 01:00", "2026-04-04 15:30")]
    [InlineData("2026-04-04 15:15", "2026-04-05 01:00", "2026-04-04 15:30")]
    [InlineData("2026-10-03 15:45", "2026-10-04 02:00", "2026-10-03 16:00")]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void Half_an_hour_of_shift_repeats_no_hour(string utc, string start, string end) =>
        AssertPeriod(utc, RollingInterval.Hour, "Australia/Lord_Howe", start, end);

    [Theory]
    [InlineData("2011-12-29 12:00", "2011-12-29 00:00", "2011-12-30 10:00")]
    [InlineData("2011-12-30 10:00", "2011-12-31 00:00", "2011-12-31 10:00")]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void A_day_that_a_zone_skipped_is_no_period(string utc, string start, string end) =>
        AssertPeriod(utc, RollingInterval.Day, "Pacific/Apia", start, end);

    [Theory]
    [InlineData("2026-11-01 03:59", "2026-10-31 00:00", "2026-11-01 04:00")]
    [InlineData("2026-11-01 04:30", "2026-11-01 00:00", "2026-11-02 05:00")]
    [InlineData("2026-11-01 05:30", "2026-11-01 00:00", "2026-11-02 05:00")]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void A_day_that_begins_in_a_repeated_hour_begins_once(string utc, string start, string end) =>
        AssertPeriod(utc, RollingInterval.Day, "America/Havana", start, end);

    [Theory]
    [InlineData("0001-01-01 00:00")]
    [InlineData("0001-01-07 23:00")]
    [InlineData("1969-12-31 23:59")]
    [InlineData("9999-12-31 23:59")]
    [InlineData("9999-12-27 00:00")]
    [InlineData("9999-12-25 00:00")]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void Both_ends_of_the_calendar_and_times_before_1970_have_periods(string utc)
    {
        foreach (RollingInterval interval in Enum.GetValues<RollingInterval>())
        {
            foreach (string zone in (string[])["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
            {
                FilePeriod period = FilePeriod.Containing(At(utc), interval, TimeZoneInfo.FindSystemTimeZoneById(zone));
                Assert.True(period.EndTicks > At(utc).UtcTicks, $"{zone} {interval} {period}");
                // On the first day the clock of a zone behind UTC shows no time of the calendar.
                Assert.True(At(utc).Ticks < TimeSpan.TicksPerDay || period.StartTicks <= At(utc).UtcTicks, $"{zone} {interval} {period}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Zones))]
    public void Files_roll_once_per_local_boundary_in_every_time_zone(string id)
    {
        TimeZoneInfo zone = TimeZoneInfo.FindSystemTimeZoneById(id);
        foreach (RollingInterval interval in (RollingInterval[])[RollingInterval.Hour, RollingInterval.Day, RollingInterval.Week, RollingInterval.Month])
        {
            DateTimeOffset now = At("2024-12-28 12:00");
            DateTimeOffset last = At("2028-01-03 00:00");
            while (now < last)
            {
                FilePeriod period = FilePeriod.Containing(now, interval, zone);
                var end = new DateTimeOffset(period.EndTicks, TimeSpan.Zero);
                FilePeriod lastInstant = FilePeriod.Containing(end.AddTicks(-1), interval, zone);
                Assert.Equal(period.EndTicks, lastInstant.EndTicks);
                Assert.True(period.Start == lastInstant.Start || interval == RollingInterval.Hour, $"{zone.Id} {interval} {period} {lastInstant}");
                AssertLength(period, now, end, interval, zone);
                AssertFirstInstant(FilePeriod.Containing(end, interval, zone), period, end, interval, zone);
                now = interval == RollingInterval.Hour && IsQuietAfter(end, zone) ? end.AddHours(12) : end;
            }
        }
    }

    private static bool IsQuietAfter(DateTimeOffset instant, TimeZoneInfo zone) =>
        zone.GetUtcOffset(instant) == zone.GetUtcOffset(instant.AddDays(1)) && zone.GetUtcOffset(instant) == zone.GetUtcOffset(instant.AddHours(-3));

    private static void AssertLength(FilePeriod period, DateTimeOffset now, DateTimeOffset end, RollingInterval interval, TimeZoneInfo zone)
    {
        TimeSpan longest = interval switch
        {
            RollingInterval.Hour => TimeSpan.FromHours(2),
            RollingInterval.Day => TimeSpan.FromHours(26),
            RollingInterval.Week => TimeSpan.FromDays(7.1),
            _ => TimeSpan.FromDays(31.1),
        };
        Assert.True(end > now && end - now <= longest, $"{zone.Id} {interval} {period}");
    }

    // The next period has a later name; only an hour that the clock repeats may have the same.
    private static void AssertFirstInstant(FilePeriod next, FilePeriod period, DateTimeOffset begin, RollingInterval interval, TimeZoneInfo zone)
    {
        if (interval == RollingInterval.Hour)
        {
            bool wentBack = zone.GetUtcOffset(begin) < zone.GetUtcOffset(begin.AddHours(-1));
            Assert.True(next.Start > period.Start || wentBack, $"{zone.Id} {period} {next}");
            Assert.Equal(TimeZoneInfo.ConvertTime(begin, zone).DateTime.Date.AddHours(TimeZoneInfo.ConvertTime(begin, zone).Hour), next.Start);
            return;
        }

        Assert.True(next.Start > period.Start, $"{zone.Id} {period} {next}");
    }

    private static void AssertPeriod(string utc, RollingInterval interval, string zone, string start, string end)
    {
        FilePeriod period = FilePeriod.Containing(At(utc), interval, TimeZoneInfo.FindSystemTimeZoneById(zone));

        Assert.Equal(At(start).UtcDateTime, period.Start);
        Assert.Equal(At(end), new DateTimeOffset(period.EndTicks, TimeSpan.Zero));
    }

    private static DateTimeOffset At(string utc) => DateTimeOffset.Parse(utc, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
}
