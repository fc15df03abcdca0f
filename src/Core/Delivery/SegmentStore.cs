using System.Diagnostics;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.ObjectPool;

namespace AsyncLog;

/// <summary>The segments of one queue: where each of them is, which one is open, and how much room is left. Under the queue's lock, Current excepted.</summary>
/// <remarks>
/// Decide on Current's state word, never on which segment Current is: with no free segment Current stays a sealed segment that may be written,
/// recycled and opened again.
/// </remarks>
internal sealed class SegmentStore : IPooledObjectPolicy<Segment>
{
    private readonly QueueBounds _bounds;
    private readonly TimeProvider _timeProvider;
    private readonly DefaultObjectPool<Segment> _pool;
    private readonly Channel<Segment> _posted;
    private readonly List<Segment> _all = [];
    private Segment _current;
    private QueueRules _rules;
    private int _out;
    private int _sealedRecords;
    private long _sequence;

    public SegmentStore(QueueBounds bounds, QueueRules rules, TimeProvider timeProvider)
    {
        _bounds = bounds;
        _rules = rules;
        _timeProvider = timeProvider;
        _pool = new DefaultObjectPool<Segment>(this, bounds.Segments);
        // One place more than there are segments, so that posting cannot fail.
        _posted = Channel.CreateBounded<Segment>(bounds.Segments + 1);
        _current = Open();
    }

    /// <summary>The segment that callers claim in; read without the lock. May be sealed.</summary>
    public Segment Current => Volatile.Read(ref _current);

    public QueueRules Rules
    {
        get => _rules;
        set => _rules = value;
    }

    public QueueBounds Bounds => _bounds;

    /// <summary>All segments made so far, wherever they are.</summary>
    public List<Segment> All => _all;

    public bool HasPosted => _posted.Reader.Count > 0;

    /// <summary>Why the last <see cref="TryOpen"/> failed.</summary>
    public WriteOutcome FullBecause { get; private set; } = WriteOutcome.QueueFull;

    /// <summary>Whether waiting callers are released: with hysteresis, not one by one.</summary>
    public bool HasRoomForWaiters => Free >= _bounds.ReleaseSegments && _sealedRecords <= _bounds.ReleaseRecords;

    /// <summary>The lowest level that is let in. <see cref="QueueFullMode.DropWrite"/> only: Wait must be able to wait and DropOldest to evict.</summary>
    public LogLevel Admission
    {
        get
        {
            if (_rules.FullMode != QueueFullMode.DropWrite)
                return LogLevel.Trace;
            var word = Volatile.Read(ref _current.State);
            var open = !StateWord.IsSealed(word);
            var used = _sealedRecords + (open ? StateWord.Count(word) : 0);
            var free = Free + (open ? 1 : 0);
            if (used < _bounds.UnreservedRecords(_rules) && free > _bounds.ReservedSegments(_rules))
                return LogLevel.Trace;
            return used < _bounds.Records && free > 0 ? _rules.ReserveForLevel : LogLevel.None;
        }
    }

    private int Free => _bounds.Segments - _out;

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
        var word = Interlocked.Or(ref _current.State, StateWord.Sealed);
        _sealedRecords += StateWord.Count(word);
        _current.SealedAt = _timeProvider.GetTimestamp();
        return _current;
    }

    /// <summary>Opens a free segment, if a record of this level may have one; the worker asks with <see cref="LogLevel.Trace"/>, for whoever may come.</summary>
    public bool TryOpen(LogLevel level)
    {
        var reserve = level >= _rules.ReserveForLevel;
        var segments = Free - (reserve ? 0 : _bounds.ReservedSegments(_rules));
        var records = (reserve ? _bounds.Records : _bounds.UnreservedRecords(_rules)) - _sealedRecords;
        if (segments <= 0 || records <= 0)
        {
            FullBecause = records <= 0 ? WriteOutcome.QueueFull : WriteOutcome.QueueMemory;
            return false;
        }

        Volatile.Write(ref _current, Open());
        return true;
    }

    public Segment? TakePosted() => _posted.Reader.TryRead(out var segment) ? segment : null;

    /// <summary>Takes the oldest posted segment back, if every claim in it is committed.</summary>
    public bool TryEvict(SinkMetrics metrics)
    {
        if (!_posted.Reader.TryPeek(out var oldest) || oldest.CommittedFrom(0, oldest.Count) < oldest.Count)
            return false;
        TakePosted();
        metrics.Evict(oldest, _timeProvider.GetUtcNow().UtcTicks);
        Return(oldest);
        return true;
    }

    /// <summary>Counts what is posted or in the worker's hands as lost at the deadline; these segments never come back.</summary>
    /// <returns>How many records that were.</returns>
    public long AbandonAll(SinkMetrics metrics, long nowTicks)
    {
        var left = 0L;
        foreach (var segment in _all)
        {
            if (segment.Place is not (Segment.Location.Posted or Segment.Location.Worker))
                continue;
            left += Abandon(segment, metrics, nowTicks);
            segment.Place = Segment.Location.Abandoned;
        }

        return left;
    }

    // What the worker had delivered of it was delivered, although its sink never came back.
    private static long Abandon(Segment segment, SinkMetrics metrics, long nowTicks)
    {
        if (Volatile.Read(ref segment.Batch) is not { } offered || !offered.Holds(segment.Slots))
        {
            metrics.Abandon(segment, nowTicks);
            return segment.Count;
        }

        var batch = offered.Copy();
        var before = batch.Refused.Total;
        batch.RefuseRest(DropReason.ShutdownTimeout);
        metrics.Settle(segment, batch, nowTicks);
        return batch.Refused.Total - before;
    }

    /// <summary>Clears a sealed segment and puts it back.</summary>
    public void Return(Segment segment)
    {
        _sealedRecords -= segment.Count;
        segment.Clear();
        Poison(segment);
        segment.Place = Segment.Location.Pool;
        _out--;
        _pool.Return(segment);
    }

    Segment IPooledObjectPolicy<Segment>.Create()
    {
        var segment = new Segment(_bounds.SegmentBytes, _bounds.Slots);
        _all.Add(segment);
        return segment;
    }

    bool IPooledObjectPolicy<Segment>.Return(Segment obj) => true;

    // The limit first, then the state word; whoever calls stores Current last.
    private Segment Open()
    {
        // Outside the reserve the segment ends where the reserve of the record bound begins.
        var unreserved = _bounds.UnreservedRecords(_rules) - _sealedRecords;
        var outside = unreserved > 0 && Free > _bounds.ReservedSegments(_rules);
        var limit = Math.Min(_bounds.Slots, outside ? unreserved : _bounds.Records - _sealedRecords);
        var segment = _pool.Get();
        _out++;
        segment.Place = Segment.Location.Current;
        segment.Sequence = ++_sequence;
        segment.InstalledAt = _timeProvider.GetTimestamp();
        Volatile.Write(ref segment.SlotLimit, limit);
        Volatile.Write(ref segment.State, StateWord.Fresh(segment.Sequence));
        return segment;
    }

    [Conditional("DEBUG")]
    private static void Poison(Segment segment) => segment.Bytes.AsSpan(0, segment.ByteCount).Fill(0xDD);
}
