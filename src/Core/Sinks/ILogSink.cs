using System.Diagnostics.CodeAnalysis;

namespace AsyncLog.Sinks;

/// <summary>Delivers records to one destination. One object serves one instance (<c>file/errors</c>).</summary>
/// <remarks>
/// <para>The instance's worker, its own thread, is the only caller: one batch at a time, never two calls at once.</para>
/// <para>A normal return means that all that was left of the batch is written. Throwing means "retry later with what is left": the
/// worker counts the error, reports it once per episode, backs off and calls again. Records that can never be written are refused with
/// <see cref="LogBatch.Refuse"/> and its relatives.</para>
/// <para>A sink never logs through <c>ILogger</c>: its records are dropped as <see cref="DropReason.Reentrant"/>.</para>
/// </remarks>
public interface ILogSink : IAsyncDisposable
{
    /// <summary>Writes the rest of the batch.</summary>
    /// <param name="batch">The records; they and their memory are valid only until the returned task ends. May be empty.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <returns>A task that ends when everything left is written or refused.</returns>
    ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken);

    /// <summary>Closes the destination. Called once, after the last call of any other member.</summary>
    /// <returns>By default a completed task: nothing is to be closed.</returns>
    [SuppressMessage("Usage", "CA1816", Justification = "An interface has no finalizer, and knows none of its sinks.")]
    ValueTask IAsyncDisposable.DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>A sink whose destination can be opened before the first record.</summary>
/// <remarks>A failure to open is then reported at start, <see cref="SinkOptions.FailFastOnStart"/> can throw, and a reload can open the new destination
/// before it leaves the old one.</remarks>
public interface IOpenableLogSink : ILogSink
{
    /// <summary>Opens the destination. Called at most once, before any other member; throws like <see cref="ILogSink.WriteAsync"/>.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    ValueTask OpenAsync(CancellationToken cancellationToken);
}

/// <summary>A sink whose written records are not durable until <see cref="IAsyncLogControl.FlushAsync(TimeSpan?, CancellationToken)"/>: a file that is synced to the disk.</summary>
public interface IFlushableLogSink : ILogSink
{
    /// <summary>Makes written records durable. Called by the worker when a flush waits and all records before it are settled, and before
    /// the sink is disposed within the shutdown budget; never beside <see cref="ILogSink.WriteAsync"/>.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <returns>False when something written since the last call may not have got there; the flush is answered with false then. So it is after a throw,
    /// which is counted as well.</returns>
    ValueTask<bool> FlushAsync(CancellationToken cancellationToken);
}

/// <summary>A sink that has something to do at a time of its own, also without records: a file that rolls at midnight.</summary>
public interface IScheduledLogSink : ILogSink
{
    /// <summary>The next instant at which <see cref="RunDueAsync"/> has something to do; null when nothing is planned.</summary>
    /// <remarks>Read by the worker before each batch, and before it sleeps without end. It should not throw: an exception is counted, degrades the state
    /// for a minute, and the property is read again after the first delay between attempts; records are delivered meanwhile.</remarks>
    DateTimeOffset? NextDue { get; }

    /// <summary>Runs the scheduled work. Called by the worker between batches, never beside <see cref="ILogSink.WriteAsync"/>.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    ValueTask RunDueAsync(CancellationToken cancellationToken);
}
