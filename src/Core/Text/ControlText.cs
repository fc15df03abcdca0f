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

    /// <summary>Replaces the characters that are escaped in a record with the same escapes: control characters, line breaks and bidi controls.</summary>
    public static string Escape(string text)
    {
        var result = new StringBuilder(text.Length + 16);
        foreach (var c in text)
        {
            if (Escaping.IsControl(c))
                result.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:x4}");
            else
                result.Append(c);
        }

        return result.ToString();
    }
}
