namespace AsyncLog;

/// <summary>A sink for which "written" is not yet where <see cref="IAsyncLogControl.FlushAsync"/> wants the records to be: a file that is synced to the disk.</summary>
public interface IFlushableLogSink : ILogSink
{
    /// <summary>Brings what was written to where it is safe. Called by the worker when a flush waits and all records before it are settled, and before
    /// the sink is disposed within the shutdown budget; never beside <see cref="ILogSink.WriteAsync"/>.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <returns>False when something written since the last call may not have got there; the flush is answered with false then. So it is after a throw,
    /// which is counted as well.</returns>
    ValueTask<bool> FlushAsync(CancellationToken cancellationToken);
}
