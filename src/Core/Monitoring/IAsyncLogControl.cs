namespace AsyncLog;

/// <summary>Flush and status of every AsyncLog instance in the container. A singleton service.</summary>
/// <remarks>Every member has a default implementation, that of a container without instances: a fake in a test implements only what it needs.</remarks>
public interface IAsyncLogControl
{
    /// <summary>Waits until everything accepted before the call, in every instance, is delivered.</summary>
    /// <param name="timeout">Longest wait; null is 5 s.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <returns>True when it is delivered; false when the time was over first, something was lost, or the process ended with something of it on the disk.</returns>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was set. Nothing else is thrown.</exception>
    Task<bool> FlushAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default)
        => cancellationToken.IsCancellationRequested ? Task.FromCanceled<bool>(cancellationToken) : Task.FromResult(true);

    /// <summary>Waits until everything that one instance accepted before the call is delivered.</summary>
    /// <param name="instance">Type and instance: <c>file/errors</c>.</param>
    /// <param name="timeout">Longest wait; null is 5 s.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <returns>As for all instances.</returns>
    /// <exception cref="ArgumentException">There is no such instance; the message lists those that there are.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was set.</exception>
    Task<bool> FlushAsync(string instance, TimeSpan? timeout = null, CancellationToken cancellationToken = default) => FlushAsync(timeout, cancellationToken);

    /// <summary>Reads the counters and the state of every instance.</summary>
    AsyncLogStatus GetStatus() => new() { CapturedAt = TimeProvider.System.GetUtcNow(), Instances = [] };

    /// <summary>Returns the last ten minutes of one instance, a sample per second, oldest first; empty when there is no such instance.</summary>
    /// <param name="instance">Type and instance: <c>file/errors</c>.</param>
    internal IReadOnlyList<SinkSample> GetHistory(string instance) => [];

    /// <summary>Returns the recent losses of one instance, by reason and level; only counts above zero; empty without such an instance.</summary>
    /// <param name="instance">Type and instance: <c>file/errors</c>.</param>
    /// <param name="window">The time span, back from now; ten minutes are kept.</param>
    IReadOnlyList<DropCount> GetDrops(string instance, TimeSpan window) => [];
}
