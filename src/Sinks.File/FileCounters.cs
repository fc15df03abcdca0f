namespace AsyncLog;

/// <summary>Why a file was opened anew.</summary>
internal enum ReopenReason
{
    Moved,
    Deleted,
    Error,

    /// <summary>Somebody asked for it, by signal or by call.</summary>
    Signal,
}

/// <summary>What happened to the files of one instance. Written by the worker, deletions by the background; read by anybody.</summary>
internal sealed class FileCounters
{
    private readonly long[] _rolled = new long[Enum.GetValues<RollReason>().Length];
    private readonly long[] _reopened = new long[Enum.GetValues<ReopenReason>().Length];
    private readonly long[] _deleted = new long[Enum.GetValues<DeletionReason>().Length];
    private long _activeSize;
    private long _available = -1;

    public void Rolled(RollReason reason) => Interlocked.Increment(ref _rolled[(int)reason]);

    public void Reopened(ReopenReason reason) => Interlocked.Increment(ref _reopened[(int)reason]);

    public void Deleted(DeletionReason reason) => Interlocked.Increment(ref _deleted[(int)reason]);

    public void SizeIs(long bytes) => Volatile.Write(ref _activeSize, bytes);

    public void AvailableIs(long bytes) => Volatile.Write(ref _available, bytes);

    public FileCountersSnapshot Snapshot() => new(
        ByReason<RollReason>(_rolled), ByReason<ReopenReason>(_reopened), ByReason<DeletionReason>(_deleted), Volatile.Read(ref _activeSize))
    {
        Available = Volatile.Read(ref _available) is >= 0 and var bytes ? bytes : null,
    };

    private static Dictionary<TReason, long> ByReason<TReason>(long[] counts)
        where TReason : struct, Enum =>
        Enum.GetValues<TReason>().Select((reason, index) => (reason, index)).ToDictionary(
            static pair => pair.reason, pair => Interlocked.Read(ref counts[pair.index]));
}

/// <summary>The counters at one instant.</summary>
internal sealed record FileCountersSnapshot(
    IReadOnlyDictionary<RollReason, long> Rolled,
    IReadOnlyDictionary<ReopenReason, long> Reopened,
    IReadOnlyDictionary<DeletionReason, long> Deleted,
    long ActiveSize)
{
    /// <summary>Free space for this user when it was last looked at; null: it was not.</summary>
    public long? Available { get; init; }
}
