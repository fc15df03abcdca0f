using System.Diagnostics;

namespace AsyncLog;

/// <summary>Writes the fields of a LogRecord before and behind body and attributes.</summary>
internal static class RecordFields
{
    /// <summary>Most records have between 128 and 16,383 bytes, and so a length of two.</summary>
    public const int TypicalLength = 0x80;

    /// <summary>The bytes of a record's tag and typical length.</summary>
    public const int HeaderBytes = 3;

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
        WriteTime(ref writer, OtlpTag.Time, NanosecondsAt(logEvent.Timestamp.UtcTicks));
        writer.Write(Severities[Math.Min((int)logEvent.Level, Severities.Length - 1)]);
    }

    /// <summary>Writes the count of attributes left out, trace context, observed time and event name.</summary>
    /// <param name="maxName">The most UTF-16 units of the event name that are worth writing.</param>
    public static void WriteEnd(ref ProtoWriter writer, LogEvent logEvent, int dropped, int maxName)
    {
        if (dropped > 0)
            writer.WriteVarint(OtlpTag.DroppedAttributes, (uint)dropped);
        if (logEvent.HasTrace)
            WriteTrace(ref writer, logEvent.TraceId, logEvent.SpanId, logEvent.TraceFlags);
        WriteObserved(ref writer, NanosecondsAt(logEvent.Timestamp.UtcTicks));
        WriteName(ref writer, logEvent, maxName);
    }

    /// <summary>Writes trace context.</summary>
    public static void WriteTrace(ref ProtoWriter writer, ActivityTraceId trace, ActivitySpanId span, ActivityTraceFlags flags)
    {
        if (flags != 0)
            writer.WriteFixed32(OtlpTag.Flags, (byte)flags);
        Span<byte> id = stackalloc byte[TraceIdBytes];
        trace.CopyTo(id);
        writer.WriteBytes(OtlpTag.TraceId, id);
        span.CopyTo(id[..SpanIdBytes]);
        writer.WriteBytes(OtlpTag.SpanId, id[..SpanIdBytes]);
    }

    /// <summary>Writes the observed time.</summary>
    public static void WriteObserved(ref ProtoWriter writer, ulong nanoseconds) => WriteTime(ref writer, OtlpTag.ObservedTime, nanoseconds);

    /// <summary>Writes the event name, if there is one.</summary>
    /// <param name="maxName">The most UTF-16 units that are worth writing.</param>
    public static void WriteName(ref ProtoWriter writer, LogEvent logEvent, int maxName)
    {
        if (logEvent.EventId.Name is { Length: > 0 } name)
            writer.WriteText(OtlpTag.EventName, TextPrefix.Of(name, maxName));
    }

    /// <summary>The time since 1970; 0 for one before that, which is not representable.</summary>
    public static ulong NanosecondsAt(long utcTicks) => (ulong)Math.Max(utcTicks - DateTime.UnixEpoch.Ticks, 0) * NanosecondsPerTick;

    // The field of a time that is not representable is left out, which reads as 0.
    private static void WriteTime(ref ProtoWriter writer, byte tag, ulong nanoseconds)
    {
        if (nanoseconds > 0)
            writer.WriteFixed64(tag, nanoseconds);
    }

    private static PreencodedField SeverityOf(byte number, ReadOnlySpan<byte> text) =>
        new([OtlpTag.Severity, number, OtlpTag.SeverityText, (byte)text.Length, .. text]);
}
