using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Options of one syslog receiver, configuration section <c>Logging:AsyncSyslog</c> or one of its <c>Servers</c>.</summary>
/// <remarks>Records have the form of RFC 5424 by default. <see cref="MaxMessageSize"/> limits one record, in place of <see cref="SinkOptions.MaxRecordSize"/>.
/// A record that was sent may still be lost: syslog has no acknowledgment.</remarks>
public sealed class AsyncSyslogLoggerOptions : SinkOptions
{
    internal const string DocumentationNumber = "32473";

    // Null: not set; the form decides.
    private bool? _useUtcTimestamp;

    /// <summary>True if timestamps are UTC instead of local time.</summary>
    /// <value>Default by form: true with RFC 5424, whose timestamps contain their offset; false with the forms <c>Rfc3164</c> and <c>Local</c>, which
    /// contain no zone, so that receivers read them as local time.</value>
    public override bool UseUtcTimestamp
    {
        get => _useUtcTimestamp ?? SyslogDefaults.FormOf(this) == SyslogForm.Rfc5424;
        set => _useUtcTimestamp = value;
    }

    /// <summary>The receiver: <c>udp://host[:514]</c>, <c>tcp://host[:514]</c>, <c>tls://host[:6514]</c> or <c>unix:///path</c>.</summary>
    /// <value>Default null: the local daemon, <c>unix:///dev/log</c> (macOS: <c>unix:///var/run/syslog</c>), if this socket exists at start; otherwise
    /// <c>udp://localhost:514</c>. No user-info and no query.</value>
    public Uri? Endpoint { get; set; }

    /// <summary>The endpoint if none is configured.</summary>
    internal Uri DefaultEndpoint { get; set; } = SyslogEndpoint.Default;

    /// <summary>The facility of every record.</summary>
    /// <value>Default <see cref="SyslogFacility.User"/>; in configuration a keyword in any case, or a number from 0 to 23.</value>
    public SyslogFacility Facility { get; set; } = SyslogFacility.User;

    /// <summary>Severities that differ from the standard ones, by level.</summary>
    /// <value>Default empty: Trace 7, Debug 7, Information 6, Warning 4, Error 3, Critical 2. Values 0 to 7.</value>
    public IDictionary<LogLevel, int> Severity { get; } = new Dictionary<LogLevel, int>();

    /// <summary>The field APP-NAME, or the tag of the older forms.</summary>
    /// <value>Default null: the application's name. AsyncLog writes <c>_</c> for invalid characters and truncates it to 48. An empty text that code sets is nil.</value>
    public string? AppName { get; set; }

    /// <summary>The field HOSTNAME.</summary>
    /// <value>Default null: the full name of the machine if it is known without a DNS query, else its name, else its address; in the form <c>Rfc3164</c> the
    /// name without its domain (RFC 3164 §4.1.2). AsyncLog writes <c>_</c> for invalid characters and truncates it to 255. It keeps the domain of a name that you set.</value>
    public string? HostName { get; set; }

    /// <summary>The source of the field MSGID.</summary>
    /// <value>Default <see cref="SyslogMsgId.EventName"/>.</value>
    public SyslogMsgId MsgId { get; set; }

    /// <summary>Framing of records on a stream.</summary>
    /// <value>Default <see cref="SyslogFraming.OctetCounting"/>; line feed framing only with <c>tcp://</c>.</value>
    public SyslogFraming Framing { get; set; }

    /// <summary>The maximum number of bytes of one record without framing. AsyncLog truncates longer records.</summary>
    /// <value>Default null: 2048 with <c>udp://</c>, 8096 with <c>tcp://</c> and <c>tls://</c>, 8192 with <c>unix://</c>; 1024 in the RFC 3164 form.
    /// 480 to 65,507 with <c>udp://</c>, otherwise 480 to 65,536.</value>
    public int? MaxMessageSize { get; set; }

