using System.Diagnostics;

namespace AsyncLog;

/// <summary>The flushes that wait for a position in the stream, and then for a sink that has to be flushed.</summary>
/// <remarks>Tasks are completed under the lock, so a continuation must not run user code synchronously.</remarks>
/// <param name="gate">The instance's lock.</param>
/// <param name="flushesSink">True if a mark whose position is settled waits for the sink, too.</param>
/// <param name="isAccountedFor">Returns true if every accepted record has an outcome or waits.</param>
internal sealed class FlushMarks(object gate, bool flushesSink, Func<bool> isAccountedFor)
{
    private readonly List<Mark> _marks = [];
    private bool _flushesSink = flushesSink;
    private bool _isFlushed = true;

    // True if the sink reported a possible loss that no flush has returned yet. The next flush returns false.
    private bool _hasUnreportedLoss;
    private bool _isGone;
    private long _passed;
    private volatile bool _isReached;

    /// <summary>True if a flush waits; the worker reads it without the lock, and again under it.</summary>
    public bool IsWaiting => _marks.Count > 0;

    /// <summary>True if a flush waits for the sink only.</summary>
    public bool IsReached => _isReached;

    /// <summary>Adds a flush. Under the lock.</summary>
    /// <param name="sequence">Everything up to this segment has to be settled.</param>
    /// <param name="givenUp">Canceled when the caller no longer waits; then the flush is removed.</param>
    public Task<bool> Add(long sequence, SinkMetrics metrics, CancellationToken givenUp)
    {
        Debug.Assert(Monitor.IsEntered(gate), "Marks change under the lock only.");
        if (sequence <= _passed && !_flushesSink)
            return Task.FromResult(_isFlushed && isAccountedFor());
        if (_isGone)
            return Task.FromResult(false);
        var mark = new Mark(sequence, metrics, metrics.Drops.AfterAcceptance);
        _marks.Add(mark);
        _isReached |= sequence <= _passed;
        if (givenUp.CanBeCanceled)
            mark.GivenUp = givenUp.UnsafeRegister(_ => Remove(mark), null);
        return mark.Completion.Task;
    }

    /// <summary>Flushes that wait.</summary>
    public int Count => _marks.Count;

    /// <summary>Moves the position: everything up to a segment is settled. An eviction never moves it; records that go to the disk move it back. Under the lock.</summary>
    public void Pass(long sequence)
    {
        Debug.Assert(Monitor.IsEntered(gate), "The position moves under the lock only.");
        // After the end it stays.
        if (_passed == long.MaxValue)
            return;
        _passed = sequence;
        if (!_flushesSink)
            Complete(_isFlushed);
        else
            _isReached = HasReached();
    }

    /// <summary>Worker: the sink was flushed after all that was settled.</summary>
    public void SinkFlushed(bool isFlushed)
    {
        lock (gate)
            Complete(isFlushed);
    }

    /// <summary>Worker: the sink was flushed for the last time; later flushes wait for their position only.</summary>
    /// <returns>False when something may be lost that no flush has reported.</returns>
    public bool SinkEnded(bool isFlushed)
    {
        lock (gate)
        {
            _flushesSink = false;
            _isFlushed = isFlushed && !_hasUnreportedLoss;
            Complete(isFlushed);
            return !_hasUnreportedLoss;
        }
    }

    /// <summary>Another sink is in use. Under the lock.</summary>
    public void Use(bool flushesSink)
    {
        if (_flushesSink == flushesSink || _passed == long.MaxValue)
            return;
        _flushesSink = flushesSink;
        if (!flushesSink)
            Complete(_isFlushed);
    }

    /// <summary>The destination cannot come back: flushes that wait, and later ones, return false at once. Or it is not so any more. Under the lock.</summary>
    public void UseGone(bool isGone)
    {
        Debug.Assert(Monitor.IsEntered(gate), "Marks change under the lock only.");
        _isGone = isGone;
        if (!isGone)
            return;
        _isReached = false;
        foreach (var mark in _marks)
        {
            mark.GivenUp.Unregister();
            mark.Completion.TrySetResult(false);
        }

        _marks.Clear();
    }

    /// <summary>Worker of an earlier queue: the sink, which the next queue keeps, lost something that no flush has reported.</summary>
    public void ReportSinkLoss()
    {
        lock (gate)
            _hasUnreportedLoss = true;
    }

    /// <summary>Completes all marks, also later ones: nothing is settled or flushed any more. Under the lock.</summary>
    /// <param name="isDelivered">False if something was lost or is on the disk.</param>
    public void PassAll(bool isDelivered)
    {
        _isFlushed &= isDelivered && !_flushesSink;
        _flushesSink = false;
        Pass(long.MaxValue);
    }

    private void Complete(bool isFlushed)
    {
        _isReached = false;
        isFlushed &= !_hasUnreportedLoss;
        _hasUnreportedLoss = !isFlushed;
        for (var i = _marks.Count - 1; i >= 0; i--)
        {
            var mark = _marks[i];
            if (mark.Sequence > _passed)
                continue;
            _marks.RemoveAt(i);
            // Does not wait for a callback that runs: that one waits for the lock.
            mark.GivenUp.Unregister();
            _hasUnreportedLoss = false;
            mark.Completion.TrySetResult(isFlushed && mark.Metrics.Drops.AfterAcceptance == mark.LostBefore && isAccountedFor());
        }
    }

    // Without a delegate: it runs twice per batch.
    private bool HasReached()
    {
        foreach (var mark in _marks)
        {
            if (mark.Sequence <= _passed)
                return true;
        }

        return false;
    }

    private void Remove(Mark mark)
    {
        lock (gate)
        {
            _marks.Remove(mark);
            _isReached = _flushesSink && HasReached();
        }

        mark.Completion.TrySetResult(false);
    }

    private sealed record Mark(long Sequence, SinkMetrics Metrics, long LostBefore)
    {
        public CancellationTokenRegistration GivenUp { get; set; }

        public TaskCompletionSource<bool> Completion { get; } = new();
    }
}
