using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The hand-over from callers to the worker of one instance: a bounded queue of segments with many records each. A record costs one claim, one
/// copy and one commit: no lock, and no wake-up unless the worker is parked or the record is urgent.</summary>
/// <remarks>Puts together what it consists of: <see cref="SegmentKernel"/>, through which the records go without a lock, and what is decided under the lock once per
/// segment: <see cref="QueueAdmission"/>, <see cref="WaitingCallers"/>, <see cref="FlushMarks"/> and <see cref="SpoolHandover"/>. The shutdown, which needs them all, is here.</remarks>
internal sealed class SegmentQueue
{
    // Read by each caller for each record; written once per segment, nap or reload.
    private ReadMostly _shared;

    // The instance's lock: protects the places of the segments and all that is decided. Taken once per segment by a caller, once per step by the worker, by flush
    // and snapshot; callers that wait for space sleep on it. Nothing foreign runs under it.
    private readonly object _gate;
    private readonly TimeProvider _timeProvider;
    private readonly InstanceQueueState _usage;
    private readonly QueueAdmission _admission;
    private readonly WaitingCallers _waiting;
    private readonly SegmentPool _pool;

    // Once set, under the lock, the worker settles nothing any more.
    private bool _isFinal;

    // Set by callers after an urgent record was committed, and after one whose caller waits; reset before Current is sealed.
    private bool _hasUrgent;
    private bool _hasAwaited;

    // What the instance had counted as uncertain when the worker took the segment in hand.
    private long _uncertainBefore;
    private LastCalls? _lastCalls;

    /// <param name="rules">Admission by level; may be replaced.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="metrics">The instance's counters and its lock.</param>
    /// <param name="flushesSink">True if a flush waits for the sink, too.</param>
    /// <param name="memoryOf">Returns the memory of each segment; null: each has memory of its own.</param>
    public SegmentQueue(
        QueueBounds bounds, QueueRules rules, TimeProvider timeProvider, SinkMetrics metrics, InstanceQueueState usage, bool flushesSink = false, Func<int, SegmentMemory>? memoryOf = null)
    {
        _gate = metrics.Gate;
        _timeProvider = timeProvider;
        _usage = usage;
        Metrics = metrics;
        _admission = new QueueAdmission(bounds, rules, usage.Memory);
        _waiting = new WaitingCallers(_gate, timeProvider, metrics);
        Flushes = new FlushMarks(_gate, flushesSink, () => usage.IsAccountedFor());
        Spooling = new SpoolHandover(this, _gate, usage);
        _pool = new SegmentPool(bounds, memoryOf);
        _shared.Kernel = new SegmentKernel(_gate, _pool, new WorkerSignal(timeProvider));
        _shared.UrgentFrom = rules.UrgentLevel;
        _shared.AcknowledgeFrom = rules.AcknowledgeLevel;
        _shared.AdmitFrom = (int)LogLevel.Trace;
    }

    // ---- Any thread ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>The segments and the protocol of callers and worker.</summary>
    public ref SegmentKernel Kernel => ref _shared.Kernel;

    /// <summary>The lowest level admitted now; one compare before anything is rendered.</summary>
    public LogLevel AdmitFrom => (LogLevel)Volatile.Read(ref _shared.AdmitFrom);

    /// <summary>Outcome for a record that is refused below that level.</summary>
    public WriteOutcome FullBecause => _admission.FullBecause;

    /// <summary>From this level on a caller waits until its record is settled.</summary>
    public LogLevel AcknowledgeFrom => _shared.AcknowledgeFrom;

    /// <summary>The rules in force.</summary>
    public QueueRules Rules => _admission.Rules;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider => _timeProvider;

    /// <summary>The instance's counters.</summary>
    public SinkMetrics Metrics { get; }

    /// <summary>The calls of a process that is about to end; null: it is not. Any thread.</summary>
    public LastCalls? LastCalls
    {
        get => Volatile.Read(ref _lastCalls);
        private set => Volatile.Write(ref _lastCalls, value);
    }

    /// <summary>Signal on which the worker sleeps.</summary>
    public WorkerSignal Signal => Kernel.Signal;

    /// <summary>True if no record is accepted any more.</summary>
    public bool IsClosed => Kernel.IsClosed;