    /// <summary>True if AsyncLog sends properties and scopes as structured data. This does not affect its own fields and the trace ids, which have other options.</summary>
    /// <value>Default true.</value>
    public bool StructuredData { get; set; } = true;

    /// <summary>The private enterprise number after the <c>@</c> in the names of structured data elements (RFC 5612).</summary>
    /// <value>Default 32473: the number for documentation; AsyncLog reports its use once per process. Digits, or groups of digits joined by dots.</value>
    public string EnterpriseNumber { get; set; } = DocumentationNumber;

    /// <summary>True if a byte order mark precedes a message that is not pure ASCII, as RFC 5424 §6.4 requires.</summary>
    /// <value>Default false: common receivers leave it in the text.</value>
    public bool Bom { get; set; }

    /// <summary>True if AsyncLog numbers the records (<c>meta sequenceId</c>, RFC 5424 §7.3.1), so that the receiver can detect gaps. Recommended with UDP.</summary>
    /// <value>Default false; only with format <c>Rfc5424</c>.</value>
    public bool SequenceId { get; set; }

    /// <summary>The time limit for one attempt to connect, including name resolution.</summary>
    /// <value>Default 5 s; 100 ms to 2 minutes.</value>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The first delay before another attempt to connect; it doubles up to 30 s, with full jitter. With <c>unix://</c>, and with <c>udp://</c> to this machine, it
    /// doubles up to 1 s, or stays as it is if it is longer.</summary>
    /// <value>Default 500 ms; more than 0, at most 30 s.</value>
    public TimeSpan ReconnectDelay { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The idle time after which the system sends TCP keep-alive probes.</summary>
    /// <value>Default 30 s; at least 1 s; null: no probes.</value>
    public TimeSpan? KeepAlive { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>True if AsyncLog keeps the last acknowledged records and sends them again after a broken connection: less loss, but duplicates.</summary>
    /// <value>Default false; only with <c>tcp://</c> and <c>tls://</c>.</value>
    public bool ResendAcknowledgedWindow { get; set; }

    /// <summary>Server verification; only with <c>tls://</c>.</summary>
    public TlsClientOptions Tls { get; } = new();

    /// <summary>The field PROCID, or the number behind the tag of the older forms: the process id.</summary>
    internal string ProcId { get; set; } = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);

    /// <summary>The longest time that the worker waits until the socket accepts bytes. Then AsyncLog closes a stream, drops a record over UDP, and leaves a record for a
    /// local datagram socket in the queue. Null: that of the scheme. Tests set it.</summary>
    internal TimeSpan? SendTimeout { get; set; }

    /// <summary>Linux: the longest time that sent bytes may stay unacknowledged before the connection counts as dead; elsewhere, after which they count as read. Tests set it.</summary>
    internal TimeSpan UserTimeout { get; set; } = TimeSpan.FromSeconds(20);

    /// <summary>The largest delay before another attempt to connect. Tests set it.</summary>
    internal TimeSpan MaxReconnectDelay { get; set; } = SyslogDefaults.LongestReconnectDelay;

    /// <summary>True if AsyncLog does not verify the certificate of the server.</summary>
    internal bool AcceptsAnyCertificate => Tls.DangerousAcceptAnyServerCertificate && SyslogDefaults.SchemeOf(this) == SyslogEndpoint.Tls;
}

/// <summary>Framing of records on a stream (RFC 6587).</summary>
public enum SyslogFraming
{
    /// <summary>The length in bytes and a space before each record (§3.4.1).</summary>
    OctetCounting,

    /// <summary>A line feed after each record (§3.4.2); not with TLS.</summary>
    LineFeed,
}

/// <summary>The source of the field MSGID (RFC 5424 §6.2.7).</summary>
public enum SyslogMsgId
{
    /// <summary>The name of the event, else its id, else nil.</summary>
    EventName,

    /// <summary>The id of the event, else nil.</summary>
    EventId,

    /// <summary>The category of the logger.</summary>
    Category,

    /// <summary>Always nil (<c>-</c>).</summary>
    Nil,
}
