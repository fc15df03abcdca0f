namespace AsyncLog;

/// <summary>Why a record was not delivered and will not be. Each reason belongs to one side of acceptance: a record dropped before it was never in the queue.</summary>
/// <remarks>Values below 100 belong before acceptance, the others after it. The gaps leave room for reasons to come.</remarks>
public enum DropReason : byte
{
    /// <summary>Before acceptance: the record bound, or its unreserved part for levels below <c>ReserveForLevel</c>, is reached.</summary>
    QueueFull = 10,

    /// <summary>Before acceptance: the byte bound, or its unreserved part, is reached.</summary>
    QueueMemory = 20,

    /// <summary>Before acceptance: logged from inside rendering beyond depth 4, or from inside a sink.</summary>
    Reentrant = 30,

    /// <summary>Before acceptance: nothing could be rendered.</summary>
    RenderFailed = 40,

    /// <summary>Before acceptance: logged after dispose began.</summary>
    AlreadyShutdown = 50,

    /// <summary>After acceptance: <see cref="QueueFullMode.DropOldest"/> made room with this record.</summary>
    Evicted = 110,

    /// <summary>After acceptance: free space is below the minimum and the level below Warning.</summary>
    DiskLow = 120,

    /// <summary>After acceptance: the record cannot be carried even after truncation.</summary>
    Oversize = 130,

    /// <summary>After acceptance: a transport without retry refused the record.</summary>
    WriteFailed = 140,

    /// <summary>After acceptance: an encoder on the worker, or a custom sink, failed on this one record.</summary>
    EncodeFailed = 150,

    /// <summary>After acceptance: the retry window ended.</summary>
    RetryExhausted = 160,

    /// <summary>After acceptance: the peer took the request and refused these records.</summary>
    Rejected = 170,

    /// <summary>After acceptance: final failure of the whole batch.</summary>
    SinkPermanent = 180,

    /// <summary>After acceptance: still waiting, in flight or uncommitted when the shutdown budget was used up.</summary>
    ShutdownTimeout = 190,
}
