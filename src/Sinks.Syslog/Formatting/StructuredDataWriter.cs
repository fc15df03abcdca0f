using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>Structured data (RFC 5424 §6.3) and text, and how they share the room when it is not enough: the trace ids, the library's own fields, the event's properties, then the text.</summary>
internal sealed class StructuredDataWriter
{
    private readonly ParameterWriter _parameters;
    private readonly PropertyElement? _properties;
    private readonly StructuredDataTruncation _truncation;
    private readonly SyslogMessageWriter _message;
    private readonly byte[] _libraryOpening;
    private readonly int _limit;
    private readonly int _nilLength;

    /// <param name="template">The template of the text; null: message, then exception.</param>
    /// <param name="withScopes">True if scopes are written.</param>
    public StructuredDataWriter(SyslogLayout layout, LogTemplate? template, bool withScopes)
    {
        // The worker's number takes the place of a lone nil.
        _limit = layout.MaxMessageSize - (layout.SequenceId ? RecordFraming.MaxNumberBytes : 0);
        _nilLength = layout.SequenceId ? 0 : 1;
        _message = new SyslogMessageWriter(layout, template, _limit);
        _truncation = new StructuredDataTruncation(layout);
        _parameters = new ParameterWriter();
        _properties = layout.StructuredData ? new PropertyElement(layout, withScopes, _parameters, _truncation, _message) : null;
        _libraryOpening = Encoding.ASCII.GetBytes("[" + layout.LibraryId);
    }

    /// <summary>Writes the part after the header within the record's limit.</summary>
    /// <param name="writer">The record, up to the end of its header.</param>
    /// <param name="logEvent">The event; has afterwards whether it was truncated and what was left out.</param>
    /// <param name="withEventName">True if MSGID does not hold the event's whole name.</param>
    /// <returns>The offset for the number.</returns>
    public long Write(ref Utf8Writer writer, long start, LogEvent logEvent, bool withEventName, SyslogScratch scratch)
    {
        var data = writer.Position;
        WriteData(ref writer, logEvent, scratch, withEventName, start + _limit);
        var text = _message.Of(logEvent, scratch);
        var bom = _message.BomOf(logEvent, text);
        // A nil value counts only as long as it stays.
        var end = start + _limit + (scratch.Parameters.Count == 0 ? 1 - _nilLength : 0);
        if (!TryWriteText(ref writer, text, bom, end))
            WriteTruncated(ref writer, start, data, logEvent, text, bom, scratch);
        else
            logEvent.WasTruncated = HasTruncatedValue(scratch.Parameters);
        return data;
    }

    private static bool HasTruncatedValue(List<Parameter> parameters)
    {
        foreach (ref readonly var parameter in CollectionsMarshal.AsSpan(parameters))
        {
            if (parameter.IsTruncated && parameter.IsKept)
                return true;
        }

        return false;
    }

    // Writes the text if all of it fits.
    private bool TryWriteText(ref Utf8Writer writer, ReadOnlySpan<byte> text, ReadOnlySpan<byte> bom, long end)
    {
        if (text.IsEmpty)
            return writer.Position <= end;
        var dataEnd = writer.Position;
        if (end - dataEnd <= bom.Length)
            return false;
        writer.Write((byte)' ');
        writer.Write(bom);
        if (!_message.Write(ref writer, text, (int)(end - writer.Position)))
            return true;
        writer.Rewind(dataEnd);
        return false;
    }

