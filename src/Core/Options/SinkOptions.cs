using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options that every instance of every sink has. A named instance inherits the options of its section, except <see cref="LogLevel"/>, <see cref="Enabled"/>,
/// <see cref="Main"/>, the path of a file or the stream of a console, and the credentials for another server.</summary>
/// <remarks>In configuration a size is a number of bytes or <c>64KB</c>, <c>1.5 GB</c> (1 KB = 1,024 bytes), a time is <c>00:00:05</c> or a number with
/// <c>ms</c>, <c>s</c>, <c>m</c>, <c>h</c>, <c>d</c>, and an empty text means none where null is allowed. The binder of .NET
/// (<c>services.Configure&lt;T&gt;(section)</c>) does not read these sizes and times: give the section to the method that adds the sink.</remarks>
public abstract class SinkOptions
{
    /// <summary>What configuration has of the options that a delegate of the sink's author binds, by key.</summary>
    internal Dictionary<string, string> BoundTexts { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>True if the instance accepts records.</summary>
    /// <value>Default true. In the section of the provider it applies to all of its instances, in a named instance only to that one.</value>
    public bool Enabled { get; set; } = true;

    /// <summary>True if the section itself describes an instance, <c>default</c>, in addition to its named ones. Only the section has this key. To switch off a named
    /// instance, use <see cref="Enabled"/>.</summary>
    /// <value>Default true. Without named instances, the section always describes one.</value>
    public bool Main { get; set; } = true;

    /// <summary>Levels of this instance by category prefix, as in <c>Logging:LogLevel</c>: longest prefix, one <c>*</c>, <c>Default</c>.</summary>
    /// <value>Default empty: the levels of the provider apply.</value>
    public IDictionary<string, LogLevel> LogLevel { get; } = new Dictionary<string, LogLevel>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The highest level that this instance accepts, for a file that contains one level only.</summary>
    /// <value>Default null: no upper bound. Not <c>None</c>.</value>
    public LogLevel? MaxLevel { get; set; }

    /// <summary>The layout of a record.</summary>
    /// <value>Default null: the sink's own. Files: <c>Text</c> (default), <c>Json</c> (the members of .NET's JSON console), <c>Clef</c> (of Serilog and Seq), or the name
    /// given to <c>AddAsyncLogFormatter</c>. Syslog: <c>Rfc5424</c> (default), <c>Rfc3164</c>, or <c>Local</c> (the BSD form without a host name, default with
    /// <c>unix:</c>). OTLP has no choice.</value>
    public string? Format { get; set; }

    /// <summary>The template of a record with <c>Format: Text</c>, or of the text (MSG) with syslog: literal text and placeholders.</summary>
    /// <value>Default null: <c>{Timestamp:yyyy-MM-dd HH:mm:ss.fff zzz} [{Level:u3}] {Category}: {Message}{NewLine}{Exception}</c>; with syslog the message, then the exception.</value>
    /// <remarks>
    /// A placeholder is <c>{Name}</c>, <c>{Name,10}</c> (width, at most 128; negative: left), <c>{Name:format}</c> or <c>{Name,10:format}</c>; <c>{{</c> and
    /// <c>}}</c> are braces. Names are case-sensitive:
    /// <list type="bullet">
    /// <item><c>Timestamp</c> with a .NET date format; <c>Level</c> (<c>u3</c> INF, <c>w3</c> inf, <c>t3</c> Inf, <c>u</c> INFORMATION, <c>w</c> information,
    /// <c>syslog</c> the severity of RFC 5424: 2 Critical to 7 Debug and Trace);</item>
    /// <item><c>Category</c>, also as <c>SourceContext</c> (<c>s</c>: its last part); <c>Message</c>; <c>Exception</c>; <c>NewLine</c>;</item>
    /// <item><c>EventId</c>, <c>EventName</c>, <c>TraceId</c>, <c>SpanId</c>, <c>ThreadId</c>, <c>ProcessId</c>, <c>MachineName</c>, <c>ApplicationName</c>,
    /// <c>EnvironmentName</c>, <c>Instance</c>;</item>
    /// <item><c>Scopes</c> (<c>=> outer => inner</c>); <c>Properties</c> (those that the template does not print otherwise, as <c>key=value</c>);</item>
    /// <item>any other name: the property with this name, from the call or else from its scopes; nothing if there is none.</item>
    /// </list>
    /// </remarks>
    public string? Template { get; set; }

    /// <summary>A .NET date and time format that replaces the layout's own.</summary>
    /// <value>Default null.</value>
    public string? TimestampFormat { get; set; }

    /// <summary>True if timestamps, names and rolling use UTC instead of the local zone. Both print the offset.</summary>
    /// <value>Default false.</value>
    public virtual bool UseUtcTimestamp { get; set; }

    /// <summary>True if records contain their scopes.</summary>
    /// <value>Default null: true in JSON and CLEF; in text only if the template has <c>{Scopes}</c>.</value>
    public bool? IncludeScopes { get; set; }

    /// <summary>Constant properties by name. AsyncLog adds them to every record in a format with properties (not to text), and expands tokens such as
    /// <c>{MachineName}</c> and <c>%VARIABLES%</c>.</summary>
    /// <value>Default empty. Instances inherit key by key; an empty value removes an inherited property. A property that a call sets itself wins.</value>
    public IDictionary<string, string> Properties { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The maximum number of waiting records.</summary>
    /// <value>Default 100,000; 1 to 10,000,000. The queue usually reaches <see cref="MaxQueueMemory"/> first.</value>
    public int MaxQueueLength { get; set; } = 100_000;

    /// <summary>The maximum number of waiting bytes after rendering, in whole segments. The index of the records is extra: 16 bytes per record, at most half as
    /// much again. AsyncLog frees the memory of a burst after a minute without use.</summary>
    /// <value>Default 16 MB; 256 KB to 4 GB and at least four times <see cref="MaxRecordSize"/>.</value>
    public long MaxQueueMemory { get; set; } = 16L << 20;

    /// <summary>What happens to a record when the queue is full.</summary>
    /// <value>Default <see cref="QueueFullMode.DropWrite"/>: a logger must not stop a service.</value>
    public QueueFullMode QueueFullMode { get; set; }

    /// <summary>The longest time that a caller waits with <see cref="QueueFullMode.Wait"/>.</summary>
    /// <value>Default 1 s; more than 0, at most 1 minute.</value>
    public TimeSpan WaitTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The percentage of both limits that is for level Warning and above, rounded down. With <see cref="QueueFullMode.DropOldest"/>, records in that
    /// part may be evicted like any others.</summary>
    /// <value>Default 10; 0 to 50.</value>
    public int ReservedPercentage { get; set; } = 10;

    /// <summary>The maximum number of bytes of one record, including escapes and the truncation mark; AsyncLog truncates and counts longer records.</summary>
    /// <value>Default 64 KB; 1 KB to 1 MB.</value>
    public int MaxRecordSize { get; set; } = 64 << 10;

    /// <summary>At or above this level, <c>Log</c> returns when the sink has written the record, or after <see cref="AcknowledgeTimeout"/>.</summary>
    /// <value>Default <c>None</c>: no call waits.</value>
    /// <remarks>
    /// <para>When a record counts as written depends on the sink. File: it survives the end of the process; at or above <c>FlushToDiskLevel</c>, or with
    /// <c>Durability: FlushToDisk</c>, it is on disk. Console: it is in the stream. Syslog: the kernel has it, because neither UDP nor TCP has an answer. OTLP: the collector
    /// accepted it.</para>
    /// <para>The caller waits while the worker writes the record and everything before it. With a full disk or an unreachable server, each
    /// such call waits for the whole timeout. A record counts as unacknowledged if it was refused or lost, was not written in time, or may not have arrived. If one
    /// record of its level and batch was lost, all of them count. A caller does not wait for a record that it logs while another one is rendered, or that
    /// the sink itself logs. Such a record counts as unacknowledged.</para>
    /// </remarks>
    public LogLevel AcknowledgeLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.None;

    /// <summary>The longest time that a caller waits for an acknowledgment. After that time the record stays in the queue and may still be written.</summary>
    /// <value>Default 1 s; 10 ms to 1 minute.</value>
    public TimeSpan AcknowledgeTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>What happens when a record is not acknowledged.</summary>
    /// <value>Default <see cref="AcknowledgeFailureMode.Count"/>: a logger must not stop a service.</value>
    public AcknowledgeFailureMode AcknowledgeFailureMode { get; set; }

    /// <summary>The longest time that dispose waits for the queue to drain. All instances of a provider drain in parallel, each with its own time.</summary>
    /// <value>Default 5 s; 0 to 5 minutes.</value>
    public TimeSpan ShutdownTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>A directory for records that the destination does not accept and memory does not hold, and for those that are left at shutdown. Only for sinks that
    /// send to a server. Each instance has its own directory below it. Tokens and variables are those of a file's path; a relative path starts at the content root.</summary>
    /// <value>Default null: memory only. AsyncLog creates the directory with mode 0700, and refuses one that other users can write to. A change applies at the next start.</value>
    /// <remarks>AsyncLog moves segments to it when seven tenths of <see cref="MaxQueueMemory"/> or <see cref="MaxQueueLength"/> are in use and nothing was delivered for a
    /// second. This process, or the next one, sends them in order. After a restart, the records of one file may be sent again.</remarks>
    public string? SpoolPath { get; set; }

    /// <summary>The maximum number of bytes of one instance in <see cref="SpoolPath"/>. AsyncLog deletes the oldest file first; its records count as <see cref="DropReason.SpoolFull"/>.</summary>
    /// <value>Default 256 MB; at least 8 MB.</value>
    public long SpoolSizeLimit { get; set; } = 256L << 20;

    /// <summary>The longest time that records wait in <see cref="SpoolPath"/>. Older ones count as <see cref="DropReason.SpoolExpired"/>. Null: no limit.</summary>
    /// <value>Default 2 days; at least 1 minute.</value>
    public TimeSpan? SpoolTimeLimit { get; set; } = TimeSpan.FromDays(2);

    /// <summary>What the files in <see cref="SpoolPath"/> survive.</summary>
    /// <value>Default <see cref="WriteDurability.Flush"/>.</value>
    public WriteDurability SpoolDurability { get; set; }

    /// <summary>True if AsyncLog keeps records from <see cref="SpoolPath"/> that the destination refuses for good (<see cref="DropReason.Rejected"/>, <see cref="DropReason.SinkPermanent"/>)
    /// in the folder <c>rejected</c>, for <c>asynclog spool export</c>. They still count as lost.</summary>
    /// <value>Default false. <see cref="SpoolSizeLimit"/> limits them separately from the other files. AsyncLog deletes the oldest file first.</value>
    public bool SpoolRejected { get; set; }

    /// <summary>True if waiting records survive a kill of the process (SIGKILL, out of memory, a segmentation fault). The queue is in memory that outlives the process. The next process
    /// with the same application name and content root delivers them first.</summary>
    /// <value>Default false. It needs Linux and a directory on tmpfs (<see cref="AsyncLogOptions.CrashBufferPath"/>), where it takes one and a half times
    /// <see cref="MaxQueueMemory"/> while the process runs. Otherwise AsyncLog reports it once and continues without it. A change applies at the next start.</value>
    /// <remarks>Files receive every record exactly once, if <c>Log</c> had returned. Servers may receive the batch in flight twice. A power loss erases all of
    /// them.</remarks>
    public bool CrashBuffer { get; set; }

    /// <summary>True if AsyncLog reports drops in the instance's own output when there is space again.</summary>
    /// <value>Default true.</value>
    public bool GapNotices { get; set; } = true;

    /// <summary>True if the start fails when the destination cannot be opened (path, permission). Otherwise the instance is degraded and AsyncLog keeps trying.</summary>
    /// <value>Default false.</value>
    public bool FailFastOnStart { get; set; }
}

/// <summary>What happens when a record is not acknowledged.</summary>
public enum AcknowledgeFailureMode
{
    /// <summary>AsyncLog counts it in <see cref="SinkStatus.Unacknowledged"/>.</summary>
    Count,

    /// <summary>AsyncLog counts it, and <c>Log</c> throws a <see cref="LogDeliveryException"/>, for an audit trail that must not continue without its record.
    /// It does not throw on a thread that is inside a sink or renders a record.</summary>
    Throw,
}

/// <summary>What happens to a record when the queue of its instance is full.</summary>
public enum QueueFullMode
{
    /// <summary>AsyncLog drops the new record and counts it.</summary>
    DropWrite,

    /// <summary>AsyncLog drops the oldest segment, whatever the levels of its records, counts them as <see cref="DropReason.Evicted"/>, and accepts the new record.</summary>
    DropOldest,

    /// <summary>The caller waits for at most <see cref="SinkOptions.WaitTimeout"/>. Then AsyncLog drops the new record and counts it. An interrupted thread
    /// does not wait: its record is dropped, and the thread stays interrupted.</summary>
    Wait,
}

/// <summary>What written records survive, in a log file or in the files of <see cref="SinkOptions.SpoolPath"/>.</summary>
public enum WriteDurability
{
    /// <summary>Any end of the process: the operating system has the files.</summary>
    Flush,

    /// <summary>Also a power loss: AsyncLog syncs each batch, or each spool file with its directory (fsync).</summary>
    FlushToDisk,
}
