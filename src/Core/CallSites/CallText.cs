namespace AsyncLog;

/// <summary>A text of constant parts and values of one call in the code: its message, or a whole record.</summary>
/// <param name="template">The text; each of its values is an argument.</param>
/// <param name="values">Reads the state of the call.</param>
internal sealed class CallText(MessageTemplate template, StateValues values)
{
    public MessageTemplate Template { get; } = template;

    /// <summary>The parts, compiled for the type of the state.</summary>
    public FastPathPart[] Parts { get; } = values.Compile(template);

    /// <summary>Writes all parts, with values of any text that needs no code of users.</summary>
    /// <param name="style">The escapes of values that are parts of the text; <see cref="ValueStyle.Json"/> and <see cref="ValueStyle.JsonString"/> have their own.</param>
    /// <returns>False where an event is needed: what was written does not count.</returns>
    public static bool TryWrite(ref Utf8Writer writer, MessageTemplate template, ref readonly LogCall call, EscapeStyle style)
    {
        foreach (ref readonly var part in template.Parts.AsSpan())
        {
            if (part.LiteralText is not null)
                return false;
            writer.Write(in part.Literal);
            if (part.Insert >= 0)
                writer.Write(call.Context!.Insert(part.Insert));
            if (part.Argument < 0)
                continue;
            LogValue value = default;
            call.Read(part.Argument, ref value);
            if ((value.Kind == LogValueKind.Null && template.RefusesNull) || !TryWriteValue(ref writer, in value, in part, style, call.Scratch.Format))
                return false;
        }

        return true;
    }

    /// <summary>Writes the text, unescaped.</summary>
    /// <param name="length">The bytes written.</param>
    /// <returns>False where it needs an event, or does not fit: then the content of the output does not count.</returns>
    public bool TryWrite(ref readonly LogCall call, scoped Span<byte> output, out int length)
    {
        if (call.Values.WriteFast(ref call.State, Parts, 0, output, out length) == Parts.Length)
            return true;
        var text = call.Scratch.Record;
        text.Reset(output.Length);
        var writer = new Utf8Writer(text);
        if (!TryWrite(ref writer, Template, in call, EscapeStyle.None))
            return false;
        writer.Flush();
        length = text.Length;
        return !text.IsTruncated && text.WrittenSpan.TryCopyTo(output);
    }

    private static bool TryWriteValue(ref Utf8Writer writer, ref readonly LogValue value, ref readonly MessagePart part, EscapeStyle style, FormatScratch scratch)
    {
        if (!IsFree(in value))
            return false;
        if (part.Style == ValueStyle.Json)
        {
            JsonText.Write(ref writer, in value, scratch);
            return scratch.Errors == 0;
        }

        if (part.Style == ValueStyle.JsonString)
            style = EscapeStyle.Json;
        var start = writer.Position;
        if (value.Kind == LogValueKind.String && part.Alignment == 0)
            Escaping.Write(ref writer, scratch.Bounded(value.String!), style == EscapeStyle.Json ? style : EscapeStyle.None);
        else if (MessageRenderer.WriteValue(ref writer, in value, in part, scratch) != 0)
            return false;
        if (writer.IsFull || writer.IsPending)
            return false;
        var text = writer.Since(start);
        // In a line of text, what a control character becomes depends on the layout.
        return style switch
        {
            EscapeStyle.None => true,
            EscapeStyle.Text => !Escaping.HasControl(text),
            _ => (value.Kind == LogValueKind.String && part.Alignment == 0) || Escaping.IsClean(text, style),
        };
    }

    // True if the text of the value is made without code of users, and does not begin or end with half of a surrogate pair, which another text may complete.
    private static bool IsFree(ref readonly LogValue value) => value.Kind switch
    {
        LogValueKind.String => IsWhole(value.String!),
        LogValueKind.Char => !char.IsSurrogate(value.Raw<char>()),
        LogValueKind.Object => value.Object is string[] texts ? Array.TrueForAll(texts, static text => text is null || IsWhole(text)) : value.Object!.GetType() == typeof(Uri),
        LogValueKind.Json => false,
        _ => true,
    };

    private static bool IsWhole(string text) => text.Length == 0 || !(char.IsLowSurrogate(text[0]) || char.IsHighSurrogate(text[^1]));
}
