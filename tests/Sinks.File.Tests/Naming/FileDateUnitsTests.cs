using System.Globalization;

namespace AsyncLog.Tests.Naming;

[NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
public sealed class FileDateUnitsTests
{
    private static readonly DateTimeOffset Written = new(2027, 6, 1, 0, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData("yyyy-MM-dd", RollingInterval.Day, "2026-11-20", "2026-11-20 23:00")]
    [InlineData("yyyy-MM-dd-HH", RollingInterval.Hour, "2026-11-20 07:00", "2026-11-20 07:00")]
    [InlineData("yyyy-MM-dd-HHmm", RollingInterval.Minute, "2026-11-20 07:05", "2026-11-20 06:06")]
    [InlineData("yyyy-'W'ww", RollingInterval.Week, "2026-11-16", "2026-11-22 23:00")]
    [InlineData("yyyy-MM", RollingInterval.Month, "2026-11-01", "2026-11-30 23:00")]
    [InlineData("yyyy", RollingInterval.Year, "2026-01-01", "2026-12-31 23:00")]
    public void The_period_ends_in_the_zone_of_the_names(string format, RollingInterval interval, string date, string utcEnd) =>
        Assert.Equal(Utc(utcEnd), EndOf(format, interval, date));

    [Theory]
    [InlineData("yyyyMMdd", RollingInterval.Hour, "2026-11-20", "2026-11-20 23:00")]
    [InlineData("yyyy", RollingInterval.Day, "2026-01-01", "2026-12-31 23:00")]
    public void A_name_that_says_less_than_the_interval_is_as_young_as_it_can_be(string format, RollingInterval interval, string date, string utcEnd) =>
        Assert.Equal(Utc(utcEnd), EndOf(format, interval, date));

    [Theory]
    [InlineData("MM-dd", RollingInterval.Day)]
    [InlineData("HH", RollingInterval.Hour)]
    public void A_name_that_says_no_year_says_nothing(string format, RollingInterval interval) =>
        Assert.Equal(Written, EndOf(format, interval, "0001-11-20"));

    [Fact]
    public void The_second_of_two_equal_hours_counts()
    {
        TimeZoneInfo berlin = TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin");

        DateTimeOffset end = UnitsOf(FileNameParser.DefaultDate(RollingInterval.Hour)).EndOf(new DateTime(2026, 10, 25, 2, 0, 0), RollingInterval.Hour, berlin, Written);

        Assert.Equal(Utc("2026-10-25 02:00"), end);
    }

    private static DateTimeOffset EndOf(string format, RollingInterval interval, string date) => UnitsOf(format).EndOf(
        DateTime.Parse(date, CultureInfo.InvariantCulture), interval,
        TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin"), Written);

    private static FileDateUnits UnitsOf(string format)
    {
        List<FileNamePiece> pieces = [];
        Assert.Null(FileNameParser.AddDate(format, pieces));
        return FileNamePattern.UnitsOf(pieces);
    }

    private static DateTimeOffset Utc(string text) => DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
}
