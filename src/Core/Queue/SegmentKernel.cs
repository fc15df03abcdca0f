using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The segments of a queue and the protocol by which records get through them: claim, copy and commit without a lock; seal, post, open, take and
/// recycle under the lock; park and wake.</summary>
/// <remarks>
/// <para>It knows no clock, metric, bound, flush or disk: <see cref="SegmentQueue"/> decides when a segment is sealed or opened, and this type does it. A mutable
/// struct, so that callers find it in the queue's own memory: never copy it. tests/Interleavings compiles these files and tries every order of their steps.</para>
/// </remarks>
// docs/architecture.md lists the invariants.
[StructLayout(LayoutKind.Explicit)]
internal struct SegmentKernel
{
    // Read by each caller for each record: they lie beside the levels that the queue puts before this struct.
    [FieldOffset(0)]
    private Segment _current;

    [FieldOffset(8)]
    private int _workerState;

    [FieldOffset(12)]
    private bool _isClosed;

    // Written once per segment.
    [FieldOffset(16)]
    private Segment? _oldestPosted;

    [FieldOffset(24)]
    private Segment? _newestPosted;

    [FieldOffset(32)]
    private Segment? _inHand;

    [FieldOffset(40)]
    private WorkerSignal _signal;

    [FieldOffset(48)]
    private readonly SegmentPool _pool;

    [FieldOffset(56)]
    private readonly object _gate;

    // For the checks in debug builds: records committed by callers, records that left the queue, and the newest segment that was taken.
    [FieldOffset(64)]
    private long _committed;

    [FieldOffset(72)]
    private long _left;

    [FieldOffset(80)]
    private long _newestTaken;

    /// <param name="gate">The lock of the queue: the members below "Under the lock" expect that it is held.</param>
    public SegmentKernel(object gate, SegmentPool pool, WorkerSignal signal)
    {
        (_gate, _pool, _signal) = (gate, pool, signal);
        // A sealed segment without space: the first record opens a real one.
        _current = new Segment(SegmentMemory.Empty);
    }

    /// <summary>The segment that callers claim in. May be sealed.</summary>
    public readonly Segment Current => Volatile.Read(in _current);

    /// <summary>The state word of that segment.</summary>
    public readonly long CurrentWord => Volatile.Read(ref Current.State);

    /// <summary>A <see cref="WorkerStates"/>: only the worker raises it; a thread that wakes the worker sets it back to Awake.</summary>
    public readonly int WorkerState => Volatile.Read(in _workerState);

    /// <summary>The event on which the worker sleeps.</summary>
    public readonly WorkerSignal Signal => _signal;

    /// <summary>True if no segment is opened any more.</summary>
    public readonly bool IsClosed => Volatile.Read(in _isClosed);

    public readonly bool HasPosted => Volatile.Read(in _oldestPosted) is not null;

    /// <summary>True if the worker finds records: in a posted segment, or in Current.</summary>
    public readonly bool HasRecords
    {
        get
        {
            if (HasPosted)
                return true;
            var word = CurrentWord;
            return !StateWord.IsSealed(word) && StateWord.Count(word) > 0;
        }
    }

    /// <summary>Claims space for a record in Current, copies it and commits it.</summary>
    /// <returns>False when the record does not fit there, or Current is sealed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWrite(ReadOnlySpan<byte> record, LogLevel level, long ticks, int category, Acknowledgement? acknowledgement)
    {
        while (true)
        {
            var segment = Volatile.Read(ref _current);
            var word = Volatile.Read(ref segment.State);
            if (StateWord.IsSealed(word) || !segment.Fits(word, record.Length, level))
                return false;
            if (Interlocked.CompareExchange(ref segment.State, StateWord.Claimed(word, record.Length), word) != word)
                continue;
            // Claimed. Straight-line code from here to the commit: nothing can throw, no user code runs.
            var offset = StateWord.Offset(word);
            record.CopyTo(segment.BytesAt(offset, record.Length));
            ref var slot = ref segment.SlotAt(StateWord.Count(word));
            Debug.Assert(slot.Word == 0, "Slots are cleared before a segment is opened, and a slot is claimed once.");
            slot.Ticks = ticks;
            if (acknowledgement is not null)
                segment.AddWaiter(acknowledgement);
            Volatile.Write(ref slot.Word, Slot.Pack(offset, record.Length, level, category));
            // Until here: its memory is freed with it.
            GC.KeepAlive(segment);
            CountCommitted();
            return true;
        }
    }

