using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.ObjectPool;

namespace AsyncLog;

/// <summary>A pooled block of memory that holds many records, and a slot for each of them with its place.</summary>
/// <remarks><see cref="Place"/> is its owner: the pool, the callers (current), the channel (posted), the worker. Never shared between queues: a
/// caller that was descheduled may still hold an old segment, and inside one queue that is harmless.</remarks>
internal sealed unsafe class Segment
{
    // Copies of what the memory says, so that a caller reads one object. A pointer is valid as long as the segment is referenced.
    private readonly long* _state;
    private readonly Slot* _slots;
    private readonly byte* _bytes;
    private readonly int _byteCapacity;

    // The newest of the acknowledgements that callers wait for. Pushed by callers; taken all at once when the outcome of the records is known.
    private Acknowledgement? _awaited;

    /// <summary>Makes an empty segment, sealed.</summary>
    public Segment(SegmentMemory memory)
    {
        Memory = memory;
        _state = memory.StatePointer;
        _slots = memory.SlotPointer;
        _bytes = memory.BytePointer;
        _byteCapacity = memory.ByteCapacity;
        State = StateWord.Sealed;
    }

    /// <summary>Makes a segment of records that were read from the disk, for the worker.</summary>
    public Segment(ReadOnlySpan<byte> bytes, ReadOnlySpan<Slot> slots)
        : this(new SegmentMemory(slots.Length, bytes.Length))
    {
        bytes.CopyTo(Memory.Bytes.Span);
        slots.CopyTo(Slots);
        State = StateWord.Full(slots.Length, bytes.Length);
        Place = Location.Worker;
    }

    /// <summary>Location of a segment; changes under the queue's lock.</summary>
    public enum Location
    {
        Pool,
        Current,
        Posted,

        /// <summary>Posted, and just being written to the disk.</summary>
        Spooling,
        Worker,

        /// <summary>Left at the shutdown deadline. A claim in it may still be committed, so it never returns to the pool.</summary>
        Abandoned,
    }

    public SegmentMemory Memory { get; }

    /// <summary>The memory of a killed process of which this is a copy; null: of none. Its outcome is told there.</summary>
    public SegmentMemory? Origin { get; init; }

    /// <summary>Where that process was writing the first record, and how many bytes of it were written before; null: nowhere, or it is not known.</summary>
    public (int Done, WriteMark Write)? Interrupted { get; init; }

    public Memory<byte> Bytes => Memory.Bytes;

    public Span<Slot> Slots => Memory.Slots;

    /// <summary>The word on which callers compete, a <see cref="StateWord"/>.</summary>
    public ref long State => ref *_state;

    /// <summary>Number of usable slots in this life: the record bound. Written before the state word, read after it.</summary>
    public int SlotLimit;

    /// <summary>The lowest level that may claim in this life: above Trace in a segment of the reserve. Written and read like <see cref="SlotLimit"/>.</summary>
    public int LowestLevel;

    /// <summary>Its place in <see cref="SegmentPool.All"/>.</summary>
    public int Index;

    /// <summary>The place in the stream; rises with every installation in any queue of the instance.</summary>
    public long Sequence;

    /// <summary>Time of installation, in the clock's time stamps.</summary>
    public long InstalledAt;

    /// <summary>Time of sealing, in the clock's time stamps.</summary>
    public long SealedAt;

    public Location Place;

    /// <summary>Batch over the segment, with the outcome so far; null until the worker offers it. All claims are committed then.</summary>
    public LogBatch? Batch;

    /// <summary>Records by level; complete once <see cref="AreLevelsKnown"/>, then every claim is committed.</summary>
    public readonly long[] Levels = new long[DropCounts.Levels];

    public bool AreLevelsKnown;

    public int Count => StateWord.Count(Volatile.Read(ref State));

    public int ByteCount => StateWord.Offset(Volatile.Read(ref State));

