using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options that every instance of every sink has: the section of the sink, and each of its named instances, which inherit all but <see cref="LogLevel"/>,
/// <see cref="Enabled"/> and where records go.</summary>
/// <remarks>In configuration a size is a number of bytes or <c>64KB</c>, <c>1.5 GB</c> (1 KB = 1,024 bytes), a time is <c>00:00:05</c> or a number with
/// <c>ms</c>, <c>s</c>, <c>m</c>, <c>h</c>, <c>d</c>, and an empty text means none where null is allowed.</remarks>
public abstract class SinkOptions
{
    /// <summary>True if the instance takes records.</summary>
    /// <value>Default true. In the provider's section it switches the whole provider, in a child only the child.</value>
    public bool Enabled { get; set; } = true;

    /// <summary>Levels of this instance by category prefix, as in <c>Logging:LogLevel</c>: longest prefix, one <c>*</c>, <c>Default</c>.</summary>
    /// <value>Default empty: the provider's levels rule.</value>
    public IDictionary<string, LogLevel> LogLevel { get; } = new Dictionary<string, LogLevel>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The highest level this instance takes, for files that hold one level only.</summary>
    /// <value>Default null: no upper bound. Not <c>None</c>.</value>
    public LogLevel? MaxLevel { get; set; }

    /// <summary>The layout of a record.</summary>
    /// <value>Files: <c>Text</c> (default), <c>Json</c> (the members of .NET's JSON console), <c>Clef</c> (of Serilog and Seq), or the name given to
    /// <see cref="Microsoft.Extensions.Logging.SinkLoggingBuilderExtensions.AddLogFormatter"/>. Syslog: <c>Rfc5424</c> (default), <c>Rfc3164</c>, or <c>Local</c> (the BSD form without
    /// a host name, default with <c>unix:</c>). OTLP has no choice. Default null: the sink's own.</value>
    public string? Format { get; set; }

    /// <summary>The template of a line with <c>Format: Text</c>, of the text (MSG) with syslog: literal text and placeholders.</summary>
    /// <value>Default null: <c>{Timestamp:yyyy-MM-dd HH:mm:ss.fff zzz} [{Level:u3}] {Category}: {Message}{NewLine}{Exception}</c>; with syslog message, then exception.</value>
    /// <remarks>
    /// A placeholder is <c>{Name}</c>, <c>{Name,10}</c> (width, at most 128; negative: left), <c>{Name:format}</c> or <c>{Name,10:format}</c>; <c>{{</c> and
    /// <c>}}</c> are braces. Names are case-sensitive:
    /// <list type="bullet">
    /// <item><c>Timestamp</c> with a .NET date format; <c>Level</c> (<c>u3</c> INF, <c>w3</c> inf, <c>t3</c> Inf, <c>u</c> INFORMATION, <c>w</c> information,
    /// <c>syslog</c> the severity of RFC 5424: 2 Critical to 7 Debug and Trace);</item>
    /// <item><c>Category</c>, also as <c>SourceContext</c> (<c>s</c>: its last part); <c>Message</c>; <c>Exception</c>; <c>NewLine</c>;</item>
    /// <item><c>EventId</c>, <c>EventName</c>, <c>TraceId</c>, <c>SpanId</c>, <c>ThreadId</c>, <c>ProcessId</c>, <c>MachineName</c>, <c>ApplicationName</c>,
    /// <c>EnvironmentName</c>, <c>Instance</c>;</item>
    /// <item><c>Scopes</c> (<c>=> outer => inner</c>); <c>Properties</c> (those not printed otherwise, as <c>key=value</c>);</item>
    /// <item>any other name: the property of this name of the call, else of its scopes; nothing when there is none.</item>
    /// </list>
    /// </remarks>
    public string? Template { get; set; }

    /// <summary>A .NET date and time format that replaces the layout's own.</summary>
    /// <value>Default null.</value>
    public string? TimestampFormat { get; set; }

    /// <summary>True if timestamps, names and rolling use UTC instead of the local zone. The offset is printed either way.</summary>
    /// <value>Default false.</value>
    public virtual bool UseUtcTimestamp { get; set; }

