namespace AsyncLog;

/// <summary>Makes what writes the records of one call in the text layout.</summary>
internal static class TextCall
{
    // A call with more is rendered in full each time.
    private const int MaxBytes = 16 * 1024;

    /// <summary>Merges the constant text around the message, level and category included, into the literals of its template.</summary>
    /// <param name="logEvent">An event of the call, without an exception.</param>
    /// <param name="message">The template of the message; <see cref="MessageTemplate.OfText"/> for a call without arguments.</param>
    /// <returns>Null if a record has more than a time, the message and constant text.</returns>
    public static TemplateCall? Create(LogEvent logEvent, MessageTemplate message, StateValues values, TextLayout layout, int maxRecordSize, FormatScratch scratch)
    {
        if (!layout.HasOneMessage || message.Escaped(EscapeStyle.Text) is not { } escaped)
            return null;
        var operations = layout.Operations.AsSpan();
        var at = Array.FindIndex(layout.Operations, static operation => operation.Placeholder == TextPlaceholder.Message);
        TimestampFormat? time = null;
        if (operations is [{ Placeholder: TextPlaceholder.Timestamp, Width: 0 } first, ..])
            time = (TimestampFormat)first.Operand!;
        if (Constant(layout, operations[(time is null ? 0 : 1)..at], logEvent, scratch) is not { } head
            || Constant(layout, operations[(at + 1)..], logEvent, scratch) is not { } tail
            || head.Length + tail.Length > MaxBytes)
        {
            return null;
        }

        var record = escaped.WithAffixes(head, tail);
        var begin = time?.FirstCharacter ?? (record.Parts[0].Literal.Span is [var character, ..] ? (char)character : ' ');
        return IsOneLine(begin, head, tail, layout.NewLine) ? new TemplateCall(new CallText(record, values), [], time, EscapeStyle.Text, maxRecordSize) : null;
    }

    // True if the record needs none of what fixes the lines of others: it does not begin with a space, and its only line end is at its end.
    private static bool IsOneLine(char begin, ReadOnlySpan<byte> head, ReadOnlySpan<byte> tail, ReadOnlySpan<byte> newLine)
        => begin != ' ' && tail.EndsWith(newLine)
            && !head.ContainsAny((byte)'\r', (byte)'\n') && !tail[..^newLine.Length].ContainsAny((byte)'\r', (byte)'\n');

    // The text of operations that give the same one for every record of the call; null if one does not.
    private static byte[]? Constant(TextLayout layout, ReadOnlySpan<TextOperation> operations, LogEvent logEvent, FormatScratch scratch)
    {
        var constant = new RecordBuffer();
        foreach (ref readonly var operation in operations)
        {
            if (!IsConstant(operation.Placeholder))
                return null;
            var writer = new Utf8Writer(constant);
            layout.Write(ref writer, in operation, logEvent, scratch);
            writer.Flush();
        }

        return constant.WrittenSpan.ToArray();
    }

    private static bool IsConstant(TextPlaceholder placeholder) => placeholder is TextPlaceholder.Literal or TextPlaceholder.NewLine or TextPlaceholder.Level
        or TextPlaceholder.Category or TextPlaceholder.EventId or TextPlaceholder.EventName or TextPlaceholder.Exception;
}
