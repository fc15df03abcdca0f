namespace AsyncLog;

/// <summary>Delivers the records of one instance over its transport. Everything runs on the worker's own thread, whatever the thread pool does.</summary>
internal sealed class SyslogSink : IScheduledLogSink, IOpenableLogSink
{
    private readonly ISyslogTransport _transport;
    private readonly SinkContext _context;

    // The last one given; what ends the waits of the goodbye too.
    private CancellationToken _deadline;

    /// <param name="transport">The way to the receiver; owned.</param>
    /// <param name="context">The instance.</param>
    /// <param name="trustsAnybody">Whether it is not known who the receiver is: the instance is not healthy as long as that is so.</param>
    public SyslogSink(ISyslogTransport transport, SinkContext context, bool trustsAnybody)
    {
        _transport = transport;
        _context = context;
        if (trustsAnybody)
            context.Degrade(SyslogWarnings.AnyCertificate);
    }

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => _transport.NextDue;

    /// <inheritdoc/>
    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        // A reload does not wait for a receiver, and does not stay with the old one because the new one is away.
        if (_context.IsReload)
            return default;
        _deadline = cancellationToken;
        _transport.Open(cancellationToken);
        return default;
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        _deadline = cancellationToken;
        _transport.Write(batch, cancellationToken);
        return default;
    }

    /// <inheritdoc/>
    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        _deadline = cancellationToken;
        _transport.RunDue(cancellationToken);
        return default;
    }

    /// <summary>Puts changed limits in force.</summary>
    public void Apply(TransportSettings settings) => _transport.Apply(settings);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        try
        {
            _transport.End(_deadline);
        }
        finally
        {
            _transport.Dispose();
            _context.Restore(SyslogWarnings.AnyCertificate);
        }

        return default;
    }
}
