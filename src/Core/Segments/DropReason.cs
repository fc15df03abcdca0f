using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The reason why a record was lost. A record that was dropped before acceptance was never in the queue.</summary>
/// <remarks>Values below 100 are before acceptance, the others after it. The gaps are for future reasons.</remarks>
public enum DropReason : byte
{
    /// <summary>Before acceptance: the queue holds <see cref="SinkOptions.MaxQueueLength"/> records, or the part of it that a level below Warning may use is full.</summary>
    QueueFull = 10,

    /// <summary>Before acceptance: the queue holds <see cref="SinkOptions.MaxQueueMemory"/> bytes, or the part of it that the level may use is full.</summary>
    QueueMemory = 20,

    /// <summary>Before acceptance: the record was logged inside rendering beyond depth 4, or inside a sink.</summary>
    Reentrant = 30,

    /// <summary>Before acceptance: the record could not be rendered.</summary>
    RenderFailed = 40,

    /// <summary>Before acceptance: the record was logged after dispose began.</summary>
    AlreadyShutdown = 50,

    /// <summary>After acceptance: <see cref="QueueFullMode.DropOldest"/> removed the record.</summary>
    Evicted = 110,

    /// <summary>After acceptance: the free space is below the minimum, and the level is below Warning.</summary>
    DiskLow = 120,

    /// <summary>After acceptance: the record is too large, even truncated.</summary>
    Oversize = 130,

    /// <summary>After acceptance: a transport without retry refused the record.</summary>
    WriteFailed = 140,

    /// <summary>After acceptance: the sink failed on this record.</summary>
    EncodeFailed = 150,

    /// <summary>After acceptance: the retry window ended.</summary>
    RetryExhausted = 160,

    /// <summary>After acceptance: the server accepted the request and refused the record.</summary>
    Rejected = 170,

    /// <summary>After acceptance: the destination refused the batch for good.</summary>
    SinkPermanent = 180,

    /// <summary>After acceptance: the record was still waiting, in flight or uncommitted at the end of the shutdown timeout, or at the shutdown of a
    /// destination that cannot come back.</summary>
    ShutdownTimeout = 190,

    /// <summary>After acceptance: at <see cref="SinkOptions.SpoolSizeLimit"/>, the oldest records on disk were removed.</summary>
    SpoolFull = 200,

    /// <summary>After acceptance: the record was on disk for longer than <see cref="SinkOptions.SpoolTimeLimit"/>.</summary>
    SpoolExpired = 210,

    /// <summary>After acceptance: the record was damaged or missing on disk.</summary>
    SpoolCorrupt = 220,

    /// <summary>After acceptance: set aside on disk, because the settings that decide the form of records, or the version of the file format, have changed.</summary>
    SpoolForeign = 230,

    /// <summary>After acceptance: a process was killed inside <c>Log</c>, or the place of the record in the crash buffer is damaged.</summary>
    CrashUncommitted = 240,
}

/// <summary>A number of lost records.</summary>
public readonly record struct DropCount
{
    /// <summary>Makes a count; for tests of your own.</summary>
    /// <param name="reason">Reason of the loss.</param>
    /// <param name="level">Level of the records.</param>
    /// <param name="count">Number of records.</param>
    public DropCount(DropReason reason, LogLevel level, long count) => (Reason, Level, Count) = (reason, level, count);

    /// <summary>Reason of the loss.</summary>
    public DropReason Reason { get; }

    /// <summary>Level of the records.</summary>
    public LogLevel Level { get; }

    /// <summary>Number of records.</summary>
    public long Count { get; }

    /// <summary>The reason as metrics and notices print it: <c>queue_full</c>.</summary>
    public string ReasonName => DropReasons.NameOf(Reason);

    /// <summary>True if the record was never accepted.</summary>
    public bool IsBeforeAcceptance => DropReasons.IsBefore(Reason);
}

/// <summary>The table of drop reasons: their order, their names in metrics and notices, and whether they are before acceptance.</summary>
internal static class DropReasons
{
    private const byte Unknown = byte.MaxValue;

    private static readonly (DropReason Reason, string Name, bool IsBefore)[] Table =
    [
        (DropReason.QueueFull, "queue_full", true),
        (DropReason.QueueMemory, "queue_memory", true),
        (DropReason.Reentrant, "reentrant", true),
        (DropReason.RenderFailed, "render_failed", true),
        (DropReason.AlreadyShutdown, "already_shutdown", true),
        (DropReason.Evicted, "evicted", false),
        (DropReason.DiskLow, "disk_low", false),
        (DropReason.Oversize, "oversize", false),
        (DropReason.WriteFailed, "write_failed", false),
        (DropReason.EncodeFailed, "encode_failed", false),
        (DropReason.RetryExhausted, "retry_exhausted", false),
        (DropReason.Rejected, "rejected", false),
        (DropReason.SinkPermanent, "sink_permanent", false),
        (DropReason.ShutdownTimeout, "shutdown_timeout", false),
        (DropReason.SpoolFull, "spool_full", false),
        (DropReason.SpoolExpired, "spool_expired", false),
        (DropReason.SpoolCorrupt, "spool_corrupt", false),
        (DropReason.SpoolForeign, "spool_foreign", false),
        (DropReason.CrashUncommitted, "crash_uncommitted", false),
    ];

    // By value, for arrays indexed by reason.
    private static readonly byte[] Indexes = IndexTable();

    /// <summary>All reasons, in the order of the table.</summary>
    public static readonly DropReason[] All = Array.ConvertAll(Table, static row => row.Reason);

    /// <summary>The number of reasons.</summary>
    public static readonly int Count = Table.Length;

    /// <summary>Returns the place of a reason in <see cref="All"/>.</summary>
    public static int IndexOf(DropReason reason) => Indexes[(byte)reason];

    public static string NameOf(DropReason reason) => Table[IndexOf(reason)].Name;

    public static bool IsBefore(DropReason reason) => Table[IndexOf(reason)].IsBefore;

    /// <summary>Returns true if the reason is known and after acceptance.</summary>
    public static bool IsAfter(DropReason reason) => IndexOf(reason) != Unknown && !IsBefore(reason);

    /// <summary>Returns true if a sink may give the reason: those of the spool and of a killed process are AsyncLog's own.</summary>
    public static bool IsOfSink(DropReason reason) => IsAfter(reason) && reason <= DropReason.ShutdownTimeout;

    /// <exception cref="ArgumentException">The reason is not one that a sink may give.</exception>
    public static void RequireOfSink(DropReason reason)
    {
        if (!IsOfSink(reason))
        {
            var names = All.Where(IsOfSink).Select(static known => known.ToString()).ToList();
            throw new ArgumentException($"'{reason}' is not a reason that a sink can give: expected {string.Join(", ", names.SkipLast(1))} or {names[^1]}.", nameof(reason));
        }
    }

    private static byte[] IndexTable()
    {
        var indexes = new byte[256];
        for (var value = 0; value < indexes.Length; value++)
            indexes[value] = Unknown;
        for (var index = 0; index < Table.Length; index++)
            indexes[(byte)Table[index].Reason] = (byte)index;
        return indexes;
    }
}
