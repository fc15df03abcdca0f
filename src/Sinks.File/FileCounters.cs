namespace AsyncLog;

/// <summary>Why a file was opened anew.</summary>
internal enum ReopenReason
{
    Moved,
    Deleted,
    Error,
}

/// <summary>What happened to the files of one instance. Written by the worker, deletions by the background; read by anybody.</summary>
internal sealed class FileCounters
{
    private readonly long[] _rolled = new long[Enum.GetValues<RollReason>().Length];
    private readonly long[] _reopened = new long[Enum.GetValues<ReopenReason>().Length];
    private long _deletedByCount;
    private long _activeSize;
    private long _available = -1;

    public void Rolled(RollReason reason) => Interlocked.Increment(ref _rolled[(int)reason]);

    public void Reopened(ReopenReason reason) => Interlocked.Increment(ref _reopened[(int)reason]);

    public void DeletedByCount() => Interlocked.Increment(ref _deletedByCount);

    public void SizeIs(long bytes) => Volatile.Write(ref _activeSize, bytes);

    public void AvailableIs(long bytes) => Volatile.Write(ref _available, bytes);

    public FileCountersSnapshot Snapshot() => new(
        Rolled(_rolled), Reopened(_reopened), Interlocked.Read(ref _deletedByCount), Volatile.Read(ref _activeSize))
    {
        Available = Volatile.Read(ref _available) is >= 0 and var bytes ? bytes : null,
    };

    private static Dictionary<RollReason, long> Rolled(long[] counts) =>
        Enum.GetValues<RollReason>().ToDictionary(static reason => reason, reason => Interlocked.Read(ref counts[(int)reason]));

    private static Dictionary<ReopenReason, long> Reopened(long[] counts) =>
        Enum.GetValues<ReopenReason>().ToDictionary(static reason => reason, reason => Interlocked.Read(ref counts[(int)reason]));
}

/// <summary>The counters at one instant.</summary>
internal sealed record FileCountersSnapshot(
    IReadOnlyDictionary<RollReason, long> Rolled, IReadOnlyDictionary<ReopenReason, long> Reopened, long DeletedByCount, long ActiveSize)
{
    /// <summary>Free space for this user when it was last looked at; null: it was not.</summary>
    public long? Available { get; init; }
}
