namespace AsyncLog;

/// <summary>Delivers the records of one instance over its transport. Everything runs on the worker's own thread, whatever the thread pool does.</summary>
internal sealed class SyslogSink : IScheduledLogSink, IOpenableLogSink
{
    private readonly SinkContext _context;
    private readonly Func<AsyncSyslogOptions, ISyslogTransport> _createTransport;
    private ISyslogTransport _transport;

    // Set by a reload, taken by the worker.
    private ISyslogTransport? _next;

    // Whether the last attempt failed.
    private volatile bool _isAway;

    // The last one given; what ends the waits of the goodbye too.
    private CancellationToken _deadline;

    /// <param name="options">Resolved options.</param>
    /// <param name="context">The instance.</param>
    /// <param name="createTransport">Makes the way to the receiver of such options.</param>
    public SyslogSink(AsyncSyslogOptions options, SinkContext context, Func<AsyncSyslogOptions, ISyslogTransport> createTransport)
    {
        _context = context;
        _createTransport = createTransport;
        _transport = createTransport(options);
        Announce(options);
    }

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => _transport.NextDue;

    /// <inheritdoc/>
    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        // A reload does not wait for a receiver, and does not stay with the old one because the new one is away.
        if (!_context.IsReload)
            Attempt(static (transport, _, token) => transport.Open(token), null, cancellationToken);
        return default;
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        Attempt(static (transport, records, token) => transport.Write(records!, token), batch, cancellationToken);
        return default;
    }

    /// <inheritdoc/>
    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        Attempt(static (transport, _, token) => transport.RunDue(token), null, cancellationToken);
        return default;
    }

    /// <summary>Puts changed limits in force.</summary>
    public void Apply(AsyncSyslogOptions options)
    {
        TakeNext();
        _transport.Apply(options);
    }

    /// <summary>Any thread: while the receiver is away, sends the sink to another one with the next attempt.</summary>
    /// <returns>False when the receiver is not away: what waits is his.</returns>
    public bool TryRedirect(AsyncSyslogOptions options)
    {
        if (!_isAway)
            return false;
        // One that was never used holds nothing.
        Interlocked.Exchange(ref _next, _createTransport(options))?.Dispose();
        SyslogWarnings.Report(options, _context);
        Announce(options);
        return true;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        try
        {
            TakeNext();
            _transport.End(_deadline);
        }
        finally
        {
            _transport.Dispose();
            _context.Restore(SyslogWarnings.AnyCertificate);
        }

        return default;
    }

    // An instance that does not know who its receiver is is not healthy.
    private void Announce(AsyncSyslogOptions options)
    {
        var endpoint = SyslogEndpoint.Of(options);
        _context.SetTarget(endpoint.ToString());
        if (endpoint.Path.Length > 0)
            _context.SetServer(endpoint.Path, port: null);
        else
            _context.SetServer(endpoint.Host, endpoint.Port);
        if (SyslogWarnings.AcceptsAnyone(options))
            _context.Degrade(SyslogWarnings.AnyCertificate);
        else
            _context.Restore(SyslogWarnings.AnyCertificate);
    }

    private void Attempt(Action<ISyslogTransport, LogBatch?, CancellationToken> action, LogBatch? batch, CancellationToken cancellationToken)
    {
        _deadline = cancellationToken;
        TakeNext();
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

    private void TakeNext()
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
