using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The hand-over from callers to the worker of one instance: a bounded queue of segments with many records each. A record costs one claim, one
/// copy and one commit: no lock, and no wake-up unless the worker is parked or the record is urgent.</summary>
/// <remarks>
/// <para>Callers claim with a compare-and-swap on the state word of the current segment, copy, and commit by storing the slot. Once per segment a caller
/// rotates under the lock: seal, post, open the next. The worker takes posted segments under the lock too, else it seals the current one.</para>
/// <para>Every segment is in one place: pool, current, posted, worker, and back to the pool. Decide on the state word of Current, never on which segment
/// Current is: while no segment is free, Current stays a sealed segment that may be written, recycled and opened again.</para>
/// </remarks>
internal sealed class SegmentQueue
{
    // Read by each caller for each record; written once per segment, nap or reload.
    private ReadMostly _shared;

    // Protects everything below and the places of the segments. It is the instance's lock: taken once per segment by a caller, once per step by the
    // worker, by flush and snapshot; callers that wait for room sleep on it. Nothing foreign runs under it.
    private readonly object _gate;
    private readonly QueueBounds _bounds;
    private readonly TimeProvider _timeProvider;
    private readonly SinkMetrics _metrics;
    private readonly QueueUsage _usage;
    private readonly FlushMarks _flushMarks;
    private readonly SegmentPool _pool;
    private readonly Channel<Segment> _posted;
    private QueueRules _rules;
    private int _waitingCallers;

    // Waiting callers still to be released for the room there is.
    private int _releases;

    // Reason of the last failed attempt to open a segment.
    private WriteOutcome _fullBecause = WriteOutcome.QueueFull;

    // The segment that the worker took and has not settled.
    private Segment? _inHand;
    private bool _isClosed;
    private bool _isFinal;

    // Set by callers after an urgent record was committed, and after one whose caller waits; reset before Current is sealed.
    private bool _hasUrgent;
    private bool _hasAwaited;

    // What the instance had counted as uncertain when the worker took the segment in hand.
    private long _uncertainBefore;

    // For the checks in debug builds: records committed by callers, records that left the queue, and the newest segment that was taken.
    private long _committed;
    private long _left;
    private long _newestTaken;

    /// <param name="bounds">Bounds in segments and records.</param>
    /// <param name="rules">Admission by level; may be replaced.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="metrics">The instance's counters and its lock.</param>
    /// <param name="usage">Combined use of all queues of the instance.</param>
    /// <param name="flushesSink">True if a flush waits for the sink, too.</param>
    /// <param name="memoryOf">Returns the memory of each segment; null: each has memory of its own.</param>
    public SegmentQueue(
        QueueBounds bounds, QueueRules rules, TimeProvider timeProvider, SinkMetrics metrics, QueueUsage usage, bool flushesSink = false, Func<int, SegmentMemory>? memoryOf = null)
    {
        _gate = metrics.Gate;
        _bounds = bounds;
        _rules = rules;
        _timeProvider = timeProvider;
        _metrics = metrics;
        _usage = usage;
        _flushMarks = new FlushMarks(_gate, flushesSink);
        _pool = new SegmentPool(bounds, memoryOf);
        // One place more than there are segments, so that posting cannot fail.
        _posted = Channel.CreateBounded<Segment>(bounds.Segments + 1);
        Signal = new WorkerSignal(timeProvider);
        // At first a sealed segment without room: the first record opens a real one.
        _shared.Current = new Segment(SegmentMemory.Empty);
        _shared.UrgentFrom = rules.UrgentLevel;
        _shared.AcknowledgeFrom = rules.AcknowledgeLevel;
        _shared.AdmitFrom = (int)LogLevel.Trace;
    }

    // ---- Any thread ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>The segment that callers claim in. May be sealed.</summary>
    public Segment Current => Volatile.Read(ref _shared.Current);

    /// <summary>The lowest level admitted now; one compare before anything is rendered.</summary>
    public LogLevel AdmitFrom => (LogLevel)Volatile.Read(ref _shared.AdmitFrom);

    /// <summary>Outcome for a record that is refused below that level.</summary>
    public WriteOutcome FullBecause => _fullBecause;

    /// <summary>From this level on a caller waits until its record is settled.</summary>
    public LogLevel AcknowledgeFrom => _shared.AcknowledgeFrom;

    /// <summary>The rules in force.</summary>
    public QueueRules Rules => Volatile.Read(ref _rules);

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider => _timeProvider;

