using System.Buffers;

namespace AsyncLog;

/// <summary>The JSON and CLEF layouts: one object a line, fields in a fixed order.</summary>
internal sealed class JsonFormatter : RecordFormatter, ILogFormatter
{
    /// <summary>Names from the application may have this part of a record each.</summary>
    public const int NameShare = 8;

    private readonly JsonRecordLayout _layout;
    private readonly JsonCalls _calls;
    private readonly JsonCut _cut;

    public JsonFormatter(JsonRecordLayout layout, int maxRecordSize)
        : base(maxRecordSize)
    {
        _layout = layout;
        _calls = new JsonCalls(layout);
        _cut = new JsonCut(layout, maxRecordSize);
    }

    protected override void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var call = _calls.Find(logEvent, scratch);
        var writer = new Utf8Writer(output);
        _layout.WriteStart(ref writer, logEvent, scratch);
        if (call is not null)
            writer.Write(in call.Head);
        else
            _layout.WriteHead(ref writer, logEvent, int.MaxValue, scratch);
        WriteMessage(ref writer, logEvent);
        _layout.WriteMiddle(ref writer, logEvent);
        if (logEvent.HasException && logEvent.ExceptionText is { } exception)
        {
            writer.Write(_layout.ExceptionKey);
            JsonText.WriteString(ref writer, scratch.Bounded(exception), EscapeStyle.Json);
        }
        _layout.WriteTail(ref writer, logEvent);
        if (call is not null)
        {
            call.WriteProperties(ref writer, logEvent, scratch);
        }
        else
        {
            _layout.WriteSource(ref writer, logEvent, int.MaxValue, scratch);
            _layout.WriteProperties(ref writer, logEvent, scratch);
        }
        _layout.WriteScopes(ref writer, logEvent, scratch);
        writer.Write(_layout.End);
        writer.Flush();
    }

    protected override void RenderTruncated(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole)
        => _cut.Write(logEvent, output, scratch, length + logEvent.MessageLength - logEvent.Message.Length);

    /// <summary>Appends a record whose message is the error; it has nothing that comes from values.</summary>
    public void FormatError(LogEvent logEvent, string error, IBufferWriter<byte> output)
    {
        var record = new RecordBuffer();
        var writer = new Utf8Writer(record);
        _layout.WriteStart(ref writer, logEvent, logEvent.Scratch);
        _layout.WriteHead(ref writer, logEvent, MaxRecordSize / NameShare, logEvent.Scratch);
        Escaping.Write(ref writer, error, EscapeStyle.Json);
        writer.Write((byte)'"');
        writer.Write(_layout.End);
        writer.Flush();
        output.Write(record.WrittenSpan);
    }

    private static void WriteMessage(ref Utf8Writer writer, LogEvent logEvent)
    {
        if (!logEvent.TryWriteMessage(ref writer, EscapeStyle.Json))
            Escaping.Write(ref writer, logEvent.Message, EscapeStyle.Json);
        writer.Write((byte)'"');
    }
}
