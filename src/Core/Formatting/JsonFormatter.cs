namespace AsyncLog;

/// <summary>The JSON and CLEF layouts: one object a line, fields in a fixed order.</summary>
internal sealed class JsonFormatter(JsonRecordLayout layout, int maxRecordSize) : RecordFormatter(maxRecordSize)
{
    private readonly JsonCalls _calls = new(layout);
    private readonly JsonCut _cut = new(layout, maxRecordSize);

    protected override void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var call = _calls.Find(logEvent, scratch);
        var writer = new Utf8Writer(output);
        layout.WriteStart(ref writer, logEvent, scratch);
        if (call is not null)
            writer.Write(call.Head);
        else
            layout.WriteHead(ref writer, logEvent, int.MaxValue, scratch);
        Escaping.Write(ref writer, logEvent.Message, EscapeStyle.Json);
        writer.Write((byte)'"');
        layout.WriteMiddle(ref writer, logEvent);
        if (logEvent.ExceptionText is { } exception)
        {
            writer.Write(layout.ExceptionKey);
            JsonText.WriteString(ref writer, scratch.Bounded(exception), EscapeStyle.Json);
        }
        layout.WriteTail(ref writer, logEvent);
        if (call is not null)
        {
            call.WriteProperties(ref writer, logEvent.Properties, scratch);
        }
        else
        {
            layout.WriteSource(ref writer, logEvent, int.MaxValue, scratch);
            layout.WriteProperties(ref writer, logEvent, scratch);
        }
        layout.WriteScopes(ref writer, logEvent, scratch);
        writer.Write(layout.End);
        writer.Flush();
    }

    protected override void RenderCut(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole)
        => _cut.Write(logEvent, output, scratch, length + logEvent.MessageLength - logEvent.Message.Length);
}
