using System.Buffers;
using System.Text;

namespace AsyncLog;

/// <summary>Encodes an event as one field log_records of ScopeLogs (opentelemetry-proto, logs/v1): consecutive records are consecutive fields.</summary>
internal sealed class OtlpFormatter : ILogFormatter, ICallSiteFormatterFactory
{
    private const int MaxHeaderBytes = 4;

    // Most records are encoded in place, in the memory of the output.
    private const int TypicalRoom = 4096;

    private readonly AttributeWriter _attributes;
    private readonly bool _isMessageBody;
    private readonly int _attributeLimit;
    private readonly int _recordSize;

    /// <param name="recordSize">The most bytes of a field, tag and length included; at most 1 MB.</param>
    /// <param name="withScopes">True if scopes are written.</param>
    public OtlpFormatter(OtlpLayout layout, int recordSize, bool withScopes)
    {
        _recordSize = recordSize - MaxHeaderBytes;
        _isMessageBody = layout.IncludeFormattedMessage;
        _attributeLimit = layout.AttributeCountLimit;
        // A template that is the body is no attribute, as in OpenTelemetry .NET.
        _attributes = new AttributeWriter(
            new AttributeValues(layout.AttributeValueLengthLimit, _recordSize), layout.IncludeTemplate && layout.IncludeFormattedMessage, withScopes, _recordSize);
    }

    /// <inheritdoc/>
    public void Format(LogEvent logEvent, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        ArgumentNullException.ThrowIfNull(output);
        var scratch = logEvent.Scratch.Get<OtlpScratch>();
        try
        {
            var writer = new ProtoWriter(output.GetSpan(TypicalRoom), scratch.Overflow);
            var start = writer.Open(OtlpTag.LogRecord, RecordFields.TypicalLength);
            try
            {
                Render(ref writer, logEvent, scratch);
            }
            catch (Exception exception) when (exception is not OutOfMemoryException)
            {
                // A placeholder that is not protobuf would make receivers refuse the whole request.
                logEvent.CountRenderError();
                RenderFailure(ref writer, start, logEvent, exception);
            }

            writer.Close(start, RecordFields.TypicalLength);
            if (writer.HasMoved)
                output.Write(writer.Written);
            else
                output.Advance(writer.Position);
        }
        finally
        {
            scratch.Trim();
        }
    }

    /// <inheritdoc/>
    public CallSiteFormatter? CreateCallSiteFormatter(LogEvent logEvent, MessageTemplate message, StateValues values)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        return !ReferenceEquals(message, MessageTemplate.OfText) && RecordFields.NanosecondsAt(logEvent.Timestamp.UtcTicks) > 0 && _attributes.CanRepeat(logEvent, _attributeLimit)
            ? new OtlpCall(logEvent, new CallText(message, values), _attributes, _isMessageBody, _recordSize)
            : null;
    }

    private void Render(ref ProtoWriter writer, LogEvent logEvent, OtlpScratch scratch)
    {
        var start = writer.Position;
        RecordFields.WriteStart(ref writer, logEvent);
        var body = writer.Position;
        var bodyLength = WriteBody(ref writer, logEvent);
        var tally = new AttributeTally(_attributeLimit);
        var eventId = writer.Position;
        _attributes.WriteEventId(ref writer, logEvent, ref tally);
        var exception = writer.Position;
        if (logEvent.Exception is not null || logEvent.ExceptionText is not null)
            _attributes.WriteException(ref writer, logEvent, ref tally);
        var properties = writer.Position;
        _attributes.WriteProperties(ref writer, logEvent, ref tally, scratch);
        var end = writer.Position;
        var dropped = tally.Dropped;
        RecordFields.WriteEnd(ref writer, logEvent, dropped, _recordSize);
        if (writer.Position - start > _recordSize)
        {
            var parts = new RecordParts(start, body, eventId, exception, properties, end);
            dropped = RecordTruncation.Truncate(ref writer, parts, logEvent, bodyLength, dropped, _recordSize, scratch);
            logEvent.WasTruncated = true;
        }

        logEvent.PropertiesLeftOut = dropped;
    }

    // Nothing if the application's formatter returned null. Returns the length of the whole text.
    private long WriteBody(ref ProtoWriter writer, LogEvent logEvent)
    {
        if (!_isMessageBody && logEvent.MessageTemplate is { } template)
        {
            writer.WriteNestedCached(OtlpTag.Body, OtlpTag.Text, template);
            return Encoding.UTF8.GetByteCount(template);
        }

        if (logEvent.IsMessageNull)
            return 0;
        writer.WriteNested(OtlpTag.Body, OtlpTag.Text, logEvent.Message);
        return logEvent.MessageLength;
    }

    private static void RenderFailure(ref ProtoWriter writer, int start, LogEvent logEvent, Exception exception)
    {
        // The record stays far below every limit.
        const int LongestTypeName = 64;
        writer.Position = start;
        RecordFields.WriteStart(ref writer, logEvent);
        var body = writer.Open(OtlpTag.Body);
        writer.WriteText(OtlpTag.Text, $"<error formatting record: {TextPrefix.Of(exception.GetType().Name, LongestTypeName)}>");
        writer.Close(body);
        RecordFields.WriteObserved(ref writer, RecordFields.NanosecondsAt(logEvent.Timestamp.UtcTicks));
    }
}

/// <summary>The layout of records; compares by value.</summary>
internal sealed record OtlpLayout : SinkLayout
{
    /// <summary>True if the body is the message; else the template, where there is one.</summary>
    public bool IncludeFormattedMessage { get; init; } = true;

    public bool IncludeTemplate { get; init; } = true;

    public int AttributeCountLimit { get; init; } = 128;

    /// <summary>The most UTF-16 units of a string in a value.</summary>
    public int AttributeValueLengthLimit { get; init; } = int.MaxValue;

    /// <summary>Creates the layout of valid options.</summary>
    public static OtlpLayout From(AsyncOtlpLoggerOptions options) => new()
    {
        IncludeFormattedMessage = options.IncludeFormattedMessage,
        IncludeTemplate = options.IncludeTemplate,
        AttributeCountLimit = options.AttributeCountLimit ?? int.MaxValue,
        AttributeValueLengthLimit = options.AttributeValueLengthLimit ?? int.MaxValue,
    };

    /// <inheritdoc/>
    public override ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider) =>
        new OtlpFormatter(this, layout.MaxRecordSize, layout.IncludeScopes ?? true);
}