    /// <summary>Adds the acknowledgement of a claimed record, before the commit: the outcome is known after all commits. Never throws.</summary>
    public void Await(Acknowledgement acknowledgement)
    {
        Acknowledgement? newest;
        do
        {
            newest = Volatile.Read(ref _awaited);
            acknowledgement.Below = newest;
        }
        while (Interlocked.CompareExchange(ref _awaited, acknowledgement, newest) != newest);
    }

    /// <summary>Where the bytes of a claimed record go. The caller keeps the segment until they are there.</summary>
    public Span<byte> BytesAt(int offset, int length)
    {
        Debug.Assert(offset + length <= _byteCapacity, "A claim lies inside the segment.");
        return new Span<byte>(_bytes + offset, length);
    }

    /// <summary>The slot of a claimed record. The caller keeps the segment until it is stored.</summary>
    public ref Slot SlotAt(int index)
    {
        Debug.Assert(index < Memory.SlotCapacity, "A claim has a slot.");
        return ref _slots[index];
    }

    /// <summary>Returns true if a record of this <paramref name="length"/> and level can be claimed with the state <paramref name="word"/>.</summary>
    public bool Fits(long word, int length, LogLevel level)
        => StateWord.Offset(word) + length <= _byteCapacity && StateWord.Count(word) < Volatile.Read(ref SlotLimit) && (int)level >= LowestLevel;

    /// <summary>Counts the records of a sealed segment by level, once all claims are committed. By its owner: the worker, or under the lock while it is posted.</summary>
    /// <returns>False while a claim is not committed.</returns>
    public bool TryCountLevels()
    {
        if (AreLevelsKnown)
            return true;
        Span<long> found = stackalloc long[DropCounts.Levels];
        found.Clear();
        if (AddCommitted(found) < Count)
            return false;
        found.CopyTo(Levels);
        // Release: a snapshot that reads it without the worker's lock finds the counts.
        Volatile.Write(ref AreLevelsKnown, true);
        return true;
    }

    /// <summary>Adds the committed records to <paramref name="levels"/>; those of a posted segment whose claims are all committed are counted once and kept.
    /// In the worker's hands the kept counts are the only true ones: a sink that refuses a record moves the slots before it. Under the lock.</summary>
    /// <returns>Their number.</returns>
    public int AddLevels(Span<long> levels)
    {
        if (Place == Location.Posted ? !TryCountLevels() : !Volatile.Read(ref AreLevelsKnown))
            return AddCommitted(levels);
        for (var i = 0; i < Levels.Length; i++)
            levels[i] += Levels[i];
        return Count;
    }

    // Adds the committed records to levels, and returns their number.
    private int AddCommitted(Span<long> levels)
    {
        var committed = 0;
        foreach (ref var slot in Slots[..Count])
        {
            var word = Volatile.Read(ref slot.Word);
            if (word == 0)
                continue;
            committed++;
            levels[(int)Slot.Level(word)]++;
        }

        return committed;
    }

