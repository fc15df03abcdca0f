using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The bounds of a queue, and how much of them each level may use. Pure.</summary>
/// <param name="Segments">All segments: the byte bound.</param>
/// <param name="Records">All records waiting or in flight: the record bound.</param>
/// <param name="SegmentBytes">Bytes of one segment.</param>
internal sealed record QueueBounds(int Segments, int Records, int SegmentBytes)
{
    private const int SmallestSegment = 64 << 10;

    // A sink may request larger segments as long as there are so many: the reserve, a tenth by default, is then one segment or more. A segment that must be
    // larger because a record may be has at most a quarter of the memory.
    private const int LeastRequested = 10;

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
    /// <param name="maxQueueLength">The record bound.</param>
    public static QueueBounds For(int maxRecordSize, int requestedSegment, long maxQueueMemory, int maxQueueLength)
    {
        var largest = (int)Math.Min(maxQueueMemory / 4, Slot.MaxBytes);
        var needed = Math.Max(SmallestSegment, maxRecordSize);
        var segment = (int)Math.Min(Math.Max(needed, Math.Min(requestedSegment, maxQueueMemory / LeastRequested)), largest);
        return new QueueBounds((int)(maxQueueMemory / segment), maxQueueLength, segment);
    }

    /// <summary>Segments that only records from <c>ReserveForLevel</c> on may take.</summary>
    public int ReservedSegments(QueueRules rules) => rules.ReserveForLevel == LogLevel.None ? 0 : (int)((long)Segments * rules.ReserveShare / 100);

    /// <summary>Records up to which every level is admitted.</summary>
    public int UnreservedRecords(QueueRules rules)
        => rules.ReserveForLevel == LogLevel.None ? Records : Records - (int)((long)Records * rules.ReserveShare / 100);
}

/// <summary>The settings of a queue that a reload may change. Immutable; replaced as a whole.</summary>
internal sealed record QueueRules
{
    public QueueFullMode FullMode { get; init; }

    public TimeSpan WaitTimeout { get; init; }

    public LogLevel ReserveForLevel { get; init; } = LogLevel.Warning;

    public int ReserveShare { get; init; } = 10;

    public LogLevel FlushLevel { get; init; } = LogLevel.Error;

    public LogLevel AcknowledgeLevel { get; init; } = LogLevel.None;

    public TimeSpan AcknowledgeTimeout { get; init; }

    public AcknowledgeFailure AcknowledgeFailure { get; init; }

    /// <summary>The lowest level whose records wake a napping worker and end a batch delay.</summary>
    public LogLevel UrgentLevel => AcknowledgeLevel < FlushLevel ? AcknowledgeLevel : FlushLevel;

    public static QueueRules From(SinkOptions options) => new()
    {
        FullMode = options.QueueFullMode,
        WaitTimeout = options.WaitTimeout,
        ReserveForLevel = options.ReserveForLevel,
        ReserveShare = options.ReserveShare,
        FlushLevel = options.FlushLevel,
        AcknowledgeLevel = options.AcknowledgeLevel,
        AcknowledgeTimeout = options.AcknowledgeTimeout,
        AcknowledgeFailure = options.AcknowledgeFailure,
    };
}

/// <summary>Combined use of all queues of one instance: after a reload the old one drains beside the new one, within one bound. Under the instance's lock.</summary>
internal sealed class QueueUsage
{
    /// <summary>Bytes of the segments that are open, posted or in a worker's hands.</summary>
    public long Bytes { get; set; }

    /// <summary>Records in those that are sealed.</summary>
    public int SealedRecords { get; set; }

    /// <summary>The queue that takes records: its waiting callers are released when another queue makes room.</summary>
    public SegmentQueue? InForce { get; set; }

    /// <summary>Set when a segment is posted and more than seven tenths of a bound are in use; null without a spool.</summary>
    public WorkerSignal? Crowded { get; set; }

    /// <summary>Segments on the disk or on the way there, and those of a killed process. They are older than what the queues hold: workers take nothing from a
    /// queue while there are some.</summary>
    public int Spooled;

    /// <summary>In <see cref="OnDisk"/>: what a crash buffer has of a killed process. It is older than all segments.</summary>
    public const long Recovered = 0;

    /// <summary>The number of the segment that was opened last, in any queue.</summary>
    public long Sequence { get; set; }

    /// <summary>The numbers of the segments on the disk whose records this process accepted, and <see cref="Recovered"/>, in ascending order: flushes wait for
    /// them.</summary>
    public List<long> OnDisk { get; } = [];

    /// <summary>The queues with flushes that wait: what is sent from the disk may be what they wait for, also after the worker of a queue has ended.</summary>
    public List<SegmentQueue> Flushing { get; } = [];

    /// <summary>Time of the last delivery of anything, in the clock's time stamps.</summary>
    public long DeliveredAt { get; set; }

    /// <summary>Adds a segment that is on the disk instead of in a queue.</summary>
    public void AddOnDisk(long sequence)
    {
        var place = OnDisk.BinarySearch(sequence);
        if (place < 0)
            OnDisk.Insert(~place, sequence);
    }

    /// <summary>Removes a segment on the disk whose records are settled, also in another order than they came: flushes that waited for them go on.</summary>
    public void RemoveOnDisk(long sequence)
    {
        OnDisk.Remove(sequence);
        foreach (var queue in Flushing)
            queue.PassSettled();
        ForgetFlushed();
    }

    /// <summary>Lets go of queues whose flushes are answered: a replaced one keeps memory.</summary>
    public void ForgetFlushed() => Flushing.RemoveAll(static queue => !queue.Flushes.IsWaiting);

    /// <summary>Answers all flushes, also later ones: this process sends nothing any more.</summary>
    public void EndFlushes()
    {
        foreach (var queue in Flushing)
            queue.Flushes.PassAll(isDelivered: OnDisk.Count == 0);
        InForce?.Flushes.PassAll(isDelivered: OnDisk.Count == 0);
        ForgetFlushed();
    }

    /// <summary>True if more than seven tenths of a bound are in use.</summary>
    public bool IsCrowded(QueueBounds bounds)
        => Bytes * 10 > (long)bounds.Segments * bounds.SegmentBytes * 7 || (long)SealedRecords * 10 > bounds.Records * 7L;
}
