using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>A message template, parsed once: literals as UTF-8, and where the values go. The rules are those of MEL's own formatter.</summary>
internal sealed class MessageTemplate
{
    private MessageTemplate(string text, MessagePart[] parts, int holes)
    {
        Text = text;
        Parts = parts;
        Holes = holes;
    }

    /// <summary>The template as it was written.</summary>
    public string Text { get; }

    /// <summary>Literals and holes in order.</summary>
    public MessagePart[] Parts { get; }

    /// <summary>The number of holes.</summary>
    public int Holes { get; }

    /// <summary>Parses a template.</summary>
    /// <returns>Null when MEL's formatter would not take it: then that formatter has the word.</returns>
    public static MessageTemplate? Parse(string text)
    {
        var composite = new StringBuilder();
        var holes = Compose(text, composite);
        // The composite form is what MEL hands to .NET, so .NET says whether it is one.
        var format = composite.ToString();
        if (!IsComposite(format))
            return null;
        var parts = new List<MessagePart>();
        Split(format, parts);
        return new MessageTemplate(text, [.. parts], holes);
    }

    // Named holes become numbered ones, in MEL's way: the last of several opening braces, the first of several closing ones.
    private static int Compose(string text, StringBuilder composite)
    {
        var holes = 0;
        var scan = 0;
        while (scan < text.Length)
        {
            var open = FindBrace(text, '{', scan);
            if (scan == 0 && open == text.Length)
            {
                composite.Append(text);
                return 0;
            }

            var close = FindBrace(text, '}', open);
            if (close == text.Length)
            {
                composite.Append(text, scan, text.Length - scan);
                return holes;
            }

            var delimiter = text.AsSpan(open, close - open).IndexOfAny(',', ':');
            var end = delimiter < 0 ? close : open + delimiter;
            composite.Append(text, scan, open - scan + 1).Append(CultureInfo.InvariantCulture, $"{holes++}").Append(text, end, close - end + 1);
            scan = close + 1;
        }

        return holes;
    }

    private static int FindBrace(string text, char brace, int start)
    {
        var found = text.Length;
        var run = 0;
        for (var i = start; i < text.Length; i++)
        {
            if (text[i] == brace)
            {
                if (brace == '{' || run == 0)
                    found = i;
                run++;
            }
            else if (run > 0)
            {
                if (run % 2 != 0)
                    break;
                run = 0;
                found = text.Length;
            }
        }

        return found;
    }

    private static bool IsComposite(string format)
    {
        try
        {
            CompositeFormat.Parse(format);
            return true;
        }
        catch (FormatException)
        {
            // The answer says so; test A_template_MEL_refuses_is_left_to_MEL.
            return false;
        }
    }

    // The format is known to be a valid composite format.
    private static void Split(string format, List<MessagePart> parts)
    {
        var literal = new StringBuilder();
        for (var i = 0; i < format.Length; i++)
        {
            var c = format[i];
            if (c is '{' or '}' && i + 1 < format.Length && format[i + 1] == c)
            {
                literal.Append(c);
                i++;
            }
            else if (c == '{')
            {
                AddLiteral(literal, parts);
                i = AddHole(format, i + 1, parts);
            }
            else
            {
                literal.Append(c);
            }
        }

        AddLiteral(literal, parts);
    }

    private static void AddLiteral(StringBuilder literal, List<MessagePart> parts)
    {
        if (literal.Length > 0)
            parts.Add(new MessagePart(Encoding.UTF8.GetBytes(literal.ToString()), -1, 0, null));
        literal.Clear();
    }

    // index [ "," alignment ] [ ":" format ] "}", with blanks where .NET allows them.
    private static int AddHole(string format, int start, List<MessagePart> parts)
    {
        var end = format.IndexOf('}', start);
        var body = format.AsSpan(start, end - start);
        var colon = body.IndexOf(':');
        var head = colon < 0 ? body : body[..colon];
        var comma = head.IndexOf(',');
        var index = int.Parse(comma < 0 ? head : head[..comma], NumberStyles.Integer, CultureInfo.InvariantCulture);
        var alignment = comma < 0 ? 0 : int.Parse(head[(comma + 1)..], NumberStyles.Integer, CultureInfo.InvariantCulture);
        var specifier = colon < 0 || colon + 1 == body.Length ? null : body[(colon + 1)..].ToString();
        parts.Add(new MessagePart([], index, alignment, specifier));
        return end;
    }
}
