namespace AsyncLog;

/// <summary>A sink that has something to do at a time of its own, also without records: a file that rolls at midnight.</summary>
public interface IScheduledLogSink : ILogSink
{
    /// <summary>The next instant at which <see cref="RunDueAsync"/> has something to do; null when nothing is planned.</summary>
    /// <remarks>Read by the worker after each batch and after each call of <see cref="RunDueAsync"/>.</remarks>
    DateTimeOffset? NextDue { get; }

    /// <summary>Does what is due. Called by the worker between batches, never beside <see cref="ILogSink.WriteAsync"/>.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    ValueTask RunDueAsync(CancellationToken cancellationToken);
}
