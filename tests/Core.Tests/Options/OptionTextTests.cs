using System.Globalization;
using AsyncLog.Tests.Configuration;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Options;

public sealed class OptionTextTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("4096", 4096)]
    [InlineData("64KB", 65536)]
    [InlineData("64kb", 65536)]
    [InlineData("64 KB", 65536)]
    [InlineData("64KiB", 65536)]
    [InlineData("1.5 GB", 1610612736)]
    [InlineData("0.25MB", 262144)]
    [InlineData("12B", 12)]
    [InlineData("1.0B", 1)]
    [InlineData("2TB", 2199023255552)]
    [InlineData("9223372036854775807", long.MaxValue)]
    public void A_size_is_bytes_or_a_number_with_a_unit(string text, long bytes) => Assert.Equal(new ParseResult<long>(bytes), SizeText.Parse(text));

    [Theory]
    [InlineData("-1", "must not be negative")]
    [InlineData("-1KB", "must not be negative")]
    [InlineData("9223372036854775808", "must be at most 8388607TB")]
    [InlineData("9000000TB", "must be at most 8388607TB")]
    [InlineData("99999999999999999999999999999999999999", "must be at most 8388607TB")]
    [InlineData("5 parsecs", "unknown unit: expected B, KB, MB, GB or TB")]
    [InlineData("5iB", "unknown unit: expected B, KB, MB, GB or TB")]
    [InlineData("5  KB", "unknown unit: expected B, KB, MB, GB or TB")]
    [InlineData("1.5", "expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("1.555KB", "expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("1.KB", "expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData(".5KB", "expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("1.2.3KB", "expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("1,5KB", "a comma is not allowed in a number: decimals begin with a point")]
    [InlineData("5%", "a percentage is not a size: expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("KB", "expected a size such as 4096, 64KB or 1.5GB")]
    [InlineData("1.5B", "bytes cannot have decimals: write a whole number, or a larger unit")]
    public void A_wrong_size_says_what_is_wrong(string text, string rule) => Assert.Equal(rule, SizeText.Parse(text).Rule);

    [Theory]
    [InlineData("10M", "10MB")]
    [InlineData("512Mi", "512MB")]
    [InlineData("1.5 gigabytes", "1.5GB")]
    [InlineData("4096 bytes", "4096B")]
    [InlineData("64k", "64KB")]
    [InlineData("5 parsecs", null)]
    [InlineData("1,5 GB", "1.5 GB")]
    [InlineData("1,024,000", null)]
    public void A_wrong_unit_of_a_size_suggests_the_unit_that_is_meant(string text, string? suggestion) => Assert.Equal(suggestion, SizeText.Parse(text).Suggestion);

    [Theory]
    [InlineData("00:00:05", 5000)]
    [InlineData("1.02:03:04.5", 93784500)]
    [InlineData("500ms", 500)]
    [InlineData("500 MS", 500)]
    [InlineData("5s", 5000)]
    [InlineData("1.5s", 1500)]
    [InlineData("2m", 120000)]
    [InlineData("1h", 3600000)]
    [InlineData("7d", 604800000)]
    public void A_time_is_a_clock_or_a_number_with_a_unit(string text, long milliseconds) =>
        Assert.Equal(new ParseResult<TimeSpan>(TimeSpan.FromMilliseconds(milliseconds)), TimeText.Parse(text));

    [Theory]
    [InlineData("5", "a number alone is ambiguous: add ms, s, m, h or d")]
    [InlineData("1,5s", "a comma is not allowed in a number: decimals begin with a point")]
    [InlineData("-5s", "must not be negative")]
    [InlineData("5w", "unknown unit: expected ms, s, m, h or d")]
    [InlineData("5 minutes", "unknown unit: expected ms, s, m, h or d")]
    [InlineData("99999999999999d", "must be at most 10675199d")]
    [InlineData("00:05", "expected a time such as 500ms, 5s, 7d or 00:00:05")]
    [InlineData("25:00:00", "expected a time such as 500ms, 5s, 7d or 00:00:05")]
    [InlineData(" 00:00:05", "expected a time such as 500ms, 5s, 7d or 00:00:05")]
    [InlineData("soon", "expected a time such as 500ms, 5s, 7d or 00:00:05")]
    [InlineData("s", "expected a time such as 500ms, 5s, 7d or 00:00:05")]
    public void A_wrong_time_says_what_is_wrong(string text, string rule) => Assert.Equal(rule, TimeText.Parse(text).Rule);

    [Theory]
    [InlineData("5 sec", "5s")]
    [InlineData("5secs", "5s")]
    [InlineData("1.5 Seconds", "1.5s")]
    [InlineData("10min", "10m")]
    [InlineData("2 hours", "2h")]
    [InlineData("7 days", "7d")]
    [InlineData("250 msec", "250ms")]
    [InlineData("5w", null)]
    [InlineData("1,5s", "1.5s")]
    public void A_wrong_unit_of_a_time_suggests_the_unit_that_is_meant(string text, string? suggestion) => Assert.Equal(suggestion, TimeText.Parse(text).Suggestion);

    [Theory]
    [InlineData("30", "1m", null, "a number alone is ambiguous: add ms, s, m, h or d", null)]
    [InlineData("90", "1m", null, "a number alone is ambiguous: add ms, s, m, h or d", null)]
    [InlineData("30 sec", "1m", null, "unknown unit: expected ms, s, m, h or d; must be at least 1m", null)]
    [InlineData("90 sec", "1m", null, "unknown unit: expected ms, s, m, h or d", "90s")]
    [InlineData("5000", "0s", "5m", "a number alone is ambiguous: add ms, s, m, h or d", "5000ms")]
    [InlineData("300", "0s", "5m", "a number alone is ambiguous: add ms, s, m, h or d", "300s")]
    [InlineData("300001", "0s", "5m", "a number alone is ambiguous: add ms, s, m, h or d; must be from 0s to 5m", null)]
    public void A_suggestion_is_a_value_that_is_allowed(string text, string min, string? max, string rule, string? suggestion)
    {
        var kind = OptionKind.Time(TimeText.Parse(min).Value, max is null ? null : TimeText.Parse(max).Value).Untyped;
        var parsed = kind.Parse(text);
        Assert.Equal((rule, suggestion), (parsed.Rule, parsed.Suggestion));
    }

    [Theory]
    [InlineData("10", 10)]
    [InlineData("10%", 10)]
    public void A_percentage_may_carry_its_sign(string text, int value) => Assert.Equal(new ParseResult<int>(value), OptionText.Percent(text));

    [Theory]
    [InlineData("10 %")]
    [InlineData("%")]
    [InlineData("ten")]
    [InlineData("1.5")]
    [InlineData("10%%")]
    [InlineData("")]
    public void Anything_else_is_no_percentage(string text)
        => Assert.Equal(ParseResult<int>.Invalid("expected a percentage such as 10 or 10%"), OptionText.Percent(text));

    [Theory]
    [InlineData("0640", 0b110_100_000)]
    [InlineData("640", 0b110_100_000)]
    [InlineData("1777", 0b001_111_111_111)]
    public void A_mode_is_octal(string text, int value) => Assert.Equal(new ParseResult<int>(value), OptionText.Octal(text));

    [Theory]
    [InlineData("0648")]
    [InlineData("64")]
    [InlineData("06400")]
    [InlineData("rw-")]
    public void Other_digits_are_no_mode(string text) => Assert.Equal("expected three or four octal digits such as 0640", OptionText.Octal(text).Rule);

    [Theory]
    [InlineData("Hour")]
    [InlineData("hour")]
    [InlineData("hOuR")]
    public void A_choice_is_a_name_in_any_case(string text)
        => Assert.Equal(new ParseResult<object?>(ProbeChoice.Hour), OptionText.Enum(typeof(ProbeChoice), text));

    [Theory]
    [InlineData("Daily", "Day")]
    [InlineData("Hourly", "Hour")]
    [InlineData("Weekly", "Week")]
    [InlineData("Min", "Minute")]
    [InlineData("4", null)]
    [InlineData("Day, Hour", "Day")]
    [InlineData("Forever", null)]
    public void A_wrong_choice_names_all_and_the_nearest(string text, string? suggestion) => Assert.Equal(
        ParseResult<object?>.Invalid("expected None, Year, Month, Week, Day, Hour or Minute", suggestion), OptionText.Enum(typeof(ProbeChoice), text));

    [Theory]
    [InlineData("Info", "Information")]
    [InlineData("warn", "Warning")]
    [InlineData("Fatal", "Critical")]
    [InlineData("Verbose", "Trace")]
    [InlineData("Eror", "Error")]
    [InlineData("Off", "None")]
    [InlineData("7", null)]
    [InlineData("-1", null)]
    [InlineData("2.0", null)]
    [InlineData("Debug, Warning", "Debug")]
    [InlineData(" ", null)]
    public void A_wrong_level_suggests_the_level_other_loggers_mean(string text, string? suggestion) => Assert.Equal(
        ParseResult<LogLevel>.Invalid("expected Trace, Debug, Information, Warning, Error, Critical or None", suggestion), OptionText.Level(text));

    [Theory]
    [InlineData("Warning", LogLevel.Warning)]
    [InlineData("wArNiNg", LogLevel.Warning)]
    [InlineData(" Warning ", LogLevel.Warning)]
    [InlineData("0", LogLevel.Trace)]
    [InlineData("2", LogLevel.Information)]
    [InlineData("6", LogLevel.None)]
    public void A_level_is_a_name_in_any_case_or_its_number(string text, LogLevel level) => Assert.Equal(new ParseResult<LogLevel>(level), OptionText.Level(text));

    [Fact]
    public void Sizes_and_times_read_back_what_they_show()
    {
        Prop.ForAll<NonNegativeInt, int>((number, shift) =>
        {
            long size = (long)number.Get << (Math.Abs(shift % 30));
            TimeSpan time = new((long)number.Get * (1L << Math.Abs(shift % 20)));
            return SizeText.Parse(SizeText.Show(size)) == new ParseResult<long>(size) && TimeText.Parse(TimeText.Show(time)) == new ParseResult<TimeSpan>(time);
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Values_are_read_alike_in_every_culture()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            foreach (string culture in (string[])["tr-TR", "de-DE", "ar-SA", "fa-IR", "th-TH"])
            {
                CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
                Assert.Equal(new ParseResult<long>(1610612736), SizeText.Parse("1.5gIb"));
                Assert.Equal(new ParseResult<TimeSpan>(TimeSpan.FromSeconds(1.5)), TimeText.Parse("1.5S"));
                Assert.Equal(new ParseResult<LogLevel>(LogLevel.Information), OptionText.Level("INFORMATION"));
                Assert.Equal(new ParseResult<object?>(ProbeChoice.Minute), OptionText.Enum(typeof(ProbeChoice), "MINUTE"));
                Assert.Equal(new ParseResult<int>(-10), OptionText.Percent("-10%"));
                Assert.Equal("LogLevel", NameSuggestions.Near("loglevıl", ["LogLevel"]));
            }
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
