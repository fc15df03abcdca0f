using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>A parsed message template: literals as UTF-8 and the arguments between them. Immutable.</summary>
/// <remarks>Parsed as by the formatter of Microsoft.Extensions.Logging: names become numbers, the rest is a composite format string.</remarks>
internal sealed class MessageTemplate
{
    /// <summary>The message of a call without arguments: its text, as the only value.</summary>
    public static readonly MessageTemplate OfText = new("", [new MessagePart("", 0, 0, null)], []);

    private MessageTemplate(string text, MessagePart[] parts, string[] names)
    {
        Text = text;
        Parts = parts;
        WrittenNames = names;
        HasOperators = Array.Exists(names, HasOperator);
        Names = HasOperators ? Array.ConvertAll(names, NameOf) : names;
        IsPlain = Array.TrueForAll(parts, static part => part.LiteralText is null && !part.Literal.Span.ContainsAnyExceptInRange((byte)' ', (byte)'~'));
    }

    // With other parts.
    private MessageTemplate(MessageTemplate message, MessagePart[] parts)
    {
        Text = message.Text;
        Parts = parts;
        WrittenNames = message.WrittenNames;
        HasOperators = message.HasOperators;
        RefusesNull = message.RefusesNull;
        Names = message.Names;
        IsPlain = message.IsPlain;
    }

    /// <summary>The template as it was written.</summary>
    public string Text { get; }

    /// <summary>Literals and arguments in order; the arguments are numbered in order of appearance.</summary>
    public MessagePart[] Parts { get; }

    /// <summary>The parts compiled for each type of state that used the template, or null.</summary>
    public FastPathParts? FastPaths { get; set; }

    /// <summary>True if another formatter makes the message, whose text of null differs.</summary>
    public bool RefusesNull { get; private init; }

    /// <summary>True if all literals of the message are printable ASCII.</summary>
    public bool IsPlain { get; }

    /// <summary>The property name of each argument, without the <c>@</c> or <c>$</c> before it.</summary>
    public string[] Names { get; }

    /// <summary>The names as written in the template, with their <c>@</c> and <c>$</c>; the same array where there are none.</summary>
    public string[] WrittenNames { get; }

    /// <summary>True if an argument has <c>@</c> or <c>$</c> before its name.</summary>
    public bool HasOperators { get; }

    /// <summary>Returns true if a name begins with <c>@</c> or <c>$</c>: <c>{@Item}</c> is the JSON of the value, <c>{$Item}</c> its text (<see cref="NameOperators"/>).</summary>
    public static bool HasOperator(string name) => name.Length > 1 && (name[0] == '@' || name[0] == '$');

    /// <summary>Returns true if a text that was not parsed has anything that resembles an argument.</summary>
    public static bool HasArgument(string text)
    {
        var at = 0;
        return NextName(text, ref at, out _);
    }

    /// <summary>The property names of a template that <see cref="Parse"/> refuses or that is too long to be kept.</summary>
    public static string[] NamesOfUnparsed(string text)
    {
        var names = new List<string>();
        var at = 0;
        while (NextName(text, ref at, out var name))
            names.Add(NameOf(text[name]));
        return [.. names];
    }

    /// <summary>The template of a message whose null values are written by its own formatter.</summary>
    public MessageTemplate WithoutNull() => new(this, Parts) { RefusesNull = true };

    /// <summary>The template with other parts before and after the message.</summary>
    public MessageTemplate With(ReadOnlySpan<MessagePart> before, ReadOnlySpan<MessagePart> after)
    {
        var merged = new List<MessagePart>();
        foreach (var part in (MessagePart[])[.. before, .. Parts, .. after])
        {
            // A literal is part of what comes next.
            if (merged is [.., { LiteralText: null, Argument: < 0, Insert: < 0 } last] && part.LiteralText is null)
                merged[^1] = part.WithLiteral([.. last.Literal.Span, .. part.Literal.Span]);
            else
                merged.Add(part);
        }

        return new MessageTemplate(this, [.. merged]);
    }