    /// <summary>True if the deadline passed: the worker settles nothing any more.</summary>
    public bool IsFinal => Volatile.Read(ref _isFinal);

    /// <summary>Callers that wait for space now, in <see cref="QueueFullMode.Wait"/>.</summary>
    public int WaitingCallers => _waiting.Count;

    /// <summary>Identifies the wire format of the records. It is stored with records on the disk, so that only a sink with the same format sends them.</summary>
    public ulong WireId { get; init; }

    /// <summary>The flushes that wait.</summary>
    public FlushMarks Flushes { get; }

    /// <summary>How records get to the disk.</summary>
    public SpoolHandover Spooling { get; }

    // ---- Callers -------------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Offers a rendered record. Never waits except with <see cref="QueueFullMode.Wait"/>. An exception means that the record is not accepted.</summary>
    /// <param name="record">The bytes: 1 to what a segment holds.</param>
    /// <param name="ticks">Time of the record, UTC.</param>
    /// <param name="acknowledgement">Completed when the record is settled, if it is accepted; null: the caller does not wait for that.</param>
    public WriteOutcome TryWrite(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, Acknowledgement? acknowledgement = null)
    {
        Debug.Assert(record.Length > 0 && record.Length <= _admission.Bounds.SegmentBytes, "A record has at least one byte and fits an empty segment.");
        while (!Kernel.TryWrite(record, level, ticks, category, acknowledgement))
        {
            var outcome = Rotate(record.Length, level);
            if (outcome != WriteOutcome.Accepted)
                return outcome;
        }

        var isUrgent = level >= _shared.UrgentFrom;
        if (!isUrgent || !RequestImmediateTake(acknowledgement))
            Kernel.WakeAfterCommit(isUrgent);
        return WriteOutcome.Accepted;
    }

    // After the commit of an urgent record. True if the worker was woken: for a caller that waits, in any state, so that no nap begins before the record is seen.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RequestImmediateTake(Acknowledgement? acknowledgement)
    {
        Volatile.Write(ref _hasUrgent, true);
        // Pairs with the one in SegmentKernel.TryHold, before the state of the worker is read.
        Interlocked.MemoryBarrier();
        if (acknowledgement is null)
            return false;
        Volatile.Write(ref _hasAwaited, true);
        Wake();
        return true;
    }

    // The slow path, once per segment. Accepted: the record may be claimed now. Any other outcome is final.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private WriteOutcome Rotate(int length, LogLevel level)
    {
        WriteOutcome outcome;
        bool isFilling;
        var wasInterrupted = InterruptSafeLock.Enter(_gate);
        try
        {
            outcome = FindSpace(length, level);
            isFilling = outcome != WriteOutcome.Accepted || _admission.IsFilling;
        }
        finally
        {
            InterruptSafeLock.Exit(_gate, wasInterrupted);
        }

        // A nap is not ended at the first full segment: the wake-up costs the caller as much as a hundred records, and the nap ends within 10 ms.
        Kernel.WakeAfterRotation(isFilling);
        return outcome;
    }

