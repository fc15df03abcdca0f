namespace AsyncLog;

/// <summary>The one table of drop reasons: names as metrics and notices print them, and the side of acceptance each belongs to.</summary>
internal static class DropReasons
{
    /// <summary>The number of reasons.</summary>
    public const int Count = (int)DropReason.ShutdownTimeout + 1;

    private static readonly string[] Names =
    [
        "queue_full", "queue_memory", "reentrant", "render_failed", "already_shutdown",
        "evicted", "disk_low", "oversize", "write_failed", "encode_failed", "retry_exhausted", "rejected", "sink_permanent", "shutdown_timeout",
    ];

    public static string NameOf(DropReason reason) => Names[(int)reason];

    public static bool IsBefore(DropReason reason) => reason <= DropReason.AlreadyShutdown;

    /// <exception cref="ArgumentException">The reason belongs before acceptance.</exception>
    public static void RequireAfter(DropReason reason)
    {
        if (IsBefore(reason) || reason > DropReason.ShutdownTimeout)
            throw new ArgumentException($"'{reason}' is not a reason a sink may give: expected Evicted to ShutdownTimeout.", nameof(reason));
    }
}