    /// <summary>Counts the records by their outcome in a batch, and completes their acknowledgements. Under the lock.</summary>
    /// <param name="metrics">The counters.</param>
    /// <param name="batch">The outcome.</param>
    /// <param name="isUncertain">True if the sink counted records as uncertain while it had the batch.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public void Settle(SinkMetrics metrics, LogBatch batch, bool isUncertain, long nowTicks)
    {
        var areKnown = TryCountLevels();
        Debug.Assert(areKnown, "A segment is offered when every claim is committed.");
        metrics.Settle(Levels, batch, nowTicks);
        for (var awaited = TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.Settle(batch.Refused, isUncertain);
    }

    /// <summary>Counts every record as lost; a claim that was never committed counts as Information, because its level is unknown. Under the lock.</summary>
    public void Lose(SinkMetrics metrics, DropReason reason, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        levels.Clear();
        var committed = AddLevels(levels);
        levels[(int)LogLevel.Information] += Count - committed;
        metrics.Lose(reason, levels, TicksOf(0, nowTicks), TicksOf(Count - 1, nowTicks), nowTicks);
        for (var awaited = TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.Lose(reason);
    }

    /// <summary>Counts the records at the end of the drain, except those that are saved on the disk. Under the lock.</summary>
    /// <param name="metrics">The counters.</param>
    /// <param name="saved">The saved ones by level.</param>
    /// <param name="batch">The outcome of the others; null: only claims without a commit are left, which are lost.</param>
    /// <param name="nowTicks">The time, UTC.</param>
    public void SettleUnsaved(SinkMetrics metrics, ReadOnlySpan<long> saved, LogBatch? batch, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        levels.Clear();
        var committed = Count;
        if (batch is null)
            committed = AddCommitted(levels);
        else
            Levels.CopyTo(levels);
        levels[(int)LogLevel.Information] += Count - committed;
        var left = 0L;
        for (var level = 0; level < levels.Length; level++)
            left += levels[level] -= saved[level];
        MoveToDisk();
        if (batch is not null)
            metrics.Settle(levels, batch, nowTicks);
        else if (left > 0)
            metrics.Lose(DropReason.ShutdownTimeout, levels, TicksOf(0, nowTicks), TicksOf(Count - 1, nowTicks), nowTicks);
    }

    /// <summary>Time of a record, UTC ticks; <paramref name="otherwise"/> for one that is not committed.</summary>
    public long TicksOf(int slot, long otherwise) => Volatile.Read(ref Slots[slot].Word) == 0 ? otherwise : Slots[slot].Ticks;

    /// <summary>Clears the slots that were used; before the segment is opened again, so that a new record's slot is never wiped.</summary>
    public void Clear()
    {
        Debug.Assert(_awaited is null, "A segment that returns has an outcome, and so has every acknowledgement.");
        // First: a process that is killed while the slots are cleared leaves a part of them.
        Memory.SettledSequence = Sequence;
        Slots[..Count].Clear();
        Array.Clear(Levels);
        AreLevelsKnown = false;
        Batch = null;
    }

    /// <summary>Completes the acknowledgements of records that were moved to the disk. Under the lock.</summary>
    public void MoveToDisk()
    {
        for (var awaited = TakeAwaited(); awaited is not null; awaited = awaited.Below)
            awaited.MoveToDisk();
    }

    private Acknowledgement? TakeAwaited() => Interlocked.Exchange(ref _awaited, null);
}

/// <summary>The word on which callers compete: sealed (bit 63) | low bits of the segment's sequence (41–62) | record count (23–40) | byte offset (0–22).</summary>
/// <remarks>The offset may be the end of the largest segment, so it takes one bit more than in a <see cref="Slot"/>; the count is that of the most slots of one.
/// The sequence bits make a word of an earlier life of the same segment different, so a stale caller's compare-and-swap fails.</remarks>
internal static class StateWord
{
    private const int CountShift = 23;
    private const int SequenceShift = 41;
    private const long OffsetField = (1L << CountShift) - 1;
    private const long CountField = (1L << (SequenceShift - CountShift)) - 1;
    private const long SequenceField = (1L << (63 - SequenceShift)) - 1;

    /// <summary>The sealed bit: claims fail from here on.</summary>
    public const long Sealed = long.MinValue;

    public static long Fresh(long sequence) => (sequence & SequenceField) << SequenceShift;

    /// <summary>The bits of the sequence, as <see cref="Fresh"/> returns them.</summary>
    public static long LifeOf(long word) => word & (SequenceField << SequenceShift);

    /// <summary>The word of a sealed segment with so many records and bytes.</summary>
    public static long Full(int count, int bytes) => Sealed | ((long)count << CountShift) | (long)bytes;

    public static bool IsSealed(long word) => word < 0;

    public static int Offset(long word) => (int)(word & OffsetField);

    public static int Count(long word) => (int)((word >> CountShift) & CountField);

    /// <summary>The word after one more record of <paramref name="length"/> bytes.</summary>
    public static long Claimed(long word, int length) => word + (1L << CountShift) + length;
}

/// <summary>The segments of one queue: all of them, and the free ones, last in, first out. Under the queue's lock.</summary>
/// <remarks>The segment that was used last is reused first, so it is warm; unneeded ones stay at the bottom and can be freed.</remarks>
/// <param name="bounds">Bounds of the queue.</param>
/// <param name="memoryOf">Returns the memory of the segment of an index, which stays: none is freed; null: each has memory of its own.</param>
internal sealed class SegmentPool(QueueBounds bounds, Func<int, SegmentMemory>? memoryOf = null) : ObjectPool<Segment>
{
    /// <summary>Number of pooled segments that are never freed: enough for steady traffic.</summary>
    public const int Kept = 4;

    private const byte Poisoned = 0xDD;
    private readonly List<Segment> _all = [];
    private readonly List<Segment> _free = [];

    /// <summary>Every segment, in any location.</summary>
    public List<Segment> All => _all;

    public override Segment Get()
    {
        if (_free.Count == 0)
            return Make();
        var segment = _free[^1];
        _free.RemoveAt(_free.Count - 1);
        CheckUntouched(segment);
        return segment;
    }

    public override void Return(Segment obj)
    {
        obj.Clear();
        Poison(obj);
        obj.Place = Segment.Location.Pool;
        _free.Add(obj);
    }

    /// <summary>Frees the pooled segments that were not used since a time, except <see cref="Kept"/>. Those at the bottom are the ones unused for longest.</summary>
    /// <param name="unusedSince">A time stamp of the clock that segments are sealed by.</param>
    /// <returns>True if pooled segments stay that a later call may free.</returns>
    public bool Shrink(long unusedSince)
    {
        if (memoryOf is not null)
            return false;
        var count = 0;
        while (count < _free.Count - Kept && _free[count].SealedAt < unusedSince)
            count++;
        Drop(count);
        return _free.Count > Kept;
    }

    /// <summary>Lets go of a segment that never comes back. In memory that survives it keeps its place.</summary>
    public void Forget(Segment segment)
    {
        if (memoryOf is null)
            Remove(segment);
    }

    /// <summary>Frees every pooled segment.</summary>
    public void Empty() => Drop(_free.Count);

    private void Drop(int count)
    {
        for (var i = 0; i < count; i++)
            Remove(_free[i]);
        _free.RemoveRange(0, count);
    }

    private Segment Make()
    {
        // A segment that was abandoned keeps its place in memory that survives: what takes its place there has memory of its own.
        var memory = _all.Count < bounds.Segments ? memoryOf?.Invoke(_all.Count) : null;
        var segment = new Segment(memory ?? new SegmentMemory(bounds.Slots, bounds.SegmentBytes));
        _all.Add(segment);
        segment.Index = _all.Count - 1;
        return segment;
    }

    // A caller that was descheduled may still hold it; its word stays sealed, so no claim succeeds.
    private void Remove(Segment segment)
    {
        var last = _all[^1];
        _all[segment.Index] = last;
        last.Index = segment.Index;
        _all.RemoveAt(_all.Count - 1);
    }

    [Conditional("DEBUG")]
    private static void Poison(Segment segment) => segment.Bytes.Span[..segment.ByteCount].Fill(Poisoned);

    // Until it is opened again, its state word holds the number of bytes used.
    [Conditional("DEBUG")]
    private static void CheckUntouched(Segment segment)
    {
        Debug.Assert(StateWord.IsSealed(segment.State), "A free segment takes no records.");
        Debug.Assert(segment.Bytes.Span[..segment.ByteCount].IndexOfAnyExcept(Poisoned) < 0, "A segment was written after it was returned.");
        Debug.Assert(!MemoryMarshal.AsBytes(segment.Slots).ContainsAnyExcept((byte)0), "A slot was stored after its segment was returned.");
    }
}
