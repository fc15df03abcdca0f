namespace AsyncLog;

/// <summary>Makes what writes the records of one call in the text layout.</summary>
internal static class TextCall
{
    // A call with more is rendered in full each time.
    private const int MaxBytes = 16 * 1024;

    /// <summary>Merges the constant text around the message, level and category included, into the literals of its template.</summary>
    /// <param name="logEvent">An event of the call, without an exception.</param>
    /// <param name="message">The template of the message; <see cref="MessageTemplate.OfText"/> for a call without arguments.</param>
    /// <returns>Null if a record has more than a time, the message, inserts and constant text.</returns>
    public static TemplateCall? Create(LogEvent logEvent, MessageTemplate message, StateValues values, TextLayout layout, int maxRecordSize, FormatScratch scratch)
    {
        if (!layout.HasOneMessage || message.Escaped(EscapeStyle.Text) is not { } escaped)
            return null;
        ReadOnlySpan<TextOperation> operations = layout.Operations;
        TimestampFormat? time = null;
        if (operations is [{ Placeholder: TextPlaceholder.Timestamp, Width: 0 } first, ..])
        {
            time = (TimestampFormat)first.Operand!;
            operations = operations[1..];
        }

        var at = operations.IndexOfMessage();
        if (PartsOf(layout, operations[..at], logEvent, isInside: false, scratch) is not { } before
            || PartsOf(layout, operations[(at + 1)..], logEvent, isInside: false, scratch) is not { } after)
            return null;
        var outside = escaped.With(before, after);
        if (!IsOneLine(time, before, after, outside, layout.NewLine))
            return null;
        return new TemplateCall([], time, EscapeStyle.Text, maxRecordSize, new CallText(outside, values))
        {
            Layout = layout.Inserts == 0 ? null : layout,
            Inside = layout.Inserts == 0 ? null : new CallText(
                escaped.With(PartsOf(layout, operations[..at], logEvent, isInside: true, scratch)!, PartsOf(layout, operations[(at + 1)..], logEvent, isInside: true, scratch)!), values),
            Names = layout.HasProperties ? message.Names : [],
        };
    }

    // True if the record needs none of what fixes the lines of others: it does not begin with a space, and its only line end is at its end.
    private static bool IsOneLine(TimestampFormat? time, MessagePart[] before, MessagePart[] after, MessageTemplate record, ReadOnlySpan<byte> newLine)
    {
        var begin = time?.FirstCharacter ?? (record.Parts[0].Literal.Span is [var first, ..] ? (char)first : ' ');
        // What an insert gives is not known: the record does not begin with it.
        if (begin == ' ' || (time is null && before is [{ Insert: >= 0 } insert, ..] && insert.Literal.Length == 0) || after is not [.., var last] || !last.Literal.Span.EndsWith(newLine))
            return false;
        return !Array.Exists(before, HasLineEnd) && !Array.Exists(after[..^1], HasLineEnd) && !last.Literal.Span[..^newLine.Length].ContainsAny((byte)'\r', (byte)'\n');
    }

    private static bool HasLineEnd(MessagePart part) => part.Literal.Span.ContainsAny((byte)'\r', (byte)'\n');

    // The text of operations that give the same one for every record of the call, and inserts; null if another one differs. Outside, an insert is what it gives without activity
    // and scopes.
    private static MessagePart[]? PartsOf(TextLayout layout, ReadOnlySpan<TextOperation> operations, LogEvent logEvent, bool isInside, FormatScratch scratch)
    {
        var parts = new List<MessagePart>();
        var constant = new RecordBuffer();
        foreach (ref readonly var operation in operations)
        {
            if (isInside && layout.InsertOf(in operation) is >= 0 and var insert)
            {
                parts.Add(new MessagePart(constant.WrittenSpan, insert));
                constant.Reset(int.MaxValue);
                continue;
            }

            if (!isInside && layout.InsertOf(in operation) >= 0)
            {
                layout.WriteOutside(in operation, constant);
                continue;
            }

            if (!IsConstant(operation.Placeholder))
                return null;
            var writer = new Utf8Writer(constant);
            layout.Write(ref writer, in operation, logEvent, scratch);
            writer.Flush();
        }

        if (constant.Length > MaxBytes)
            return null;
        parts.Add(new MessagePart(constant.WrittenSpan));
        return [.. parts];
    }

    private static int IndexOfMessage(this ReadOnlySpan<TextOperation> operations)
    {
        var at = 0;
        while (operations[at].Placeholder != TextPlaceholder.Message)
            at++;
        return at;
    }

    private static bool IsConstant(TextPlaceholder placeholder) => placeholder is TextPlaceholder.Literal or TextPlaceholder.NewLine or TextPlaceholder.Level
        or TextPlaceholder.Category or TextPlaceholder.EventId or TextPlaceholder.EventName or TextPlaceholder.Exception;
}
