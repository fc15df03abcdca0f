using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Keeps a report on one line, whatever a path or an exception text holds.</summary>
internal static class ControlText
{
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
