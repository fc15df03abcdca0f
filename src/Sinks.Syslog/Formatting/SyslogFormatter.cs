using System.Buffers;
using System.Text;

namespace AsyncLog;

/// <summary>Renders a record as the bytes that go over the wire, framing included (with <c>SequenceId</c>: see <see cref="RecordFraming"/>).</summary>
internal sealed class SyslogFormatter : ILogFormatter
{
    private readonly SyslogLayout _layout;
    private readonly SyslogHeader _header;

    // Null in the older forms, which have a text only.
    private readonly StructuredDataWriter? _body;
    private readonly SyslogMessageWriter _message;

    /// <param name="template">The template of the text; null: message, then exception.</param>
    /// <param name="local">The clock whose time zone timestamps have; null for UTC.</param>
    /// <param name="withScopes">True if scopes are written.</param>
    public SyslogFormatter(SyslogLayout layout, LogTemplate? template, TimeProvider? local, bool withScopes)
    {
        _layout = layout;
        _header = new SyslogHeader(layout, local);
        _message = new SyslogMessageWriter(layout, template, layout.MaxMessageSize);
        if (layout.Form == SyslogForm.Rfc5424)
            _body = new StructuredDataWriter(layout, template, withScopes);
    }

    public void Format(LogEvent logEvent, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        var scratch = logEvent.Scratch.Get<SyslogScratch>();
        var writer = Begin(scratch, output);
        var start = writer.Position;
        var withEventName = _header.Write(ref writer, logEvent);
        var numberAt = _body?.Write(ref writer, start, logEvent, withEventName, scratch) ?? WriteBsdText(ref writer, start, logEvent, scratch);
        Close(ref writer, (int)(numberAt - start), output);
        scratch.Trim();
    }

    /// <inheritdoc/>
    /// <remarks>Framed like every record: a line of text would break the stream for every record after it.</remarks>
    public void FormatError(LogEvent logEvent, string error, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        var scratch = logEvent.Scratch.Get<SyslogScratch>();
        var writer = Begin(scratch, output);
        var start = writer.Position;
        _header.WriteBare(ref writer, logEvent.Level);
        var numberAt = (int)(writer.Position - start);
        writer.Write(_body is null ? " "u8 : "- "u8);
        var text = scratch.Text;
        text.Reset(int.MaxValue);
        Encoding.UTF8.GetBytes(error, text);
        _message.Write(ref writer, text.WrittenSpan, (int)(start + _layout.MaxMessageSize - writer.Position) - RecordFraming.MaxNumberBytes);
        Close(ref writer, numberAt, output);
    }

    private long WriteBsdText(ref Utf8Writer writer, long start, LogEvent logEvent, SyslogScratch scratch)
    {
        var text = _message.Of(logEvent, scratch);
        if (!text.IsEmpty)
        {
            writer.Write((byte)' ');
            logEvent.WasTruncated = _message.Write(ref writer, text, (int)(start + _layout.MaxMessageSize - writer.Position));
        }

        return start;
    }

    // In the memory of the output where that is one's own; truncation looks at more bytes than the record has in the end.
    private Utf8Writer Begin(SyslogScratch scratch, IBufferWriter<byte> output)
    {
        var record = output is RecordBuffer { Total: 0 } own ? own : scratch.Record;
        return SyslogScratch.Begin(record, RecordFraming.RoomBefore(_layout.Framing, _layout.SequenceId));
    }

    private void Close(ref Utf8Writer writer, int numberAt, IBufferWriter<byte> output)
    {
        writer.Flush();
        RecordFraming.Close(writer.Output, _layout.Framing, _layout.SequenceId, numberAt);
        if (!ReferenceEquals(writer.Output, output))
            output.Write(writer.Output.WrittenSpan);
    }
}

/// <summary>The layout of an instance as seen by Core: creates its formatter; compares by value.</summary>
internal sealed record SyslogSinkLayout(SyslogLayout Layout) : SinkLayout
{
    public override ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider) =>
        new SyslogFormatter(Layout, template, layout.UseUtcTimestamp ? null : timeProvider, layout.IncludeScopes ?? true);
}
