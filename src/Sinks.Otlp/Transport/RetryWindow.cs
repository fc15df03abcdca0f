namespace AsyncLog;

/// <summary>Decides how long a request that failed waits for its next attempt, and when it has had enough. Worker only.</summary>
/// <remarks>While a request waits, other batches may come between, notices of AsyncLog's own for example: their failures are those of the same outage.</remarks>
internal sealed class RetryWindow(TimeProvider timeProvider, Func<double> random)
{
    private LogBatch? _owner;
    private long _firstFailure;
    private int _failures;
    private bool _isOver;

    /// <summary>Whether the time of this batch's request ran out while another one was tried.</summary>
    public bool IsOverFor(LogBatch batch) => _isOver && ReferenceEquals(_owner, batch);

    /// <summary>A request failed.</summary>
    /// <param name="batch">Whose it was.</param>
    /// <param name="serverDelay">What the server asked for.</param>
    /// <param name="backoff">What is waited anyway.</param>
    /// <param name="maxRetryTime">From the first failure to the begin of the last attempt.</param>
    /// <returns>The delay; null: no other attempt.</returns>
    public TimeSpan? NextDelay(LogBatch batch, TimeSpan? serverDelay, Backoff backoff, TimeSpan maxRetryTime)
    {
        long now = timeProvider.GetTimestamp();
        if (_owner is null)
        {
            _owner = batch;
            _firstFailure = now;
            _failures = 0;
        }

        TimeSpan delay = backoff.DelayOf(_failures++, random());
        if (serverDelay > delay)
            delay = serverDelay.Value;
        if (delay < ServerDelay.Shortest)
            delay = ServerDelay.Shortest;
        if (maxRetryTime > TimeSpan.Zero && timeProvider.GetElapsedTime(_firstFailure, now) + delay <= maxRetryTime)
            return delay;
        _isOver = true;
        return null;
    }

    /// <summary>A request of this batch was settled: the next failure is a first one.</summary>
    /// <param name="batch">Whose it was.</param>
    /// <param name="isAnswered">Whether the server answered: then the outage of whoever waits is over too.</param>
    public void Settled(LogBatch batch, bool isAnswered)
    {
        if (!isAnswered && !ReferenceEquals(_owner, batch))
            return;
        _owner = null;
        _isOver = false;
    }
}