    private void WriteTruncated(
        ref Utf8Writer writer, long start, long data, LogEvent logEvent, ReadOnlySpan<byte> text, ReadOnlySpan<byte> bom, SyslogScratch scratch)
    {
        if (scratch.Budget is not { } room)
        {
            room = new StructuredDataBudget((int)(start + _limit - data) - _message.ShareOf(ref writer, text, bom));
            _truncation.Decide(scratch.Parameters, ref room);
        }

        var dropped = room.Dropped;
        var kept = scratch.KeptOf((int)(writer.Position - data) + _truncation.LongestDropped);
        kept = kept[.._truncation.Write(writer.Since(0), scratch.Parameters, dropped, kept)];
        writer.Rewind(data);
        writer.Write(kept.IsEmpty ? "-"u8 : kept);
        logEvent.PropertiesLeftOut = dropped;
        logEvent.WasTruncated = HasTruncatedValue(scratch.Parameters);
        if (!text.IsEmpty)
        {
            writer.Write((byte)' ');
            writer.Write(bom);
            logEvent.WasTruncated |= _message.Write(ref writer, text, (int)(start + _limit + (kept.IsEmpty ? 1 - _nilLength : 0) - writer.Position));
        }
    }

    // All elements, or nil.
    private void WriteData(ref Utf8Writer writer, LogEvent logEvent, SyslogScratch scratch, bool withEventName, long end)
    {
        var parameters = scratch.Parameters;
        var data = writer.Position;
        parameters.Clear();
        scratch.Budget = null;
        if (logEvent.HasTrace)
            WriteTrace(ref writer, logEvent, parameters);
        WriteLibrary(ref writer, logEvent, scratch, withEventName);
        _properties?.Write(ref writer, logEvent, scratch, data, end);
        if (parameters.Count == 0)
            writer.Write((byte)'-');
    }

    private static void WriteTrace(ref Utf8Writer writer, LogEvent logEvent, List<Parameter> parameters)
    {
        writer.Write("[opentelemetry"u8);
        var start = writer.Position;
        writer.Write(" trace_id=\""u8);
        writer.Write(logEvent.TraceId.ToHexString());
        parameters.Add(ParameterWriter.End(ref writer, SdElement.Trace, start, "trace_id".Length));
        start = writer.Position;
        writer.Write(" span_id=\""u8);
        writer.Write(logEvent.SpanId.ToHexString());
        parameters.Add(ParameterWriter.End(ref writer, SdElement.Trace, start, "span_id".Length));
        start = writer.Position;
        writer.Write(" trace_flags=\""u8);
        var flags = (int)logEvent.TraceFlags;
        writer.Write("0123456789abcdef"u8[(flags >> 4) & 0xF]);
        writer.Write("0123456789abcdef"u8[flags & 0xF]);
        parameters.Add(ParameterWriter.End(ref writer, SdElement.Trace, start, "trace_flags".Length));
        writer.Write((byte)']');
    }

    private void WriteLibrary(ref Utf8Writer writer, LogEvent logEvent, SyslogScratch scratch, bool withEventName)
    {
        var start = writer.Position;
        var before = scratch.Parameters.Count;
        writer.Write(_libraryOpening);
        if (!logEvent.CategoryUtf8.IsEmpty)
            _parameters.Write(ref writer, SdElement.Library, " category=\""u8, logEvent.CategoryUtf8, scratch);
        if (logEvent.EventId.Id != 0)
        {
            var parameter = writer.Position;
            writer.Write(" eventId=\""u8);
            writer.WriteNumber(logEvent.EventId.Id);
            scratch.Parameters.Add(ParameterWriter.End(ref writer, SdElement.Library, parameter, "eventId".Length));
        }

        if (withEventName)
            _parameters.Write(ref writer, SdElement.Library, " eventName=\""u8, logEvent.EventId.Name!, scratch);
        if (logEvent.ExceptionType is { } exceptionType)
            _parameters.Write(ref writer, SdElement.Library, " exceptionType=\""u8, exceptionType, scratch);
        if (logEvent.ExceptionMessage is { } exceptionMessage)
            _parameters.Write(ref writer, SdElement.Library, " exceptionMessage=\""u8, exceptionMessage, scratch);
        if (scratch.Parameters.Count == before)
            writer.Rewind(start);
        else
            writer.Write((byte)']');
    }
}
