using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options that every instance of every sink has (options.md section 3).</summary>
public abstract class SinkOptions
{
    /// <summary>Whether the instance takes records.</summary>
    /// <value>Default true. In the provider's section it switches the whole provider, in a child only the child.</value>
    public bool Enabled { get; set; } = true;

    /// <summary>Levels of this instance by category prefix, as in <c>Logging:LogLevel</c>: longest prefix, one <c>*</c>, <c>Default</c>.</summary>
    /// <value>Default empty: the provider's levels rule.</value>
    public IDictionary<string, LogLevel> LogLevel { get; } = new Dictionary<string, LogLevel>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The highest level this instance takes, for files that hold one level only.</summary>
    /// <value>Default null: no upper bound. Not <c>None</c>.</value>
    public LogLevel? MaxLevel { get; set; }

    /// <summary>The layout of a record.</summary>
    /// <value>Default by sink: <c>Text</c> for files.</value>
    public string? Format { get; set; }

    /// <summary>The template of a line with <c>Format: Text</c>, of the text (MSG) with syslog (options.md section 9).</summary>
    /// <value>Default null: the layout's own; with syslog message, then exception.</value>
    public string? Template { get; set; }

    /// <summary>A .NET date and time format that replaces the layout's own.</summary>
    /// <value>Default null.</value>
    public string? TimestampFormat { get; set; }

    /// <summary>Whether time stamps, names and rolling use UTC instead of the local zone. The offset is printed either way.</summary>
    /// <value>Default false.</value>
    public virtual bool UseUtcTimestamp { get; set; }

    /// <summary>Whether scopes are written.</summary>
    /// <value>Default null: yes in JSON and CLEF; in text only where the template has <c>{Scopes}</c>.</value>
    public bool? IncludeScopes { get; set; }

    /// <summary>Constant properties by name, added to every record of the formats that have properties (not to text). Tokens such as
    /// <c>{MachineName}</c> and <c>%VARIABLES%</c> are expanded.</summary>
    /// <value>Default empty. Instances inherit key by key; an empty value takes an inherited property away. A property that a call sets itself wins.</value>
    public IDictionary<string, string> Properties { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The most records waiting.</summary>
    /// <value>Default 100,000; 1 to 10,000,000. The memory bound is usually reached first.</value>
    public int MaxQueueLength { get; set; } = 100_000;

    /// <summary>The most rendered bytes waiting, in whole segments. The index of the records comes on top: 16 bytes per record, at most half as much
    /// again. What a burst needed is given back when it is over.</summary>
    /// <value>Default 16 MB; 256 KB to 4 GB and at least four times <see cref="MaxRecordSize"/>.</value>
    public long MaxQueueMemory { get; set; } = 16L << 20;

    /// <summary>What happens when the queue is full.</summary>
    /// <value>Default <see cref="QueueFullMode.DropWrite"/>: a logger must not stop a service.</value>
    public QueueFullMode QueueFullMode { get; set; }

    /// <summary>How long a caller is held at most with <see cref="QueueFullMode.Wait"/>.</summary>
    /// <value>Default 1 s; more than 0, at most 1 minute.</value>
    public TimeSpan WaitTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Levels from here may use the reserved part of the queue; <c>None</c> reserves nothing.</summary>
    /// <value>Default Warning.</value>
    public LogLevel ReserveForLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.Warning;

    /// <summary>The part of both bounds that lower levels do not enter, in percent, rounded down. With <see cref="QueueFullMode.DropOldest"/> what is in
    /// it may be evicted like all the rest.</summary>
    /// <value>Default 10; 0 to 50.</value>
    public int ReserveShare { get; set; } = 10;

    /// <summary>The most bytes of one record, mark and escapes included; longer ones are cut and counted as truncated.</summary>
    /// <value>Default 64 KB; 1 KB to 1 MB.</value>
    public int MaxRecordSize { get; set; } = 64 << 10;

    /// <summary>A record from this level on wakes a napping worker, at most once per nap; <c>None</c> never.</summary>
    /// <value>Default Error.</value>
    public LogLevel FlushLevel { get; set; } = Microsoft.Extensions.Logging.LogLevel.Error;

    /// <summary>How long dispose waits for the queue to drain. All instances of a provider drain in parallel, each within its own time.</summary>
    /// <value>Default 5 s; 0 to 5 minutes.</value>
    public TimeSpan ShutdownTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether drops are announced in the instance's own output when room returns.</summary>
    /// <value>Default true.</value>
    public bool GapNotices { get; set; } = true;

    /// <summary>Whether trouble with the environment at start (path, permission) throws instead of degrading.</summary>
    /// <value>Default false.</value>
    public bool FailFastOnStart { get; set; }
}
