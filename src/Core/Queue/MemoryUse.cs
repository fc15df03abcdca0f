namespace AsyncLog;

/// <summary>What all queues of one instance hold together: after a reload the old one drains beside the new one, within one bound. Under the instance's lock;
/// changed by <see cref="QueueAdmission"/> only.</summary>
internal sealed class MemoryUse
{
    /// <summary>Bytes of the segments that are open, posted or in a worker's hands.</summary>
    public long Bytes { get; set; }

    /// <summary>Records in those that are sealed.</summary>
    public int SealedRecords { get; set; }

    /// <summary>True if more than seven tenths of a bound are in use.</summary>
    public bool IsAboveSpoolThreshold(QueueBounds bounds)
        => Bytes * 10 > (long)bounds.Segments * bounds.SegmentBytes * 7 || (long)SealedRecords * 10 > bounds.Records * 7L;
}
