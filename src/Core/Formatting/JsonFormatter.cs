namespace AsyncLog;

/// <summary>The JSON layout: one object a line, fields in a fixed order.</summary>
internal sealed class JsonFormatter : RecordFormatter
{
    private readonly JsonLayout _layout;
    private readonly JsonCut _cut;

    public JsonFormatter(RecordLayout layout, TimeProvider timeProvider)
        : base(layout.MaxRecordSize)
    {
        _layout = new JsonLayout(layout, timeProvider);
        _cut = new JsonCut(_layout, layout.MaxRecordSize);
    }

    protected override void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var writer = new Utf8Writer(output);
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
    }

    protected override void RenderCut(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole)
        => _cut.Write(logEvent, output, scratch, length + logEvent.MessageLength - logEvent.Message.Length);
}
