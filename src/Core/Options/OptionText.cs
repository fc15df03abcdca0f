using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Reads and shows the values of options. Invariant; the same words in every error.</summary>
internal static class OptionText
{
    public const string LevelRule = "expected Trace, Debug, Information, Warning, Error, Critical or None";

    /// <summary>The rule for a number with a comma.</summary>
    public const string CommaRule = "a comma is not allowed in a number: decimals begin with a point";

    public static ParseResult<bool> Boolean(string text) =>
        bool.TryParse(text, out bool value) ? new(value) : ParseResult<bool>.Invalid("expected true or false");

    public static ParseResult<int> Integer(string text) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value)
            ? new(value)
            : ParseResult<int>.Invalid("expected a whole number");

    public static ParseResult<int> Percent(string text) =>
        int.TryParse(text.EndsWith('%') ? text[..^1] : text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value)
            ? new(value)
            : ParseResult<int>.Invalid("expected a percentage such as 10 or 10%");

    public static ParseResult<int> Octal(string text)
    {
        if (text.Length is < 3 or > 4 || text.AsSpan().ContainsAnyExceptInRange('0', '7'))
            return ParseResult<int>.Invalid("expected three or four octal digits such as 0640");

        int value = 0;
        foreach (char digit in text)
            value = (value << 3) | (digit - '0');

        return new(value);
    }

    public static ParseResult<object?> Enum(Type type, string text)
    {
        string[] names = System.Enum.GetNames(type);
        string? name = Array.Find(names, known => known.Equals(text, StringComparison.OrdinalIgnoreCase));
        return name is not null
            ? new(System.Enum.Parse(type, name))
            : ParseResult<object?>.Invalid("expected " + Alternatives(names), NameSuggestions.Closest(text, names));
    }

    /// <summary>Reads a level by its name or its number, as the logger factory does; a list of levels, which the factory combines, is refused.</summary>
    public static ParseResult<LogLevel> Level(string text) =>
        !text.Contains(',') && System.Enum.TryParse(text, ignoreCase: true, out LogLevel level) && System.Enum.IsDefined(level)
            ? new(level)
            : ParseResult<LogLevel>.Invalid(LevelRule, NameSuggestions.Level(text, System.Enum.GetNames<LogLevel>()));

    /// <summary>The text with a point in place of its only comma, which is probably meant; null: it has several.</summary>
    public static string? WithPoint(string text) => text.AsSpan().Count(',') == 1 ? text.Replace(',', '.') : null;

    public static string Show(bool value) => value ? "true" : "false";

    public static string Show(int value) => value.ToString(CultureInfo.InvariantCulture);

    public static string ShowOctal(int value) => "0" + Convert.ToString(value, 8).PadLeft(3, '0');

    /// <summary>Returns true if a section with these keys is a list of JSON: they are 0, 1, 2 and so on.</summary>
    public static bool IsList(IReadOnlyCollection<string> keys) => keys.Count > 0
        && keys.Order(StringComparer.Ordinal).SequenceEqual(Enumerable.Range(0, keys.Count).Select(Show).Order(StringComparer.Ordinal));

    /// <summary><c>a, b or c</c>.</summary>
    public static string Alternatives(IReadOnlyList<string> names) => names.Count switch
    {
        0 => "nothing",
        1 => names[0],
        _ => string.Join(", ", names.Take(names.Count - 1)) + " or " + names[^1],
    };

    /// <summary>The words for a range; null when neither end is bounded.</summary>
    public static string? Range(string? atLeast, string? atMost) => (atLeast, atMost) switch
    {
        (null, null) => null,
        (_, null) => "must be at least " + atLeast,
        (null, _) => "must be at most " + atMost,
        _ => $"must be from {atLeast} to {atMost}",
    };
}

/// <summary>Sizes: bytes, or a number with a unit; 1 KB is 1,024 bytes.</summary>
internal static class SizeText
{
    private const string Rule = "expected a size such as 4096, 64KB or 1.5GB";
    private const string PercentRule = "a percentage is not a size: " + Rule;

    private static readonly string[] Units = ["B", "KB", "MB", "GB", "TB"];

    private static readonly Dictionary<string, string> UnitWords = new(StringComparer.OrdinalIgnoreCase)
    {
        ["byte"] = "B",
        ["k"] = "KB",
        ["ki"] = "KB",
        ["kilobyte"] = "KB",
        ["m"] = "MB",
        ["mi"] = "MB",
        ["megabyte"] = "MB",
        ["g"] = "GB",
        ["gi"] = "GB",
        ["gigabyte"] = "GB",
        ["t"] = "TB",
        ["ti"] = "TB",
        ["terabyte"] = "TB",
    };

    public static ParseResult<long> Parse(string text)
    {
        if (text.StartsWith('-'))
            return ParseResult<long>.Invalid("must not be negative");
        if (text.Contains(','))
            return ParseResult<long>.Invalid(OptionText.CommaRule, OptionText.WithPoint(text));
        if (text.EndsWith('%'))
            return ParseResult<long>.Invalid(PercentRule);

        int digits = text.AsSpan().IndexOfAnyExcept("0123456789.");
        ReadOnlySpan<char> number = digits < 0 ? text : text.AsSpan(0, digits);
        ReadOnlySpan<char> unit = digits < 0 ? default : text.AsSpan(digits);
        if (number.IsEmpty || !HasNumberForm(number, wholeOnly: unit.IsEmpty))
            return ParseResult<long>.Invalid(Rule);

        if (unit.StartsWith(" "))
            unit = unit[1..];

        int power = digits < 0 ? 0 : UnitPower(unit);
        return power < 0
            ? ParseResult<long>.Invalid("unknown unit: expected B, KB, MB, GB or TB", UnitWord.Suggest(number, unit, UnitWords))
            : Multiply(number, power);
    }

