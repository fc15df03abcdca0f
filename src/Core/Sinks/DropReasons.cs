namespace AsyncLog;

/// <summary>The one table of drop reasons: their order, names as metrics and notices print them, and the side of acceptance each belongs to.</summary>
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
    ];

    // By value, for arrays indexed by reason.
    private static readonly byte[] Indexes = IndexTable();

    /// <summary>All reasons, in the order of the table.</summary>
    public static readonly DropReason[] All = [.. Table.Select(static row => row.Reason)];

    /// <summary>The number of reasons.</summary>
    public static readonly int Count = Table.Length;

    /// <summary>Returns the place of a reason in <see cref="All"/>.</summary>
    public static int IndexOf(DropReason reason) => Indexes[(byte)reason];

    public static string NameOf(DropReason reason) => Table[IndexOf(reason)].Name;

    public static bool IsBefore(DropReason reason) => Table[IndexOf(reason)].IsBefore;

    /// <exception cref="ArgumentException">The reason is unknown or belongs before acceptance.</exception>
    public static void RequireAfter(DropReason reason)
    {
        if (IndexOf(reason) == Unknown || IsBefore(reason))
            throw new ArgumentException($"'{reason}' is not a reason a sink may give: expected Evicted to ShutdownTimeout.", nameof(reason));
    }

    private static byte[] IndexTable()
    {
        var indexes = new byte[256];
        Array.Fill(indexes, Unknown);
        for (var index = 0; index < Table.Length; index++)
            indexes[(byte)Table[index].Reason] = (byte)index;
        return indexes;
    }
}
