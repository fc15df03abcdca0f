namespace AsyncLog;

/// <summary>The forms of a syslog record.</summary>
internal enum SyslogForm
{
    Rfc5424,

    /// <summary>RFC 3164: BSD syslog with a host name.</summary>
    Rfc3164,

    /// <summary>Format of the C library on a local socket: BSD syslog without a host name.</summary>
    Local,
}

/// <summary>The values that follow from endpoint and form where the options leave them open.</summary>
internal static class SyslogDefaults
{
    public const int Udp = 2048;
    public const int Stream = 8096;
    public const int UnixSocket = 8192;
    public const int Rfc3164 = 1024;
    public const int Smallest = 480;
    public const int LargestUdp = 65_507;
    public const int Largest = 65_536;

    /// <summary>The largest delay before another attempt to connect.</summary>
    public static readonly TimeSpan LongestReconnectDelay = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan DatagramTimeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan StreamTimeout = TimeSpan.FromSeconds(30);

    /// <summary>The scheme of options that may not be resolved yet: that of the endpoint or of the default.</summary>
    public static string SchemeOf(AsyncSyslogLoggerOptions options) => options.Endpoint is { IsAbsoluteUri: false } ? SyslogEndpoint.Udp : (options.Endpoint ?? options.DefaultEndpoint).Scheme;

    /// <summary>Returns true if the scheme is a stream on which records need framing.</summary>
    public static bool IsStream(AsyncSyslogLoggerOptions options) => SchemeOf(options) is SyslogEndpoint.Tcp or SyslogEndpoint.Tls;

    /// <summary>Returns true if datagrams go to this machine.</summary>
    public static bool IsLocal(AsyncSyslogLoggerOptions options) => SchemeOf(options) == SyslogEndpoint.Unix || (SchemeOf(options) == SyslogEndpoint.Udp && options.Endpoint?.IsLoopback != false);

    /// <summary>The form: the option, or the default of the scheme.</summary>
    public static SyslogForm FormOf(AsyncSyslogLoggerOptions options) =>
        Enum.TryParse(options.Format, ignoreCase: true, out SyslogForm form) ? form
        : SchemeOf(options) == SyslogEndpoint.Unix ? SyslogForm.Local
        : SyslogForm.Rfc5424;

    /// <summary>The bound of one message: the option or the default of form and scheme.</summary>
    public static int MaxMessageSizeOf(AsyncSyslogLoggerOptions options) => options.MaxMessageSize ?? DefaultOf(options);

    /// <summary>The framing of a record.</summary>
    public static FrameKind FramingOf(AsyncSyslogLoggerOptions options) =>
        !IsStream(options) ? FrameKind.None
        : options.Framing == SyslogFraming.LineFeed ? FrameKind.LineFeed
        : FrameKind.OctetCounting;

    /// <summary>The bound of one record in the queue: message, framing, and the offset of the number.</summary>
    public static int MaxRecordBytesOf(AsyncSyslogLoggerOptions options) =>
        MaxMessageSizeOf(options) + RecordFraming.OverheadOf(FramingOf(options), options.SequenceId);

    /// <summary>Longest time that a send may wait: that of the scheme.</summary>
    public static TimeSpan SendTimeoutOf(AsyncSyslogLoggerOptions options) =>
        options.SendTimeout ?? (IsStream(options) ? StreamTimeout : DatagramTimeout);

    private static int DefaultOf(AsyncSyslogLoggerOptions options) =>
        FormOf(options) == SyslogForm.Rfc3164 ? Rfc3164
        : SchemeOf(options) switch
        {
            SyslogEndpoint.Udp => Udp,
            SyslogEndpoint.Unix => UnixSocket,
            _ => Stream,
        };
}
