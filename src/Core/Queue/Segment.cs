using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A pooled, pinned block of bytes that holds many records, and the slots that say where they are.</summary>
/// <remarks>Owner by <see cref="Place"/>: the pool, the callers (Current), the channel (posted), the worker. Never shared between queues: a
/// caller that was descheduled may still hold an old segment, and inside one queue that is harmless.</remarks>
internal sealed class Segment
{
    private const int PageSize = 4096;

    // Alone on its cache-line pair: the only word that callers write in competition.
    private PaddedWord _state;

    public Segment(int bytes, int slots)
    {
        Bytes = GC.AllocateUninitializedArray<byte>(bytes, pinned: true);
        Slots = GC.AllocateArray<Slot>(slots, pinned: true);
        for (var i = 0; i < bytes; i += PageSize)
            Bytes[i] = 0;
        _state.Value = StateWord.Sealed;
    }

    /// <summary>Where a segment is; changes under the queue's lock.</summary>
    public enum Location
    {
        Pool,
        Current,
        Posted,
        Worker,

        /// <summary>A claim in it was never committed before the shutdown deadline: it never returns to the pool.</summary>
        Abandoned,
    }

    public byte[] Bytes { get; }

    public Slot[] Slots { get; }

    public ref long State => ref _state.Value;

    /// <summary>How many slots may be used in this life: the record bound. Written before the state word, read after it.</summary>
    public int SlotLimit;

    /// <summary>The lowest level that may claim in this life: above Trace in a segment of the reserve. Written and read like <see cref="SlotLimit"/>.</summary>
    public int LowestLevel;

    /// <summary>Its place in <see cref="SegmentPool.All"/>.</summary>
    public int Index;

    /// <summary>The place in the stream; rises by one with every installation.</summary>
    public long Sequence;

    /// <summary>When it was installed, in the clock's time stamps.</summary>
    public long InstalledAt;

    /// <summary>When it was sealed, in the clock's time stamps.</summary>
    public long SealedAt;

    public Location Place;

    /// <summary>What became of it so far; null until the worker offers it. All claims are committed then.</summary>
    public LogBatch? Batch;

    /// <summary>Records by level; complete once <see cref="AreLevelsKnown"/>, then every claim is committed.</summary>
    public readonly long[] Levels = new long[DropCounts.Levels];

    public bool AreLevelsKnown;

    public int Count => StateWord.Count(Volatile.Read(ref State));

    public int ByteCount => StateWord.Offset(Volatile.Read(ref State));

    /// <summary>Whether a record of <paramref name="length"/> bytes and this level can be claimed with the state <paramref name="word"/>.</summary>
    public bool Fits(long word, int length, LogLevel level)
        => StateWord.Offset(word) + length <= Bytes.Length && StateWord.Count(word) < Volatile.Read(ref SlotLimit) && (int)level >= LowestLevel;

    /// <summary>The number of slots, from the first, that are committed without a hole; <paramref name="from"/> of them are known.</summary>
    public int CommittedFrom(int from, int count)
    {
        while (from < count && Volatile.Read(ref Slots[from].Word) != 0)
            from++;
        return from;
    }

    /// <summary>Counts the records by level; the owner knows that all claims are committed.</summary>
    public void KnowLevels()
    {
        if (AreLevelsKnown)
            return;
        var committed = AddCommitted(Levels);
        Debug.Assert(committed == Count, "A segment was taken for committed that is not.");
        AreLevelsKnown = true;
    }

    /// <summary>The same of a segment that waits: a posted one whose claims are all committed is counted once and remembered. Under the lock.</summary>
    public int AddWaiting(Span<long> levels)
    {
        if (!AreLevelsKnown)
        {
            Span<long> found = stackalloc long[DropCounts.Levels];
            found.Clear();
            var committed = AddCommitted(found);
            if (Place != Location.Posted || committed < Count)
            {
                for (var i = 0; i < found.Length; i++)
                    levels[i] += found[i];
                return committed;
            }

            found.CopyTo(Levels);
            AreLevelsKnown = true;
        }

        for (var i = 0; i < Levels.Length; i++)
            levels[i] += Levels[i];
        return Count;
    }

    /// <summary>Adds the committed records to <paramref name="levels"/>.</summary>
    /// <returns>How many there are.</returns>
    public int AddCommitted(Span<long> levels)
    {
        var committed = 0;
        var count = Count;
        for (var i = 0; i < count; i++)
        {
            var word = Volatile.Read(ref Slots[i].Word);
            if (word == 0)
                continue;
            committed++;
            levels[(int)Slot.Level(word)]++;
        }

        return committed;
    }

    /// <summary>Counts the records as what became of them in a batch. Under the lock.</summary>
    public void Settle(SinkMetrics metrics, LogBatch batch, long nowTicks)
    {
        KnowLevels();
        metrics.Settle(Levels, batch, nowTicks);
    }

    /// <summary>Counts every record as lost; a claim that was never committed counts as Information, because its level is unknown. Under the lock.</summary>
    public void Lose(SinkMetrics metrics, DropReason reason, long nowTicks)
    {
        Span<long> levels = stackalloc long[DropCounts.Levels];
        levels.Clear();
        var committed = AddCommitted(levels);
        levels[(int)LogLevel.Information] += Count - committed;
        metrics.Lose(reason, levels, TicksOf(0, nowTicks), TicksOf(Count - 1, nowTicks), nowTicks);
    }

    /// <summary>When a record was logged, UTC ticks; another value for one that is not committed.</summary>
    public long TicksOf(int slot, long otherwise) => Volatile.Read(ref Slots[slot].Word) == 0 ? otherwise : Slots[slot].Ticks;

    /// <summary>Clears the slots that were used; before the segment is opened again, so that a new record's slot is never wiped.</summary>
    public void Clear()
    {
        Slots.AsSpan(0, Count).Clear();
        Array.Clear(Levels);
        AreLevelsKnown = false;
        Batch = null;
    }

    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct PaddedWord
    {
        [FieldOffset(128)]
        public long Value;
    }
}
