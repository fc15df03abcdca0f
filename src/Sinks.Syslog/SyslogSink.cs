namespace AsyncLog;

/// <summary>Delivers the records of one instance over its transport, on the worker's own thread only: it needs no thread of the pool.</summary>
internal sealed class SyslogSink : IScheduledLogSink, IOpenableLogSink
{
    // The condition, and the reason of the state, while any server certificate is accepted.
    private const string AnyCertificate = "any_certificate";

    private readonly SinkContext _context;
    private readonly TransportClock _clock;
    private readonly CreateTransport _createTransport;
    private ISyslogTransport _transport;

    // Set by a reload; the worker switches to it.
    private ISyslogTransport? _next;

    // True if the last attempt failed.
    private volatile bool _isAway;

    // The last one given; it ends the waits of the shutdown too.
    private CancellationToken _deadline;

    /// <param name="options">Resolved options: endpoint, limit and time-outs are set.</param>
    /// <param name="context">The instance.</param>
    /// <param name="createTransport">Makes the transport; null: that of the endpoint's scheme.</param>
    public SyslogSink(AsyncSyslogOptions options, SinkContext context, CreateTransport? createTransport = null)
    {
        context.PublishPropertiesLeftOut("asynclog.syslog.parameters.dropped", "{parameter}", "Parameters left out of records because of a size limit.");
        _context = context;
        _clock = new TransportClock(context.TimeProvider);
        _createTransport = createTransport ?? TransportOf;
        _transport = _createTransport(options, _clock, context);
        Announce(options);
    }

    public DateTimeOffset? NextDue => _transport.NextDue;

    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        // A reload neither waits for a receiver nor keeps the old one because the new one is away.
        if (!_context.IsReload)
            Attempt(static (transport, _, token) => transport.Open(token), null, cancellationToken);
        return default;
    }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        Attempt(static (transport, records, token) => transport.Write(records!, token), batch, cancellationToken);
        return default;
    }

    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        Attempt(static (transport, _, token) => transport.RunDue(token), null, cancellationToken);
        return default;
    }

    /// <summary>Applies changed options that need no new transport.</summary>
    public void Apply(AsyncSyslogOptions options)
    {
        SwitchToNext();
        _transport.Apply(options);
    }

    /// <summary>Any thread: while the receiver is away, switches to another one with the next attempt.</summary>
    /// <returns>False when the receiver is not away: waiting records belong to it.</returns>
    public bool TryRedirect(AsyncSyslogOptions options)
    {
        if (!_isAway)
            return false;
        // A transport that was never used holds nothing.
        Interlocked.Exchange(ref _next, _createTransport(options, _clock, _context))?.Dispose();
        ReportSettings(options, _context);
        Announce(options);
        return true;
    }

    public ValueTask DisposeAsync()
    {
        try
        {
            SwitchToNext();
            _transport.End(_deadline);
        }
        finally
        {
            _transport.Dispose();
            _context.Restore(AnyCertificate);
        }

        return default;
    }

    /// <summary>The transport of the endpoint's scheme.</summary>
    internal static ISyslogTransport TransportOf(AsyncSyslogOptions options, TransportClock clock, SinkContext context)
    {
        var sequence = new SequenceCounter();
        var endpoint = SyslogEndpoint.Of(options);
        return endpoint.Scheme switch
        {
            SyslogEndpoint.Unix => new UnixTransport(options, sequence, clock, context),
            SyslogEndpoint.Udp => new UdpTransport(options, new DnsResolver(endpoint.Host, clock), new UdpSockets(clock), sequence, clock, context),
            _ => new StreamTransport(options, new StreamDialer(options, clock).Connect, sequence, clock, context),
        };
    }

    /// <summary>Reports settings that are valid but discouraged.</summary>
    internal static void ReportSettings(AsyncSyslogOptions options, SinkContext context)
    {
        if (AcceptsAnyCertificate(options))
        {
            context.Report(
                SelfReportLevel.Warning, AnyCertificate,
                "any server certificate is accepted (DangerousAcceptAnyServerCertificate): a server that pretends to be the receiver can read and discard the records. "
                + "Name the server's authority in Tls:CaFile instead.");
        }
    }

    private static bool AcceptsAnyCertificate(AsyncSyslogOptions options) =>
        options.Tls.DangerousAcceptAnyServerCertificate && SyslogEndpoint.SchemeOf(options) == SyslogEndpoint.Tls;

    private void Announce(AsyncSyslogOptions options)
    {
        var endpoint = SyslogEndpoint.Of(options);
        _context.SetTarget(endpoint.ToString());
        if (endpoint.Path.Length > 0)
            _context.SetServer(endpoint.Path, port: null);
        else
            _context.SetServer(endpoint.Host, endpoint.Port);
        // An instance that does not verify its receiver is not healthy.
        if (AcceptsAnyCertificate(options))
            _context.Degrade(AnyCertificate);
        else
            _context.Restore(AnyCertificate);
    }

    private void Attempt(Action<ISyslogTransport, LogBatch?, CancellationToken> action, LogBatch? batch, CancellationToken cancellationToken)
    {
        _deadline = cancellationToken;
        SwitchToNext();
        try
        {
            action(_transport, batch, cancellationToken);
            _isAway = false;
        }
        catch (LogSinkException)
        {
            _isAway = true;
            throw;
        }
    }

    private void SwitchToNext()
    {
        if (Interlocked.Exchange(ref _next, null) is not { } next)
            return;
        ISyslogTransport before = _transport;
        _transport = next;
        try
        {
            before.End(_deadline);
        }
        finally
        {
            before.Dispose();
        }
    }
}

/// <summary>Makes a transport. A seam of the tests.</summary>
internal delegate ISyslogTransport CreateTransport(AsyncSyslogOptions options, TransportClock clock, SinkContext context);
