namespace AsyncLog;

/// <summary>Delivers records to one receiver. Called by the worker only, one call at a time; a call may block on the network.</summary>
internal interface ISyslogTransport : IDisposable
{
    /// <summary>Time at which <see cref="RunDue"/> has to be called; null: never.</summary>
    DateTimeOffset? NextDue { get; }

    /// <summary>Finds the receiver before the first record.</summary>
    /// <exception cref="LogSinkException">It cannot be reached now; records wait.</exception>
    void Open(CancellationToken cancellationToken);

    /// <summary>Sends the rest of the batch; refuses records that can never be sent.</summary>
    /// <exception cref="LogSinkException">The rest has to wait.</exception>
    void Write(LogBatch batch, CancellationToken cancellationToken);

    /// <summary>Maintains connection and addresses between batches.</summary>
    /// <exception cref="LogSinkException">Records that have to be retransmitted have to wait.</exception>
    void RunDue(CancellationToken cancellationToken);

    /// <summary>Applies changed options that need no new transport.</summary>
    void Apply(AsyncSyslogLoggerOptions options);

    /// <summary>Closes the connection in an orderly way, as far as time allows; called before <see cref="IDisposable.Dispose"/>.</summary>
    void End(CancellationToken cancellationToken);
}