    /// <summary>Signal on which the worker sleeps.</summary>
    public WorkerSignal Signal { get; private set; }

    /// <summary>A <see cref="WorkerStates"/>: only the worker raises it; a thread that wakes the worker sets it back to Awake.</summary>
    public ref int WorkerState => ref _shared.WorkerState;

    /// <summary>True if no record is accepted any more.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed);

    /// <summary>True if the deadline passed: the worker settles nothing any more.</summary>
    public bool IsFinal => Volatile.Read(ref _isFinal);

    /// <summary>Callers that wait for room now, in <see cref="QueueFullMode.Wait"/>.</summary>
    public int WaitingCallers => Volatile.Read(ref _waitingCallers);

    /// <summary>What decides the meaning of the records' bytes, as a number; for those that are moved to the disk.</summary>
    public ulong WireId { get; init; }

    /// <summary>The flushes that wait.</summary>
    public FlushMarks Flushes => _flushMarks;

    private bool HasPosted => _posted.Reader.Count > 0;

    // True if the sink counted records as uncertain while the worker had the segment in hand. They may be of an earlier one.
    private bool IsUncertain => _metrics.Uncertain != _uncertainBefore;

    // ---- Callers -------------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Offers a rendered record. Never waits except with <see cref="QueueFullMode.Wait"/>. An exception means that the record is not accepted.</summary>
    /// <param name="record">The bytes: 1 to what a segment holds.</param>
    /// <param name="level">The level.</param>
    /// <param name="ticks">Time of the record, UTC.</param>
    /// <param name="category">The number of the category.</param>
    /// <param name="acknowledgement">Completed when the record is settled, if it is accepted; null: the caller does not wait for that.</param>
    public WriteOutcome TryWrite(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, Acknowledgement? acknowledgement = null)
    {
        Debug.Assert(record.Length > 0 && record.Length <= _bounds.SegmentBytes, "A record has at least one byte and fits an empty segment.");
        while (true)
        {
            var segment = Current;
            var word = Volatile.Read(ref segment.State);
            if (!StateWord.IsSealed(word) && segment.Fits(word, record.Length, level))
            {
                if (Interlocked.CompareExchange(ref segment.State, StateWord.Claimed(word, record.Length), word) != word)
                    continue;
                // Claimed. Straight-line code from here to the commit: nothing can throw, no user code runs.
                var offset = StateWord.Offset(word);
                record.CopyTo(segment.BytesAt(offset, record.Length));
                ref var slot = ref segment.SlotAt(StateWord.Count(word));
                Debug.Assert(slot.Word == 0, "Slots are cleared before a segment is opened, and a slot is claimed once.");
                slot.Ticks = ticks;
                if (acknowledgement is not null)
                    segment.Await(acknowledgement);
                Volatile.Write(ref slot.Word, Slot.Pack(offset, record.Length, level, category));
                // Until here: its memory is freed with it.
                GC.KeepAlive(segment);
                CountCommitted();
                var isUrgent = level >= _shared.UrgentFrom;
                if (isUrgent && Hurry(acknowledgement))
                    return WriteOutcome.Accepted;
                // The compare-and-swap was the full barrier that pairs with the worker's when it parks.
                var state = _shared.WorkerState;
                if (state == WorkerStates.Parked || (state != WorkerStates.Awake && isUrgent))
                    WakeOnce(state);
                return WriteOutcome.Accepted;
            }

            var outcome = Rotate(record.Length, level);
            if (outcome != WriteOutcome.Accepted)
                return outcome;
        }
    }

    // After the commit of an urgent record. True if the worker was woken: for a caller that waits, in any state, so that no nap begins before the record is seen.
    private bool Hurry(Acknowledgement? acknowledgement)
    {
        Volatile.Write(ref _hasUrgent, true);
        if (acknowledgement is null)
            return false;
        Volatile.Write(ref _hasAwaited, true);
        Wake();
        return true;
    }

    // The slow path, once per segment. Accepted: the record may be claimed now. Any other outcome is final.
    private WriteOutcome Rotate(int length, LogLevel level)
    {
        WriteOutcome outcome;
        var wasInterrupted = Uninterrupted.Enter(_gate);
        try
        {
            outcome = MakeRoom(length, level);
        }
        finally
        {
            Uninterrupted.Exit(_gate, wasInterrupted);
        }

        // A nap longer than a millisecond would let a burst fill the queue.
        var state = _shared.WorkerState;
        if (state >= WorkerStates.LongNap)
            WakeOnce(state);
        return outcome;
    }

