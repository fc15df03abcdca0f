using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Makes texts fit for header fields and names, which are printable ASCII without spaces. Pure.</summary>
internal static class HeaderText
{
    public const int LongestHostName = 255;
    public const int LongestAppName = 48;
    public const int LongestProcId = 128;
    public const int LongestMsgId = 32;
    public const int LongestTag = 32;

    /// <summary>A field (RFC 5424 §6.2): each other character becomes one <c>_</c>; nothing becomes nil.</summary>
    public static string Field(string text, int longest) => Clean(text, longest, static c => c is >= '!' and <= '~') is { Length: > 0 } field ? field : "-";

    /// <summary>HOSTNAME: labels beyond ASCII in their IDNA form.</summary>
    public static string HostName(string name)
    {
        name = name.Length > 2 && name[0] == '[' && name[^1] == ']' ? name[1..^1] : name;
        return Field(Ascii.IsValid(name) ? name : string.Join('.', name.Split('.').Select(ToAscii)), LongestHostName);
    }

    /// <summary>The tag of the older forms.</summary>
    public static string Tag(string appName) =>
        Clean(appName, LongestTag, static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-') is { Length: > 0 } tag ? tag : "-";

    private static string Clean(string text, int longest, Func<char, bool> isAllowed)
    {
        var clean = new StringBuilder();
        foreach (var rune in text.EnumerateRunes())
        {
            if (clean.Length == longest)
                break;
            clean.Append(rune.IsAscii && isAllowed((char)rune.Value) ? (char)rune.Value : '_');
        }

        return clean.ToString();
    }

    private static string ToAscii(string label)
    {
        if (Ascii.IsValid(label))
            return label;
        try
        {
            return new IdnMapping().GetAscii(label);
        }
        catch (ArgumentException)
        {
            // No valid label in any script: the cleaned text has to do; SY_08 pins it.
            return label;
        }
    }
}
