namespace AsyncLog;

/// <summary>Makes the sink of one instance for the transport of its endpoint.</summary>
internal static class SyslogSinkFactory
{
    /// <param name="options">Resolved options.</param>
    /// <param name="context">The instance.</param>
    public static ILogSink Create(AsyncSyslogOptions options, SinkContext context) =>
        Create(options, context, new ContextTransportVoice(context, SyslogEndpoint.Of(options).Transport), CreateTransport);

    /// <param name="options">As above.</param>
    /// <param name="context">The instance.</param>
    /// <param name="voice">Where failures are counted and reported.</param>
    /// <param name="createTransport">Makes the transport.</param>
    public static SyslogSink Create(
        AsyncSyslogOptions options, SinkContext context, ITransportVoice voice, Func<AsyncSyslogOptions, TransportClock, ITransportVoice, ISyslogTransport> createTransport)
    {
        context.PublishPropertiesLeftOut("asynclog.syslog.parameters.dropped", "{parameter}", "Parameters left out of records because of a size limit.");
        var clock = new TransportClock(context.TimeProvider);
        return new SyslogSink(options, context, wanted => createTransport(wanted, clock, voice));
    }

    /// <summary>Applies changed options.</summary>
    public static void Apply(ILogSink sink, AsyncSyslogOptions options) => ((SyslogSink)sink).Apply(options);

    /// <summary>The transport of the endpoint's scheme.</summary>
    public static ISyslogTransport CreateTransport(AsyncSyslogOptions options, TransportClock clock, ITransportVoice voice)
    {
        var sequence = new SequenceCounter();
        var endpoint = SyslogEndpoint.Of(options);
        return endpoint.Scheme switch
        {
            SyslogEndpoint.Unix => new UnixTransport(options, sequence, clock, voice),
            SyslogEndpoint.Udp => new UdpTransport(options, new DnsResolver(endpoint.Host, clock), new UdpSockets(clock), sequence, clock, voice),
            _ => new StreamTransport(options, new StreamDialer(options, clock).Connect, sequence, clock, voice),
        };
    }
}