    /// <summary>The template with escaped literals; null if one is half of a surrogate pair, or has a control character in a line of text, where the layout decides what it becomes.</summary>
    public MessageTemplate? Escaped(EscapeStyle style)
    {
        var parts = new MessagePart[Parts.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            var literal = Parts[i].Literal.Span;
            if (Parts[i].LiteralText is not null || (style == EscapeStyle.Text && Escaping.HasControl(literal)))
                return null;
            var escaped = new RecordBuffer();
            var writer = new Utf8Writer(escaped);
            Escaping.Write(ref writer, literal, style);
            writer.Flush();
            parts[i] = Parts[i].WithLiteral(escaped.WrittenSpan);
        }

        return new MessageTemplate(this, parts);
    }

    /// <summary>A template of the same arguments, in order, as elements of JSON.</summary>
    public MessageTemplate ToJsonTemplate(ReadOnlySpan<Utf8Literal> literals)
    {
        var parts = new MessagePart[literals.Length];
        for (var i = 0; i < parts.Length; i++)
            parts[i] = new MessagePart("", i < parts.Length - 1 ? i : MessagePart.NoArgument, 0, null, ValueStyle.Json).WithLiteral(literals[i].Span);
        return new MessageTemplate(this, parts);
    }

    /// <summary>A template whose values are parts of a string of JSON. The literals stay as they are.</summary>
    public MessageTemplate ToJsonString() => new(this, Array.ConvertAll(Parts, static part => part.WithStyle(ValueStyle.JsonString)));

