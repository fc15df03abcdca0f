using System.Buffers;

namespace AsyncLog;

/// <summary>Encodes an event as one field log_records of ScopeLogs (opentelemetry-proto, logs/v1): records that follow each other are such fields too.</summary>
internal sealed class OtlpFormatter : ILogFormatter
{
    // Most records have between 128 and 16,383 bytes, and so a length of two.
    private const int TypicalLength = 0x80;
    private const int MostHeader = 4;

    // So that most records are written where they go.
    private const int TypicalRoom = 4096;

    private readonly RecordBody _body;
    private readonly AttributeWriter _attributes;
    private readonly ExceptionAttributes _exceptions;
    private readonly RecordCut _cut;
    private readonly int _attributeLimit;
    private readonly int _recordSize;

    /// <param name="layout">The layout.</param>
    /// <param name="recordSize">The most bytes of a field, tag and length included; at most 1 MB.</param>
    /// <param name="withScopes">Whether scopes are written.</param>
    public OtlpFormatter(OtlpLayout layout, int recordSize, bool withScopes)
    {
        recordSize -= MostHeader;
        var values = new AttributeValues(layout.AttributeValueLengthLimit, recordSize);
        _body = new RecordBody(layout.IncludeFormattedMessage);
        // As the body it need not be said again; nor does OpenTelemetry .NET.
        _attributes = new AttributeWriter(values, layout.IncludeTemplate && layout.IncludeFormattedMessage, withScopes, recordSize);
        _exceptions = new ExceptionAttributes(_attributes, values);
        _cut = new RecordCut(_body, _attributes, _exceptions, layout.AttributeCountLimit, recordSize);
        _attributeLimit = layout.AttributeCountLimit;
        _recordSize = recordSize;
    }

    /// <inheritdoc/>
    public void Format(LogEvent logEvent, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        ArgumentNullException.ThrowIfNull(output);
        var scratch = OtlpScratch.Rent();
        try
        {
            var writer = new ProtoWriter(output.GetSpan(TypicalRoom), scratch);
            var start = writer.Open(OtlpTag.LogRecord, TypicalLength);
            try
            {
                Render(ref writer, logEvent, scratch);
                if (writer.Position - start > _recordSize)
                    WriteCut(ref writer, start, logEvent, scratch);
            }
            catch (Exception exception) when (exception is not OutOfMemoryException)
            {
                // A placeholder that is no protobuf would make receivers refuse the whole request.
                logEvent.CountRenderError();
                RenderFailure(ref writer, start, logEvent, exception);
            }

            writer.Close(start, TypicalLength);
            if (writer.HasMoved)
                output.Write(writer.Written);
            else
                output.Advance(writer.Position);
        }
        finally
        {
            scratch.Return();
        }
    }

    private void Render(ref ProtoWriter writer, LogEvent logEvent, OtlpScratch scratch)
    {
        RecordFields.WriteStart(ref writer, logEvent);
        _body.Write(ref writer, logEvent);
        var tally = new AttributeTally(_attributeLimit);
        _attributes.WriteEventId(ref writer, logEvent, ref tally);
        if (logEvent.Exception is not null || logEvent.ExceptionText is not null)
            _exceptions.Write(ref writer, _exceptions.Take(logEvent, ref tally));
        _attributes.Write(ref writer, logEvent, ref tally, scratch);
        RecordFields.WriteEnd(ref writer, logEvent, tally.Dropped, _recordSize);
        logEvent.PropertiesLeftOut = tally.Dropped;
    }

    private void WriteCut(ref ProtoWriter writer, int start, LogEvent logEvent, OtlpScratch scratch)
    {
        // Values are rendered again; what throws in them is one error each all the same.
        var errors = logEvent.RenderErrors;
        writer.Position = start;
        _cut.Write(ref writer, logEvent, scratch);
        logEvent.RenderErrors = errors;
    }

    private static void RenderFailure(ref ProtoWriter writer, int start, LogEvent logEvent, Exception exception)
    {
        // So that the record is far below every limit.
        const int LongestTypeName = 64;
        writer.Position = start;
        RecordFields.WriteStart(ref writer, logEvent);
        var body = writer.Open(OtlpTag.Body);
        writer.WriteText(OtlpTag.Text, $"<error formatting record: {TextCutting.Start(exception.GetType().Name, LongestTypeName)}>");
        writer.Close(body);
        RecordFields.WriteObserved(ref writer, logEvent);
    }
}
