using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The hand-over from callers to the worker of one instance: many records per segment, one claim per record, no lock and no wake-up on the way.</summary>
/// <remarks>Callers claim with a compare-and-swap on Current's state word, copy, and commit by storing the slot. Once per segment a caller rotates
/// under the lock: seal, post, open the next. The worker takes posted segments under the lock too, else seals Current.</remarks>
internal sealed class SegmentQueue
{
    private readonly SegmentStore _store;
    private readonly WorkerSignal _signal;
    private readonly QueueAdmission _admission;
    private int _workerState;
    private LogLevel _urgentFrom;

    // The instance's lock: taken once per segment by a caller, per step by the worker, by flush and snapshot; straight-line code only.
    private readonly object _gate;
    private readonly TimeProvider _timeProvider;
    private readonly SinkMetrics _metrics;
    private readonly QueueUsage _usage;
    private readonly FlushMarks _flushMarks;
    private Segment? _inHand;
    private bool _isFinal;

    // Set by callers after an urgent record was committed, taken back by the worker before it seals.
    private bool _hasUrgent;

    public SegmentQueue(
        QueueBounds bounds, QueueRules rules, TimeProvider timeProvider, WorkerSignal signal, SinkMetrics metrics, QueueUsage usage, bool flushesSink = false)
    {
        _gate = metrics.Gate;
        _flushMarks = new FlushMarks(_gate, flushesSink);
        _timeProvider = timeProvider;
        _signal = signal;
        _metrics = metrics;
        _usage = usage;
        _urgentFrom = rules.FlushLevel;
        _store = new SegmentStore(bounds, rules, timeProvider, usage);
        _admission = new QueueAdmission(_store, metrics, timeProvider, Wake);
    }

    /// <summary>The lowest level let in now; one compare before anything is rendered.</summary>
    public LogLevel AdmitFrom => _admission.From;

    /// <summary>Why a level below that is refused.</summary>
    public WriteOutcome FullBecause => _store.FullBecause;

    /// <summary>A <see cref="AsyncLog.WorkerState"/>: only the worker raises it; a thread that wakes the worker sets it back to Awake.</summary>
    public ref int WorkerState => ref _workerState;

    /// <summary>Whether nothing is taken any more.</summary>
    public bool IsClosed => _admission.IsClosed;

    /// <summary>Worker: whether there is something to take; read after it said that it sleeps, and a full barrier.</summary>
    public bool HasWork
    {
        get
        {
            if (_store.HasPosted || IsClosed || _flushMarks.IsWaiting)
                return true;
            var word = Volatile.Read(ref _store.Current.State);
            return !StateWord.IsSealed(word) && StateWord.Count(word) > 0;
        }
    }

    /// <summary>Worker: whether a record from <see cref="SinkOptions.FlushLevel"/> on came since Current was sealed last.</summary>
    public bool HasUrgent => Volatile.Read(ref _hasUrgent);

    /// <summary>Callers that are held now, in <see cref="QueueFullMode.Wait"/>.</summary>
    public int WaitingCallers => _admission.Waiting;

    /// <summary>The flushes that wait.</summary>
    public FlushMarks Flushes => _flushMarks;

    /// <summary>Whether the deadline passed: the worker books nothing any more.</summary>
    public bool IsFinal => Volatile.Read(ref _isFinal);

    /// <summary>Whether it is closed and nothing is left to take.</summary>
    public bool IsDrained
    {
        get
        {
            lock (_gate)
                return _isFinal || (IsClosed && _inHand is null && !_store.HasPosted);
        }
    }

    /// <summary>Offers a rendered record. Never waits except with <see cref="QueueFullMode.Wait"/>. An exception means that the record is not accepted.</summary>
    /// <param name="record">The bytes: 1 to what a segment holds.</param>
    /// <param name="level">The level.</param>
    /// <param name="ticks">When it was logged, UTC.</param>
    /// <param name="category">The number of the category.</param>
    public WriteOutcome TryWrite(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category)
    {
        while (true)
        {
            var segment = _store.Current;
            var word = Volatile.Read(ref segment.State);
            if (!StateWord.IsSealed(word) && segment.Fits(word, record.Length, level))
            {
                if (Interlocked.CompareExchange(ref segment.State, StateWord.Claimed(word, record.Length), word) != word)
                    continue;
                // Claimed. Straight-line code from here to the commit: nothing can throw, no user code runs.
                var offset = StateWord.Offset(word);
                record.CopyTo(segment.Bytes.AsSpan(offset));
                ref var slot = ref segment.Slots[StateWord.Count(word)];
                slot.Ticks = ticks;
                Volatile.Write(ref slot.Word, Slot.Pack(offset, record.Length, level, category));
                var isUrgent = level >= _urgentFrom;
                if (isUrgent)
                    Volatile.Write(ref _hasUrgent, true);
                // The compare-and-swap was the full barrier that pairs with the worker's when it parks.
                var state = _workerState;
                if (state == AsyncLog.WorkerState.Parked || (state != AsyncLog.WorkerState.Awake && isUrgent))
                    WakeOnce(state);
                return WriteOutcome.Accepted;
            }

            var outcome = Rotate(record.Length, level);
            if (outcome != WriteOutcome.Accepted)
                return outcome;
        }
    }

    /// <summary>Puts other rules in force.</summary>
    public void ApplyRules(QueueRules rules)
    {
        lock (_gate)
        {
            _store.Rules = rules;
            _urgentFrom = rules.FlushLevel;
            _admission.RulesChanged();
        }
    }

