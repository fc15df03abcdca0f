namespace AsyncLog;

/// <summary>Decides how long a request that failed waits for its next attempt, and, where <c>MaxRetryTime</c> is set, when its records are given up. Worker only.</summary>
/// <remarks>Batches are offered in turn during an outage: a notice of AsyncLog's own between two attempts of the records that wait. Each batch has its own
/// first failure; the delays grow over all of them.</remarks>
internal sealed class RetryWindow(TimeProvider timeProvider, Func<double> random)
{
    // Since the last answer; a batch is one object for all segments of a route, so there are few.
    private readonly Dictionary<LogBatch, long> _firstFailures = [];
    private LogBatch? _last;
    private int _failures;

    /// <summary>Whether the time of this batch's request ran out while another batch was tried.</summary>
    public bool IsOverFor(LogBatch batch, TimeSpan? maxRetryTime) =>
        maxRetryTime is { } most && !ReferenceEquals(_last, batch) && _firstFailures.TryGetValue(batch, out long first) && timeProvider.GetElapsedTime(first) > most;

    /// <summary>A request failed.</summary>
    /// <param name="batch">The batch that the request is made of.</param>
    /// <param name="serverDelay">The delay that the server asked for.</param>
    /// <param name="backoff">The delays without one.</param>
    /// <param name="maxRetryTime">The time from the first failure to the begin of the last attempt; null: no limit.</param>
    /// <returns>The delay; null: no other attempt.</returns>
    public TimeSpan? NextDelay(LogBatch batch, TimeSpan? serverDelay, Backoff backoff, TimeSpan? maxRetryTime)
    {
        TimeSpan delay = backoff.DelayOf(_failures++, random());
        if (serverDelay > delay)
            delay = serverDelay.Value;
        if (delay < ServerDelay.Shortest)
            delay = ServerDelay.Shortest;
        long now = timeProvider.GetTimestamp();
        _firstFailures.TryAdd(batch, now);
        _last = batch;
        return maxRetryTime is not { } most || (most > TimeSpan.Zero && timeProvider.GetElapsedTime(_firstFailures[batch], now) + delay <= most) ? delay : null;
    }

    /// <summary>The server answered: the next failure of any batch is a first one.</summary>
    public void Answered()
    {
        _firstFailures.Clear();
        _failures = 0;
    }

    /// <summary>The records of a request were given up: the next request of the batch begins anew.</summary>
    public void GaveUp(LogBatch batch)
    {
        _firstFailures.Remove(batch);
        _failures = 0;
    }
}
