using System.Buffers;

namespace AsyncLog;

/// <summary>The text layout: one record, one line, by a template.</summary>
internal sealed class TextFormatter : ILogFormatter
{
    private readonly TextLayout _layout;
    private readonly TextCut _cut;
    private readonly TextLines _lines;
    private readonly int _limit;

    public TextFormatter(RecordLayout layout, TextTemplate template, ApplicationInfo application, TimeProvider timeProvider)
    {
        _layout = new TextLayout(layout, template, application, timeProvider);
        _lines = new TextLines(_layout);
        _limit = layout.MaxRecordSize;
        _cut = new TextCut(_layout, _lines, _limit);
    }

    public void Format(LogEvent logEvent, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        ArgumentNullException.ThrowIfNull(output);
        var scratch = logEvent.Scratch;
        scratch.LimitRecords(_limit);
        if (output is RecordBuffer buffer)
        {
            Format(logEvent, buffer, scratch);
            return;
        }
        buffer = scratch.Output;
        buffer.Reset(scratch.ValueLimit);
        Format(logEvent, buffer, scratch);
        output.Write(buffer.WrittenSpan);
    }

    private void Format(LogEvent logEvent, RecordBuffer buffer, FormatScratch scratch)
    {
        var start = buffer.Length;
        var writer = new Utf8Writer(buffer);
        foreach (var piece in _layout.Pieces)
            _layout.Write(ref writer, piece, logEvent, scratch);
        writer.Flush();
        logEvent.WasCut = false;
        if (!buffer.IsCut)
        {
            _lines.Mend(buffer, start);
            buffer.Append(_layout.NewLine);
        }
        if (!buffer.IsCut && buffer.Length - start <= _limit)
            return;
        buffer.Rewind(start);
        _cut.Write(logEvent, buffer, scratch);
    }
}
