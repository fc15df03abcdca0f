using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Converts any text into a single line for a report.</summary>
internal static class ControlText
{
    /// <summary>Formats a count with its noun and verb: <c>1 record was</c>, <c>2 records were</c>.</summary>
    public static string Count(long count, string one, string many) => string.Create(CultureInfo.InvariantCulture, $"{count} {(count == 1 ? one : many)}");

    /// <summary>Gets the text with a full stop at its end, unless it ends with a mark.</summary>
    public static string Sentence(string text)
    {
        var trimmed = text.TrimEnd();
        return trimmed.EndsWith('.') || trimmed.EndsWith('?') || trimmed.EndsWith('!') ? trimmed : trimmed + ".";
    }

    /// <summary>Replaces control characters with readable escapes.</summary>
    public static string Escape(string text)
    {
        if (!text.AsSpan().ContainsAnyInRange('\0', '\x1f') && !text.AsSpan().ContainsAnyInRange('\x7f', '\x9f') && !text.AsSpan().ContainsAny('\u2028', '\u2029'))
            return text;
        var result = new StringBuilder(text.Length + 16);
        foreach (var c in text)
        {
            if (char.IsControl(c) || c is '\u2028' or '\u2029')
                result.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:x4}");
            else
                result.Append(c);
        }

        return result.ToString();
    }
}