    private WriteOutcome MakeRoom(int length, LogLevel level)
    {
        var deadline = default(DeadlineTimer);
        try
        {
            WriteOutcome outcome;
            while (!TryRotate(length, level, out outcome))
            {
                if (_rules.FullMode == QueueFullMode.DropOldest && TryEvict())
                    continue;
                if (_rules.FullMode == QueueFullMode.Wait && WaitForRoom(ref deadline))
                    continue;
                break;
            }

            UpdateAdmission();
            return outcome;
        }
        finally
        {
            deadline.Dispose();
        }
    }

    // True: the record may be claimed, or the queue is closed. False: there is no room for it, and the outcome is the reason.
    private bool TryRotate(int length, LogLevel level, out WriteOutcome outcome)
    {
        var current = Current;
        var word = Volatile.Read(ref current.State);
        outcome = WriteOutcome.Accepted;
        var isOpen = !StateWord.IsSealed(word);
        // Another caller has rotated meanwhile.
        if (isOpen && current.Fits(word, length, level))
            return true;
        outcome = WriteOutcome.Closed;
        if (_isClosed)
            return true;
        // A segment of the reserve stays open for the levels that it is for, until there is one for the others too.
        if (isOpen && (int)level < current.LowestLevel && !CanOpen(level, StateWord.Count(word)))
        {
            outcome = _fullBecause;
            return false;
        }

        if (isOpen)
            SealAndPost();
        var opened = TryOpen(level);
        outcome = opened ? WriteOutcome.Accepted : _fullBecause;
        return opened;
    }

    // Takes the oldest posted segment back, if every claim in it is committed.
    private bool TryEvict()
    {
        if (!_posted.Reader.TryPeek(out var oldest) || oldest.Place != Segment.Location.Posted || !oldest.TryCountLevels())
            return false;
        _posted.Reader.TryRead(out _);
        oldest.Lose(_metrics, DropReason.Evicted, _timeProvider.GetUtcNow().UtcTicks);
        Return(oldest);
        return true;
    }

    // Sleeps on the lock. False when the time is over.
    private bool WaitForRoom(ref DeadlineTimer deadline)
    {
        if (!deadline.IsStarted)
            deadline = DeadlineTimer.Start(_timeProvider, _rules.WaitTimeout, _gate);
        if (deadline.IsOver)
            return false;
        var began = _timeProvider.GetTimestamp();
        _waitingCallers++;
        try
        {
            // In a nap and in a retry delay alike: a waiting caller depends on the worker.
            Wake();
            Monitor.Wait(_gate, deadline.Remaining);
            return true;
        }
        catch (ThreadInterruptedException)
        {
            // The application interrupted its thread: the record is refused and counted, and the thread stays interrupted.
            Thread.CurrentThread.Interrupt();
            return false;
        }
        finally
        {
            _waitingCallers--;
            ReleaseNext();
            _metrics.AddCallerWait(_timeProvider.GetElapsedTime(began));
        }
    }

    // ---- The worker ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>True if there is something to take; read after the worker announced that it sleeps, and a full barrier.</summary>
    public bool HasWork
    {
        get
        {
            if (HasPosted || IsClosed || _flushMarks.IsWaiting || Volatile.Read(ref _usage.Spooled) > 0)
                return true;
            var word = Volatile.Read(ref Current.State);
            return !StateWord.IsSealed(word) && StateWord.Count(word) > 0;
        }
    }

    /// <summary>True if a record from <see cref="QueueRules.UrgentLevel"/> on came since Current was sealed last.</summary>
    public bool HasUrgent => Volatile.Read(ref _hasUrgent);

    /// <summary>True if a record whose caller waits came since Current was sealed last.</summary>
    public bool HasAwaited => Volatile.Read(ref _hasAwaited);

    /// <summary>True if the queue is closed and nothing is left to take.</summary>
    public bool IsDrained
    {
        get
        {
            lock (_gate)
                return _isFinal || (_isClosed && _inHand is null && !HasPosted);
        }
    }

