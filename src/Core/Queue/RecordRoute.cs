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

    /// <summary>The instance's name.</summary>
    public string Name { get; } = name;

    /// <summary>The instance's counters.</summary>
    public SinkMetrics Metrics { get; } = metrics;

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
    /// <param name="level">The level.</param>
    /// <param name="awaited">As in <see cref="Drop"/>.</param>
    public bool Admits(LogLevel level, ref Acknowledgement? awaited)
    {
        if (level >= Queue.AdmitFrom)
            return true;
        Drop(ReasonOf(Queue.FullBecause), level, ref awaited);
        return false;
    }

    /// <summary>Offers a rendered record and counts it if it is refused. An exception means that it is neither accepted nor counted.</summary>
    /// <param name="record">The bytes.</param>
    /// <param name="level">The level.</param>
    /// <param name="ticks">Time of the record, UTC.</param>
    /// <param name="category">The number of the category.</param>
    /// <param name="logEvent">The event that was rendered.</param>
    /// <param name="awaited">The acknowledgements that the caller waits for; that of this record is put before them if the instance acknowledges its level.</param>
    /// <returns>False when the route was replaced: the record has to be rendered for <see cref="Successor"/> and offered there.</returns>
    public bool Write(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, LogEvent logEvent, ref Acknowledgement? awaited)
    {
        // Made first: nothing may throw once the record is claimed.
        var acknowledgement = level >= Queue.AcknowledgeFrom ? new Acknowledgement(this, level) { Next = awaited } : null;
        var outcome = Queue.TryWrite(record, level, ticks, category, acknowledgement);
        if (outcome == WriteOutcome.Accepted)
        {
            awaited = acknowledgement ?? awaited;
            if (logEvent.WasTruncated || logEvent.PropertiesLeftOut > 0 || logEvent.RenderErrors > 0)
                CountFlaws(record.Length, logEvent);
            return true;
        }

        if (outcome == WriteOutcome.Closed && Successor is not null)
            return false;
        Drop(ReasonOf(outcome), level, ref awaited);
        return true;
    }

    /// <summary>Counts a record that is not accepted.</summary>
    /// <param name="reason">Why.</param>
    /// <param name="level">The level.</param>
    /// <param name="awaited">The acknowledgements of the caller; gets one that is lost if the instance acknowledges the level.</param>
    public void Drop(DropReason reason, LogLevel level, ref Acknowledgement? awaited)
    {
        Metrics.Drops.AddBefore(reason, level, timeProvider);
        if (level < Queue.AcknowledgeFrom)
            return;
        try
        {
            awaited = new Acknowledgement(this, level) { Next = awaited };
            awaited.Lose(reason);
        }
        catch (OutOfMemoryException)
        {
            Metrics.CountUnacknowledged();
        }
    }

    // The record is accepted: an exception in here must not count it as lost.
    private void CountFlaws(int length, LogEvent logEvent)
    {
        try
        {
            if (logEvent.WasTruncated)
            {
                Metrics.RecordTruncated();
                if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Verbose, AsyncLogEventSource.Keywords.Render))
                    AsyncLogEventSource.Log.RecordTruncated(Name, length, MaxRecordSize);
            }

            if (logEvent.PropertiesLeftOut > 0)
                Metrics.LeftOut(logEvent.PropertiesLeftOut);
            if (logEvent.RenderErrors == 0)
                return;
            Metrics.RenderFailed(logEvent.RenderErrors);
            if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Error, AsyncLogEventSource.Keywords.Render))
                AsyncLogEventSource.Log.RenderFailed(logEvent.Category, logEvent.EventId.Id, logEvent.RenderFault ?? "");
        }
        catch (Exception exception)
        {
            Metrics.CountError(LogSinkException.TypeOf(exception));
        }
    }

    private static DropReason ReasonOf(WriteOutcome outcome) => outcome switch
    {
        WriteOutcome.Closed => DropReason.AlreadyShutdown,
        WriteOutcome.QueueMemory => DropReason.QueueMemory,
        _ => DropReason.QueueFull,
    };
}
