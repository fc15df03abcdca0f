using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The lost records of one instance, for the life of the process: counts by reason and level, and when they were lost. Every observer (history,
/// reports, notices) reads it through a <see cref="DropCursor"/> of its own.</summary>
internal sealed class DropLedger
{
    // [reason, level]. Reasons before acceptance: any caller, interlocked. Reasons after it: under the instance's lock.
    private readonly long[] _counts = new long[DropReasons.Count * DropCounts.Levels];
    private readonly Gap[] _gaps = new Gap[DropReasons.Count];
    private long _total;
    private long _afterAcceptance;

    // Protects what the instance's own output has announced. Taken by workers only: the worker of a route that drains and that of the route in force
    // never announce the same gap.
    private readonly Lock _announcing = new();
    private readonly DropCursor _announced;
    private long _announcedTotal;

    public DropLedger() => _announced = new DropCursor(this);

    /// <summary>All lost records.</summary>
    public long Total => Volatile.Read(ref _total);

    /// <summary>Accepted records that were lost.</summary>
    public long AfterAcceptance => Volatile.Read(ref _afterAcceptance);

    /// <summary>True if a loss is not announced in the instance's own output.</summary>
    public bool HasUnannounced => Total != Volatile.Read(ref _announcedTotal);

    /// <summary>Time of the last loss, UTC ticks; 0 for never.</summary>
    public long LastTicks
    {
        get
        {
            var last = 0L;
            foreach (ref var gap in _gaps.AsSpan())
                last = Math.Max(last, Volatile.Read(ref gap.Grew));
            return last;
        }
    }

    /// <summary>Lost records of one reason and level.</summary>
    public long this[DropReason reason, LogLevel level] => Volatile.Read(ref _counts[DropCounts.Index(reason, level)]);

    /// <summary>Lost records of one reason.</summary>
    public long Of(DropReason reason)
    {
        var count = 0L;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            count += this[reason, level];
        return count;
    }

    /// <summary>The counts above zero.</summary>
    public List<DropCount> Counts()
    {
        var counts = new List<DropCount>();
        foreach (var reason in DropReasons.All)
        {
            for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                if (this[reason, level] is > 0 and var count)
                    counts.Add(new DropCount(reason, level, count));
            }
        }

        return counts;
    }

    /// <summary>Counts a record that was not accepted. Any thread.</summary>
    public void AddBefore(DropReason reason, LogLevel level, long ticks)
    {
        Debug.Assert(DropReasons.IsBefore(reason), "A record that was not accepted has a reason before acceptance.");
        Interlocked.Increment(ref _counts[DropCounts.Index(reason, level)]);
        Extend(reason, ticks, ticks);
        Interlocked.Increment(ref _total);
    }

    /// <summary>Counts accepted records that are lost. Under the instance's lock.</summary>
    /// <param name="reason">Reason of the loss.</param>
    /// <param name="levels">Counts by level; at least one.</param>
    /// <param name="firstTicks">Time of the first, UTC.</param>
    /// <param name="lastTicks">Time of the last, UTC.</param>
    /// <param name="nowTicks">The time of the loss, UTC.</param>
    public void AddAfter(DropReason reason, ReadOnlySpan<long> levels, long firstTicks, long lastTicks, long nowTicks)
    {
        Debug.Assert(!DropReasons.IsBefore(reason), "An accepted record has a reason after acceptance.");
        var count = 0L;
        for (var level = 0; level < levels.Length; level++)
        {
            ref var counted = ref _counts[DropCounts.Index(reason, (LogLevel)level)];
            Volatile.Write(ref counted, counted + levels[level]);
            count += levels[level];
        }

        Debug.Assert(count > 0, "A loss has at least one record.");
        Volatile.Write(ref _afterAcceptance, _afterAcceptance + count);
        Extend(reason, firstTicks, nowTicks);
        Extend(reason, lastTicks, nowTicks);
        Interlocked.Add(ref _total, count);
    }

    /// <summary>Start of the unannounced gap of a reason, UTC ticks: the time of the loss, not of the record; 0 for none.</summary>
    public long GapBeganTicks(DropReason reason) => Volatile.Read(ref _gaps[DropReasons.IndexOf(reason)].Began);

    /// <summary>Time of the last loss of a reason, UTC ticks; 0 for never.</summary>
    public long GapGrewTicks(DropReason reason) => Volatile.Read(ref _gaps[DropReasons.IndexOf(reason)].Grew);

    /// <summary>Takes the unannounced gap of a reason, before its notice is written; null for none.</summary>
    public GapNotice? TakeGap(DropReason reason)
    {
        ref var gap = ref _gaps[DropReasons.IndexOf(reason)];
        lock (_announcing)
        {
            if (Volatile.Read(ref gap.Began) == 0)
                return null;
            // A full barrier: a drop recorded in the old gap is counted before any later read.
            Interlocked.Exchange(ref gap.Began, 0);
            var first = Interlocked.Exchange(ref gap.First, 0);
            var last = Volatile.Read(ref gap.Last);
            var notice = new GapNotice(reason, _announced.Take(reason), first == 0 ? last : first, last);
            if (notice.Count == 0)
                return null;
            Volatile.Write(ref _announcedTotal, _announcedTotal + notice.Count);
            return notice;
        }
    }

    /// <summary>Returns a gap whose notice was not written: it is announced again, with what is lost until then.</summary>
    public void ReturnGap(GapNotice notice)
    {
        ref var gap = ref _gaps[DropReasons.IndexOf(notice.Reason)];
        lock (_announcing)
        {
            _announced.Return(notice.Reason, notice.Levels);
            Volatile.Write(ref _announcedTotal, _announcedTotal - notice.Count);
            Volatile.Write(ref gap.First, notice.FirstTicks);
            Interlocked.CompareExchange(ref gap.Began, Volatile.Read(ref gap.Grew), 0);
        }
    }

    // After it was counted; Began last, because the worker reads it first.
    private void Extend(DropReason reason, long ticks, long nowTicks)
    {
        ref var gap = ref _gaps[DropReasons.IndexOf(reason)];
        if (Volatile.Read(ref gap.First) == 0)
            Interlocked.CompareExchange(ref gap.First, ticks, 0);
        Volatile.Write(ref gap.Last, ticks);
        Volatile.Write(ref gap.Grew, nowTicks);
        if (Volatile.Read(ref gap.Began) == 0)
            Interlocked.CompareExchange(ref gap.Began, nowTicks, 0);
    }

    // The losses of one reason that are not announced, UTC ticks.
    private struct Gap
    {
        // When the first and the last record was logged.
        public long First;
        public long Last;

        // When they were lost: later than they were logged if they had been accepted.
        public long Began;
        public long Grew;
    }
}

/// <summary>Read position of one observer in a <see cref="DropLedger"/>. Its owner's lock protects it.</summary>
internal sealed class DropCursor(DropLedger ledger)
{
    private readonly long[] _taken = new long[DropReasons.Count * DropCounts.Levels];

    /// <summary>Records of a reason that were taken.</summary>
    public long Taken(DropReason reason)
    {
        var count = 0L;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            count += _taken[DropCounts.Index(reason, level)];
        return count;
    }

    /// <summary>Returns the losses since the last call, and advances the position.</summary>
    /// <returns>Counts by level.</returns>
    public long[] Take(DropReason reason)
    {
        var levels = new long[DropCounts.Levels];
        for (var level = 0; level < levels.Length; level++)
        {
            ref var taken = ref _taken[DropCounts.Index(reason, (LogLevel)level)];
            levels[level] = ledger[reason, (LogLevel)level] - taken;
            taken += levels[level];
        }

        return levels;
    }

    /// <summary>Moves the position back: the next call returns these losses again.</summary>
    public void Return(DropReason reason, long[] levels)
    {
        for (var level = 0; level < levels.Length; level++)
            _taken[DropCounts.Index(reason, (LogLevel)level)] -= levels[level];
    }
}