    private WriteOutcome FindSpace(int length, LogLevel level)
    {
        var deadline = default(DeadlineTimer);
        try
        {
            WriteOutcome outcome;
            while (!TryRotate(length, level, out outcome))
            {
                if (Rules.FullMode == QueueFullMode.DropOldest && TryEvict())
                    continue;
                if (Rules.FullMode == QueueFullMode.Wait && WaitForSpace(ref deadline))
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

    // True: the record may be claimed, or the queue is closed. False: there is no space for it, and the outcome is the reason.
    private bool TryRotate(int length, LogLevel level, out WriteOutcome outcome)
    {
        var current = Kernel.Current;
        var word = Volatile.Read(ref current.State);
        outcome = WriteOutcome.Accepted;
        var isOpen = !StateWord.IsSealed(word);
        // Another caller has rotated meanwhile.
        if (isOpen && current.Fits(word, length, level))
            return true;
        outcome = WriteOutcome.Closed;
        if (IsClosed)
            return true;
        // A segment of the reserve stays open for the levels that it is for, until there is one for the others too.
        if (isOpen && (int)level < current.LowestLevel && !_admission.CanOpen(level, StateWord.Count(word)))
        {
            outcome = FullBecause;
            return false;
        }

        if (isOpen)
            SealAndPost();
        var opened = TryOpen(level);
        outcome = opened ? WriteOutcome.Accepted : FullBecause;
        return opened;
    }

    // Takes the oldest posted segment back, if every claim in it is committed.
    private bool TryEvict()
    {
        if (Kernel.OldestPosted is not { Place: Segment.Location.Posted } oldest || !oldest.TryCountLevels())
            return false;
        oldest.CountLost(Metrics, DropReason.Evicted, _timeProvider.GetUtcNow().UtcTicks);
        Return(oldest);
        return true;
    }

    // False when the time is over. Wakes the worker from a nap and from a retry delay alike: a waiting caller depends on it.
    private bool WaitForSpace(ref DeadlineTimer deadline)
    {
        if (!_waiting.MayWait(ref deadline, Rules.WaitTimeout))
            return false;
        Wake();
        try
        {
            return _waiting.Wait(ref deadline);
        }
        finally
        {
            _waiting.ReleaseNext(HasSpace);
        }
    }

    // ---- The worker ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>True if there is something to do for the worker.</summary>
    public bool HasWork => Kernel.HasRecords || HasOtherWork;

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
                return IsFinal || (IsClosed && Kernel.InHand is null && !Kernel.HasPosted);
        }
    }

    private bool HasOtherWork => IsClosed || Flushes.IsWaiting || Volatile.Read(ref _usage.Spooled) > 0;

    /// <summary>Announces that the worker sleeps until it is woken.</summary>
    /// <returns>False when there is something to do.</returns>
    public bool TryPark() => Kernel.TryPark() && !HasOtherWork;

    /// <summary>Announces that the worker leaves Current open until a batch delay is over or it is woken.</summary>
    /// <returns>False when there is something else to do.</returns>
    public bool TryHold() => Kernel.TryHold() && !HasUrgent && !HasOtherWork;

    /// <summary>Takes the next segment, see <see cref="SegmentKernel.Take"/>; nothing while older records are on the disk.</summary>
    public Segment? Take(bool sealCurrent)
    {
        lock (_gate)
        {
            if (IsFinal)
                return null;
            if (Kernel.InHand is { } kept)
                return kept;
            if (_usage.Spooled > 0)
                return null;
            sealCurrent &= Kernel.WouldSealCurrent;
            var now = sealCurrent ? BeginSeal() : 0;
            var segment = Kernel.Take(sealCurrent);
            if (segment is not null)
                _uncertainBefore = Metrics.Uncertain;
            if (sealCurrent)
                EndSeal(segment!, now);
            PassSettled();
            CheckInvariants();
            if (sealCurrent && !IsClosed)
                TryOpen(LogLevel.Trace);
            if (sealCurrent)
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
            if (IsFinal || segment.Place == Segment.Location.Abandoned)
                return false;
            Debug.Assert(ReferenceEquals(segment, Kernel.InHand), "Only the segment in the worker's hands is settled.");
            segment.Settle(Metrics, batch, IsUncertain, _timeProvider.GetUtcNow().UtcTicks);
            if (_usage.SpoolSignal is not null)
                _usage.DeliveredAt = _timeProvider.GetTimestamp();
            Return(segment);
            PassSettled();
            ReleaseWaiters();
            return true;
        }
    }

    /// <summary>Gives the next worker a signal of its own; the one before, which may still sleep, is woken. Under the lock.</summary>
    public void RenewSignal() => Kernel.RenewSignal(new WorkerSignal(_timeProvider));

    /// <summary>Takes the segment away from a worker that hangs in its sink, and counts what is left of it as lost. Under the lock.</summary>
    /// <param name="nowTicks">The time of the loss, UTC.</param>
    /// <returns>Number of records lost.</returns>
    public long AbandonInHand(long nowTicks)
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Segments change their places under the lock only.");
        var lost = 0L;
        if (Kernel.InHand is { } segment)
        {
            lost = AbandonAsLost(segment, nowTicks);
            _pool.Release(segment);
        }

        PassSettled();
        ReleaseWaiters();
        return lost;
    }

