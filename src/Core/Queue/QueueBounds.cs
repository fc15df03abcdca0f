using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The bounds of a queue, and how much of them each level may use. Pure.</summary>
/// <param name="Segments">All segments: the byte bound.</param>
/// <param name="Records">All records waiting or in flight: the record bound.</param>
/// <param name="SegmentBytes">Bytes of one segment.</param>
internal sealed record QueueBounds(int Segments, int Records, int SegmentBytes)
{
    private const int SmallestSegment = 64 << 10;

    // A sink may request larger segments as long as this many fit: the reserve, a tenth by default, is then one segment or more. A segment that must be
    // larger because a record may be has at most a quarter of the memory.
    private const int MinRequestedSegments = 10;

    // A slot has 16 bytes, so slots take half as much memory as the bytes. Records that are shorter than this on average use up the slots before the
    // bytes, which only means an earlier rotation.
    private const int BytesPerSlot = 32;

    /// <summary>Slots of one segment; never more than the record bound.</summary>
    public int Slots => Math.Min(SegmentBytes / BytesPerSlot, Records);

    /// <summary>Free segments from which waiting callers are released: a quarter, never more than all but Current, or they would wait for ever.</summary>
    public int ReleaseSegments => Math.Clamp(Segments / 4, 1, Segments - 1);

    /// <summary>Records waiting up to which waiting callers are released: three quarters of the bound.</summary>
    public int ReleaseRecords => Records - Math.Max(1, Records / 4);

    /// <summary>Divides the memory bound into segments: at least four, so that no single one is the queue.</summary>
    /// <param name="maxRecordSize">Every record fits an empty segment.</param>
    /// <param name="requestedSegment">A larger segment that the sink requests; at most a tenth of the memory. 0 for none.</param>
    /// <param name="maxQueueMemory">The byte bound.</param>
    public static QueueBounds For(int maxRecordSize, int requestedSegment, long maxQueueMemory, int maxQueueLength)
    {
        var largest = (int)Math.Min(maxQueueMemory / 4, Slot.MaxBytes);
        var needed = Math.Max(SmallestSegment, maxRecordSize);
        var segment = (int)Math.Min(Math.Max(needed, Math.Min(requestedSegment, maxQueueMemory / MinRequestedSegments)), largest);
        return new QueueBounds((int)(maxQueueMemory / segment), maxQueueLength, segment);
    }

    /// <summary>Segments that only records from <see cref="QueueRules.ReservedLevel"/> on may take.</summary>
    public int ReservedSegments(QueueRules rules) => (int)((long)Segments * rules.ReservedPercentage / 100);

    /// <summary>Records up to which every level is admitted.</summary>
    public int UnreservedRecords(QueueRules rules) => Records - (int)((long)Records * rules.ReservedPercentage / 100);
}

/// <summary>The settings of a queue that a reload may change. Immutable; replaced as a whole.</summary>
internal sealed record QueueRules
{
    /// <summary>The lowest level that may use the reserved part of the queue.</summary>
    public const LogLevel ReservedLevel = LogLevel.Warning;

    public QueueFullMode FullMode { get; init; }

    public TimeSpan WaitTimeout { get; init; }

    public int ReservedPercentage { get; init; } = 10;

    public LogLevel AcknowledgeLevel { get; init; } = LogLevel.None;

    public TimeSpan AcknowledgeTimeout { get; init; }

    public AcknowledgeFailureMode AcknowledgeFailureMode { get; init; }

    /// <summary>The lowest level whose records wake a napping worker and end a batch delay.</summary>
    public LogLevel UrgentLevel => AcknowledgeLevel < LogLevel.Error ? AcknowledgeLevel : LogLevel.Error;

    public static QueueRules From(SinkOptions options) => new()
    {
        FullMode = options.QueueFullMode,
        WaitTimeout = options.WaitTimeout,
        ReservedPercentage = options.ReservedPercentage,
        AcknowledgeLevel = options.AcknowledgeLevel,
        AcknowledgeTimeout = options.AcknowledgeTimeout,
        AcknowledgeFailureMode = options.AcknowledgeFailureMode,
    };
}
