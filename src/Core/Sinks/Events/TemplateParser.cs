using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Reads message templates as MEL's own formatter does: names become numbers, the rest is a composite format string.</summary>
internal static class TemplateParser
{
    /// <summary>Parses a template; null when MEL would refuse it.</summary>
    public static MessageTemplate? Parse(string template)
    {
        var names = new List<string>();
        var numbered = Number(template, names);
        try
        {
            // The framework judges what is valid, so that the reading below may be simple.
            CompositeFormat.Parse(numbered);
        }
        catch (FormatException)
        {
            // Kept as "invalid" by the table; Templates_that_MEL_refuses_are_left_to_the_formatter proves that nothing is lost.
            return null;
        }
        return Split(template, numbered, names);
    }

    /// <summary>Replaces each name by its number and collects the names.</summary>
    private static string Number(string template, List<string> names)
    {
        var result = new StringBuilder(template.Length);
        var position = 0;
        while (position < template.Length)
        {
            var open = FindBrace(template, '{', position);
            var close = FindBrace(template, '}', open);
            if (close == template.Length)
            {
                result.Append(template.AsSpan(position));
                break;
            }
            var nameEnd = template.AsSpan(open, close - open).IndexOfAny(',', ':');
            nameEnd = nameEnd < 0 ? close : nameEnd + open;
            result.Append(template.AsSpan(position, open - position + 1));
            result.Append(CultureInfo.InvariantCulture, $"{names.Count}");
            names.Add(template[(open + 1)..nameEnd]);
            result.Append(template.AsSpan(nameEnd, close - nameEnd + 1));
            position = close + 1;
        }
        return result.ToString();
    }

    /// <summary>The next brace that stands in an odd group: the last of the group if it opens, the first if it closes; else the end.</summary>
    private static int FindBrace(string text, char brace, int start)
    {
        var found = text.Length;
        var count = 0;
        for (var i = start; i < text.Length; i++)
        {
            if (text[i] == brace)
            {
                if (brace == '{' || count == 0)
                    found = i;
                count++;
            }
            else if (count % 2 == 1)
            {
                return found;
            }
            else if (count > 0)
            {
                count = 0;
                found = text.Length;
            }
        }
        return found;
    }

    /// <summary>Splits a valid composite format into literals and holes.</summary>
    private static MessageTemplate? Split(string template, string format, List<string> names)
    {
        var parts = new List<MessagePart>();
        var literal = new StringBuilder();
        var position = 0;
        while (position < format.Length)
        {
            var next = format[position];
            if (next is not ('{' or '}'))
            {
                literal.Append(next);
                position++;
            }
            else if (format[position + 1] == next)
            {
                literal.Append(next);
                position += 2;
            }
            else
            {
                var end = format.IndexOf('}', position);
                var part = ReadHole(literal.ToString(), format.AsSpan(position + 1, end - position - 1));
                if (part.Hole >= names.Count)
                    return null;
                parts.Add(part);
                literal.Clear();
                position = end + 1;
            }
        }
        if (literal.Length > 0)
            parts.Add(new MessagePart(literal.ToString()));
        return new MessageTemplate(template, [.. parts], [.. names]);
    }

    private static MessagePart ReadHole(string literal, ReadOnlySpan<char> hole)
    {
        string? format = null;
        var colon = hole.IndexOf(':');
        if (colon >= 0)
        {
            format = hole[(colon + 1)..].ToString();
            hole = hole[..colon];
        }
        var alignment = 0;
        var comma = hole.IndexOf(',');
        if (comma >= 0)
        {
            alignment = int.Parse(hole[(comma + 1)..].Trim(' '), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
            hole = hole[..comma];
        }
        return new MessagePart(literal, int.Parse(hole, NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture), alignment, format);
    }
}
