namespace AsyncLog;

/// <summary>A way to one receiver. Called by the worker only, one call at a time; it may wait on the network, nobody else does.</summary>
internal interface ISyslogTransport : IDisposable
{
    /// <summary>When <see cref="RunDue"/> wants to be called; null: never.</summary>
    DateTimeOffset? NextDue { get; }

    /// <summary>Finds the receiver before the first record.</summary>
    /// <exception cref="LogSinkException">It cannot be reached now; records wait.</exception>
    void Open(CancellationToken cancellationToken);

    /// <summary>Sends what is left of the batch; what can never be sent is refused.</summary>
    /// <exception cref="LogSinkException">The rest has to wait.</exception>
    void Write(LogBatch batch, CancellationToken cancellationToken);

    /// <summary>Looks after the way between batches.</summary>
    /// <exception cref="LogSinkException">What has to be sent again has to wait.</exception>
    void RunDue(CancellationToken cancellationToken);

    /// <summary>Puts changed limits in force.</summary>
    void Apply(TransportSettings settings);

    /// <summary>Ends the conversation in an orderly way, as far as time allows; before <see cref="IDisposable.Dispose"/>.</summary>
    void End(CancellationToken cancellationToken);
}
