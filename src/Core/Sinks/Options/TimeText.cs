using System.Globalization;

namespace AsyncLog;

/// <summary>Times: <c>[d.]hh:mm:ss[.fffffff]</c>, or a number with <c>ms</c>, <c>s</c>, <c>m</c>, <c>h</c>, <c>d</c>. Never a bare number.</summary>
internal static class TimeText
{
    private const string Rule = "expected a time such as 500ms, 5s, 7d or 00:00:05";

    public static ParseResult<TimeSpan> Parse(string text)
    {
        if (text.StartsWith('-'))
        {
            return ParseResult<TimeSpan>.Invalid("must not be negative");
        }

        if (text.Contains(':'))
        {
            return ParseClock(text);
        }

        int digits = text.AsSpan().IndexOfAnyExcept("0123456789.");
        ReadOnlySpan<char> number = digits < 0 ? text : text.AsSpan(0, digits);
        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            || number[0] == '.' || number[^1] == '.')
        {
            return ParseResult<TimeSpan>.Invalid(Rule);
        }

        if (digits < 0)
        {
            return ParseResult<TimeSpan>.Invalid($"a number alone is ambiguous: write {text}s", text + "s");
        }

        ReadOnlySpan<char> unit = text.AsSpan(digits);
        long ticks = TicksOf(unit.StartsWith(" ") ? unit[1..] : unit);
        if (ticks == 0)
        {
            return ParseResult<TimeSpan>.Invalid("unknown unit: expected ms, s, m, h or d");
        }

        return value > long.MaxValue / (decimal)ticks
            ? ParseResult<TimeSpan>.Invalid("is too large")
            : new ParseResult<TimeSpan>(new TimeSpan((long)(value * ticks)));
    }

    public static string Show(TimeSpan value) => value.Ticks switch
    {
        0 => "0s",
        long ticks when ticks % TimeSpan.TicksPerDay == 0 => Show(ticks / TimeSpan.TicksPerDay, "d"),
        long ticks when ticks % TimeSpan.TicksPerHour == 0 => Show(ticks / TimeSpan.TicksPerHour, "h"),
        long ticks when ticks % TimeSpan.TicksPerMinute == 0 => Show(ticks / TimeSpan.TicksPerMinute, "m"),
        long ticks when ticks % TimeSpan.TicksPerSecond == 0 => Show(ticks / TimeSpan.TicksPerSecond, "s"),
        long ticks when ticks % TimeSpan.TicksPerMillisecond == 0 => Show(ticks / TimeSpan.TicksPerMillisecond, "ms"),
        _ => value.ToString("c", CultureInfo.InvariantCulture),
    };

    private static string Show(long number, string unit) => number.ToString(CultureInfo.InvariantCulture) + unit;

    // TimeSpan itself would also take "5" (days), "hh:mm" and white space around it.
    private static ParseResult<TimeSpan> ParseClock(string text)
    {
        bool hasForm = text.AsSpan().Count(':') == 2
            && !text.AsSpan().ContainsAnyExcept("0123456789.:")
            && text.IndexOf(':') >= 2;
        return hasForm && TimeSpan.TryParseExact(text, "c", CultureInfo.InvariantCulture, out TimeSpan value)
            ? new(value)
            : ParseResult<TimeSpan>.Invalid(Rule);
    }

    private static long TicksOf(ReadOnlySpan<char> unit) => unit switch
    {
        _ when Is(unit, "ms") => TimeSpan.TicksPerMillisecond,
        _ when Is(unit, "s") => TimeSpan.TicksPerSecond,
        _ when Is(unit, "m") => TimeSpan.TicksPerMinute,
        _ when Is(unit, "h") => TimeSpan.TicksPerHour,
        _ when Is(unit, "d") => TimeSpan.TicksPerDay,
        _ => 0,
    };

    private static bool Is(ReadOnlySpan<char> unit, string name) => unit.Equals(name, StringComparison.OrdinalIgnoreCase);
}
