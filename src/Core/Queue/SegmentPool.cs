using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>The segments of one queue: all of them, and the free ones, last in, first out. Under the queue's lock.</summary>
/// <remarks>The segment that was used last is reused first, so it is warm; unneeded ones stay at the bottom and can be freed.</remarks>
/// <param name="memoryOf">Returns the memory of the segment of an index, which stays: none is freed; null: each has memory of its own.</param>
internal sealed class SegmentPool(QueueBounds bounds, Func<int, SegmentMemory>? memoryOf = null)
{
    /// <summary>Number of pooled segments that are never freed: enough for steady traffic.</summary>
    public const int Kept = 4;

    private const byte Poisoned = 0xDD;
    private readonly List<Segment> _all = [];
    private readonly List<Segment> _free = [];

    /// <summary>Every segment, in any location.</summary>
    public List<Segment> All => _all;

    /// <summary>Takes the free segment that was used last, or makes one.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for another one.</exception>
    public Segment Get()
    {
        if (_free.Count == 0)
            return Make();
        var segment = _free[^1];
        _free.RemoveAt(_free.Count - 1);
        CheckUntouched(segment);
        return segment;
    }

    /// <summary>Clears a segment and puts it back.</summary>
    public void Return(Segment segment)
    {
        segment.Clear();
        Poison(segment);
        segment.Place = Segment.Location.Pool;
        _free.Add(segment);
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
    public void Release(Segment segment)
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
