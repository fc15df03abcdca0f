namespace AsyncLog;

/// <summary>Flushes that wait for a position in the stream. Under the instance's lock; completions run elsewhere.</summary>
internal sealed class FlushMarks
{
    private readonly List<Mark> _marks = [];
    private long _passed;

    /// <summary>Whether somebody waits; read without the lock by the worker, who looks again under it.</summary>
    public bool IsWaiting => _marks.Count > 0;

    /// <summary>Adds a flush.</summary>
    /// <param name="sequence">Everything up to this segment has to be settled.</param>
    /// <param name="metrics">Tells whether something was lost meanwhile.</param>
    public Task<bool> Add(long sequence, SinkMetrics metrics)
    {
        if (sequence <= _passed)
            return Task.FromResult(true);
        var mark = new Mark(sequence, metrics, metrics.LostAfterAcceptance);
        _marks.Add(mark);
        return mark.Completion.Task;
    }

    /// <summary>Says that everything up to a segment is settled. Only the worker moves the position, an eviction never does.</summary>
    public void Pass(long sequence)
    {
        if (sequence > _passed)
            _passed = sequence;
        for (var i = _marks.Count - 1; i >= 0; i--)
        {
            var mark = _marks[i];
            if (mark.Sequence > _passed)
                continue;
            _marks.RemoveAt(i);
            mark.Completion.TrySetResult(mark.Metrics.LostAfterAcceptance == mark.LostBefore);
        }
    }

    /// <summary>Nothing will be settled any more.</summary>
    public void PassAll() => Pass(long.MaxValue);

    private sealed record Mark(long Sequence, SinkMetrics Metrics, long LostBefore)
    {
        public TaskCompletionSource<bool> Completion { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
