namespace AsyncLog;

/// <summary>A sink that has something to do at a time of its own, also without records: a file that rolls at midnight.</summary>
public interface IScheduledLogSink : ILogSink
{
    /// <summary>The next instant at which <see cref="RunDueAsync"/> has something to do; null when nothing is planned.</summary>
    /// <remarks>Read by the worker before each batch, and before it sleeps without end. It should not throw: an exception is counted, degrades the state
    /// for a minute, and the property is read again after the first delay between attempts; records are delivered meanwhile.</remarks>
    DateTimeOffset? NextDue { get; }

    /// <summary>Does what is due. Called by the worker between batches, never beside <see cref="ILogSink.WriteAsync"/>.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    ValueTask RunDueAsync(CancellationToken cancellationToken);
}
