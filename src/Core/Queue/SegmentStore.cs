using System.Diagnostics;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The segments of one queue: where each of them is, which one is open, and how much room is left. Under the queue's lock, Current excepted.</summary>
/// <remarks>
/// Decide on Current's state word, never on which segment Current is: with no free segment Current stays a sealed segment that may be written,
/// recycled and opened again.
/// </remarks>
internal sealed class SegmentStore
{
    private readonly QueueBounds _bounds;
    private readonly QueueUsage _usage;
    private readonly TimeProvider _timeProvider;
    private readonly SegmentPool _pool;
    private readonly Channel<Segment> _posted;

    // At first one without a place, sealed: the first record opens one.
    private Segment _current = new(0, 0);
    private QueueRules _rules;
    private long _sequence;
    private bool _isClosed;

    public SegmentStore(QueueBounds bounds, QueueRules rules, TimeProvider timeProvider, QueueUsage usage)
    {
        _bounds = bounds;
        _rules = rules;
        _timeProvider = timeProvider;
        _usage = usage;
        _pool = new SegmentPool(bounds);
        // One place more than there are segments, so that posting cannot fail.
        _posted = Channel.CreateBounded<Segment>(bounds.Segments + 1);
    }

    /// <summary>The segment that callers claim in; read without the lock. May be sealed.</summary>
    public Segment Current => Volatile.Read(ref _current);

    public QueueRules Rules
    {
        get => _rules;
        set => _rules = value;
    }

    public QueueBounds Bounds => _bounds;

    /// <summary>Every segment, wherever it is.</summary>
    public List<Segment> All => _pool.All;

    public bool HasPosted => _posted.Reader.Count > 0;

    /// <summary>Why the last <see cref="TryOpen"/> failed.</summary>
    public WriteOutcome FullBecause { get; private set; } = WriteOutcome.QueueFull;

    /// <summary>Whether waiting callers are released: with hysteresis, not one by one.</summary>
    public bool HasRoomForWaiters => Free >= _bounds.ReleaseSegments && _usage.SealedRecords <= _bounds.ReleaseRecords;

    /// <summary>The lowest level that is let in. <see cref="QueueFullMode.DropWrite"/> only: Wait must be able to wait and DropOldest to evict.</summary>
    public LogLevel Admission
    {
        get
        {
            if (_rules.FullMode != QueueFullMode.DropWrite)
                return LogLevel.Trace;
            var word = Volatile.Read(ref _current.State);
            var open = !StateWord.IsSealed(word);
            var used = _usage.SealedRecords + (open ? StateWord.Count(word) : 0);
            var free = Free + (open ? 1 : 0);
            if (used < _bounds.UnreservedRecords(_rules) && free > _bounds.ReservedSegments(_rules))
                return LogLevel.Trace;
            return used < _bounds.Records && free > 0 ? _rules.ReserveForLevel : LogLevel.None;
        }
    }

    // Segments that the bound still allows; below zero while an earlier queue of the instance holds more than this one's bound.
    private int Free => (int)((((long)_bounds.Segments * _bounds.SegmentBytes) - _usage.Bytes) / _bounds.SegmentBytes);

    /// <summary>Seals Current and posts it, or puts it back when it is empty. Seal comes before open, and both are one step for everybody else.</summary>
    public void SealAndPost()
    {
        var segment = Seal();
        if (segment.Count == 0)
        {
            Return(segment);
            return;
        }

        segment.Place = Segment.Location.Posted;
        if (!_posted.Writer.TryWrite(segment))
            throw new InvalidOperationException("More segments were posted than exist.");
    }

    /// <summary>Seals Current for the worker, who takes it at once.</summary>
    public Segment Seal()
    {
        // First: a clock that throws leaves Current open.
        var now = _timeProvider.GetTimestamp();
        var word = Interlocked.Or(ref _current.State, StateWord.Sealed);
        Debug.Assert(!StateWord.IsSealed(word), "A segment is sealed once in a life.");
        _usage.SealedRecords += StateWord.Count(word);
        _current.SealedAt = now;
        return _current;
    }

    /// <summary>Whether a record of this level may have a segment of its own; if not, <see cref="FullBecause"/> says why.</summary>
    /// <param name="level">The level.</param>
    /// <param name="claimed">Records in Current, if it is open.</param>
    public bool CanOpen(LogLevel level, int claimed = 0)
    {
        var reserve = level >= _rules.ReserveForLevel;
        var segments = Free - (reserve ? 0 : _bounds.ReservedSegments(_rules));
        var records = (reserve ? _bounds.Records : _bounds.UnreservedRecords(_rules)) - _usage.SealedRecords - claimed;
        if (segments > 0 && records > 0)
            return true;
        FullBecause = records <= 0 ? WriteOutcome.QueueFull : WriteOutcome.QueueMemory;
        return false;
    }

