using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Reads and shows the values of options. Invariant; the same words in every error.</summary>
internal static class OptionText
{
    private const string LevelRule = "expected Trace, Debug, Information, Warning, Error, Critical or None";


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
        {
            return ParseResult<int>.Invalid("expected three or four octal digits such as 0640");
        }

        int value = 0;
        foreach (char digit in text)
        {
            value = (value << 3) | (digit - '0');
        }

        return new(value);
    }

    public static ParseResult<TEnum> Enum<TEnum>(string text)
        where TEnum : struct, Enum
    {
        string[] names = System.Enum.GetNames<TEnum>();
        string? name = Array.Find(names, known => known.Equals(text, StringComparison.OrdinalIgnoreCase));
        return name is not null
            ? new(System.Enum.Parse<TEnum>(name))
            : ParseResult<TEnum>.Invalid("expected " + Alternatives(names), NameSuggestions.Closest(text, names));
    }

    public static ParseResult<LogLevel> Level(string text)
    {
        string[] names = System.Enum.GetNames<LogLevel>();
        string? name = Array.Find(names, known => known.Equals(text, StringComparison.OrdinalIgnoreCase));
        return name is not null
            ? new(System.Enum.Parse<LogLevel>(name))
            : ParseResult<LogLevel>.Invalid(LevelRule, NameSuggestions.Level(text, names));
    }

    public static string Show(bool value) => value ? "true" : "false";

    public static string Show(int value) => value.ToString(CultureInfo.InvariantCulture);

    public static string ShowOctal(int value) => "0" + Convert.ToString(value, 8).PadLeft(3, '0');

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
