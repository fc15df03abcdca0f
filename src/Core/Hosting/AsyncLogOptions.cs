namespace AsyncLog;

/// <summary>Process-wide options, configuration section <c>AsyncLog</c>.</summary>
public sealed class AsyncLogOptions
{
    /// <summary>True if unknown keys stop the start instead of being reported.</summary>
    /// <value>Default false.</value>
    public bool Strict { get; set; }

    /// <summary>True if an unhandled exception is recorded and everything waiting is flushed, within 2 s, when the process dies or exits.</summary>
    /// <value>Default true.</value>
    public bool FlushOnCrash { get; set; } = true;

    /// <summary>True if SIGTERM, SIGINT (Ctrl+C), SIGQUIT and SIGHUP flush too, within 2 s, in programs without a host: .NET ends these without any exit
    /// event. The signal is never cancelled, and a second one ends the program at once. A host drains when it stops, whatever the value.</summary>
    /// <value>Default true.</value>
    public bool FlushOnSignal { get; set; } = true;

    /// <summary>Level of self-reports on stderr. The environment variable <c>ASYNCLOG_DIAGNOSTICS</c> wins.</summary>
    /// <value>Default <see cref="SelfReportLevel.Warning"/>.</value>
    public SelfReportLevel SelfReport { get; set; } = SelfReportLevel.Warning;

    /// <summary>True if each instance is announced with one line at start.</summary>
    /// <value>Default true.</value>
    public bool StartupReport { get; set; } = true;

    /// <summary>The directory of <see cref="SinkOptions.CrashBuffer"/>: an absolute path on tmpfs or ramfs.</summary>
    /// <value>Default null: <c>/dev/shm/asynclog-UID</c>. The directory is made with mode 0700; one that others may write, or that is on a disk, is refused. A
    /// change applies at the next start.</value>
    public string? CrashBufferPath { get; set; }
}
