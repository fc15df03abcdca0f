namespace AsyncLog;

/// <summary>Delivers the records of one instance over its transport, on the worker's own thread only: it needs no thread of the pool.</summary>
internal sealed class SyslogSink : IScheduledLogSink, IOpenableLogSink
{
    private readonly SinkContext _context;
    private readonly ISyslogTransport _transport;

    // The last one given; it ends the waits of the shutdown too.
    private CancellationToken _deadline;

    /// <param name="options">Resolved options: endpoint, limit and time-outs are set.</param>
    /// <param name="createTransport">Makes the transport; null: that of the endpoint's scheme.</param>
    public SyslogSink(AsyncSyslogLoggerOptions options, SinkContext context, CreateTransport? createTransport = null)
    {
        context.PublishPropertiesLeftOut("asynclog.syslog.parameters.dropped", "{parameter}", "Parameters left out of records because of a size limit.");
        _context = context;
        _transport = (createTransport ?? TransportOf)(options, new BoundedWait(context.TimeProvider), context);
        Announce(options);
    }

    public DateTimeOffset? NextDue => _transport.NextDue;

    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        // A reload does not wait for the new receiver, and uses it even while it is away.
        if (!_context.IsReload)
            _transport.Open(_deadline = cancellationToken);
        return default;
    }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        _transport.Write(batch, _deadline = cancellationToken);
        return default;
    }

    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        _transport.RunDue(_deadline = cancellationToken);
        return default;
    }

    /// <summary>Applies changed options that need no new transport.</summary>
    public void Apply(AsyncSyslogLoggerOptions options) => _transport.Apply(options);

    public ValueTask DisposeAsync()
    {
        try
        {
            _transport.End(_deadline);
        }
        finally
        {
            _transport.Dispose();
            AnyCertificate.End(_context);
        }

        return default;
    }

    /// <summary>The transport of the endpoint's scheme.</summary>
    internal static ISyslogTransport TransportOf(AsyncSyslogLoggerOptions options, BoundedWait wait, SinkContext context)
    {
        var sequence = new SequenceCounter();
        var endpoint = new SyslogEndpoint(options.Endpoint!);
        return endpoint.Scheme switch
        {
            SyslogEndpoint.Unix => new UnixTransport(options, sequence, wait, context),
            SyslogEndpoint.Udp => new UdpTransport(options, new DnsResolver(endpoint.Host, wait), new UdpSockets(wait), sequence, wait, context),
            _ => new StreamTransport(options, new StreamDialer(options, wait).Connect, sequence, wait, context),
        };
    }

    private void Announce(AsyncSyslogLoggerOptions options)
    {
        var endpoint = new SyslogEndpoint(options.Endpoint!);
        _context.SetTarget(endpoint.ToString());
        if (endpoint.Path.Length > 0)
            _context.SetServer(endpoint.Path, port: null);
        else
            _context.SetServer(endpoint.Host, endpoint.Port);
        if (options.AcceptsAnyCertificate)
            AnyCertificate.Begin(_context);
    }
}

/// <summary>Makes a transport. A seam of the tests.</summary>
internal delegate ISyslogTransport CreateTransport(AsyncSyslogLoggerOptions options, BoundedWait wait, SinkContext context);
