using System.Diagnostics;
using System.Numerics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The lost records of one instance, for the life of the process: counts by reason and level, and when they were lost. Every observer (history,
/// reports, notices) reads it through a <see cref="DropCursor"/> of its own.</summary>
internal sealed class DropLedger
{
    // [reason, level] of reasons after acceptance: under the instance's lock.
    private readonly long[] _counts = new long[DropReasons.Count * DropCounts.Levels];

    // Reasons before acceptance: any caller.
    private readonly RefusedCounts _refused = new();
    private readonly Gap[] _gaps = new Gap[DropReasons.Count];
    private long _afterAcceptance;

    // Protects what the instance's own output has announced. Taken by workers only: the worker of a route that drains and that of the route in force
    // never announce the same gap.
    private readonly Lock _announcing = new();
    private readonly DropCursor _announced;

    // Null until the last report of the instance; then it gets every record that is logged after dispose.
    private LateRecords? _late;
    private long _lateCounted;

    public DropLedger() => _announced = new DropCursor(this);

    /// <summary>All lost records.</summary>
    public long Total => _refused.Total + AfterAcceptance;

    /// <summary>Accepted records that were lost.</summary>
    public long AfterAcceptance => Volatile.Read(ref _afterAcceptance);

    /// <summary>True if a loss is not announced in the instance's own output.</summary>
    public bool HasUnannounced
    {
        get
        {
            foreach (ref var gap in _gaps.AsSpan())
            {
                if (Volatile.Read(ref gap.Began) != 0)
                    return true;
            }

            return false;
        }
    }

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
    public long this[DropReason reason, LogLevel level]
    {
        get
        {
            var index = DropCounts.Index(reason, level);
            return DropReasons.IsBefore(reason) ? _refused[index] : Volatile.Read(ref _counts[index]);
        }
    }

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

    /// <summary>Counts a record that was not accepted. Any thread. The system's clock is read for the first loss of a gap and at most once per tick of
    /// <see cref="Environment.TickCount64"/>, one to four milliseconds; another clock for each loss.</summary>
    public void AddBefore(DropReason reason, LogLevel level, TimeProvider timeProvider)
    {
        Debug.Assert(DropReasons.IsBefore(reason), "A record that was not accepted has a reason before acceptance.");
        // A full barrier: see TakeGap.
        _refused.Increment(DropCounts.Index(reason, level));
        if (reason == DropReason.AlreadyShutdown)
            CountLate();
        ref var gap = ref _gaps[DropReasons.IndexOf(reason)];
        var tick = timeProvider == TimeProvider.System ? Environment.TickCount64 : 0;
        if (tick != 0 && Volatile.Read(ref gap.Tick) == tick && Volatile.Read(ref gap.Began) != 0)
            return;
        var now = timeProvider.GetUtcNow().UtcTicks;
        Extend(reason, now, now);
        Volatile.Write(ref gap.Tick, tick);
    }

    /// <summary>Counts from now on what is logged after dispose for the report at the end of the process. Once, with the last report of the instance.</summary>
    public void CountLateIn(LateRecords late, long reported)
    {
        _lateCounted = reported;
        // A full barrier, like the one between the count of a record and its read of this field.
        Interlocked.Exchange(ref _late, late);
        CountLate();
    }

    /// <summary>Counts accepted records that are lost. Under the instance's lock.</summary>
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
        // A full barrier: see TakeGap.
        Interlocked.Add(ref _afterAcceptance, count);
        Extend(reason, firstTicks, nowTicks);
        Extend(reason, lastTicks, nowTicks);
    }

    /// <summary>Start of the unannounced gap of a reason, UTC ticks: the time of the loss, not of the record; 0 for none.</summary>
    public long GapBeganTicks(DropReason reason) => Volatile.Read(ref _gaps[DropReasons.IndexOf(reason)].Began);

    /// <summary>Time of the last loss of a reason, UTC ticks; 0 for never.</summary>
    public long GapGrewTicks(DropReason reason) => Volatile.Read(ref _gaps[DropReasons.IndexOf(reason)].Grew);

    /// <summary>When the first record of the unannounced gap of a reason was logged, UTC ticks; 0 for none.</summary>
    public long GapFirstTicks(DropReason reason) => Volatile.Read(ref _gaps[DropReasons.IndexOf(reason)].First);

    /// <summary>When the last lost record of a reason was logged, UTC ticks; 0 for never.</summary>
    public long GapLastTicks(DropReason reason) => Volatile.Read(ref _gaps[DropReasons.IndexOf(reason)].Last);

    /// <summary>Takes the unannounced gap of a reason, before its notice is written; null for none.</summary>
    public GapNotice? TakeGap(DropReason reason)
    {
        ref var gap = ref _gaps[DropReasons.IndexOf(reason)];
        lock (_announcing)
        {
            if (Volatile.Read(ref gap.Began) == 0)
                return null;
            // A full barrier, like the one between the count of a loss and its read of Began: a loss that found the old gap is counted in this notice.
            Interlocked.Exchange(ref gap.Began, 0);
            var first = Interlocked.Exchange(ref gap.First, 0);
            var last = Volatile.Read(ref gap.Last);
            var notice = new GapNotice(reason, _announced.Take(reason), first == 0 ? last : first, last);
            return notice.Count == 0 ? null : notice;
        }
    }

    /// <summary>Returns a gap whose notice was not written: it is announced again, with what is lost until then.</summary>
    public void ReturnGap(GapNotice notice)
    {
        ref var gap = ref _gaps[DropReasons.IndexOf(notice.Reason)];
        lock (_announcing)
        {
            _announced.Return(notice.Reason, notice.Levels);
            Volatile.Write(ref gap.First, notice.FirstTicks);
            Interlocked.CompareExchange(ref gap.Began, Volatile.Read(ref gap.Grew), 0);
        }
    }

    // The thread that finds the highest number adds what is missing to it, so each record is added once.
    private void CountLate()
    {
        if (Volatile.Read(ref _late) is not { } late)
            return;
        while (Of(DropReason.AlreadyShutdown) is var count && Volatile.Read(ref _lateCounted) is var counted && count > counted)
        {
            if (Interlocked.CompareExchange(ref _lateCounted, count, counted) == counted)
                late.Add(count - counted);
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

        // Environment.TickCount64 at the last loss before acceptance whose time was noted.
        public long Tick;
    }
}

/// <summary>Counts of records that were not accepted, by reason and level, in stripes: callers that lose records at the same time on different cores rarely
/// write the same cache line. Any thread.</summary>
internal sealed class RefusedCounts
{
    // The reasons before acceptance come first in the table, so their counts are the first of each stripe.
    private const int StripeShift = 5;
    private static readonly int StripeMask = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Clamp(Environment.ProcessorCount * 4, 8, 64)) - 1;

    // A stripe of padding before the first and after the last one.
    private readonly long[] _counts = new long[(StripeMask + 3) << StripeShift];

    /// <summary>All records.</summary>
    public long Total
    {
        get
        {
            var total = 0L;
            foreach (ref var count in _counts.AsSpan())
                total += Volatile.Read(ref count);
            return total;
        }
    }

    /// <summary>The records of a reason and level.</summary>
    /// <param name="index">Their place, from <see cref="DropCounts.Index"/>.</param>
    public long this[int index]
    {
        get
        {
            var total = 0L;
            for (var stripe = 0; stripe <= StripeMask; stripe++)
                total += Volatile.Read(ref _counts[Place(stripe, index)]);
            return total;
        }
    }

    /// <summary>Adds one record. A full barrier.</summary>
    public void Increment(int index) => Interlocked.Increment(ref _counts[Place(Environment.CurrentManagedThreadId & StripeMask, index)]);

    private static int Place(int stripe, int index)
    {
        Debug.Assert(index < 1 << StripeShift, "A reason before acceptance is one of the first in the table.");
        return ((stripe + 1) << StripeShift) + index;
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
