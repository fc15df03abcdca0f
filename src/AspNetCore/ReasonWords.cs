using System.Text.Json;

namespace AsyncLog;

/// <summary>The one table of reasons in words. The page shows the words; JSON, metrics, notices and the health check have the codes. docs/operations.md lists both.</summary>
internal static class ReasonWords
{
    /// <summary>By code: conditions, error classes, reasons of a loss.</summary>
    public static Dictionary<string, string> Table { get; } = new(StringComparer.Ordinal)
    {
        ["drops"] = "losing records",
        ["queue_near_full"] = "queue near full",
        ["configuration"] = "configuration problem",
        ["disk_low"] = "little disk space",
        ["spooling"] = "records wait on the disk",
        ["spool_unwritable"] = "cannot write to the spool",
        ["crash_buffer"] = "no crash buffer",
        ["any_certificate"] = "accepts any certificate",
        ["web_page"] = "a web page answers",

        ["no_space"] = "no space on the disk",
        ["quota"] = "disk quota used up",
        ["read_only"] = "read-only file system",
        ["permission"] = "permission denied",
        ["io_error"] = "input/output error",
        ["in_use"] = "in use by another program",
        ["too_many_files"] = "too many open files",
        ["symlink"] = "the path is a symbolic link",
        ["not_a_file"] = "the path is not a file",
        ["not_a_directory"] = "part of the path is not a directory",
        ["not_found"] = "path not found",
        ["exists"] = "the file exists already",
        ["file_too_large"] = "file size limit of the process reached",
        ["name_too_long"] = "file name too long",
        ["locked"] = "locked by another process",
        ["broken_pipe"] = "output closed by its reader",
        ["dns"] = "host name not resolved",
        ["refused"] = "connection refused",
        ["reset"] = "connection broken",
        ["timeout"] = "no answer in time",
        ["tls"] = "TLS failed",
        ["unreachable"] = "destination unreachable",
        ["other"] = "other error",

        ["queue_full"] = "queue full",
        ["queue_memory"] = "no memory left for the queue",
        ["evicted"] = "replaced by newer records",
        ["reentrant"] = "logged from inside logging",
        ["render_failed"] = "could not be rendered",
        ["already_shutdown"] = "logged after the end",
        ["oversize"] = "too large for the destination",
        ["write_failed"] = "refused without a retry",
        ["encode_failed"] = "the sink failed on the record",
        ["retry_exhausted"] = "tried for too long",
        ["rejected"] = "rejected by the collector",
        ["sink_permanent"] = "refused by the destination",
        ["shutdown_timeout"] = "not written before the end",
        ["spool_full"] = "spool full",
        ["spool_expired"] = "too long in the spool",
        ["spool_corrupt"] = "damaged in the spool",
        ["spool_foreign"] = "spooled with other settings",
        ["crash_uncommitted"] = "killed while it was logged",
    };

    /// <summary>The table as an object of JavaScript.</summary>
    public static string Script { get; } = JsonSerializer.Serialize(Table, DashboardJson.Default.DictionaryStringString);
}
