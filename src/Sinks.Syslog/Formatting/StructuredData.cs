using System.Text;

namespace AsyncLog;

/// <summary>Writes structured data (RFC 5424 §6.3): what the layout says, the library's own fields, the event's properties.</summary>
internal sealed class StructuredData
{
    private readonly SyslogLayout _layout;
    private readonly ParameterValues _values;
    private readonly PropertyParameters? _properties;
    private readonly byte[] _fixed;
    private readonly Parameter[] _fixedParameters;
    private readonly byte[] _libraryOpening;
    private readonly byte[] _propertyOpening;

    /// <param name="layout">The layout.</param>
    /// <param name="withScopes">Whether scopes are written.</param>
    /// <param name="cut">Decides what a record that is too long keeps.</param>
    /// <param name="budget">How many bytes such a record has for structured data.</param>
    public StructuredData(SyslogLayout layout, bool withScopes, StructuredDataCut cut, DataBudget budget)
    {
        _layout = layout;
        _values = new ParameterValues(layout.ControlCharacters, layout.MaxParamValueBytes);
        _libraryOpening = Encoding.ASCII.GetBytes("[" + layout.LibraryId);
        _propertyOpening = Encoding.ASCII.GetBytes("[" + layout.PropertyId);
        _properties = layout.StructuredData ? new PropertyParameters(layout.Properties, _values, _propertyOpening, withScopes, cut, budget) : null;
        (_fixed, _fixedParameters) = FixedElements.Render(layout, _values);
    }

    /// <summary>Where the numbering element belongs, from the beginning of structured data that is not cut.</summary>
    public int NumberAt => _fixed.Length;

    /// <summary>Writes all elements, or nil; the scratch tells afterwards where their parameters are.</summary>
    /// <param name="writer">The record.</param>
    /// <param name="logEvent">The event.</param>
    /// <param name="scratch">The thread's scratch.</param>
    /// <param name="withEventName">Whether MSGID does not hold the event's whole name.</param>
    /// <param name="end">Where the record ends at the latest.</param>
    public void Write(ref WireWriter writer, LogEvent logEvent, SyslogScratch scratch, bool withEventName, int end)
    {
        var parameters = scratch.Parameters;
        var data = writer.Position;
        parameters.Clear();
        scratch.Room = null;
        foreach (ref readonly var parameter in _fixedParameters.AsSpan())
            parameters.Add(parameter with { Start = parameter.Start + writer.Position });
        writer.Write(_fixed);
        if (_layout.TraceContext && logEvent.HasTrace)
            WriteTrace(ref writer, logEvent, parameters);
        WriteLibrary(ref writer, logEvent, scratch, withEventName);
        _properties?.Write(ref writer, logEvent, scratch, data, end);
        if (parameters.Count == 0)
            writer.Write((byte)'-');
    }

    private static void WriteTrace(ref WireWriter writer, LogEvent logEvent, ParameterTable parameters)
    {
        writer.Write("[opentelemetry"u8);
        var start = writer.Position;
        writer.Write(" trace_id=\""u8);
        writer.Write(logEvent.TraceId.ToHexString());
        AddTraceParameter(ref writer, parameters, ref start, "trace_id".Length);
        writer.Write(" span_id=\""u8);
        writer.Write(logEvent.SpanId.ToHexString());
        AddTraceParameter(ref writer, parameters, ref start, "span_id".Length);
        writer.Write(" trace_flags=\""u8);
        var flags = (int)logEvent.TraceFlags;
        writer.Write("0123456789abcdef"u8[(flags >> 4) & 0xF]);
        writer.Write("0123456789abcdef"u8[flags & 0xF]);
        AddTraceParameter(ref writer, parameters, ref start, "trace_flags".Length);
        writer.Write((byte)']');
    }

    private static void AddTraceParameter(ref WireWriter writer, ParameterTable parameters, ref int start, int nameLength)
    {
        writer.Write((byte)'"');
        parameters.Add(new Parameter(SdElement.Trace, start, writer.Position - start, nameLength));
        start = writer.Position;
    }

    private void WriteLibrary(ref WireWriter writer, LogEvent logEvent, SyslogScratch scratch, bool withEventName)
    {
        var start = writer.Position;
        writer.Write(_libraryOpening);
        var element = new LibraryElement(_values, scratch);
        if (!logEvent.CategoryUtf8.IsEmpty)
            element.Add(ref writer, " category=\""u8, logEvent.CategoryUtf8);
        if (logEvent.EventId.Id != 0)
            element.Add(ref writer, " eventId=\""u8, logEvent.EventId.Id);
        if (withEventName)
            element.Add(ref writer, " eventName=\""u8, logEvent.EventId.Name!);
        if (logEvent.ExceptionType is { } exceptionType)
            element.Add(ref writer, " exceptionType=\""u8, exceptionType);
        if (logEvent.ExceptionMessage is { } exceptionMessage)
            element.Add(ref writer, " exceptionMessage=\""u8, exceptionMessage);

        if (_layout.IncludeTemplate && logEvent.MessageTemplate is { } template)
            element.Add(ref writer, " template=\""u8, template);
        if (element.Count == 0)
            writer.Position = start;
        else
            writer.Write((byte)']');
    }
}
