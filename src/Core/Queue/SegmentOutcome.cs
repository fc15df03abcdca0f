using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Counts the records of a segment by their outcome, and completes the acknowledgements of their callers.</summary>
internal static class SegmentOutcome
{
    /// <summary>Adds the committed records to <paramref name="levels"/>; those of a posted segment whose claims are all committed are counted once and kept.
    /// While the worker has the segment, only the kept counts are right, because a sink that refuses a record moves the slots before it. Under the lock.</summary>
    /// <returns>The number of these records.</returns>
    public static int AddLevels(this Segment segment, Span<long> levels)
    {
        if (segment.Place == Segment.Location.Posted ? !segment.TryCountLevels() : !Volatile.Read(ref segment.AreLevelsKnown))
            return segment.AddCommitted(levels);
        for (var i = 0; i < segment.Levels.Length; i++)
            levels[i] += segment.Levels[i];
        return segment.Count;
    }

    /// <summary>Counts the records by their outcome in a batch, and completes their acknowledgements. Under the lock.</summary>
    /// <param name="batch">The outcome.</param>
    /// <param name="isUncertain">True if the sink counted records as uncertain while it had the batch.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public static void Settle(this Segment segment, SinkMetrics metrics, LogBatch batch, bool isUncertain, long nowTicks)
    {
        var areKnown = segment.TryCountLevels();
        Debug.Assert(areKnown, "A segment is offered when every claim is committed.");
        metrics.Settle(segment.Levels, batch, nowTicks);
        for (var awaited = segment.TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.Settle(batch.Refused, isUncertain);
    }

    /// <summary>Counts every record as lost; a claim that was never committed counts as Information, because its level is unknown. Under the lock.</summary>
    public static void CountLost(this Segment segment, SinkMetrics metrics, DropReason reason, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        levels.Clear();
        var committed = segment.AddLevels(levels);
        levels[(int)LogLevel.Information] += segment.Count - committed;
        metrics.CountLost(reason, levels, segment.TicksOf(0, nowTicks), segment.TicksOf(segment.Count - 1, nowTicks), nowTicks);
        for (var awaited = segment.TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.CompleteLost(reason);
    }

    /// <summary>Counts the records at the end of the drain, except those that are saved on the disk. Under the lock.</summary>
    /// <param name="saved">The records that are saved, by level.</param>
    /// <param name="batch">The outcome of the others; null: only claims without a commit are left, which are lost.</param>
    /// <param name="isUncertain">True if the sink counted records as uncertain while it had the batch.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public static void SettleUnsaved(this Segment segment, SinkMetrics metrics, ReadOnlySpan<long> saved, LogBatch? batch, bool isUncertain, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        levels.Clear();
        var committed = segment.Count;
        if (batch is null)
            committed = segment.AddCommitted(levels);
        else
            segment.Levels.CopyTo(levels);
        levels[(int)LogLevel.Information] += segment.Count - committed;
        var left = 0L;
        for (var level = 0; level < levels.Length; level++)
            left += levels[level] -= saved[level];
        for (var awaited = segment.TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.SettleUnsaved(saved, batch?.Refused, isUncertain);
        if (batch is not null)
            metrics.Settle(levels, batch, nowTicks);
        else if (left > 0)
            metrics.CountLost(DropReason.ShutdownTimeout, levels, segment.TicksOf(0, nowTicks), segment.TicksOf(segment.Count - 1, nowTicks), nowTicks);
    }

    /// <summary>Completes the acknowledgements of records that were moved to the disk. Under the lock.</summary>
    public static void MoveToDisk(this Segment segment)
    {
        for (var awaited = segment.TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.MoveToDisk();
    }
}