    /// <summary>Takes the segment that an exception kept from being settled, else the oldest posted one, else with <paramref name="sealCurrent"/> the
    /// current one if it holds records, else null.</summary>
    public Segment? Take(bool sealCurrent)
    {
        lock (_gate)
        {
            if (_isFinal)
                return null;
            if (_inHand is not null)
                return _inHand;
            if (_usage.Spooled > 0)
                return null;
            // Read under the lock: a rotation in between would be overtaken.
            if (_posted.Reader.TryRead(out var segment))
                return Hold(segment);
            segment = Current;
            var word = Volatile.Read(ref segment.State);
            if (StateWord.IsSealed(word) || StateWord.Count(word) == 0)
            {
                PassSettled();
                return null;
            }

            if (!sealCurrent)
                return null;
            Hold(Seal());
            if (!_isClosed)
                TryOpen(LogLevel.Trace);
            UpdateAdmission();
            return segment;
        }
    }

    /// <summary>Counts the outcome of a segment's records and returns the segment to the pool.</summary>
    /// <returns>False when the deadline passed before, or another worker has the queue: then nothing is counted, and the segment is not returned.</returns>
    public bool Settle(Segment segment, LogBatch batch)
    {
        lock (_gate)
        {
            if (_isFinal || segment.Place == Segment.Location.Abandoned)
                return false;
            Debug.Assert(ReferenceEquals(segment, _inHand), "Only the segment in the worker's hands is settled.");
            segment.Settle(_metrics, batch, IsUncertain, _timeProvider.GetUtcNow().UtcTicks);
            if (_usage.Crowded is not null)
                _usage.DeliveredAt = _timeProvider.GetTimestamp();
            _inHand = null;
            PassSettled();
            Return(segment);
            ReleaseWaiters();
            return true;
        }
    }