    /// <summary>True if more than seven tenths of the bound of the queue in force are used.</summary>
    public bool IsAboveSpoolThreshold
    {
        get
        {
            lock (_gate)
                return _usage.Memory.IsAboveSpoolThreshold((_usage.InForce ?? this)._admission.Bounds);
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

    /// <summary>Wakes the worker in any state.</summary>
    public void Wake() => Kernel.Wake();

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
            var word = Kernel.CurrentWord;
            Debug.Assert(StateWord.IsSealed(word) || Kernel.Current.Sequence == _usage.Sequence, "Only the newest segment takes records.");
            // An open, empty segment is taken by no worker.
            var isEmpty = !StateWord.IsSealed(word) && StateWord.Count(word) == 0;
            task = Flushes.Add(_usage.Sequence - (isEmpty ? 1 : 0), Metrics, givenUp);
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
        var open = Kernel.OldestSequence(_usage.Sequence + 1);
        if (_usage.OnDisk.Count > 0)
            open = Math.Min(open, _usage.OnDisk[0]);
        Flushes.Pass(open - 1);
    }

    /// <summary>Puts other rules in force; waiting callers try again.</summary>
    public void ApplyRules(QueueRules rules)
    {
        lock (_gate)
        {
            _admission.Rules = rules;
            _shared.UrgentFrom = rules.UrgentLevel;
            _shared.AcknowledgeFrom = LastCalls is null ? rules.AcknowledgeLevel : LogLevel.Trace;
            UpdateAdmission();
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Lets every caller wait for its record from now on, whatever its level: the process is about to end, and nothing else holds it.</summary>
    /// <param name="budget">The time that all callers together may wait.</param>
    /// <param name="report">Reports what is not written then.</param>
    public void AcknowledgeAll(TimeSpan budget, Action report)
    {
        lock (_gate)
        {
            LastCalls = new LastCalls(budget, report);
            _shared.AcknowledgeFrom = LogLevel.Trace;
        }
    }

    /// <summary>Closes the queue: seals Current and opens nothing after it, so a later record is refused by the state word. Waiting callers are woken and
    /// refused. Accepted records stay for the drain.</summary>
    public void Close()
    {
        lock (_gate)
        {
            if (IsClosed)
                return;
            if (!StateWord.IsSealed(Kernel.CurrentWord))
                SealAndPost();
            Kernel.Close();
            Volatile.Write(ref _shared.AdmitFrom, (int)LogLevel.Trace);
            Monitor.PulseAll(_gate);
        }

        Wake();
    }

    /// <summary>Closes the queue and ends its drain: the worker settles nothing after this.</summary>
    public void Stop()
    {
        Close();
        lock (_gate)
            Volatile.Write(ref _isFinal, true);
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
            while ((Kernel.InHand ?? Kernel.OldestPosted) is { } segment)
                left += AbandonAsLost(segment, now);
            Flushes.PassAll(isDelivered: left == 0 && _usage.OnDisk.Count == 0);
            ReleaseWaiters();
            Signal.Set();
            return left;
        }
    }

    /// <summary>Adds waiting and in-flight records. Under the lock.</summary>
    /// <param name="isInForce">True if it is the queue that takes records: its bounds are those of the instance.</param>
    public void AddTo(QueueSnapshot snapshot, bool isInForce = true) => snapshot.Add(_pool.All, _admission.Bounds, isInForce);

    // ---- Segments and their counts. All of it under the lock. ----------------------------------------------------------------------------------------

    /// <summary>True if the sink counted records as uncertain while the worker had the segment in hand. They may be of an earlier one.</summary>
    public bool IsUncertain => Metrics.Uncertain != _uncertainBefore;

    private bool HasSpace => _admission.FreeSegments > 0 || !StateWord.IsSealed(Kernel.CurrentWord);

    /// <summary>Clears a sealed segment and puts it back.</summary>
    public void Return(Segment segment)
    {
        _admission.CountLeft(segment);
        Kernel.Recycle(segment);
        CheckInvariants();
    }

    /// <summary>Removes a sealed segment that never comes back.</summary>
    public void Abandon(Segment segment)
    {
        _admission.CountLeft(segment);
        Kernel.Abandon(segment);
        CheckInvariants();
    }

    // Counts the records of a segment as lost, except what the worker had delivered of it.
    private long AbandonAsLost(Segment segment, long nowTicks)
    {
        long lost = segment.Count;
        if (Volatile.Read(ref segment.Batch) is { } offered && offered.Holds(segment.Memory))
        {
            var batch = offered.Copy();
            var before = batch.Refused.Total;
            batch.RefuseRest(DropReason.ShutdownTimeout);
            segment.Settle(Metrics, batch, IsUncertain, nowTicks);
            lost = batch.Refused.Total - before;
        }
        else
        {
            segment.CountLost(Metrics, DropReason.ShutdownTimeout, nowTicks);
        }

        Abandon(segment);
        return lost;
    }

    /// <summary>Releases callers that wait for space. The bound is that of all queues of the instance: after a reload the one that drains makes space for the
    /// one in force.</summary>
    public void ReleaseWaiters()
    {
        ReleaseOwnWaiters();
        if (_usage.InForce is { } other && other != this)
            other.ReleaseOwnWaiters();
    }

    private void ReleaseOwnWaiters()
    {
        UpdateAdmission();
        if (_waiting.Count > 0 && _admission.ReleasesWaiters)
            _waiting.Release(HasSpace);
    }

    private void SealAndPost()
    {
        var now = BeginSeal();
        var segment = Kernel.SealAndPost();
        EndSeal(segment, now);
        if (segment.Count == 0)
            _admission.CountLeft(segment);
        else if (_usage.SpoolSignal is { } signal && _usage.Memory.IsAboveSpoolThreshold(_admission.Bounds))
            signal.Set();
        CheckInvariants();
    }

    // Before Current is sealed. Returns the time: a clock that throws leaves Current open.
    private long BeginSeal()
    {
        var now = _timeProvider.GetTimestamp();
        // Reset first, so that a record which comes into the next segment is not missed.
        Volatile.Write(ref _hasUrgent, false);
        Volatile.Write(ref _hasAwaited, false);
        return now;
    }

    private void EndSeal(Segment segment, long now)
    {
        _admission.CountSealed(segment);
        Metrics.Accept(segment.Count);
        segment.SealedAt = now;
    }

    // Opens a free segment, if a record of this level may have one; the worker passes Trace, for any level that may come.
    private bool TryOpen(LogLevel level)
    {
        if (!_admission.CanOpen(level))
            return false;
        try
        {
            // Calls that may throw come before anything is counted.
            var now = _timeProvider.GetTimestamp();
            var (slotLimit, lowestLevel) = _admission.NextSegment();
            var segment = Kernel.Open(_usage.Sequence + 1, slotLimit, lowestLevel);
            segment.InstalledAt = now;
            _usage.Sequence = segment.Sequence;
            _admission.CountOpened();
            Metrics.LacksMemory = false;
            CheckInvariants();
            return true;
        }
        catch (OutOfMemoryException)
        {
            _admission.RefuseForMemory();
            Metrics.LacksMemory = true;
            return false;
        }
    }

    // After segments were taken or returned, or the rules changed.
    private void UpdateAdmission()
    {
        if (!IsClosed)
            Volatile.Write(ref _shared.AdmitFrom, (int)_admission.LowestAdmitted(Kernel.CurrentWord));
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
                bytes += _admission.Bounds.SegmentBytes;
                if (StateWord.IsSealed(Volatile.Read(ref segment.State)))
                    records += segment.Count;
            }

            return (bytes, records);
        }
    }

    [Conditional("DEBUG")]
    private void CheckInvariants()
    {
        Kernel.CheckInvariants();
        var (bytes, records) = Held;
        Debug.Assert(_usage.Memory.Bytes >= bytes, "A segment is in use that is not counted.");
        Debug.Assert(_usage.Memory.SealedRecords >= records, "A record is sealed that is not counted.");
    }

    // Callers read the levels and the beginning of the kernel for every record. A line pair of their own: the lock's fields change beside them.
    [StructLayout(LayoutKind.Explicit, Size = 352)]
    private struct ReadMostly
    {
        [FieldOffset(112)]
        public int AdmitFrom;

        [FieldOffset(116)]
        public LogLevel UrgentFrom;

        [FieldOffset(120)]
        public LogLevel AcknowledgeFrom;

        [FieldOffset(128)]
        public SegmentKernel Kernel;
    }
}