    /// <summary>Worker: the segment in its hands that an exception kept from being settled, else the oldest posted one, or with
    /// <paramref name="sealCurrent"/> the current one if it holds records, or null.</summary>
    public Segment? Take(bool sealCurrent)
    {
        lock (_gate)
        {
            if (_isFinal)
                return null;
            if (_inHand is not null)
                return _inHand;
            // Looked at under the lock, or a rotation in between would be overtaken.
            if (_store.TakePosted() is not { } segment)
            {
                segment = _store.Current;
                var word = Volatile.Read(ref segment.State);
                if (StateWord.IsSealed(word) || StateWord.Count(word) == 0)
                {
                    _flushMarks.Pass(StateWord.IsSealed(word) ? segment.Sequence : segment.Sequence - 1);
                    return null;
                }

                if (!sealCurrent)
                    return null;
                // First, so that a record which comes into the next segment is not overlooked.
                Volatile.Write(ref _hasUrgent, false);
                Hold(_store.Seal());
                if (!IsClosed)
                    _store.TryOpen(LogLevel.Trace);
                _admission.Update();
                return segment;
            }

            Hold(segment);
            return segment;
        }
    }

    /// <summary>Worker: gives a segment back and books what became of its records.</summary>
    /// <returns>False when the deadline passed before: then nothing was booked, and the segment is not returned.</returns>
    public bool Settle(Segment segment, LogBatch batch)
    {
        lock (_gate)
        {
            if (_isFinal)
                return false;
            segment.Settle(_metrics, batch, _timeProvider.GetUtcNow().UtcTicks);
            _inHand = null;
            _flushMarks.Pass(segment.Sequence);
            _store.Return(segment);
            RoomReturned();
            return true;
        }
    }

    /// <summary>Worker: gives back memory that a burst needed.</summary>
    /// <param name="unusedSince">Segments that were used after it stay; a time stamp of the queue's clock.</param>
    /// <returns>Whether a later call may give back more.</returns>
    public bool Shrink(long unusedSince)
    {
        lock (_gate)
            return _store.Shrink(unusedSince);
    }

    /// <summary>A flush: completes when everything accepted before it was delivered or dropped.</summary>
    /// <param name="givenUp">Set when it is not waited for any more.</param>
    /// <returns>True when nothing of it was dropped.</returns>
    public Task<bool> Flush(CancellationToken givenUp = default)
    {
        Task<bool> task;
        lock (_gate)
        {
            if (_isFinal)
                return Task.FromResult(_metrics.Drops.Of(DropReason.ShutdownTimeout) == 0);
            var current = _store.Current;
            var word = Volatile.Read(ref current.State);
            task = _flushMarks.Add(!StateWord.IsSealed(word) && StateWord.Count(word) == 0 ? current.Sequence - 1 : current.Sequence, _metrics, givenUp);
        }

        Wake();
        return task;
    }

    /// <summary>Takes nothing more: seals Current and releases the waiting callers. What is accepted stays to be drained.</summary>
    public void Close()
    {
        lock (_gate)
        {
            if (IsClosed)
                return;
            if (!StateWord.IsSealed(Volatile.Read(ref _store.Current.State)))
                _store.SealAndPost();
            _store.Close();
            _admission.Close();
        }

        Wake();
    }

    /// <summary>The deadline passed: what is left is <see cref="DropReason.ShutdownTimeout"/>, and the worker books nothing after this.</summary>
    /// <returns>How many records were left.</returns>
    public long Finish()
    {
        Close();
        lock (_gate)
        {
            if (_isFinal)
                return 0;
            _isFinal = true;
            var left = _store.AbandonAll(_metrics, _timeProvider.GetUtcNow().UtcTicks);
            _flushMarks.PassAll();
            RoomReturned();
            _signal.Set();
            return left;
        }
    }

    /// <summary>Wakes the worker, whatever it does.</summary>
    public void Wake()
    {
        Volatile.Write(ref _workerState, AsyncLog.WorkerState.Awake);
        _signal.Set();
    }

    /// <summary>Adds what waits and is in flight. Under the lock.</summary>
    /// <param name="snapshot">What is counted so far.</param>
    /// <param name="isInForce">Whether it is the queue that takes records: its bounds are those of the instance.</param>
    public void AddTo(QueueSnapshot snapshot, bool isInForce = true) => snapshot.Add(_store.All, _store.Bounds, isInForce);

    // The bound is that of all queues of the instance: after a reload the one that drains makes room for the one in force.
    private void RoomReturned()
    {
        _admission.Returned();
        if (_usage.InForce is { } other && other != this)
            other._admission.Returned();
    }

    // At once: a segment that is neither open, posted nor in hand would be lost to an exception.
    private void Hold(Segment segment)
    {
        segment.Place = Segment.Location.Worker;
        _inHand = segment;
        _flushMarks.Pass(segment.Sequence - 1);
    }

    // One caller per nap pays for the wake-up: the one that changes the state.
    private void WakeOnce(int state)
    {
        if (Interlocked.CompareExchange(ref _workerState, AsyncLog.WorkerState.Awake, state) == state)
            _signal.Set();
    }

    private WriteOutcome Rotate(int length, LogLevel level)
    {
        WriteOutcome outcome;
        var wasInterrupted = Uninterrupted.Enter(_gate);
        try
        {
            outcome = _admission.MakeRoom(length, level);
        }
        finally
        {
            Uninterrupted.Exit(_gate, wasInterrupted);
        }

        // A doze longer than a millisecond would let a burst fill the queue.
        var state = _workerState;
        if (state >= AsyncLog.WorkerState.LongNap)
            WakeOnce(state);
        return outcome;
    }
}
