using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Path of a record to one instance, as seen by a caller: formatter, queue, and counters of records that are not accepted.</summary>
/// <remarks>A reload that needs another queue or formatter creates another route and sets <see cref="Successor"/>. Members are for any thread.</remarks>
/// <param name="name">The instance's name in events.</param>
/// <param name="queue">Queue of accepted records.</param>
/// <param name="formatter">The layout.</param>
/// <param name="maxRecordSize">The bound of a whole record, in bytes.</param>
/// <param name="metrics">The instance's counters.</param>
/// <param name="timeProvider">The clock of drops.</param>
internal class RecordRoute(
    string name, SegmentQueue queue, ILogFormatter formatter, int maxRecordSize, SinkMetrics metrics, TimeProvider timeProvider)
{
    private RecordRoute? _successor;

    public SegmentQueue Queue { get; } = queue;

    public ILogFormatter Formatter { get; } = formatter;

    /// <summary>The bound of a whole record, in bytes.</summary>
    public int MaxRecordSize { get; } = maxRecordSize;

    /// <summary>The route that took this one's place, or null. Set under the instance's lock before the queue is closed, so that a caller which the closed
    /// queue refuses sees it.</summary>
    public RecordRoute? Successor
    {
        get => Volatile.Read(ref _successor);
        protected set => Volatile.Write(ref _successor, value);
    }

    /// <summary>Returns true if a level is admitted now; counts the drop if not.</summary>
    public bool Admits(LogLevel level)
    {
        if (level >= Queue.AdmitFrom)
            return true;
        Drop(ReasonOf(Queue.FullBecause), level);
        return false;
    }

    /// <summary>Offers a rendered record and counts it if it is refused. An exception means that it is neither accepted nor counted.</summary>
    /// <returns>False when the route was replaced: the record has to be rendered for <see cref="Successor"/> and offered there.</returns>
    public bool Write(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, LogEvent logEvent)
    {
        var outcome = Queue.TryWrite(record, level, ticks, category);
        if (outcome == WriteOutcome.Accepted)
        {
            if (logEvent.WasTruncated || logEvent.PropertiesLeftOut > 0 || logEvent.RenderErrors > 0)
                CountFlaws(record.Length, logEvent);
            return true;
        }

        if (outcome == WriteOutcome.Closed && Successor is not null)
            return false;
        Drop(ReasonOf(outcome), level);
        return true;
    }

    /// <summary>Counts a record that is not accepted.</summary>
    public void Drop(DropReason reason, LogLevel level) => metrics.Drops.AddBefore(reason, level, timeProvider);

    // The record is accepted: an exception in here must not count it as lost.
    private void CountFlaws(int length, LogEvent logEvent)
    {
        try
        {
            if (logEvent.WasTruncated)
            {
                metrics.RecordTruncated();
                if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Verbose, AsyncLogEventSource.Keywords.Render))
                    AsyncLogEventSource.Log.RecordTruncated(name, length, MaxRecordSize);
            }

            if (logEvent.PropertiesLeftOut > 0)
                metrics.LeftOut(logEvent.PropertiesLeftOut);
            if (logEvent.RenderErrors == 0)
                return;
            metrics.RenderFailed(logEvent.RenderErrors);
            if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Error, AsyncLogEventSource.Keywords.Render))
                AsyncLogEventSource.Log.RenderFailed(logEvent.Category, logEvent.EventId.Id, logEvent.RenderFault ?? "");
        }
        catch (Exception exception)
        {
            metrics.CountError(LogSinkException.TypeOf(exception));
        }
    }

    private static DropReason ReasonOf(WriteOutcome outcome) => outcome switch
    {
        WriteOutcome.Closed => DropReason.AlreadyShutdown,
        WriteOutcome.QueueMemory => DropReason.QueueMemory,
        _ => DropReason.QueueFull,
    };
}
