using System.Buffers;

namespace AsyncLog;

/// <summary>The JSON layout: one object a line, fields in a fixed order.</summary>
internal sealed class JsonFormatter : ILogFormatter
{
    private readonly JsonLayout _layout;
    private readonly JsonCut _cut;
    private readonly int _limit;

    public JsonFormatter(RecordLayout layout, TimeProvider timeProvider)
    {
        _layout = new JsonLayout(layout, timeProvider);
        _limit = layout.MaxRecordSize;
        _cut = new JsonCut(_layout, _limit);
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
        var before = buffer.Total;
        var writer = new Utf8Writer(buffer);
        _layout.WriteHead(ref writer, logEvent, int.MaxValue, scratch);
        JsonText.WriteString(ref writer, logEvent.Message, EscapeStyle.Json);
        JsonLayout.WriteTrace(ref writer, logEvent);
        if (logEvent.ExceptionText is { } exception)
        {
            writer.Write(JsonLayout.ExceptionKey);
            JsonText.WriteString(ref writer, scratch.Bounded(exception), EscapeStyle.Json);
        }
        JsonLayout.WriteState(ref writer, logEvent, scratch);
        _layout.WriteScopes(ref writer, logEvent, scratch);
        writer.Write((byte)'}');
        writer.Write(_layout.NewLine);
        writer.Flush();
        var length = buffer.Total - before;
        logEvent.WasCut = length > _limit;
        if (!logEvent.WasCut && !buffer.IsCut)
            return;
        buffer.Rewind(start);
        _cut.Write(logEvent, buffer, scratch, length + logEvent.MessageLength - logEvent.Message.Length);
    }
}
