using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Path of a record to one instance, as seen by a caller: formatter, queue, and counters of records that are not accepted.</summary>
/// <remarks>A reload that needs another queue or formatter creates another route and sets <see cref="Successor"/>. Members are for any thread.</remarks>
/// <param name="maxRecordSize">The bound of a whole record, in bytes.</param>
/// <param name="timeProvider">The clock of drops.</param>
internal sealed class RecordRoute(
    string name, SegmentQueue queue, ILogFormatter formatter, int maxRecordSize, SinkMetrics metrics, TimeProvider timeProvider)
{
    private RecordRoute? _successor;

    /// <summary>The instance's name.</summary>
    public string Name { get; } = name;

    /// <summary>The instance's counters.</summary>
    public SinkMetrics Metrics { get; } = metrics;

    public SegmentQueue Queue { get; } = queue;

    public ILogFormatter Formatter { get; } = formatter;

    /// <summary>The formatter, if it can write records without an event.</summary>
    public ICallSiteFormatterFactory? CallSiteFormatters { get; } = formatter as ICallSiteFormatterFactory;

    /// <summary>The bound of a whole record, in bytes.</summary>
    public int MaxRecordSize { get; } = maxRecordSize;

    /// <summary>The route that took this one's place, or null. Set under the instance's lock before the queue is closed, so that a caller which the closed
    /// queue refuses sees it.</summary>
    public RecordRoute? Successor
    {
        get => Volatile.Read(ref _successor);
        set => Volatile.Write(ref _successor, value);
    }

    /// <summary>Returns true if a level is admitted now; counts the drop if not.</summary>
    /// <param name="awaited">As in <see cref="Drop"/>.</param>
    public bool Admits(LogLevel level, ref AwaitedRecord? awaited)
    {
        if (level >= Queue.AdmitFrom)
            return true;
        Drop(ReasonOf(Queue.FullBecause), level, ref awaited);
        return false;
    }

    /// <summary>Offers a rendered record and counts it if it is refused. An exception means that it is neither accepted nor counted.</summary>
    /// <param name="record">The bytes.</param>
    /// <param name="ticks">Time of the record, UTC.</param>
    /// <param name="logEvent">The event that the record was rendered from; null: there was none.</param>
    /// <param name="awaited">The records that the caller waits for; this one is put before them if the instance acknowledges its level.</param>
    /// <returns>False when the route was replaced: the record has to be rendered for <see cref="Successor"/> and offered there.</returns>
    public bool Write(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, LogEvent? logEvent, ref AwaitedRecord? awaited)
    {
        // Created before the claim, because nothing may throw after it.
        var own = level >= Queue.AcknowledgeFrom ? new AwaitedRecord(this, level) { Next = awaited } : null;
        var outcome = Queue.TryWrite(record, level, ticks, category, own);
        if (outcome == WriteOutcome.Accepted)
        {
            awaited = own ?? awaited;
            if (logEvent is not null && (logEvent.WasTruncated || logEvent.PropertiesLeftOut > 0 || logEvent.RenderErrors > 0))
                CountFlaws(record.Length, logEvent);
            return true;
        }

        if (outcome == WriteOutcome.Closed && Successor is not null)
            return false;
        Drop(ReasonOf(outcome), level, ref awaited);
        return true;
    }

    /// <summary>Counts a record that is not accepted.</summary>
    /// <param name="awaited">The records that the caller waits for; gets one that is lost if the instance acknowledges the level.</param>
    public void Drop(DropReason reason, LogLevel level, ref AwaitedRecord? awaited)
    {
        Metrics.Drops.AddBefore(reason, level, timeProvider);
        if (level < Queue.AcknowledgeFrom)
            return;
        try
        {
            awaited = new AwaitedRecord(this, level) { Next = awaited };
            awaited.CompleteLost(reason);
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

/// <summary>A record whose caller waits until it is settled; with the others of the same caller it makes a chain.</summary>
internal sealed class AwaitedRecord(RecordRoute route, LogLevel level) : Acknowledgement(level)
{
    /// <summary>The record that the same caller offered before; null: none.</summary>
    public AwaitedRecord? Next { get; init; }

    /// <summary>Waits for each record of a chain, for all together no longer than the longest of their timeouts, and counts those that are not acknowledged.
    /// Never throws.</summary>
    /// <param name="mayWait">False on a thread that is inside a sink or renders: it would wait for itself.</param>
    /// <returns>The exception for the caller of <c>Log</c>: that of the first record that has one; null: none.</returns>
    public static LogDeliveryException? AwaitAll(AwaitedRecord last, bool mayWait)
    {
        long? began = null;
        LogDeliveryException? failure = null;
        for (var record = last; record is not null; record = record.Next)
            failure = record.Await(mayWait, ref began) ?? failure;
        return failure;
    }

    private LogDeliveryException? Await(bool mayWait, ref long? began)
    {
        var rules = route.Queue.Rules;
        if (Level < rules.AcknowledgeLevel)
        {
            AwaitLast(mayWait);
            return null;
        }

        if (mayWait)
            Await(rules.AcknowledgeTimeout, ref began);
        EndUnawaited();
        if (IsWritten)
            return null;
        route.Metrics.CountUnacknowledged();
        return mayWait && rules.AcknowledgeFailureMode == AcknowledgeFailureMode.Throw
            ? new LogDeliveryException(route.Name, Level, ReasonOf(rules.AcknowledgeTimeout))
            : null;
    }

    // Of a level that the application does not acknowledge.
    private void AwaitLast(bool mayWait)
    {
        if (!mayWait || route.Queue.LastCalls is not { } last)
        {
            EndUnawaited();
            return;
        }

        var clock = route.Queue.TimeProvider;
        var start = clock.GetTimestamp();
        long? began = start;
        Await(last.Left, ref began);
        EndUnawaited();
        last.Add(clock.GetElapsedTime(start));
        if (!IsWritten)
            last.Report();
    }

    private void Await(TimeSpan timeout, ref long? began)
    {
        // A record that was committed after the shutdown deadline is in a segment that is never settled.
        if (route.Queue.IsFinal)
            CompleteLost(DropReason.ShutdownTimeout);
        try
        {
            var clock = route.Queue.TimeProvider;
            began ??= clock.GetTimestamp();
            Wait(clock, timeout - clock.GetElapsedTime(began.Value));
        }
        catch (Exception exception)
        {
            // The clock of the application threw.
            route.Metrics.CountError(LogSinkException.TypeOf(exception));
        }
    }
}

/// <summary>The calls that a process makes while it ends: each waits until its record is delivered, all together no longer than a budget. Any thread.</summary>
/// <param name="report">Reports what is not delivered then.</param>
internal sealed class LastCalls(TimeSpan budget, Action report)
{
    private long _waited;

    /// <summary>The time that is left.</summary>
    public TimeSpan Left => budget - TimeSpan.FromTicks(Volatile.Read(ref _waited));

    public void Add(TimeSpan waited) => Interlocked.Add(ref _waited, waited.Ticks);

    public void Report() => report();
}