    /// <summary>Opens a free segment, if a record of this level may have one; the worker asks with <see cref="LogLevel.Trace"/>, for any that may come.</summary>
    public bool TryOpen(LogLevel level)
    {
        if (!CanOpen(level))
            return false;
        try
        {
            Volatile.Write(ref _current, Open());
            CheckInvariants();
            return true;
        }
        catch (OutOfMemoryException)
        {
            // The queue goes on with the segments it has; the record is counted as refused.
            FullBecause = WriteOutcome.QueueMemory;
            return false;
        }
    }

    public Segment? TakePosted() => _posted.Reader.TryRead(out var segment) ? segment : null;

    /// <summary>Takes the oldest posted segment back, if every claim in it is committed.</summary>
    public bool TryEvict(SinkMetrics metrics)
    {
        if (!_posted.Reader.TryPeek(out var oldest) || oldest.CommittedFrom(0, oldest.Count) < oldest.Count)
            return false;
        TakePosted();
        oldest.Lose(metrics, DropReason.Evicted, _timeProvider.GetUtcNow().UtcTicks);
        Return(oldest);
        return true;
    }

    /// <summary>Counts what is posted or in the worker's hands as lost at the deadline; these segments never come back.</summary>
    /// <returns>How many records that were.</returns>
    public long AbandonAll(SinkMetrics metrics, long nowTicks)
    {
        var left = 0L;
        foreach (var segment in _pool.All)
        {
            if (segment.Place is not (Segment.Location.Posted or Segment.Location.Worker))
                continue;
            left += Abandon(segment, metrics, nowTicks);
            segment.Place = Segment.Location.Abandoned;
            _usage.SealedRecords -= segment.Count;
            _usage.Bytes -= _bounds.SegmentBytes;
        }

        return left;
    }

    // What the worker had delivered of it was delivered, although its sink never came back.
    private static long Abandon(Segment segment, SinkMetrics metrics, long nowTicks)
    {
        if (Volatile.Read(ref segment.Batch) is not { } offered || !offered.Holds(segment.Slots))
        {
            segment.Lose(metrics, DropReason.ShutdownTimeout, nowTicks);
            return segment.Count;
        }

        var batch = offered.Copy();
        var before = batch.Refused.Total;
        batch.RefuseRest(DropReason.ShutdownTimeout);
        segment.Settle(metrics, batch, nowTicks);
        return batch.Refused.Total - before;
    }

    /// <summary>Clears a sealed segment and puts it back.</summary>
    public void Return(Segment segment)
    {
        _usage.SealedRecords -= segment.Count;
        _usage.Bytes -= _bounds.SegmentBytes;
        _pool.Return(segment);
        if (_isClosed)
            _pool.Empty();
        CheckInvariants();
    }

    /// <summary>Nothing is opened any more: what becomes free is given back.</summary>
    public void Close()
    {
        _isClosed = true;
        _pool.Empty();
    }

    /// <inheritdoc cref="SegmentPool.Shrink"/>
    public bool Shrink(long unusedSince) => _pool.Shrink(unusedSince);

    // The limits first, then the state word; the caller stores Current last.
    private Segment Open()
    {
        // Outside the reserve the segment ends where the reserve of the record bound begins.
        var unreserved = _bounds.UnreservedRecords(_rules) - _usage.SealedRecords;
        var outside = unreserved > 0 && Free > _bounds.ReservedSegments(_rules);
        var limit = Math.Min(_bounds.Slots, outside ? unreserved : _bounds.Records - _usage.SealedRecords);
        // What may throw comes before anything is counted.
        var now = _timeProvider.GetTimestamp();
        var segment = _pool.Get();
        _usage.Bytes += _bounds.SegmentBytes;
        segment.Place = Segment.Location.Current;
        segment.Sequence = ++_sequence;
        segment.InstalledAt = now;
        segment.LowestLevel = outside ? (int)LogLevel.Trace : (int)_rules.ReserveForLevel;
        Volatile.Write(ref segment.SlotLimit, limit);
        Volatile.Write(ref segment.State, StateWord.Fresh(segment.Sequence));
        return segment;
    }

    // Every segment is in one place, one at most is open, and what is sealed and not settled is counted. Under the lock.
    [Conditional("DEBUG")]
    private void CheckInvariants()
    {
        var (used, open, records) = (0, 0, 0);
        foreach (var segment in _pool.All)
        {
            if (segment.Place is Segment.Location.Pool or Segment.Location.Abandoned)
                continue;
            used++;
            if (StateWord.IsSealed(Volatile.Read(ref segment.State)))
                records += segment.Count;
            else
                open++;
            Debug.Assert(segment.Count <= segment.SlotLimit, "More records were claimed than the record bound allows.");
        }

        Debug.Assert(open <= 1, "Two segments take records.");
        Debug.Assert(_usage.Bytes >= (long)used * _bounds.SegmentBytes, "A segment is in use that is not counted.");
        Debug.Assert(_usage.SealedRecords >= records, "A record is sealed that is not counted.");
    }
}
