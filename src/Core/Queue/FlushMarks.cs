namespace AsyncLog;

/// <summary>Flushes that wait for a position in the stream, and then for a sink that has to be flushed. A completion runs under the lock: what follows it must run no foreign code.</summary>
/// <param name="gate">The instance's lock.</param>
/// <param name="asksSink">Whether a mark whose position is settled waits for the sink too.</param>
internal sealed class FlushMarks(object gate, bool asksSink)
{
    private readonly List<Mark> _marks = [];
    private bool _asksSink = asksSink;
    private bool _isFlushed = true;
    private long _passed;
    private volatile bool _isReached;

    /// <summary>Whether a flush waits; read without the lock by the worker, who looks again under it.</summary>
    public bool IsWaiting => _marks.Count > 0;

    /// <summary>Whether a flush waits for nothing but the sink.</summary>
    public bool IsReached => _isReached;

    /// <summary>Adds a flush. Under the lock.</summary>
    /// <param name="sequence">Everything up to this segment has to be settled.</param>
    /// <param name="metrics">Tells whether something was lost meanwhile.</param>
    /// <param name="givenUp">Set when the flush is not waited for any more: it is forgotten.</param>
    public Task<bool> Add(long sequence, SinkMetrics metrics, CancellationToken givenUp)
    {
        if (sequence <= _passed && !_asksSink)
            return Task.FromResult(_isFlushed);
        var mark = new Mark(sequence, metrics, metrics.Drops.AfterAcceptance);
        _marks.Add(mark);
        _isReached |= sequence <= _passed;
        if (givenUp.CanBeCanceled)
            mark.GivenUp = givenUp.UnsafeRegister(_ => Forget(mark), null);
        return mark.Completion.Task;
    }

    /// <summary>Flushes that wait.</summary>
    public int Count => _marks.Count;

    /// <summary>Says that everything up to a segment is settled. Only the worker moves the position, an eviction never does. Under the lock.</summary>
    public void Pass(long sequence)
    {
        if (sequence > _passed)
            _passed = sequence;
        if (!_asksSink)
            Complete(_isFlushed);
        else
            _isReached = _marks.Exists(mark => mark.Sequence <= _passed);
    }

    /// <summary>Worker: the sink was flushed after all that was settled.</summary>
    public void SinkFlushed(bool isFlushed)
    {
        lock (gate)
            Complete(isFlushed);
    }

    /// <summary>Worker: the sink was flushed for the last time; later flushes wait for their position only.</summary>
    public void SinkEnded(bool isFlushed)
    {
        lock (gate)
        {
            _asksSink = false;
            _isFlushed = isFlushed;
            Complete(isFlushed);
        }
    }

    /// <summary>Nothing will be settled any more, nor flushed. Under the lock.</summary>
    public void PassAll()
    {
        _isFlushed &= !_asksSink;
        _asksSink = false;
        Pass(long.MaxValue);
    }

    private void Complete(bool isFlushed)
    {
        _isReached = false;
        for (var i = _marks.Count - 1; i >= 0; i--)
        {
            var mark = _marks[i];
            if (mark.Sequence > _passed)
                continue;
            _marks.RemoveAt(i);
            // Without waiting for one that runs: it waits for the lock.
            mark.GivenUp.Unregister();
            mark.Completion.TrySetResult(isFlushed && mark.Metrics.Drops.AfterAcceptance == mark.LostBefore);
        }
    }

    private void Forget(Mark mark)
    {
        lock (gate)
        {
            _marks.Remove(mark);
            _isReached = _asksSink && _marks.Exists(left => left.Sequence <= _passed);
        }

        mark.Completion.TrySetResult(false);
    }

    private sealed record Mark(long Sequence, SinkMetrics Metrics, long LostBefore)
    {
        public CancellationTokenRegistration GivenUp { get; set; }

        public TaskCompletionSource<bool> Completion { get; } = new();
    }
}
