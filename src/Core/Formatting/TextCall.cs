namespace AsyncLog;

/// <summary>One call in the text layout: the constant text around its message, level and category included, is merged into the literals of its message template.</summary>
internal sealed class TextCall : RenderedCall
{
    // A call with more is rendered in full each time.
    private const int MaxBytes = 16 * 1024;

    private readonly TextLayout _layout;
    private readonly TextOperation[] _before;
    private readonly Utf8Literal _head;
    private readonly MessageTemplate _message;
    private readonly Utf8Literal _tail;
    private readonly TextOperation[] _after;
    private readonly bool _isUsable;

    // Null if a record has more than time, message and constant text.
    private readonly FastLayout? _fast;

    /// <param name="logEvent">An event of the call, without an exception and with a message from a template.</param>
    /// <param name="layout">The layout; it has one message.</param>
    public TextCall(LogEvent logEvent, TextLayout layout, FormatScratch scratch)
        : base(logEvent)
    {
        var message = Array.FindIndex(layout.Operations, static operation => operation.Placeholder == TextPlaceholder.Message);
        _layout = layout;
        _before = Merge(layout.Operations.AsSpan(0, message), logEvent, scratch);
        _after = Merge(layout.Operations.AsSpan(message + 1), logEvent, scratch);
        _head = new Utf8Literal("");
        _tail = new Utf8Literal("");
        if (_before is [.., { Placeholder: TextPlaceholder.Literal } head])
            (_head, _before) = (head.Text, _before[..^1]);
        if (_after is [{ Placeholder: TextPlaceholder.Literal } tail, ..])
            (_tail, _after) = (tail.Text, _after[1..]);
        _isUsable = _head.Length + _tail.Length <= MaxBytes;
        _message = logEvent.ParsedTemplate!.WithAffixes(_head.Span, _tail.Span);
        var time = _before is [{ Placeholder: TextPlaceholder.Timestamp, Width: 0 } first] ? (TimestampFormat)first.Operand! : null;
        if (_isUsable && logEvent.ParsedTemplate.IsPlain && _before.Length == (time is null ? 0 : 1) && _after.Length == 0 && IsOneLine(time, layout.NewLine))
            _fast = new FastLayout([], time, HasScopes: false, HasTrace: false);
    }

    /// <summary>The record of all events of this call; null: it has more than time, message and constant text, or values that are not written in place.</summary>
    public FastRecord? ToFastRecord(LogEvent logEvent) => _fast is { } fast ? logEvent.ToFastRecord(fast, _message) : null;

    public override bool Fits(LogEvent logEvent) => _isUsable;

    /// <summary>Writes a record of the call that has no exception.</summary>
    public void Write(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        foreach (ref readonly var operation in _before.AsSpan())
            _layout.Write(ref writer, in operation, logEvent, scratch);
        if (!logEvent.TryWriteMessage(ref writer, EscapeStyle.Text, _message))
        {
            writer.Write(in _head);
            _layout.WriteMessage(ref writer, logEvent);
            writer.Write(in _tail);
        }
        foreach (ref readonly var operation in _after.AsSpan())
            _layout.Write(ref writer, in operation, logEvent, scratch);
    }

    // True if the record needs none of what fixes the lines of others: it does not begin with a space, and its only line end is at its end.
    private bool IsOneLine(TimestampFormat? time, ReadOnlySpan<byte> newLine)
    {
        var begin = time is not null ? time.FirstCharacter : _message.Parts[0].Literal.Span is [var first, ..] ? (char)first : ' ';
        return begin != ' ' && _tail.Span.EndsWith(newLine)
            && !_head.Span.ContainsAny((byte)'\r', (byte)'\n') && !_tail.Span[..^newLine.Length].ContainsAny((byte)'\r', (byte)'\n');
    }

    // Adjacent operations that give the same text for every record of the call become one literal.
    private TextOperation[] Merge(ReadOnlySpan<TextOperation> operations, LogEvent logEvent, FormatScratch scratch)
    {
        var merged = new List<TextOperation>();
        var constant = new RecordBuffer();
        foreach (ref readonly var operation in operations)
        {
            if (IsConstant(operation.Placeholder))
            {
                var writer = new Utf8Writer(constant);
                _layout.Write(ref writer, in operation, logEvent, scratch);
                writer.Flush();
                continue;
            }
            AddConstant(merged, constant);
            merged.Add(operation);
        }
        AddConstant(merged, constant);
        return [.. merged];
    }

    private static void AddConstant(List<TextOperation> merged, RecordBuffer constant)
    {
        if (constant.Length > 0)
            merged.Add(new TextOperation(TextPlaceholder.Literal, constant.WrittenSpan));
        constant.Reset(int.MaxValue);
    }

    private static bool IsConstant(TextPlaceholder placeholder) => placeholder is TextPlaceholder.Literal or TextPlaceholder.NewLine or TextPlaceholder.Level
        or TextPlaceholder.Category or TextPlaceholder.EventId or TextPlaceholder.EventName or TextPlaceholder.Exception;
}