    /// <summary>True if scopes are written.</summary>
    /// <value>Default null: yes in JSON and CLEF; in text only where the template has <c>{Scopes}</c>.</value>
    public bool? IncludeScopes { get; set; }

    /// <summary>Constant properties by name, added to every record of the formats that have properties (not to text). Tokens such as
    /// <c>{MachineName}</c> and <c>%VARIABLES%</c> are expanded.</summary>
    /// <value>Default empty. Instances inherit key by key; an empty value removes an inherited property. A property that a call sets itself wins.</value>
    public IDictionary<string, string> Properties { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The maximum number of waiting records.</summary>
    /// <value>Default 100,000; 1 to 10,000,000. The memory bound is usually reached first.</value>
    public int MaxQueueLength { get; set; } = 100_000;

    /// <summary>The maximum number of waiting bytes after rendering, in whole segments. The index of the records is extra: 16 bytes per record, at most half as
    /// much again. Memory that a burst needed is freed after a minute without use.</summary>
    /// <value>Default 16 MB; 256 KB to 4 GB and at least four times <see cref="MaxRecordSize"/>.</value>
    public long MaxQueueMemory { get; set; } = 16L << 20;

    /// <summary>Action on a record when the queue is full.</summary>
    /// <value>Default <see cref="QueueFullMode.DropWrite"/>: a logger must not stop a service.</value>
    public QueueFullMode QueueFullMode { get; set; }

    /// <summary>Longest time that a caller is blocked with <see cref="QueueFullMode.Wait"/>.</summary>
    /// <value>Default 1 s; more than 0, at most 1 minute.</value>
    public TimeSpan WaitTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Levels from here may use the reserved part of the queue; <c>None</c> reserves nothing.</summary>
    /// <value>Default Warning.</value>
    public LogLevel ReserveForLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.Warning;

    /// <summary>The percentage of both limits that lower levels may not use, rounded down. With <see cref="QueueFullMode.DropOldest"/>, records in that
    /// part may be evicted like any others.</summary>
    /// <value>Default 10; 0 to 50.</value>
    public int ReserveShare { get; set; } = 10;

    /// <summary>The maximum number of bytes of one record, including escapes and the truncation mark; longer records are truncated and counted.</summary>
    /// <value>Default 64 KB; 1 KB to 1 MB.</value>
    public int MaxRecordSize { get; set; } = 64 << 10;

    /// <summary>A record from this level on wakes a napping worker, at most once per nap; <c>None</c> never.</summary>
    /// <value>Default Error.</value>
    public LogLevel FlushLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.Error;

    /// <summary>From this level on <c>Log</c> returns when the sink has written the record, or after <see cref="AcknowledgeTimeout"/>.</summary>
    /// <value>Default <c>None</c>: no call waits for that.</value>
    /// <remarks>
    /// <para>Written means, by sink: written to the file, so that it survives the end of the process (and on the disk from the higher of this level and
    /// <c>FlushToDiskLevel</c> on, or with <c>Durability: FlushToDisk</c>); written to the standard output; handed to the kernel with syslog, because neither
    /// UDP nor TCP has an answer; accepted by the collector with OTLP.</para>
    /// <para>The caller's thread is held while the worker writes the record and everything before it; a full disk or an unreachable server holds each
    /// such call for the whole timeout. A record counts as unacknowledged if it was refused or lost, was not written in time, or may not have arrived. If one
    /// record of its level and batch was lost, all of them count. A caller does not wait for a record that it logs while another one is rendered, or that
    /// the sink itself logs; such a record counts as unacknowledged.</para>
    /// </remarks>
    public LogLevel AcknowledgeLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    /// <summary>Longest time that a caller waits for an acknowledgement. A record whose time is over stays in the queue and may still be written.</summary>
    /// <value>Default 1 s; 10 ms to 1 minute.</value>
    public TimeSpan AcknowledgeTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Action on a record that is not acknowledged.</summary>
    /// <value>Default <see cref="AcknowledgeFailure.Count"/>: a logger must not stop a service.</value>
    public AcknowledgeFailure AcknowledgeFailure { get; set; }

    /// <summary>Longest time that dispose waits for the queue to drain. All instances of a provider drain in parallel, each with its own time.</summary>
    /// <value>Default 5 s; 0 to 5 minutes.</value>
    public TimeSpan ShutdownTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>A directory for records that the destination does not take and memory does not hold, and for those left at the end of the shutdown; sinks that
    /// send to a server only. Each instance has its own directory in it. Tokens and variables as in a file's path; relative to the content root.</summary>
    /// <value>Default null: memory only. The directory is made with mode 0700; one that others may write is refused. A change applies at the next start.</value>
    /// <remarks>Segments move to it when seven tenths of <see cref="MaxQueueMemory"/> or <see cref="MaxQueueLength"/> are in use and nothing was delivered for a
    /// second. They are sent in order, also by the next process; a restart may send the records of one file again.</remarks>
    public string? SpoolPath { get; set; }

    /// <summary>The maximum number of bytes of one instance in <see cref="SpoolPath"/>. The oldest file is deleted first; its records count as <see cref="DropReason.SpoolFull"/>.</summary>
    /// <value>Default 256 MB; at least 8 MB.</value>
    public long SpoolSizeLimit { get; set; } = 256L << 20;

    /// <summary>Longest time that records wait in <see cref="SpoolPath"/>; older ones count as <see cref="DropReason.SpoolExpired"/>. Null: no limit.</summary>
    /// <value>Default 2 days; at least 1 minute.</value>
    public TimeSpan? SpoolTimeLimit { get; set; } = TimeSpan.FromDays(2);

    /// <summary>What a file in <see cref="SpoolPath"/> survives.</summary>
    /// <value>Default <see cref="SpoolDurability.Flush"/>.</value>
    public SpoolDurability SpoolDurability { get; set; }

    /// <summary>True if records from <see cref="SpoolPath"/> that the destination refuses for good (<see cref="DropReason.Rejected"/>, <see cref="DropReason.SinkPermanent"/>)
    /// are kept in <c>rejected</c> beside the others, for <c>asynclog spool export</c>. They count as lost all the same.</summary>
    /// <value>Default false. Limited by <see cref="SpoolSizeLimit"/>, separately from the other files; the oldest file is deleted first.</value>
    public bool SpoolRejected { get; set; }

    /// <summary>True if records that wait survive a kill of the process (SIGKILL, out of memory, a segmentation fault): they are kept in memory that outlives
    /// it, and the next process with the same application name and content root delivers them first.</summary>
    /// <value>Default false. Linux with a memory-backed directory only (<see cref="AsyncLogOptions.CrashBufferPath"/>), where it takes one and a half times
    /// <see cref="MaxQueueMemory"/> for as long as the process runs; elsewhere it is reported once and logging continues without it. A change applies at the next start.</value>
    /// <remarks>Files receive every record exactly once, if <c>Log</c> had returned. Servers may receive the batch in flight twice. A loss of power loses all of
    /// it.</remarks>
    public bool CrashBuffer { get; set; }

    /// <summary>True if drops are announced in the instance's own output when there is room again.</summary>
    /// <value>Default true.</value>
    public bool GapNotices { get; set; } = true;

    /// <summary>True if trouble with the environment at start (path, permission) throws instead of degrading.</summary>
    /// <value>Default false.</value>
    public bool FailFastOnStart { get; set; }
}

/// <summary>Action on a record that is not acknowledged.</summary>
public enum AcknowledgeFailure
{
    /// <summary>It is counted in <see cref="SinkStatus.Unacknowledged"/>.</summary>
    Count,

    /// <summary>It is counted, and a <see cref="LogDeliveryException"/> leaves <c>Log</c>: for audit trails that must not continue without their record.
    /// Never on a thread that is inside a sink or renders a record.</summary>
    Throw,
}

/// <summary>Action on a record when the queue of its instance is full.</summary>
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

/// <summary>What records in <see cref="SinkOptions.SpoolPath"/> survive.</summary>
public enum SpoolDurability
{
    /// <summary>The end of the process, however it ends: the operating system has them.</summary>
    Flush,

    /// <summary>A loss of power, too: each file and its name are forced to the disk (fsync).</summary>
    FlushToDisk,
}
