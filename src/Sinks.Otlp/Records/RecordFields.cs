namespace AsyncLog;

/// <summary>Writes the fields of a LogRecord before and behind body and attributes.</summary>
internal static class RecordFields
{
    private const ulong NanosecondsPerTick = 100;
    private const int TraceIdBytes = 16;
    private const int SpanIdBytes = 8;

    // Number and text of each level; of LogLevel.None, too, the most severe.
    private static readonly PreencodedField[] Severities =
    [
        SeverityOf(1, "Trace"u8), SeverityOf(5, "Debug"u8), SeverityOf(9, "Information"u8), SeverityOf(13, "Warning"u8), SeverityOf(17, "Error"u8), SeverityOf(21, "Critical"u8),
    ];

    /// <summary>Writes time and severity.</summary>
    public static void WriteStart(ref ProtoWriter writer, LogEvent logEvent)
    {
        WriteTime(ref writer, OtlpTag.Time, logEvent);
        writer.Write(Severities[Math.Min((int)logEvent.Level, Severities.Length - 1)]);
    }

    /// <summary>Writes the count of attributes left out, trace context, observed time and event name.</summary>
    /// <param name="maxName">The most UTF-16 units of the event name that are worth writing.</param>
    public static void WriteEnd(ref ProtoWriter writer, LogEvent logEvent, int dropped, int maxName)
    {
        if (dropped > 0)
            writer.WriteVarint(OtlpTag.DroppedAttributes, (uint)dropped);
        if (logEvent.HasTrace)
            WriteTrace(ref writer, logEvent);
        WriteObserved(ref writer, logEvent);
        if (logEvent.EventId.Name is { Length: > 0 } name)
            writer.WriteText(OtlpTag.EventName, TextPrefix.Of(name, maxName));
    }

    /// <summary>Writes the observed time.</summary>
    public static void WriteObserved(ref ProtoWriter writer, LogEvent logEvent) => WriteTime(ref writer, OtlpTag.ObservedTime, logEvent);

    private static void WriteTrace(ref ProtoWriter writer, LogEvent logEvent)
    {
        var flags = (byte)logEvent.TraceFlags;
        if (flags != 0)
            writer.WriteFixed32(OtlpTag.Flags, flags);
        Span<byte> id = stackalloc byte[TraceIdBytes];
        logEvent.TraceId.CopyTo(id);
        writer.WriteBytes(OtlpTag.TraceId, id);
        logEvent.SpanId.CopyTo(id[..SpanIdBytes]);
        writer.WriteBytes(OtlpTag.SpanId, id[..SpanIdBytes]);
    }

    // A time before 1970 is not representable: the field is left out, which reads as 0.
    private static void WriteTime(ref ProtoWriter writer, byte tag, LogEvent logEvent)
    {
        var ticks = logEvent.Timestamp.UtcTicks - DateTime.UnixEpoch.Ticks;
        if (ticks > 0)
            writer.WriteFixed64(tag, (ulong)ticks * NanosecondsPerTick);
    }

    private static PreencodedField SeverityOf(byte number, ReadOnlySpan<byte> text) =>
        new([OtlpTag.Severity, number, OtlpTag.SeverityText, (byte)text.Length, .. text]);
}
