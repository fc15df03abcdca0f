using System.Buffers;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Renders a record as the bytes that go over the wire, framing included (with <c>SequenceId</c>: see <see cref="RecordFraming"/>).</summary>
internal sealed class SyslogFormatter : ILogFormatter
{
    // So that the record is far below every limit.
    private const int LongestTypeName = 64;

    private readonly SyslogLayout _layout;
    private readonly SyslogHeader _header;
    private readonly ISyslogBody _body;

    /// <param name="layout">The layout.</param>
    /// <param name="template">The template of the text; null: message, then exception.</param>
    /// <param name="local">Whose time zone stamps are in, or null for UTC.</param>
    /// <param name="withScopes">Whether scopes are written.</param>
    public SyslogFormatter(SyslogLayout layout, LogTemplate? template, TimeProvider? local, bool withScopes)
    {
        _layout = layout;
        _header = new SyslogHeader(layout, local);
        _body = layout.Form == SyslogForm.Rfc5424 ? new StructuredBody(layout, template, withScopes) : new BsdBody(layout, template);
    }

    /// <inheritdoc/>
    public void Format(LogEvent logEvent, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        ArgumentNullException.ThrowIfNull(output);
        var scratch = SyslogScratch.Rent();
        try
        {
            var writer = new WireWriter(scratch, RecordFraming.MaxPrefixBytes);
            int numberAt;
            try
            {
                numberAt = Render(ref writer, logEvent, scratch);
            }
            catch (Exception exception) when (exception is not OutOfMemoryException)
            {
                // A placeholder without framing would break the stream for every record after it.
                logEvent.CountRenderError();
                numberAt = RenderFailure(ref writer, logEvent.Level, exception);
            }

            writer.Write((byte)'\n');
            output.Write(RecordFraming.Close(writer.Written, _layout.Framing, _layout.SequenceId, numberAt));
        }
        finally
        {
            scratch.Return();
        }
    }

    private int Render(ref WireWriter writer, LogEvent logEvent, SyslogScratch scratch)
    {
        var start = writer.Position;
        var withEventName = _header.Write(ref writer, logEvent, scratch);
        return _body.Write(ref writer, start, logEvent, withEventName, scratch) - start;
    }

    private int RenderFailure(ref WireWriter writer, LogLevel level, Exception exception)
    {
        writer.Position = RecordFraming.MaxPrefixBytes;
        _header.WriteBare(ref writer, level);
        var numberAt = writer.Position - RecordFraming.MaxPrefixBytes;
        var type = exception.GetType().Name;
        type = type.Length > LongestTypeName ? type[..LongestTypeName] : type;
        writer.Write(Encoding.ASCII.GetBytes($"{(_layout.Form == SyslogForm.Rfc5424 ? "-" : "")} <error formatting record: {type}>"));
        return numberAt;
    }
}
