namespace AsyncLog;

/// <summary>Delivers the records of one instance over its transport. Everything runs on the worker's own thread, whatever the thread pool does.</summary>
internal sealed class SyslogSink(ISyslogTransport transport, bool isReload, Action? end = null) : IScheduledLogSink, IOpenableLogSink
{
    // The last one given; what ends the waits of the goodbye too.
    private CancellationToken _deadline;

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => transport.NextDue;

    /// <inheritdoc/>
    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        // A reload does not wait for a receiver, and does not stay with the old one because the new one is away.
        if (isReload)
            return default;
        _deadline = cancellationToken;
        transport.Open(cancellationToken);
        return default;
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        _deadline = cancellationToken;
        transport.Write(batch, cancellationToken);
        return default;
    }

    /// <inheritdoc/>
    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        _deadline = cancellationToken;
        transport.RunDue(cancellationToken);
        return default;
    }

    /// <summary>Puts changed limits in force.</summary>
    public void Apply(TransportSettings settings) => transport.Apply(settings);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        try
        {
            transport.End(_deadline);
        }
        finally
        {
            transport.Dispose();
            end?.Invoke();
        }

        return default;
    }
}