    /// <summary>Wakes the worker after a commit if it would not see the record soon. The claim was the full barrier that pairs with the one in <see cref="TryPark"/>.</summary>
    /// <param name="isUrgent">True if the record ends a nap, too.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeAfterCommit(bool isUrgent)
    {
        var state = _workerState;
        if (state == WorkerStates.Parked || (state != WorkerStates.Awake && isUrgent))
            WakeOnce(state);
    }

    /// <summary>Wakes the worker after a rotation: from a batch delay, and with <paramref name="isFilling"/> from a nap longer than a millisecond too, because a burst
    /// could fill the rest of the queue meanwhile.</summary>
    public void WakeAfterRotation(bool isFilling)
    {
        // Pairs with the one in TryHold.
        Interlocked.MemoryBarrier();
        var state = _workerState;
        if (state == WorkerStates.Holding || (isFilling && state >= WorkerStates.LongNap))
            WakeOnce(state);
    }

    /// <summary>Wakes the worker in any state.</summary>
    public void Wake()
    {
        Volatile.Write(ref _workerState, WorkerStates.Awake);
        _signal.Set();
    }

    // One caller per nap pays for the wake-up: the one that changes the state.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WakeOnce(int state)
    {
        if (Interlocked.CompareExchange(ref _workerState, WorkerStates.Awake, state) == state)
            _signal.Set();
    }

    // ---- The worker ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Announces a nap, which ends by itself.</summary>
    public void BeginNap(int state) => Volatile.Write(ref _workerState, state);

    /// <summary>Announces a sleep without end, and looks once more. The signal latches a wake-up that comes before the sleep.</summary>
    /// <returns>False when there are records: then the worker does not sleep.</returns>
    public bool TryPark()
    {
        Volatile.Write(ref _workerState, WorkerStates.Parked);
        Interlocked.MemoryBarrier();
        return !HasRecords;
    }

    /// <summary>Announces a sleep until a batch delay is over, and looks once more.</summary>
    /// <returns>False when there is a full segment: then the worker does not sleep.</returns>
    public bool TryHold()
    {
        Volatile.Write(ref _workerState, WorkerStates.Holding);
        Interlocked.MemoryBarrier();
        return !HasPosted;
    }

    /// <summary>Ends a nap or a sleep.</summary>
    public void EndSleep() => Volatile.Write(ref _workerState, WorkerStates.Awake);

    // ---- Under the lock ------------------------------------------------------------------------------------------------------------------------------

    /// <summary>The segment that the worker took and has not settled.</summary>
    public readonly Segment? InHand => _inHand;

    public readonly Segment? OldestPosted => _oldestPosted;

    /// <summary>True if <see cref="Take"/> would seal Current.</summary>
    public readonly bool WouldSealCurrent => _inHand is null && !HasPosted && HasRecords;

    /// <summary>The sequence of the oldest segment that may get or hold records; <paramref name="next"/> if there is none.</summary>
    public readonly long OldestSequence(long next)
        => (_inHand ?? _oldestPosted)?.Sequence ?? (StateWord.IsSealed(CurrentWord) ? next : Current.Sequence);

    /// <summary>Opens a free segment for claims.</summary>
    /// <param name="sequence">Its place in the stream: higher than that of any segment before.</param>
    /// <exception cref="OutOfMemoryException">There is no memory for a segment; nothing has changed.</exception>
    public Segment Open(long sequence, int slotLimit, LogLevel lowestLevel)
    {
        Debug.Assert(StateWord.IsSealed(CurrentWord) && !_isClosed, "A segment is sealed before the next one is opened.");
        var segment = _pool.Get();
        segment.Place = Segment.Location.Current;
        segment.Memory.Sequence = segment.Sequence = sequence;
        // The limits first, then the state word, then Current.
        segment.LowestLevel = (int)lowestLevel;
        Volatile.Write(ref segment.SlotLimit, slotLimit);
        Volatile.Write(ref segment.State, StateWord.Fresh(sequence));
        Volatile.Write(ref _current, segment);
        return segment;
    }

    /// <summary>Seals Current and posts it, or puts it back when it is empty: one step for all other threads.</summary>
    public Segment SealAndPost()
    {
        var segment = Seal();
        if (segment.Count == 0)
            Recycle(segment);
        else
            Post(segment);
        return segment;
    }

    /// <summary>Takes the segment that an exception kept from being settled, else the oldest posted one, else with <paramref name="sealCurrent"/> the current
    /// one if it holds records, else null. Posted ones are looked at under the lock: a rotation in between would be overtaken.</summary>
    public Segment? Take(bool sealCurrent)
    {
        if (_inHand is not null)
            return _inHand;
        if (_oldestPosted is { } posted)
        {
            Unlink(posted);
            return TakeInHand(posted);
        }

        return sealCurrent && HasRecords ? TakeInHand(Seal()) : null;
    }

