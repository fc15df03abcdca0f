namespace AsyncLog;

/// <summary>Why a record was not delivered and will not be. Each reason belongs to one side of acceptance: a record dropped before it was never in the queue.</summary>
public enum DropReason : byte
{
    /// <summary>Before acceptance: the record bound, or its unreserved part for levels below <c>ReserveForLevel</c>, is reached.</summary>
    QueueFull,

    /// <summary>Before acceptance: the byte bound, or its unreserved part, is reached.</summary>
    QueueMemory,

    /// <summary>Before acceptance: logged from inside rendering beyond depth 4, or from inside a sink.</summary>
    Reentrant,

    /// <summary>Before acceptance: nothing could be rendered.</summary>
    RenderFailed,

    /// <summary>Before acceptance: logged after dispose began.</summary>
    AlreadyShutdown,

    /// <summary>After acceptance: <see cref="QueueFullMode.DropOldest"/> made room with this record.</summary>
    Evicted,

    /// <summary>After acceptance: free space is below the minimum and the level below Warning.</summary>
    DiskLow,

    /// <summary>After acceptance: the record cannot be carried even after cutting.</summary>
    Oversize,

    /// <summary>After acceptance: a transport without retry refused the record.</summary>
    WriteFailed,

    /// <summary>After acceptance: an encoder on the worker, or a custom sink, failed on this one record.</summary>
    EncodeFailed,

    /// <summary>After acceptance: the retry window ended.</summary>
    RetryExhausted,

    /// <summary>After acceptance: the peer took the request and refused these records.</summary>
    Rejected,

    /// <summary>After acceptance: final failure of the whole batch.</summary>
    SinkPermanent,

    /// <summary>After acceptance: still waiting, in flight or uncommitted when the shutdown budget was used up.</summary>
    ShutdownTimeout,
}
