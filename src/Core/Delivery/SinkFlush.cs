namespace AsyncLog;

/// <summary>Flushes a sink that has to be flushed, for the flushes that wait. Worker only.</summary>
/// <param name="sink">The sink.</param>
/// <param name="queue">Holds the flushes.</param>
/// <param name="fault">Counts and reports a throw.</param>
/// <param name="deadline">Set when the shutdown budget is used up.</param>
internal sealed class SinkFlush(ILogSink sink, SegmentQueue queue, Action<Exception> fault, CancellationToken deadline)
{
    private readonly IFlushableLogSink? _sink = sink as IFlushableLogSink;

    /// <summary>Flushes the sink if a flush waits for nothing else.</summary>
    public void RunIfReached()
    {
        if (queue.Flushes.IsReached)
            queue.Flushes.SinkFlushed(TryFlush());
    }

    /// <summary>Flushes for the last time, unless the shutdown budget is used up.</summary>
    public void End()
    {
        if (_sink is not null && !queue.IsFinal)
            queue.Flushes.SinkEnded(TryFlush());
    }

    private bool TryFlush()
    {
        try
        {
            // Only the worker's own thread may block on its sink's task.
            return _sink is null || _sink.FlushAsync(deadline).AsTask().GetAwaiter().GetResult();
        }
        catch (Exception exception)
        {
            fault(exception);
            return false;
        }
    }
}