    /// <summary>Clears a segment that was in hand or posted first, and puts it back into the pool.</summary>
    public void Recycle(Segment segment)
    {
        Unlink(segment);
        CountLeft(segment);
        _pool.Return(segment);
        if (_isClosed)
            _pool.Empty();
    }

    /// <summary>Removes a segment that was in hand or posted first. It never comes back: a claim in it may still be committed, and a sink that hangs may
    /// still read it.</summary>
    public void Abandon(Segment segment)
    {
        Unlink(segment);
        segment.Place = Segment.Location.Abandoned;
        segment.Memory.SettledSequence = segment.Sequence;
        CountLeft(segment);
    }

    /// <summary>Opens nothing from here on, so a later record is refused by the state word of Current, which is sealed.</summary>
    public void Close()
    {
        Debug.Assert(StateWord.IsSealed(CurrentWord), "A closed queue takes no records.");
        Volatile.Write(ref _isClosed, true);
        _pool.Empty();
    }

    /// <summary>Gives the next worker an event of its own; the one before, which may still sleep, is woken.</summary>
    public void RenewSignal(WorkerSignal signal)
    {
        var before = _signal;
        _signal = signal;
        before.Set();
    }

    private readonly Segment Seal()
    {
        var current = Current;
        // The count is final with the seal: claims succeed until then.
        var word = Interlocked.Or(ref current.State, StateWord.Sealed);
        Debug.Assert(!StateWord.IsSealed(word), "A segment is sealed once in a life.");
        return current;
    }

    private void Post(Segment segment)
    {
        segment.Place = Segment.Location.Posted;
        segment.Next = null;
        if (_newestPosted is { } newest)
            newest.Next = segment;
        else
            Volatile.Write(ref _oldestPosted, segment);
        _newestPosted = segment;
    }

    // Stored at once: after an exception a segment that is neither open, posted nor in hand would be lost.
    private Segment TakeInHand(Segment segment)
    {
        Debug.Assert(segment.Place is Segment.Location.Current or Segment.Location.Posted, "The worker takes what callers filled.");
        Debug.Assert(segment.Sequence > _newestTaken, "Segments are taken in the order in which they were opened.");
        _newestTaken = segment.Sequence;
        segment.Place = Segment.Location.Worker;
        _inHand = segment;
        return segment;
    }

    private void Unlink(Segment segment)
    {
        if (ReferenceEquals(segment, _inHand))
        {
            _inHand = null;
        }
        else if (ReferenceEquals(segment, _oldestPosted))
        {
            Volatile.Write(ref _oldestPosted, segment.Next);
            if (segment.Next is null)
                _newestPosted = null;
            segment.Next = null;
        }
    }

    // ---- Checks in debug builds ----------------------------------------------------------------------------------------------------------------------

    [Conditional("DEBUG")]
    private void CountCommitted() => Interlocked.Increment(ref _committed);

    [Conditional("DEBUG")]
    private void CountLeft(Segment segment) => _left += segment.Count;

    /// <summary>Every segment is in one place, one at most is open, and every accepted record is in a segment. Under the lock.</summary>
    [Conditional("DEBUG")]
    public readonly void CheckInvariants()
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Segments change their places under the lock only.");
        // Read first: a later commit belongs to a later claim.
        var committed = Volatile.Read(in _committed);
        var (open, posted, taken, claimed) = (0, 0, 0, 0L);
        foreach (var segment in _pool.All)
        {
            if (segment.Place is Segment.Location.Pool or Segment.Location.Abandoned)
                continue;
            var word = segment.State;
            claimed += StateWord.Count(word);
            open += StateWord.IsSealed(word) ? 0 : 1;
            posted += segment.Place is Segment.Location.Posted or Segment.Location.Spooling ? 1 : 0;
            taken += segment.Place == Segment.Location.Worker ? 1 : 0;
            Debug.Assert(StateWord.IsSealed(word) || segment.Place == Segment.Location.Current, "A segment takes records that is not the current one.");
            Debug.Assert(StateWord.Count(word) <= segment.SlotLimit, "More records were claimed than the limit of the segment allows.");
            Debug.Assert(StateWord.Offset(word) <= segment.Memory.ByteCapacity, "More bytes were claimed than the segment has.");
        }

        for (var segment = _oldestPosted; segment is not null; segment = segment.Next)
            posted--;
        Debug.Assert(open <= 1, "Two segments take records.");
        Debug.Assert(posted == 0, "A posted segment is not in the list.");
        Debug.Assert(taken == (_inHand is null ? 0 : 1), "The worker holds one segment at most.");
        Debug.Assert(committed <= _left + claimed, "An accepted record is in no segment.");
    }
}
