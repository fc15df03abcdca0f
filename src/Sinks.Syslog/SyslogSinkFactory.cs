namespace AsyncLog;

/// <summary>Makes the sink of one instance for the transport its endpoint asks for.</summary>
internal static class SyslogSinkFactory
{
    // What is kept of a stream until the peer's system acknowledges it; beside the queue's memory, and only while it is needed.
    private const int CopyBytes = 1 << 20;

    // With the acknowledged window too: as much as a peer's system takes by default.
    private const int CopyBytesWithWindow = 8 << 20;

    /// <param name="options">Resolved options: endpoint, limit and time-outs are set.</param>
    /// <param name="context">The instance.</param>
    public static ILogSink Create(AsyncSyslogOptions options, SinkContext context) =>
        Create(options, context, new ContextTransportVoice(context, TransportOf(options)), CreateTransport);

    /// <param name="options">As above.</param>
    /// <param name="context">The instance.</param>
    /// <param name="voice">Where trouble is told.</param>
    /// <param name="createTransport">Makes the transport.</param>
    public static SyslogSink Create(
        AsyncSyslogOptions options,
        SinkContext context,
        ITransportVoice voice,
        Func<TransportSettings, SyslogLayout, TransportClock, ITransportVoice, ISyslogTransport> createTransport)
    {
        context.PublishPropertiesLeftOut("asynclog.syslog.parameters.dropped", "{parameter}", "Parameters left out of records because of a size limit.");
        var clock = new TransportClock(context.TimeProvider);
        return new SyslogSink(options, context, wanted => createTransport(SettingsOf(wanted), SyslogLayout.From(wanted), clock, voice));
    }

    /// <summary>OpenTelemetry's name of the transport.</summary>
    public static string TransportOf(AsyncSyslogOptions options) => options.Endpoint!.Scheme == SyslogEndpoint.Tls ? SyslogEndpoint.Tcp : options.Endpoint.Scheme;

    /// <summary>Puts changed options in force.</summary>
    public static void Apply(ILogSink sink, AsyncSyslogOptions options) => ((SyslogSink)sink).Apply(SettingsOf(options));

    /// <summary>What resolved options say about the way.</summary>
    public static TransportSettings SettingsOf(AsyncSyslogOptions options)
    {
        Uri endpoint = options.Endpoint!;
        bool isLocal = endpoint.Scheme == SyslogEndpoint.Unix;
        int port = isLocal ? 0 : SyslogEndpoint.PortOf(endpoint);
        return new TransportSettings
        {
            Scheme = endpoint.Scheme,
            Target = isLocal ? $"unix://{endpoint.LocalPath}" : FormattableString.Invariant($"{endpoint.Scheme}://{endpoint.Host}:{port}"),
            Host = isLocal ? "" : endpoint.IdnHost,
            Port = port,
            Path = isLocal ? endpoint.LocalPath : "",
            Frame = SyslogLimits.FramingOf(options),
            IsNumbered = options.SequenceId,
            MaxMessageBytes = SyslogLimits.MaxMessageBytesOf(options),
            ConnectTimeout = options.ConnectTimeout,
            HandshakeTimeout = options.TlsHandshakeTimeout,
            SendTimeout = SyslogLimits.SendTimeoutOf(options),
            ReconnectDelay = options.ReconnectDelay,
            KeepAlive = options.KeepAlive,
            UserTimeout = options.UserTimeout,
            DnsRefresh = options.DnsRefresh,
            IsConnected = options.ReportUnreachable,
            MaxDatagramsPerSecond = options.MaxDatagramsPerSecond,
            ResendsAcknowledged = options.ResendAcknowledgedWindow,
            Tls = options.Tls,
        };
    }

    /// <summary>The transport of the endpoint's scheme.</summary>
    public static ISyslogTransport CreateTransport(TransportSettings settings, SyslogLayout layout, TransportClock clock, ITransportVoice voice)
    {
        var sequence = new SequenceCounter();
        if (settings.Scheme == SyslogEndpoint.Unix)
            return new LocalTransport(settings, new RecordCutter(layout), sequence, clock, voice);
        var lookup = new NameLookup(settings.Host, clock);
        if (settings.Scheme == SyslogEndpoint.Udp)
            return new DatagramTransport(settings, new UdpPath(lookup, new UdpSockets(clock), clock, voice), new RecordCutter(layout), sequence, clock, voice);
        var sockets = new SocketDialer(lookup, clock);
        IStreamDialer dialer = settings.Scheme == SyslogEndpoint.Tls ? new TlsDialer(sockets, clock) : new TcpDialer(sockets);
        var sent = new SentRecords(settings.ResendsAcknowledged ? CopyBytesWithWindow : CopyBytes, settings.ResendsAcknowledged);
        return new StreamTransport(settings, new StreamLink(dialer, sent, clock, voice, Random.Shared.NextDouble), sequence, voice);
    }
}
