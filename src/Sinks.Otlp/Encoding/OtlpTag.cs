namespace AsyncLog;

/// <summary>Tags of the fields that are written: number and wire type (opentelemetry-proto, logs/v1, common/v1, resource/v1).</summary>
internal static class OtlpTag
{
    /// <summary>Fields of LogRecord.</summary>
    public const byte Time = (1 << 3) | Fixed64, Severity = (2 << 3) | Varint, SeverityText = (3 << 3) | Length, Body = (5 << 3) | Length,
        Attribute = (6 << 3) | Length, DroppedAttributes = (7 << 3) | Varint, Flags = (8 << 3) | Fixed32, TraceId = (9 << 3) | Length,
        SpanId = (10 << 3) | Length, ObservedTime = (11 << 3) | Fixed64, EventName = (12 << 3) | Length;

    /// <summary>Fields of KeyValue.</summary>
    public const byte Key = (1 << 3) | Length, Value = (2 << 3) | Length;

    /// <summary>The element field of ArrayValue and KeyValueList.</summary>
    public const byte Element = (1 << 3) | Length;

    /// <summary>Fields of AnyValue.</summary>
    public const byte Text = (1 << 3) | Length, Bool = (2 << 3) | Varint, Int = (3 << 3) | Varint, Double = (4 << 3) | Fixed64,
        Array = (5 << 3) | Length, Map = (6 << 3) | Length, Bytes = (7 << 3) | Length;

    /// <summary>Fields of the request: ResourceLogs in it, Resource and ScopeLogs in that, Scope and LogRecord in that, Name in the scope.</summary>
    public const byte ResourceLogs = (1 << 3) | Length, Resource = (1 << 3) | Length, ResourceAttribute = (1 << 3) | Length,
        ScopeLogs = (2 << 3) | Length, Scope = (1 << 3) | Length, ScopeName = (1 << 3) | Length, LogRecord = (2 << 3) | Length;

    private const byte Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5;
}
