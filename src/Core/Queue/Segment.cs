using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A pooled block of memory that holds many records, and a slot for each of them with its place.</summary>
/// <remarks><see cref="Place"/> is its owner: the pool, the callers (current), the list of posted ones, the worker. Never shared between queues: a
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

    /// <summary>The memory of a killed process of which this is a copy; null: it is no copy. The outcome of the records is marked there.</summary>
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

    /// <summary>The segment that was posted after it.</summary>
    public Segment? Next;

    /// <summary>Batch over the segment, with the outcome so far; null until the worker offers it. All claims are committed then.</summary>
    public LogBatch? Batch;

    /// <summary>Records by level; complete once <see cref="AreLevelsKnown"/>, then every claim is committed.</summary>
    public readonly long[] Levels = new long[DropCounts.Levels];

    public bool AreLevelsKnown;

    public int Count => StateWord.Count(Volatile.Read(ref State));

    public int ByteCount => StateWord.Offset(Volatile.Read(ref State));

    /// <summary>Adds the acknowledgement of a claimed record, before the commit: the outcome is known after all commits. Never throws.</summary>
    public void AddWaiter(Acknowledgement acknowledgement)
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

    /// <summary>Adds the committed records to <paramref name="levels"/>, by level.</summary>
    /// <returns>Their number.</returns>
    public int AddCommitted(Span<long> levels)
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

    /// <summary>Takes the acknowledgements of all records, once their outcome is known.</summary>
    public Acknowledgement? TakeAwaited() => Interlocked.Exchange(ref _awaited, null);
}

/// <summary>The word on which callers compete: sealed (bit 63) | low bits of the segment's sequence (41–62) | record count (23–40) | byte offset (0–22).</summary>
/// <remarks>A file format, as <see cref="Slot"/> is: a crash buffer holds this word, and a later version of AsyncLog reads it after a kill.
/// The offset may be the end of the largest segment, so it takes one bit more than in a <see cref="Slot"/>; the count is that of the most slots of one.
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