    /// <summary>Parses a template; null when MEL would refuse it.</summary>
    public static MessageTemplate? Parse(string template)
    {
        var names = new List<string>();
        var numbered = Number(template, names);
        try
        {
            // The framework validates, so that Split needs no checks.
            CompositeFormat.Parse(numbered);
        }
        catch (FormatException)
        {
            // The table keeps it as invalid; Templates_that_MEL_refuses_are_left_to_the_formatter proves that nothing is lost.
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

    /// <summary>Finds the next brace in a group of odd length: the last of the group if it opens, the first if it closes; else the end.</summary>
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

    /// <summary>Splits a valid composite format into literals and arguments.</summary>
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
                var part = ReadArgument(literal.ToString(), format.AsSpan(position + 1, end - position - 1));
                if (part.Argument >= names.Count)
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

    private static MessagePart ReadArgument(string literal, ReadOnlySpan<char> text)
    {
        string? format = null;
        var colon = text.IndexOf(':');
        if (colon >= 0)
        {
            format = text[(colon + 1)..].ToString();
            text = text[..colon];
        }
        var alignment = 0;
        var comma = text.IndexOf(',');
        if (comma >= 0)
        {
            alignment = int.Parse(text[(comma + 1)..].Trim(' '), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
            text = text[..comma];
        }
        return new MessagePart(literal, int.Parse(text, NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture), alignment, format);
    }

    private static string NameOf(string name) => HasOperator(name) ? name[1..] : name;

    // Finds the next name and moves past it.
    private static bool NextName(string text, ref int at, out Range name)
    {
        name = default;
        while ((at = text.IndexOf('{', at)) >= 0)
        {
            at++;
            if (at < text.Length && text[at] == '{')
            {
                at++;
                continue;
            }
            var end = text.AsSpan(at).IndexOfAny(",:}");
            if (end < 0)
                return false;
            name = at..(at + end);
            at += end;
            return true;
        }
        return false;
    }
}

/// <summary>One operation of rendering: a literal and the argument after it.</summary>
internal readonly struct MessagePart
{
    // Fields, read in place: a copy of a literal per record costs as much as the literal itself.

    /// <summary>The literal, unless <see cref="LiteralText"/> has it.</summary>
    public readonly Utf8Literal Literal;

    /// <summary>The literal as text if it begins or ends with half a surrogate pair.</summary>
    public readonly string? LiteralText;

    /// <summary>The index of the argument after the literal; negative: none.</summary>
    public readonly int Argument;

    /// <summary>The minimum width in UTF-16 units; negative: aligned left.</summary>
    public readonly int Alignment;

    public readonly string? Format;

    /// <summary>Decimals of a fixed-point format that <see cref="FixedPoint"/> may render; negative: another format.</summary>
    public readonly int FixedDigits;

    /// <summary>True if the literal is whole UTF-8 and the value is not aligned.</summary>
    public readonly bool IsSimple;

    public readonly ValueStyle Style;

    /// <summary>The insert of the layout after the literal, what activity and scopes give; negative: none.</summary>
    public readonly int Insert = NoArgument;

    public const int NoArgument = -1;

    public MessagePart(string literal)
        : this(literal, NoArgument, 0, null)
    {
    }

    public MessagePart(string literal, int argument, int alignment, string? format, ValueStyle style = ValueStyle.Text)
    {
        // Half a surrogate pair at an edge may join its other half in a value, so such a literal stays text.
        var isSplit = literal.Length > 0 && (char.IsLowSurrogate(literal[0]) || char.IsHighSurrogate(literal[^1]));
        LiteralText = isSplit ? literal : null;
        Literal = new Utf8Literal(isSplit ? "" : literal);
        Argument = argument;
        Alignment = alignment;
        Format = format;
        FixedDigits = FixedPoint.DigitsOf(format);
        IsSimple = !isSplit && alignment == 0;
        Style = style;
    }

    /// <summary>Constant text, and an insert after it.</summary>
    public MessagePart(ReadOnlySpan<byte> literal, int insert = NoArgument)
        : this("")
    {
        Literal = new Utf8Literal(literal);
        Insert = insert;
    }

    private MessagePart(in MessagePart part, ReadOnlySpan<byte> literal)
    {
        this = part;
        Literal = new Utf8Literal(literal);
    }

    private MessagePart(in MessagePart part, ValueStyle style)
    {
        this = part;
        Style = style;
    }

    /// <summary>The part with another literal.</summary>
    public MessagePart WithLiteral(ReadOnlySpan<byte> literal) => new(this, literal);

    public MessagePart WithStyle(ValueStyle style) => new(this, style);
}

/// <summary>The parsed templates, found by reference: of their text, or of an object that identifies it. Bounded; new entries replace old ones.</summary>
internal static class TemplateTable
{
    private const int SlotCount = 2048;
    private const int Probes = 4;
    private const int MaxByText = 1024;
    // A longer text was built at run time and seldom comes back.
    private const int MaxTemplateLength = 8 * 1024;

    private static readonly ReferenceCache<Entry> ByReference = new(SlotCount, Probes);
    private static readonly ConcurrentDictionary<string, Entry> ByText = new(StringComparer.Ordinal);
    private static int _byTextCount;

    /// <summary>Returns the parsed template; null when it is invalid or too long, so that the caller's formatter makes the message.</summary>
    public static MessageTemplate? Find(string text)
        => Probe(text, RuntimeHelpers.GetHashCode(text)) is { } entry ? entry.Template : FindByText(text);

    /// <summary>Returns the template that was added for an object, or null.</summary>
    public static MessageTemplate? FindByOwner(object owner) => Probe(owner, RuntimeHelpers.GetHashCode(owner))?.Template;

    /// <summary>Adds a template that is found by the reference of an object that identifies it.</summary>
    public static void Add(object owner, MessageTemplate template) => Put(new Entry(owner, template));

    private static Entry? Probe(object key, int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            if (ByReference[hash + i] is { } entry && ReferenceEquals(entry.Key, key))
                return entry;
        }
        return null;
    }

    private static MessageTemplate? FindByText(string text)
    {
        if (text.Length > MaxTemplateLength)
            return null;
        if (!ByText.TryGetValue(text, out var known))
        {
            known = new Entry(text, MessageTemplate.Parse(text));
            // The count may run ahead of the dictionary under a race; it only decides when to start over.
            if (Interlocked.Increment(ref _byTextCount) > MaxByText)
            {
                ByText.Clear();
                Volatile.Write(ref _byTextCount, 1);
            }
            ByText.TryAdd(text, known);
        }
        Put(ReferenceEquals(known.Key, text) ? known : new Entry(text, known.Template));
        return known.Template;
    }

    private static void Put(Entry entry) => ByReference.Add(RuntimeHelpers.GetHashCode(entry.Key), entry);

    private sealed class Entry(object key, MessageTemplate? template)
    {
        public readonly object Key = key;
        public readonly MessageTemplate? Template = template;
    }
}
