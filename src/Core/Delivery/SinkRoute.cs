namespace AsyncLog;

/// <summary>A route with what its worker has to know of it.</summary>
internal sealed class SinkRoute(SinkInstance instance, SegmentQueue queue, ILogFormatter formatter, int maxRecordSize)
    : RecordRoute(instance.Name, queue, formatter, maxRecordSize, instance.Metrics, instance.TimeProvider)
{
    private bool _isLeft;

    public SinkInstance Instance { get; } = instance;

    /// <summary>Whether the sink was opened before the worker started, or is taken over.</summary>
    public bool IsOpened { get; init; }

    /// <summary>Whether the successor goes on with the same sink object.</summary>
    public bool HandsOverSink { get; set; }

    /// <summary>Whether its destination is no longer that of the instance: what fails there is counted, but is not the instance's state.</summary>
    public bool IsLeft
    {
        get => Volatile.Read(ref _isLeft);
        set => Volatile.Write(ref _isLeft, value);
    }

    /// <summary>Lets another route take its place, under the instance's lock. In this order: a caller that the closed queue refuses finds the successor.</summary>
    public void Replace(SinkRoute successor, bool handsOverSink)
    {
        HandsOverSink = handsOverSink;
        Successor = successor;
        Queue.Close();
    }

    /// <summary>Renders a notice into a batch of one record. It needs no place in the queue and is not counted.</summary>
    /// <returns>Null when no event could be had to render it.</returns>
    public LogBatch? Render(Notice notice)
    {
        var now = Instance.TimeProvider.GetUtcNow();
        var record = Instance.RenderNotice(this, notice, now.UtcTicks);
        return record.Length == 0 ? null : LogBatch.Create(new LogRecord(record, notice.Level, now, Notice.Category));
    }
}
