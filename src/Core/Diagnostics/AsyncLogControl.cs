using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Flush and status over all providers of the container.</summary>
internal sealed class AsyncLogControl(IEnumerable<ILoggerProvider> providers, TimeProvider timeProvider) : IAsyncLogControl
{
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);
    private readonly SinkLoggerProvider[] _providers = [.. providers.OfType<SinkLoggerProvider>()];

    public async ValueTask<bool> FlushAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        // What is not waited for any more is forgotten, or flushes to a destination that hangs would pile up.
        using var givenUp = new CancellationTokenSource();
        var all = Task.WhenAll(_providers.SelectMany(provider => provider.Flush(givenUp.Token)));
        try
        {
            var delivered = await all.WaitAsync(Waitable(timeout ?? DefaultTimeout), timeProvider, cancellationToken).ConfigureAwait(false);
            return Array.TrueForAll(delivered, static isDelivered => isDelivered);
        }
        catch (TimeoutException)
        {
            // The answer says so.
            return false;
        }
        finally
        {
            await givenUp.CancelAsync().ConfigureAwait(false);
        }
    }

    public AsyncLogStatus GetStatus()
    {
        var instances = _providers.SelectMany(static provider => provider.GetStatus()).ToArray();
        return new AsyncLogStatus(timeProvider.GetUtcNow(), instances.Sum(static instance => instance.QueueBytes), instances)
        {
            UnknownKeys = [.. _providers.SelectMany(static provider => provider.UnknownKeys).Distinct(StringComparer.OrdinalIgnoreCase)],
        };
    }

    public IReadOnlyList<SinkSample> GetHistory(string instance)
        => Find(instance)?.History.Samples() ?? [];

    public IReadOnlyList<DropCount> GetDrops(string instance, TimeSpan time)
    {
        if (Find(instance) is not { } found)
            return [];
        found.History.NoteDrops(found.Metrics, timeProvider.GetUtcNow());
        return found.History.DropsWithin(time, timeProvider.GetUtcNow());
    }

    // Beyond seven weeks no task can be waited for: that is as good as no end.
    private static TimeSpan Waitable(TimeSpan timeout)
    {
        if (timeout == Timeout.InfiniteTimeSpan || timeout.TotalMilliseconds >= uint.MaxValue)
            return Timeout.InfiniteTimeSpan;
        return timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout;
    }

    private SinkInstance? Find(string name) => _providers.Select(provider => provider.Find(name)).FirstOrDefault(static found => found is not null);
}