    public static string Show(long bytes)
    {
        int power = 0;
        while (bytes != 0 && bytes % 1024 == 0 && power < Units.Length - 1)
        {
            bytes /= 1024;
            power++;
        }

        return bytes.ToString(CultureInfo.InvariantCulture) + Units[power];
    }

    private static bool HasNumberForm(ReadOnlySpan<char> number, bool wholeOnly)
    {
        int point = number.IndexOf('.');
        if (point < 0)
            return true;

        int decimals = number.Length - point - 1;
        return !wholeOnly && point > 0 && decimals is 1 or 2 && number[(point + 1)..].IndexOf('.') < 0;
    }

    private static int UnitPower(ReadOnlySpan<char> unit)
    {
        for (int power = 0; power < Units.Length; power++)
        {
            string name = Units[power];
            bool binary = power > 0 && unit.Length == 3 && unit[1] is 'i' or 'I'
                && char.ToUpperInvariant(unit[0]) == name[0] && unit[2] is 'B' or 'b';
            if (binary || unit.Equals(name, StringComparison.OrdinalIgnoreCase))
                return power;
        }

        return -1;
    }

    private static ParseResult<long> Multiply(ReadOnlySpan<char> number, int power)
    {
        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            || value > long.MaxValue / (decimal)(1L << (10 * power)))
        {
            return ParseResult<long>.Invalid("must be at most 8388607TB");
        }

        decimal bytes = value * (1L << (10 * power));
        return power == 0 && decimal.Truncate(bytes) != bytes
            ? ParseResult<long>.Invalid("bytes cannot have decimals: write a whole number, or a larger unit")
            : new ParseResult<long>((long)decimal.Truncate(bytes));
    }
}

/// <summary>Times: <c>[d.]hh:mm:ss[.fffffff]</c>, or a number with <c>ms</c>, <c>s</c>, <c>m</c>, <c>h</c>, <c>d</c>. Never a bare number.</summary>
internal static class TimeText
{
    private const string Rule = "expected a time such as 500ms, 5s, 7d or 00:00:05";

    private static readonly Dictionary<string, string> UnitWords = new(StringComparer.OrdinalIgnoreCase)
    {
        ["msec"] = "ms",
        ["milli"] = "ms",
        ["millisecond"] = "ms",
        ["sec"] = "s",
        ["second"] = "s",
        ["min"] = "m",
        ["minute"] = "m",
        ["hr"] = "h",
        ["hour"] = "h",
        ["day"] = "d",
    };

    /// <param name="min">The shortest time that is allowed.</param>
    /// <param name="max">The longest; null: any.</param>
    public static ParseResult<TimeSpan> Parse(string text, TimeSpan min = default, TimeSpan? max = null)
    {
        if (text.StartsWith('-'))
            return ParseResult<TimeSpan>.Invalid("must not be negative");
        if (text.Contains(','))
            return ParseResult<TimeSpan>.Invalid(OptionText.CommaRule, OptionText.WithPoint(text));

        if (text.Contains(':'))
            return ParseClock(text);

        int digits = text.AsSpan().IndexOfAnyExcept("0123456789.");
        ReadOnlySpan<char> number = digits < 0 ? text : text.AsSpan(0, digits);
        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value)
            || number[0] == '.' || number[^1] == '.')
        {
            return ParseResult<TimeSpan>.Invalid(Rule);
        }

        if (digits < 0)
            return ParseResult<TimeSpan>.Invalid("a number alone is ambiguous: add ms, s, m, h or d", WithUnit(text, value, min, max));

        ReadOnlySpan<char> unit = text.AsSpan(digits);
        long ticks = TicksOf(unit.StartsWith(" ") ? unit[1..] : unit);
        if (ticks == 0)
            return ParseResult<TimeSpan>.Invalid("unknown unit: expected ms, s, m, h or d", UnitWord.Suggest(number, unit, UnitWords));

        return value > long.MaxValue / (decimal)ticks
            ? ParseResult<TimeSpan>.Invalid("must be at most 10675199d")
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

    // The unit that is probably meant. For a time that is never shorter than a minute, such as the age of old files, seconds would be a dangerous guess.
    private static string? WithUnit(string number, decimal value, TimeSpan min, TimeSpan? max)
    {
        if (min >= TimeSpan.FromMinutes(1))
            return null;
        return number + (max is { } most && value > (decimal)most.TotalSeconds ? "ms" : "s");
    }

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

/// <summary>Finds the unit that is meant by a word of other notations.</summary>
internal static class UnitWord
{
    /// <summary>Returns the value with the unit; null when the word means none.</summary>
    public static string? Suggest(ReadOnlySpan<char> number, ReadOnlySpan<char> word, Dictionary<string, string> units) =>
        units.TryGetValue(word.Trim().TrimEnd("sS").ToString(), out string? unit) ? $"{number}{unit}" : null;
}
