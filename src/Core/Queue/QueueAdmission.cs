using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Decides which records a queue has space for: the bounds, the reserve for higher levels, and the lowest level admitted. Under the instance's lock, where
/// nothing else is said.</summary>
internal sealed class QueueAdmission(QueueBounds bounds, QueueRules rules, MemoryUse use)
{
    private QueueRules _rules = rules;

    /// <summary>The rules in force. Read by any thread.</summary>
    public QueueRules Rules
    {
        get => Volatile.Read(ref _rules);
        set => Volatile.Write(ref _rules, value);
    }

    /// <summary>Reason of the last failed attempt to open a segment. Read by any thread.</summary>
    public WriteOutcome FullBecause { get; private set; } = WriteOutcome.QueueFull;

    public QueueBounds Bounds => bounds;

    /// <summary>Segments that the bound still allows; below zero while an earlier queue of the instance holds more than this one's bound.</summary>
    public int FreeSegments => (int)((((long)bounds.Segments * bounds.SegmentBytes) - use.Bytes) / bounds.SegmentBytes);

    /// <summary>True if waiting callers are released: with hysteresis, not at the first segment that is free.</summary>
    public bool ReleasesWaiters => FreeSegments >= bounds.ReleaseSegments && use.SealedRecords <= bounds.ReleaseRecords;

    /// <summary>True if more than a quarter of a bound is used: a caller that rotates wakes the worker from a long nap.</summary>
    public bool IsFilling => FreeSegments < bounds.Segments - (bounds.Segments / 4) || use.SealedRecords > bounds.Records / 4;

    /// <summary>Returns true if a record of this level may have a segment of its own, with so many records claimed in Current; if not, <see cref="FullBecause"/>
    /// is the reason.</summary>
    public bool CanOpen(LogLevel level, int claimed = 0)
    {
        var reserve = level >= QueueRules.ReservedLevel;
        var segments = FreeSegments - (reserve ? 0 : bounds.ReservedSegments(_rules));
        var records = (reserve ? bounds.Records : bounds.UnreservedRecords(_rules)) - use.SealedRecords - claimed;
        if (segments > 0 && records > 0)
            return true;
        FullBecause = records <= 0 ? WriteOutcome.QueueFull : WriteOutcome.QueueMemory;
        return false;
    }

    /// <summary>Memory ran out: the queue keeps working with the segments it has.</summary>
    public void RefuseForMemory() => FullBecause = WriteOutcome.QueueMemory;

    /// <summary>The limits of the next segment: outside the reserve it ends where the reserve of the record bound begins.</summary>
    public (int SlotLimit, LogLevel LowestLevel) NextSegment()
    {
        var unreserved = bounds.UnreservedRecords(_rules) - use.SealedRecords;
        var outside = unreserved > 0 && FreeSegments > bounds.ReservedSegments(_rules);
        var limit = Math.Min(bounds.Slots, outside ? unreserved : bounds.Records - use.SealedRecords);
        return (limit, outside ? LogLevel.Trace : QueueRules.ReservedLevel);
    }

    /// <summary>The lowest level admitted, with <see cref="QueueFullMode.DropWrite"/> only: in the other modes a refusal here would prevent the wait or the
    /// eviction.</summary>
    public LogLevel LowestAdmitted(long word)
    {
        if (_rules.FullMode != QueueFullMode.DropWrite)
            return LogLevel.Trace;
        var open = !StateWord.IsSealed(word);
        var used = use.SealedRecords + (open ? StateWord.Count(word) : 0);
        var free = FreeSegments + (open ? 1 : 0);
        if (used < bounds.UnreservedRecords(_rules) && free > bounds.ReservedSegments(_rules))
            return LogLevel.Trace;
        return used < bounds.Records && free > 0 ? QueueRules.ReservedLevel : LogLevel.None;
    }

    /// <summary>Counts a segment that was opened.</summary>
    public void CountOpened() => use.Bytes += bounds.SegmentBytes;

    /// <summary>Counts the records of a segment that was sealed.</summary>
    public void CountSealed(Segment segment) => use.SealedRecords += segment.Count;

    /// <summary>Counts a sealed segment that holds nothing any more.</summary>
    public void CountLeft(Segment segment)
    {
        use.SealedRecords -= segment.Count;
        use.Bytes -= bounds.SegmentBytes;
    }
}

/// <summary>Outcome of offering a record to a queue.</summary>
internal enum WriteOutcome
{
    Accepted,

    /// <summary>Refused: the record bound is reached.</summary>
    QueueFull,

    /// <summary>Refused: the byte bound is reached.</summary>
    QueueMemory,

    /// <summary>Refused: the queue is closed.</summary>
    Closed,
}
