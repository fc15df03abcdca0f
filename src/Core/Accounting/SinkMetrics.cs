using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The counters of one instance for the life of the process; rebuilds and disposal change nothing in them. The only place that counts.</summary>
internal sealed class SinkMetrics
{
    // Callers, interlocked: [reason, level] for reasons before acceptance.
    private readonly long[] _droppedBefore = new long[DropReasons.Count * DropCounts.Levels];
    private readonly long[] _firstDrop = new long[DropReasons.Count];
    private readonly long[] _lastDrop = new long[DropReasons.Count];

    // When the loss happened, which is later than what it says of the record when an accepted one is lost.
    private readonly long[] _gapBegan = new long[DropReasons.Count];
    private readonly long[] _gapGrew = new long[DropReasons.Count];
    private readonly long[] _levels = new long[DropCounts.Levels];
    private readonly DropCounts _droppedAfter = new();
    private readonly ConcurrentDictionary<string, long> _errors = new(StringComparer.Ordinal);
    private long _drops;
    private long _truncated;
    private long _propertiesLeftOut;
    private long _renderErrors;
    private long _retries;
    private long _uncertain;
    private long _callerWaitTicks;
    private long _batches;
    private long _writeTicks;

    /// <summary>The instance's lock: protects queues, settled counts and states. Nothing foreign runs under it.</summary>
    public object Gate { get; } = new();

    /// <summary>Records delivered, those uncertain included.</summary>
    public long Written { get; private set; }

    /// <summary>Bytes delivered.</summary>
    public long OutputBytes { get; private set; }

    /// <summary>Calls of the sink with records.</summary>
    public long Batches => Volatile.Read(ref _batches);

    /// <summary>The time spent in them.</summary>
    public TimeSpan WriteTime => new(Volatile.Read(ref _writeTicks));

    /// <summary>UTC ticks of the last delivery; 0 for none.</summary>
    public long LastSuccessTicks { get; private set; }

    /// <summary>The last error's class and text, or null.</summary>
    public SinkError? LastError { get; private set; }

    /// <summary>Accepted records that were dropped.</summary>
    public long LostAfterAcceptance => _droppedAfter.Total;

    /// <summary>Whether nothing was lost at shutdown.</summary>
    public bool IsClean => _droppedAfter.Of(DropReason.ShutdownTimeout) == 0;

    /// <summary>Rises with every drop; a cheap way to see that something happened.</summary>
    public long Drops => Volatile.Read(ref _drops);

    public long Truncated => Volatile.Read(ref _truncated);

    public long PropertiesLeftOut => Volatile.Read(ref _propertiesLeftOut);

    public long RenderErrors => Volatile.Read(ref _renderErrors);

    public long Retries => Volatile.Read(ref _retries);

    /// <summary>Of the records written those that may not have arrived.</summary>
    public long Uncertain => Volatile.Read(ref _uncertain);

    public TimeSpan CallerWait => new(Volatile.Read(ref _callerWaitTicks));

    public IReadOnlyDictionary<string, long> Errors => _errors;

    /// <summary>Counts a record that was not accepted.</summary>
    public void DroppedBefore(DropReason reason, LogLevel level, long ticks)
    {
        Interlocked.Increment(ref _droppedBefore[((int)reason * DropCounts.Levels) + (int)level]);
        NoteDrop(reason, ticks, ticks);
        Interlocked.Increment(ref _drops);
    }

    public void RecordTruncated() => Interlocked.Increment(ref _truncated);

    public void LeftOut(int properties) => Interlocked.Add(ref _propertiesLeftOut, properties);

    public void RenderFailed(int count) => Interlocked.Add(ref _renderErrors, count);

    public void Retried() => Interlocked.Increment(ref _retries);

    public void AddUncertain(int count) => Interlocked.Add(ref _uncertain, count);

    public void AddCallerWait(TimeSpan time) => Interlocked.Add(ref _callerWaitTicks, time.Ticks);

    /// <summary>A call of the sink has ended.</summary>
    public void Wrote(TimeSpan time)
    {
        Interlocked.Increment(ref _batches);
        Interlocked.Add(ref _writeTicks, time.Ticks);
    }

    public void Failed(string errorType, string message, long ticks)
    {
        _errors.AddOrUpdate(errorType, 1, static (_, count) => count + 1);
        LastError = new SinkError(errorType, message, new DateTimeOffset(ticks, TimeSpan.Zero));
    }

    public void CountError(string errorType) => _errors.AddOrUpdate(errorType, 1, static (_, count) => count + 1);

    /// <summary>Counts the records of a segment that the worker is done with. Under the lock.</summary>
    /// <param name="levels">How many by level.</param>
    /// <param name="batch">What became of them: what it did not refuse is written.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public void Settle(ReadOnlySpan<long> levels, LogBatch batch, long nowTicks)
    {
        var refused = batch.Refused.Total;
        var written = AddLevels(levels) - refused;
        Debug.Assert(written >= 0, "More records were refused than the segment holds.");
        Written += written;
        OutputBytes += batch.AdvancedBytes + batch.Bytes.Length;
        if (written > 0)
            LastSuccessTicks = nowTicks;
        if (refused > 0)
            AddRefused(batch.Refused, nowTicks);
    }

