using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Flush and status over all providers of the container.</summary>
internal sealed class AsyncLogControl(IEnumerable<ILoggerProvider> providers, TimeProvider timeProvider, ObjectSerializer objects) : IAsyncLogControl
{
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);
    private readonly SinkLoggerProvider[] _providers = [.. providers.OfType<SinkLoggerProvider>()];

    public Task<bool> FlushAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default)
        => FlushAsync(givenUp => _providers.SelectMany(provider => provider.Flush(givenUp)), timeout, cancellationToken);

    public Task<bool> FlushAsync(string instance, TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(instance);
        var found = Find(instance)?.Instance
            ?? throw InstanceName.Unknown("instance", instance, [.. GetStatus().Instances.Select(static status => status.Name)]);
        return FlushAsync(found.Flush, timeout, cancellationToken);
    }

    public AsyncLogStatus GetStatus()
    {
        var instances = _providers.SelectMany(static provider => provider.GetStatus()).ToArray();
        return new AsyncLogStatus
        {
            CapturedAt = timeProvider.GetUtcNow(),
            QueueBytes = instances.Sum(static instance => instance.QueueBytes),
            Instances = instances,
            ObjectsFailed = objects.Failed,
            ObjectProblems = objects.Problems,
            UnknownKeys = [.. _providers.SelectMany(static provider => provider.UnknownKeys).Distinct(StringComparer.OrdinalIgnoreCase)],
        };
    }

    IReadOnlyList<SinkSample> IAsyncLogControl.GetHistory(string instance)
        => Find(instance)?.History ?? [];

    public IReadOnlyList<DropCount> GetDrops(string instance, TimeSpan window)
        => Find(instance)?.DropsWithin(window) ?? [];

    /// <param name="begin">Begins the flush, and ends it when it is given up.</param>
    private Task<bool> FlushAsync(Func<CancellationToken, IEnumerable<Task<bool>>> begin, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<bool>(cancellationToken);
        // Continuations run on the pool, never on a worker; a thread that blocks on the answer is woken without the pool, which may be starved.
        var answer = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _ = AnswerAsync(answer, begin, timeout ?? DefaultTimeout, cancellationToken);
        return answer.Task;
    }

    // Everything up to the answer runs on the thread that completes the last mark: a worker, under its lock.
    private async Task AnswerAsync(TaskCompletionSource<bool> answer, Func<CancellationToken, IEnumerable<Task<bool>>> begin, TimeSpan timeout, CancellationToken cancellationToken)
    {
        // An abandoned flush is removed; otherwise flushes to a destination that hangs would accumulate.
        using var givenUp = new CancellationTokenSource();
        try
        {
            var all = Task.WhenAll(begin(givenUp.Token));
            var delivered = await all.WaitAsync(Waitable(timeout), timeProvider, cancellationToken).ConfigureAwait(false);
            answer.TrySetResult(Array.TrueForAll(delivered, static isDelivered => isDelivered));
        }
        catch (TimeoutException)
        {
            await givenUp.CancelAsync().ConfigureAwait(false);
            answer.TrySetResult(false);
        }
        catch (OperationCanceledException)
        {
            await givenUp.CancelAsync().ConfigureAwait(false);
            answer.TrySetCanceled(cancellationToken);
        }
        catch (Exception exception)
        {
            answer.TrySetException(exception);
        }
    }

    // Beyond seven weeks no task can be waited for: that is as good as no end.
    private static TimeSpan Waitable(TimeSpan timeout)
    {
        if (timeout == Timeout.InfiniteTimeSpan || timeout.TotalMilliseconds >= uint.MaxValue)
            return Timeout.InfiniteTimeSpan;
        return timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout;
    }

    private InstanceMonitor? Find(string name) => _providers.Select(provider => provider.Find(name)).FirstOrDefault(static found => found is not null);
}