    /// <summary>Takes the segment away from a worker that hangs in its sink, and counts what is left of it as lost. Under the lock.</summary>
    /// <param name="nowTicks">The time of the loss, UTC.</param>
    /// <returns>Number of records lost.</returns>
    public long AbandonInHand(long nowTicks)
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Segments change their places under the lock only.");
        if (_inHand is not { } segment)
            return 0;
        _inHand = null;
        var lost = Abandon(segment, nowTicks);
        _pool.Forget(segment);
        PassSettled();
        ReleaseWaiters();
        return lost;
    }

    /// <summary>Gives the next worker a signal of its own; the one before, which may still sleep, is woken. Under the lock.</summary>
    public void RenewSignal()
    {
        var before = Signal;
        Signal = new WorkerSignal(_timeProvider);
        before.Set();
    }

    /// <summary>True if more than seven tenths of a bound are in use.</summary>
    public bool IsCrowded
    {
        get
        {
            lock (_gate)
                return _usage.IsCrowded((_usage.InForce ?? this)._bounds);
        }
    }

    /// <summary>Frees memory that a burst needed.</summary>
    /// <param name="unusedSince">Segments that were used after it stay; a time stamp of the queue's clock.</param>
    /// <returns>True if a later call may free more.</returns>
    public bool Shrink(long unusedSince)
    {
        lock (_gate)
            return _pool.Shrink(unusedSince);
    }

    // Stored at once: after an exception a segment that is neither open, posted nor in hand would be lost.
    private Segment Hold(Segment segment)
    {
        Debug.Assert(segment.Place is Segment.Location.Current or Segment.Location.Posted, "The worker takes what callers filled.");
        Debug.Assert(segment.Sequence > _newestTaken, "Segments are taken in the order in which they were opened.");
        _newestTaken = segment.Sequence;
        segment.Place = Segment.Location.Worker;
        _inHand = segment;
        _uncertainBefore = _metrics.Uncertain;
        PassSettled();
        CheckInvariants();
        return segment;
    }

    // ---- The spool -----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Begins to move the oldest posted segment to the disk, if memory is short and nothing was delivered for a time.</summary>
    /// <param name="quiet">The time without a delivery; while something is on the disk, memory alone decides.</param>
    /// <param name="left">Time left of it, when it is what is missing; else zero.</param>
    /// <returns>Null when nothing is moved. Else <see cref="EndSpooling"/> has to follow; until then workers take nothing.</returns>
    public Segment? BeginSpooling(TimeSpan quiet, out TimeSpan left)
    {
        lock (_gate)
        {
            left = TimeSpan.Zero;
            // The bounds of the instance are those of the queue in force; what an earlier queue still holds is older and moves first.
            if (_isFinal || !_usage.IsCrowded((_usage.InForce ?? this)._bounds) || !_posted.Reader.TryPeek(out var segment))
                return null;
            if (_usage.Spooled == 0)
            {
                // From when on something could have been delivered: not the silence before a burst.
                var since = Math.Max(_usage.DeliveredAt, (_inHand ?? segment).SealedAt);
                left = quiet - _timeProvider.GetElapsedTime(since);
                if (left > TimeSpan.Zero)
                    return null;
                left = TimeSpan.Zero;
            }

            segment.Place = Segment.Location.Spooling;
            _usage.Spooled++;
            return segment;
        }
    }

    /// <summary>Ends the move of a segment. Under the lock.</summary>
    /// <param name="segment">The segment that <see cref="BeginSpooling"/> returned.</param>
    /// <param name="isSpooled">True if its records are on the disk; false: it waits as before.</param>
    /// <returns>True if the records have left the queue, and are to be counted on the disk; false also when the deadline passed before, and counted them as lost.</returns>
    public bool EndSpooling(Segment segment, bool isSpooled)
    {
        Debug.Assert(Monitor.IsEntered(_gate), "The books change in one step.");
        var isOpen = segment.Place == Segment.Location.Spooling;
        Debug.Assert(isOpen || _isFinal, "Only the deadline takes a segment that is being moved.");
        if (isOpen)
            segment.Place = Segment.Location.Posted;
        if (!isSpooled || !isOpen)
        {
            _usage.Spooled--;
            return false;
        }

        _posted.Reader.TryRead(out var oldest);
        Debug.Assert(ReferenceEquals(oldest, segment), "No worker takes a segment that is being moved.");
        segment.MoveToDisk();
        Return(segment);
        ReleaseWaiters();
        return true;
    }

    /// <summary>The segments that hold accepted records, oldest first, with the batch over the one that the worker has.</summary>
    public IReadOnlyList<Segment> Unsettled
    {
        get
        {
            lock (_gate)
                return [.. _pool.All.Where(static segment => segment.Place is Segment.Location.Worker or Segment.Location.Posted).OrderBy(static segment => segment.Sequence)];
        }
    }

    /// <summary>Removes a segment whose open records are on the disk, and counted there. Under the lock.</summary>
    /// <param name="segment">The oldest posted one, or the worker's.</param>
    /// <param name="saved">The saved records by level.</param>
    /// <param name="batch">The outcome of the others; null: there are none, except claims without a commit.</param>
    public void RemoveSaved(Segment segment, ReadOnlySpan<long> saved, LogBatch? batch)
    {
        Debug.Assert(Monitor.IsEntered(_gate) && _isClosed, "Records are saved when no more are accepted.");
        segment.SettleUnsaved(_metrics, saved, batch, _timeProvider.GetUtcNow().UtcTicks);
        Discard(segment);
        if (ReferenceEquals(segment, _inHand))
            _inHand = null;
        else
            _posted.Reader.TryRead(out _);
    }

    // ---- Flush, reload, shutdown, snapshot -----------------------------------------------------------------------------------------------------------

    /// <summary>Starts a flush: it completes when everything accepted before was delivered or dropped, or nothing is delivered any more.</summary>
    /// <param name="givenUp">Set when the flush is not waited for any more.</param>
    /// <returns>True when nothing of it was dropped or left on the disk.</returns>
    public Task<bool> Flush(CancellationToken givenUp = default)
    {
        Task<bool> task;
        lock (_gate)
        {
            PassSettled();
            var word = Volatile.Read(ref Current.State);
            Debug.Assert(StateWord.IsSealed(word) || Current.Sequence == _usage.Sequence, "Only the newest segment takes records.");
            // An open, empty segment is taken by no worker.
            var isEmpty = !StateWord.IsSealed(word) && StateWord.Count(word) == 0;
            task = _flushMarks.Add(_usage.Sequence - (isEmpty ? 1 : 0), _metrics, givenUp);
            _usage.ForgetFlushed();
            if (!task.IsCompleted && !_usage.Flushing.Contains(this))
                _usage.Flushing.Add(this);
        }

        Wake();
        return task;
    }

    /// <summary>Moves the position of the flushes up to the oldest segment that is not settled. The worker of a closed queue may have ended: no later step passes
    /// what was evicted behind it. Under the lock.</summary>
    public void PassSettled()
    {
        var open = _usage.Sequence + 1;
        if (!StateWord.IsSealed(Volatile.Read(ref Current.State)))
            open = Current.Sequence;
        if (_posted.Reader.TryPeek(out var posted))
            open = Math.Min(open, posted.Sequence);
        if (_inHand is not null)
            open = Math.Min(open, _inHand.Sequence);
        if (_usage.OnDisk.Count > 0)
            open = Math.Min(open, _usage.OnDisk[0]);
        _flushMarks.Pass(open - 1);
    }

    /// <summary>Wakes the worker in any state.</summary>
    public void Wake()
    {
        Volatile.Write(ref _shared.WorkerState, WorkerStates.Awake);
        Signal.Set();
    }

    /// <summary>Puts other rules in force; waiting callers try again.</summary>
    public void ApplyRules(QueueRules rules)
    {
        lock (_gate)
        {
            Volatile.Write(ref _rules, rules);
            _shared.UrgentFrom = rules.UrgentLevel;
            _shared.AcknowledgeFrom = rules.AcknowledgeLevel;
            UpdateAdmission();
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Closes the queue: seals Current and opens nothing after it, so a later record is refused by the state word. Waiting callers are woken and
    /// refused. Accepted records stay for the drain.</summary>
    public void Close()
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            if (!StateWord.IsSealed(Volatile.Read(ref Current.State)))
                SealAndPost();
            Volatile.Write(ref _isClosed, true);
            _pool.Empty();
            SetAdmission(LogLevel.Trace);
            Monitor.PulseAll(_gate);
        }

        Wake();
    }

    /// <summary>Ends the drain at the deadline: the worker settles nothing after this.</summary>
    public void Stop()
    {
        Close();
        lock (_gate)
            _isFinal = true;
    }

    /// <summary>Ends the drain at the deadline: counts what was not saved as <see cref="DropReason.ShutdownTimeout"/>.</summary>
    /// <returns>Number of records lost.</returns>
    public long Finish()
    {
        Stop();
        lock (_gate)
        {
            var now = _timeProvider.GetUtcNow().UtcTicks;
            var left = 0L;
            foreach (var segment in _pool.All)
            {
                if (segment.Place is Segment.Location.Posted or Segment.Location.Spooling or Segment.Location.Worker)
                    left += Abandon(segment, now);
            }

            CheckInvariants();
            _flushMarks.PassAll(isDelivered: left == 0 && _usage.OnDisk.Count == 0);
            ReleaseWaiters();
            Signal.Set();
            return left;
        }
    }

    /// <summary>Adds waiting and in-flight records. Under the lock.</summary>
    /// <param name="snapshot">Snapshot to add to.</param>
    /// <param name="isInForce">True if it is the queue that takes records: its bounds are those of the instance.</param>
    public void AddTo(QueueSnapshot snapshot, bool isInForce = true) => snapshot.Add(_pool.All, _bounds, isInForce);

    // One caller per nap pays for the wake-up: the one that changes the state.
    private void WakeOnce(int state)
    {
        if (Interlocked.CompareExchange(ref _shared.WorkerState, WorkerStates.Awake, state) == state)
            Signal.Set();
    }

    // ---- Segments. All of it under the lock. ---------------------------------------------------------------------------------------------------------

    // Segments that the bound still allows; below zero while an earlier queue of the instance holds more than this one's bound.
    private int FreeSegments => (int)((((long)_bounds.Segments * _bounds.SegmentBytes) - _usage.Bytes) / _bounds.SegmentBytes);

    // Seals Current and posts it, or puts it back when it is empty. Seal comes before open, and both are one step for all other threads.
    private void SealAndPost()
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
        if (_usage.Crowded is { } crowded && _usage.IsCrowded(_bounds))
            crowded.Set();
        CheckInvariants();
    }

    private Segment Seal()
    {
        // Read first: a clock that throws leaves Current open.
        var now = _timeProvider.GetTimestamp();
        // Before the seal, so that a record which comes into the next segment is not missed.
        Volatile.Write(ref _hasUrgent, false);
        Volatile.Write(ref _hasAwaited, false);
        var current = Current;
        // The count returned by sealing: claims succeed until then.
        var word = Interlocked.Or(ref current.State, StateWord.Sealed);
        Debug.Assert(!StateWord.IsSealed(word), "A segment is sealed once in a life.");
        _usage.SealedRecords += StateWord.Count(word);
        current.SealedAt = now;
        return current;
    }

    // True if a record of this level may have a segment of its own, with so many records claimed in Current; if not, _fullBecause is the reason.
    private bool CanOpen(LogLevel level, int claimed = 0)
    {
        var reserve = level >= _rules.ReserveForLevel;
        var segments = FreeSegments - (reserve ? 0 : _bounds.ReservedSegments(_rules));
        var records = (reserve ? _bounds.Records : _bounds.UnreservedRecords(_rules)) - _usage.SealedRecords - claimed;
        if (segments > 0 && records > 0)
            return true;
        _fullBecause = records <= 0 ? WriteOutcome.QueueFull : WriteOutcome.QueueMemory;
        return false;
    }

    // Opens a free segment, if a record of this level may have one; the worker passes Trace, for any level that may come.
    private bool TryOpen(LogLevel level)
    {
        if (!CanOpen(level))
            return false;
        try
        {
            Volatile.Write(ref _shared.Current, Open());
            CheckInvariants();
            return true;
        }
        catch (OutOfMemoryException)
        {
            // The queue keeps working with the segments it has; the record is counted as refused.
            _fullBecause = WriteOutcome.QueueMemory;
            return false;
        }
    }

    // The limits first, then the state word; TryOpen stores Current last.
    private Segment Open()
    {
        // Outside the reserve the segment ends where the reserve of the record bound begins.
        var unreserved = _bounds.UnreservedRecords(_rules) - _usage.SealedRecords;
        var outside = unreserved > 0 && FreeSegments > _bounds.ReservedSegments(_rules);
        var limit = Math.Min(_bounds.Slots, outside ? unreserved : _bounds.Records - _usage.SealedRecords);
        // Calls that may throw come before anything is counted.
        var now = _timeProvider.GetTimestamp();
        var segment = _pool.Get();
        _usage.Bytes += _bounds.SegmentBytes;
        segment.Place = Segment.Location.Current;
        segment.Memory.Sequence = segment.Sequence = ++_usage.Sequence;
        segment.InstalledAt = now;
        segment.LowestLevel = outside ? (int)LogLevel.Trace : (int)_rules.ReserveForLevel;
        Volatile.Write(ref segment.SlotLimit, limit);
        Volatile.Write(ref segment.State, StateWord.Fresh(segment.Sequence));
        return segment;
    }

    // Clears a sealed segment and puts it back.
    private void Return(Segment segment)
    {
        _usage.SealedRecords -= segment.Count;
        _usage.Bytes -= _bounds.SegmentBytes;
        CountLeft(segment);
        _pool.Return(segment);
        if (_isClosed)
            _pool.Empty();
        CheckInvariants();
    }

    // Counts the records of a segment as lost at the deadline, except what the worker had delivered of it.
    private long Abandon(Segment segment, long nowTicks)
    {
        long lost = segment.Count;
        if (Volatile.Read(ref segment.Batch) is { } offered && offered.Holds(segment.Memory))
        {
            var batch = offered.Copy();
            var before = batch.Refused.Total;
            batch.RefuseRest(DropReason.ShutdownTimeout);
            segment.Settle(_metrics, batch, IsUncertain, nowTicks);
            lost = batch.Refused.Total - before;
        }
        else
        {
            segment.Lose(_metrics, DropReason.ShutdownTimeout, nowTicks);
        }

        Discard(segment);
        return lost;
    }

    // The segment never comes back: a claim in it may still be committed, and a sink that hangs may still read it.
    private void Discard(Segment segment)
    {
        segment.Place = Segment.Location.Abandoned;
        segment.Memory.SettledSequence = segment.Sequence;
        _usage.SealedRecords -= segment.Count;
        _usage.Bytes -= _bounds.SegmentBytes;
        CountLeft(segment);
    }

    // ---- Admission. All of it under the lock. --------------------------------------------------------------------------------------------------------

    // After segments were taken or returned, or the rules changed.
    private void UpdateAdmission()
    {
        if (!_isClosed)
            SetAdmission(LowestAdmitted());
    }

    private void SetAdmission(LogLevel from) => Volatile.Write(ref _shared.AdmitFrom, (int)from);

    // With DropWrite only: in the other modes a refusal here would prevent the wait or the eviction.
    private LogLevel LowestAdmitted()
    {
        if (_rules.FullMode != QueueFullMode.DropWrite)
            return LogLevel.Trace;
        var word = Volatile.Read(ref Current.State);
        var open = !StateWord.IsSealed(word);
        var used = _usage.SealedRecords + (open ? StateWord.Count(word) : 0);
        var free = FreeSegments + (open ? 1 : 0);
        if (used < _bounds.UnreservedRecords(_rules) && free > _bounds.ReservedSegments(_rules))
            return LogLevel.Trace;
        return used < _bounds.Records && free > 0 ? _rules.ReserveForLevel : LogLevel.None;
    }

    // The bound is that of all queues of the instance: after a reload the one that drains makes room for the one in force.
    private void ReleaseWaiters()
    {
        ReleaseOwnWaiters();
        if (_usage.InForce is { } other && other != this)
            other.ReleaseOwnWaiters();
    }

    // With hysteresis: not at the first segment that is free.
    private void ReleaseOwnWaiters()
    {
        UpdateAdmission();
        if (_waitingCallers == 0 || FreeSegments < _bounds.ReleaseSegments || _usage.SealedRecords > _bounds.ReleaseRecords)
            return;
        _releases = _waitingCallers;
        ReleaseNext();
    }

    // Each caller that wakes releases the next: a wake-up takes microseconds under the lock, so the worker pays for one, and no more callers wake than find
    // room. While there is none, all segments are in use, and the settling of one begins again.
    private void ReleaseNext()
    {
        if (_releases == 0 || (FreeSegments <= 0 && StateWord.IsSealed(Volatile.Read(ref Current.State))))
            return;
        _releases--;
        Monitor.Pulse(_gate);
    }

    // ---- Checks in debug builds ----------------------------------------------------------------------------------------------------------------------

    /// <summary>Bytes of the segments in use, and records in those that are sealed. Under the lock.</summary>
    public (long Bytes, int Records) Held
    {
        get
        {
            var (bytes, records) = (0L, 0);
            foreach (var segment in _pool.All)
            {
                if (segment.Place is Segment.Location.Pool or Segment.Location.Abandoned)
                    continue;
                bytes += _bounds.SegmentBytes;
                if (StateWord.IsSealed(Volatile.Read(ref segment.State)))
                    records += segment.Count;
            }

            return (bytes, records);
        }
    }

    [Conditional("DEBUG")]
    private void CountCommitted() => Interlocked.Increment(ref _committed);

    [Conditional("DEBUG")]
    private void CountLeft(Segment segment) => _left += segment.Count;

    // Every segment is in one place, one at most is open, and every record is counted. Under the lock.
    [Conditional("DEBUG")]
    private void CheckInvariants()
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Segments change their places under the lock only.");
        // Read first: a later commit belongs to a later claim.
        var committed = Volatile.Read(ref _committed);
        var (used, open, posted, taken, records, claimed) = (0, 0, 0, 0, 0, 0);
        foreach (var segment in _pool.All)
        {
            if (segment.Place is Segment.Location.Pool or Segment.Location.Abandoned)
                continue;
            used++;
            var word = Volatile.Read(ref segment.State);
            claimed += StateWord.Count(word);
            if (StateWord.IsSealed(word))
                records += StateWord.Count(word);
            else
                open++;
            posted += segment.Place is Segment.Location.Posted or Segment.Location.Spooling ? 1 : 0;
            taken += segment.Place == Segment.Location.Worker ? 1 : 0;
            Debug.Assert(StateWord.IsSealed(word) || segment.Place == Segment.Location.Current, "A segment takes records that is not the current one.");
            Debug.Assert(StateWord.Count(word) <= segment.SlotLimit, "More records were claimed than the record bound allows.");
            Debug.Assert(StateWord.Offset(word) <= segment.Memory.ByteCapacity, "More bytes were claimed than the segment has.");
        }

        Debug.Assert(open <= 1, "Two segments take records.");
        Debug.Assert(_isFinal || posted == _posted.Reader.Count, "A posted segment is not in the channel.");
        Debug.Assert(taken == (_inHand is null || _isFinal ? 0 : 1), "The worker holds one segment at most.");
        Debug.Assert(_usage.Bytes >= (long)used * _bounds.SegmentBytes, "A segment is in use that is not counted.");
        Debug.Assert(_usage.SealedRecords >= records, "A record is sealed that is not counted.");
        Debug.Assert(committed <= _left + claimed, "An accepted record is in no segment.");
    }

    // Callers read these for every record. A line pair of their own: the lock's fields change beside them.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct ReadMostly
    {
        [FieldOffset(128)]
        public Segment Current;

        [FieldOffset(136)]
        public int AdmitFrom;

        [FieldOffset(140)]
        public LogLevel UrgentFrom;

        // Written twice per nap of the worker.
        [FieldOffset(144)]
        public int WorkerState;

        [FieldOffset(148)]
        public LogLevel AcknowledgeFrom;
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
