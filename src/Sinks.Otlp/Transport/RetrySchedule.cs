namespace AsyncLog;

/// <summary>Decides when a failed request is sent again, when its records are given up, and how many records the next request holds. Worker only.</summary>
/// <remarks>During an outage the worker offers several batches in turn: gap notices between two attempts of the waiting records. Each batch has its own
/// first failure and its own parts; the delays grow over all of them.</remarks>
internal sealed class RetrySchedule(TimeProvider timeProvider, Func<double> random)
{
    // The batches offered and not yet settled. A worker reuses a few batch objects for all its segments.
    private readonly Dictionary<LogBatch, Pending> _pending = [];
    private LogBatch? _lastFailed;
    private int _failures;

    /// <summary>The most records of the next request.</summary>
    public int RecordsOf(LogBatch batch)
    {
        if (!_pending.TryGetValue(batch, out var pending))
            return int.MaxValue;
        while (pending.PartEnds.TryPeek(out int end) && end >= batch.Count)
            pending.PartEnds.Pop();
        return pending.PartEnds.TryPeek(out int next) ? batch.Count - next : int.MaxValue;
    }

    /// <summary>Splits a request that is too large for the server or the link: the halves are sent one after the other.</summary>
    /// <param name="records">The records of the request; at least 2.</param>
    public void Split(LogBatch batch, int records)
    {
        Stack<int> ends = PendingOf(batch).PartEnds;
        if (!ends.TryPeek(out int end) || end != batch.Count - records)
            ends.Push(batch.Count - records);
        ends.Push(batch.Count - records + (records / 2));
    }

    /// <summary>Notes that the connection was reset under a request.</summary>
    /// <returns>True if it was for this batch before.</returns>
    public bool NoteReset(LogBatch batch)
    {
        Pending pending = PendingOf(batch);
        bool before = pending.WasReset;
        pending.WasReset = true;
        return before;
    }

    /// <summary>Returns true if the time of a batch ran out while the worker tried another one.</summary>
    public bool HasExpired(LogBatch batch, TimeSpan? maxRetryTime) =>
        maxRetryTime is { } max && !ReferenceEquals(_lastFailed, batch) && _pending.GetValueOrDefault(batch)?.FirstFailure is { } first && timeProvider.GetElapsedTime(first) > max;

    /// <summary>Decides after a failure that another attempt may mend.</summary>
    /// <param name="serverDelay">The shortest delay that the server requests; null: none. A random part of up to half of it is added.</param>
    /// <param name="maxRetryTime">The time from the first failure to the start of the last attempt; null: no limit.</param>
    /// <returns>The delay before the next attempt; null: none is made.</returns>
    public TimeSpan? NextDelay(LogBatch batch, TimeSpan? serverDelay, Backoff backoff, TimeSpan? maxRetryTime)
    {
        TimeSpan delay = backoff.DelayOf(_failures++, random());
        TimeSpan extra = TimeSpan.Zero;
        if (serverDelay > delay)
        {
            delay = serverDelay.Value;
            // A server that comes back asks many clients for the same delay.
            extra = delay * (random() / 2);
        }

        if (delay < ServerDelay.Shortest)
            delay = ServerDelay.Shortest;
        long now = timeProvider.GetTimestamp();
        long first = PendingOf(batch).FirstFailure ??= now;
        _lastFailed = batch;
        if (maxRetryTime is not { } max)
            return delay + extra;
        TimeSpan left = max - timeProvider.GetElapsedTime(first, now);
        if (max <= TimeSpan.Zero || delay > left)
            return null;
        // The random part costs no attempt.
        return delay + extra < left ? delay + extra : left;
    }

    /// <summary>Ends the outage: the server responded, so the next failure of any batch is a first one.</summary>
    public void Responded()
    {
        foreach (var (batch, pending) in _pending)
        {
            pending.FirstFailure = null;
            if (pending.PartEnds.Count == 0)
                _pending.Remove(batch);
        }

        _failures = 0;
    }

    /// <summary>Ends the time of a batch: the records of its request were given up.</summary>
    public void GaveUp(LogBatch batch)
    {
        PendingOf(batch).FirstFailure = null;
        _failures = 0;
    }

    /// <summary>Forgets a batch of which nothing is left.</summary>
    public void Settled(LogBatch batch) => _pending.Remove(batch);

    private Pending PendingOf(LogBatch batch)
    {
        if (!_pending.TryGetValue(batch, out var pending))
            _pending.Add(batch, pending = new Pending());
        return pending;
    }

    private sealed class Pending
    {
        public long? FirstFailure { get; set; }

        public bool WasReset { get; set; }

        // The ends of the parts of a split request, as the number of records left in the batch behind each; the first part is on top.
        public Stack<int> PartEnds { get; } = new();
    }
}
