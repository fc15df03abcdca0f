namespace AsyncLog;

/// <summary>What all queues of one instance hold together: after a reload the old one drains beside the new one, within one bound. Under the instance's lock.</summary>
internal sealed class QueueUsage
{
    /// <summary>Bytes of the segments that are open, posted or in a worker's hands.</summary>
    public long Bytes { get; set; }

    /// <summary>Records in those that are sealed.</summary>
    public int SealedRecords { get; set; }

    /// <summary>The queue that takes records: its waiting callers are released when another queue makes room.</summary>
    public SegmentQueue? InForce { get; set; }
}
