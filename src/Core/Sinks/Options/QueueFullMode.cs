namespace AsyncLog;

/// <summary>What happens to a record when the queue of its instance is full.</summary>
public enum QueueFullMode
{
    /// <summary>The new record is refused and counted.</summary>
    DropWrite,

    /// <summary>The oldest whole segment is evicted, its records are counted as <see cref="DropReason.Evicted"/> whatever their level, and the new record
    /// is taken.</summary>
    DropOldest,

    /// <summary>The caller waits up to <see cref="SinkOptions.WaitTimeout"/>; then the new record is refused and counted. A caller that is interrupted
    /// waits no longer: the record is refused, and the thread stays interrupted.</summary>
    Wait,
}
