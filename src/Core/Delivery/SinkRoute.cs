using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The way to one instance as a caller sees it: the queue and the formatter that belong together. A rebuild makes another one.</summary>
internal sealed class SinkRoute(SinkInstance instance, SegmentQueue queue, ILogFormatter formatter, int maxRecordSize)
{
    private bool _isReplaced;
    private bool _isLeft;

    public SinkInstance Instance { get; } = instance;

    public SegmentQueue Queue { get; } = queue;

    public ILogFormatter Formatter { get; } = formatter;

    /// <summary>The bound of a whole record.</summary>
    public int MaxRecordSize { get; } = maxRecordSize;

    /// <summary>Whether the sink was opened before the worker started, or is taken over.</summary>
    public bool IsOpened { get; init; }

    /// <summary>Whether the successor goes on with the same sink object.</summary>
    public bool HandsOverSink { get; set; }

    /// <summary>Whether another route took its place; set before the queue is closed.</summary>
    public bool IsReplaced
    {
        get => Volatile.Read(ref _isReplaced);
        set => Volatile.Write(ref _isReplaced, value);
    }

    /// <summary>Whether its destination is no longer that of the instance: what fails there is counted, but is not the instance's state.</summary>
    public bool IsLeft
    {
        get => Volatile.Read(ref _isLeft);
        set => Volatile.Write(ref _isLeft, value);
    }

    /// <summary>Whether a level is let in now; counts the drop if not.</summary>
    public bool Admits(LogLevel level)
    {
        if (level >= Queue.AdmitFrom)
            return true;
        Drop(Queue.FullBecause, level);
        return false;
    }

    /// <summary>Offers a rendered record and counts it if it is refused. An exception means that it is neither accepted nor counted.</summary>
    /// <returns>False when this route was replaced meanwhile: the record has to be rendered for its successor.</returns>
    public bool Write(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, LogEvent logEvent)
    {
        var outcome = Queue.TryWrite(record, level, ticks, category);
        if (outcome == WriteOutcome.Accepted)
        {
            if (logEvent.WasTruncated || logEvent.PropertiesLeftOut > 0 || logEvent.RenderErrors > 0)
                CountFlaws(record.Length, logEvent);
            return true;
        }

        if (outcome == WriteOutcome.Closed && IsReplaced)
            return false;
        Drop(outcome, level);
        return true;
    }

    // The record is accepted: what counting its flaws throws must not count it as lost.
    private void CountFlaws(int length, LogEvent logEvent)
    {
        try
        {
            if (logEvent.WasTruncated)
            {
                Instance.Metrics.RecordTruncated();
                Instance.Events.RecordTruncated(length, MaxRecordSize);
            }

            if (logEvent.PropertiesLeftOut > 0)
                Instance.Metrics.LeftOut(logEvent.PropertiesLeftOut);
            if (logEvent.RenderErrors == 0)
                return;
            Instance.Metrics.RenderFailed(logEvent.RenderErrors);
            if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Error, AsyncLogEventSource.Keywords.Render))
                AsyncLogEventSource.Log.RenderFailed(logEvent.Category, logEvent.EventId.Id, logEvent.RenderFault ?? "");
        }
        catch (Exception exception)
        {
            Instance.Metrics.CountError(LogSinkException.TypeOf(exception));
        }
    }

    private void Drop(WriteOutcome outcome, LogLevel level)
    {
        var reason = outcome switch
        {
            WriteOutcome.Closed => DropReason.AlreadyShutdown,
            WriteOutcome.QueueMemory => DropReason.QueueMemory,
            _ => DropReason.QueueFull,
        };
        Instance.Drop(reason, level);
    }
}