    /// <summary>Counts accepted records that are lost without having been offered to the sink. Under the lock.</summary>
    /// <param name="reason">Why.</param>
    /// <param name="levels">How many by level; at least one.</param>
    /// <param name="firstTicks">When the first was logged, UTC.</param>
    /// <param name="lastTicks">When the last was logged, UTC.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public void Lose(DropReason reason, ReadOnlySpan<long> levels, long firstTicks, long lastTicks, long nowTicks)
    {
        var count = AddLevels(levels);
        for (var level = 0; level < levels.Length; level++)
        {
            if (levels[level] > 0)
                _droppedAfter.Add(reason, (LogLevel)level, nowTicks, levels[level]);
        }

        NoteDrop(reason, firstTicks, nowTicks);
        NoteDrop(reason, lastTicks, nowTicks);
        Interlocked.Add(ref _drops, count);
    }

    /// <summary>All drops of one reason and level.</summary>
    public long Dropped(DropReason reason, LogLevel level) => DropReasons.IsBefore(reason)
        ? Volatile.Read(ref _droppedBefore[((int)reason * DropCounts.Levels) + (int)level])
        : _droppedAfter[reason, level];

    /// <summary>Records dropped for a reason, of all levels.</summary>
    public long Dropped(DropReason reason)
    {
        var count = 0L;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            count += Dropped(reason, level);
        return count;
    }

    /// <summary>When the gap of a reason that is not announced yet began, UTC ticks; 0 for none.</summary>
    public long GapBeganTicks(DropReason reason) => Volatile.Read(ref _gapBegan[(int)reason]);

    /// <summary>When it last grew, UTC ticks.</summary>
    public long GapGrewTicks(DropReason reason) => Volatile.Read(ref _gapGrew[(int)reason]);

    /// <summary>Ends the gap of a reason, so that the next drop begins a new one; before what is in it is counted.</summary>
    /// <returns>UTC ticks of the first and the last record that is missing.</returns>
    public (long First, long Last) EndGap(DropReason reason)
    {
        // A full barrier: a drop that is noted in the old gap is counted before what is read after this.
        Interlocked.Exchange(ref _gapBegan[(int)reason], 0);
        var first = Interlocked.Exchange(ref _firstDrop[(int)reason], 0);
        var last = Volatile.Read(ref _lastDrop[(int)reason]);
        return (first == 0 ? last : first, last);
    }

    /// <summary>Takes it back: the gap was not announced.</summary>
    public void ReopenGap(DropReason reason, long firstTicks)
    {
        Volatile.Write(ref _firstDrop[(int)reason], firstTicks);
        Interlocked.CompareExchange(ref _gapBegan[(int)reason], GapGrewTicks(reason), 0);
    }

    /// <summary>Settled records by level; together with what a <see cref="QueueSnapshot"/> counts these are the accepted ones.</summary>
    public long SettledOf(LogLevel level) => _levels[(int)level];

    private void AddRefused(DropCounts refused, long nowTicks)
    {
        for (var reason = DropReason.Evicted; reason <= DropReason.ShutdownTimeout; reason++)
        {
            for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                if (refused[reason, level] is > 0 and var count)
                    _droppedAfter.Add(reason, level, refused.LastTicks(reason), count);
            }

            if (refused.Of(reason) > 0)
            {
                NoteDrop(reason, refused.FirstTicks(reason), nowTicks);
                NoteDrop(reason, refused.LastTicks(reason), nowTicks);
            }
        }

        Interlocked.Add(ref _drops, refused.Total);
    }

    // After it was counted; the beginning of the gap last, for that is what makes the worker look.
    private void NoteDrop(DropReason reason, long ticks, long nowTicks)
    {
        if (Volatile.Read(ref _firstDrop[(int)reason]) == 0)
            Interlocked.CompareExchange(ref _firstDrop[(int)reason], ticks, 0);
        Volatile.Write(ref _lastDrop[(int)reason], ticks);
        Volatile.Write(ref _gapGrew[(int)reason], nowTicks);
        if (Volatile.Read(ref _gapBegan[(int)reason]) == 0)
            Interlocked.CompareExchange(ref _gapBegan[(int)reason], nowTicks, 0);
    }

    private long AddLevels(ReadOnlySpan<long> levels)
    {
        Debug.Assert(Monitor.IsEntered(Gate), "Settled counts change under the instance's lock only.");
        var count = 0L;
        for (var i = 0; i < levels.Length; i++)
        {
            _levels[i] += levels[i];
            count += levels[i];
        }

        return count;
    }
}
