namespace AsyncLog;

/// <summary>The text layout: a record by a template. A line that does not begin with a space begins a record.</summary>
internal sealed class TextFormatter : RecordFormatter, ICallSiteFormatterFactory
{
    private readonly TextLayout _layout;
    private readonly TextTruncation _truncation;
    private readonly byte[] _newLine;
    private readonly bool _mayBreakLines;

    public TextFormatter(RecordLayout layout, TextTemplate template, ApplicationInfo application, TimeProvider timeProvider)
        : base(layout.MaxRecordSize)
    {
        _layout = new TextLayout(layout, template, application, timeProvider);
        _newLine = _layout.NewLine;
        _mayBreakLines = MayBreakLines(_layout.Operations);
        _truncation = new TextTruncation(_layout, layout.MaxRecordSize, FixLines);
    }

    /// <inheritdoc/>
    public CallSiteFormatter? CreateCallSiteFormatter(LogEvent logEvent, MessageTemplate message, StateValues values)
        => TextCall.Create(logEvent, message, values, _layout, MaxRecordSize, logEvent.Scratch);

    protected override void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var start = output.Length;
        var writer = new Utf8Writer(output);
        _layout.Write(ref writer, logEvent, scratch);
        writer.Flush();
        if (!output.IsTruncated)
            EndRecord(output, start);
    }

    protected override void RenderTruncated(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole)
        => _truncation.Write(logEvent, output, scratch, isWhole ? length : null);

    // Leaves one line end, and fixes the lines.
    private void EndRecord(RecordBuffer output, int start)
    {
        var text = output.WrittenSpan[start..];
        var end = text.Length - _newLine.Length - 1;
        // Most records have a single line end already and need nothing.
        if (end >= 0 && !_mayBreakLines && text[0] != ' ' && text[^1] == '\n' && text[end] is not ((byte)'\n' or (byte)'\r') && (text[^2] == '\r') == (_newLine.Length == 2))
            return;
        FixLines(output, start);
        output.Append(_newLine);
    }

    /// <summary>Removes line ends at the end of a record, indents the lines inside it and escapes a space at its start.</summary>
    private void FixLines(RecordBuffer output, int start)
    {
        var text = output.WrittenSpan[start..];
        if (!text.IsEmpty && text[^1] is (byte)'\n' or (byte)'\r')
            output.Rewind(start + text.TrimEnd("\r\n"u8).Length);
        if (_mayBreakLines)
            Indent(output, start);
        if (output.Length == start || output.WrittenSpan[start] != ' ')
            return;
        output.Stored[start] = (byte)'\\';
        output.Insert(start + 1, "u0020"u8);
    }

    private static void Indent(RecordBuffer output, int start)
    {
        int step;
        while ((step = output.WrittenSpan[start..].IndexOf((byte)'\n')) >= 0)
        {
            start += step + 1;
            if (output.WrittenSpan[start] != ' ')
                output.Insert(start, "  "u8);
        }
    }

    // True if the template itself may put something other than a space after a line end. An exception brings its own indent.
    private static bool MayBreakLines(ReadOnlySpan<TextOperation> operations)
    {
        for (var i = 0; i < operations.Length; i++)
        {
            ref readonly var operation = ref operations[i];
            var endsLine = operation.Placeholder is TextPlaceholder.NewLine or TextPlaceholder.Exception && operation.Text.Length > 0;
            var mayBreak = endsLine
                ? !IsSafeAfterLineEnd(operations[(i + 1)..])
                : HasLineEnd(operation.Text.Span) || (operation.Operand is LevelTexts level && HasLineEnd(level.After));
            if (mayBreak)
                return true;
        }
        return false;
    }

    private static bool HasLineEnd(ReadOnlySpan<byte> text) => text.Contains((byte)'\n');

    private static bool IsSafeAfterLineEnd(ReadOnlySpan<TextOperation> rest)
    {
        foreach (ref readonly var operation in rest)
        {
            if (operation.Placeholder == TextPlaceholder.Literal)
                return operation.Text.Span is [(byte)' ', ..];
            if (operation.Placeholder != TextPlaceholder.Exception || operation.Width != 0)
                return false;
        }
        return true;
    }
}
