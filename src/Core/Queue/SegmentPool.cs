using System.Diagnostics;
using Microsoft.Extensions.ObjectPool;

namespace AsyncLog;

/// <summary>The segments of one queue: those in use, and the free ones, last in, first out. Under the queue's lock.</summary>
/// <remarks>The next caller gets the segment that was used last, so it is warm; those that are not needed lie at the bottom and can be given back.</remarks>
internal sealed class SegmentPool(QueueBounds bounds) : ObjectPool<Segment>
{
    /// <summary>Free segments that are never given back: enough for steady traffic.</summary>
    public const int Kept = 4;

    private readonly List<Segment> _all = [];
    private readonly List<Segment> _free = [];

    /// <summary>Every segment that is kept, wherever it is.</summary>
    public List<Segment> All => _all;

    public override Segment Get()
    {
        if (_free.Count == 0)
            return Make();
        var segment = _free[^1];
        _free.RemoveAt(_free.Count - 1);
        return segment;
    }

    public override void Return(Segment obj)
    {
        obj.Clear();
        Poison(obj);
        obj.Place = Segment.Location.Pool;
        _free.Add(obj);
    }

    /// <summary>Gives back the free segments that were not used since a time, except <see cref="Kept"/>. Those at the bottom are the ones unused for longest.</summary>
    /// <param name="unusedSince">A time stamp of the clock that segments are sealed by.</param>
    /// <returns>Whether free segments stay that a later call may give back.</returns>
    public bool Shrink(long unusedSince)
    {
        var count = 0;
        while (count < _free.Count - Kept && _free[count].SealedAt < unusedSince)
            count++;
        Drop(count);
        return _free.Count > Kept;
    }

    /// <summary>Gives back every free segment: no more are needed.</summary>
    public void Empty() => Drop(_free.Count);

    private void Drop(int count)
    {
        for (var i = 0; i < count; i++)
            Forget(_free[i]);
        _free.RemoveRange(0, count);
    }

    private Segment Make()
    {
        var segment = new Segment(bounds.SegmentBytes, bounds.Slots);
        _all.Add(segment);
        segment.Index = _all.Count - 1;
        return segment;
    }

    // A caller that was descheduled may still hold it; its word stays sealed, so no claim succeeds.
    private void Forget(Segment segment)
    {
        var last = _all[^1];
        _all[segment.Index] = last;
        last.Index = segment.Index;
        _all.RemoveAt(_all.Count - 1);
    }

    [Conditional("DEBUG")]
    private static void Poison(Segment segment) => segment.Bytes.AsSpan(0, segment.ByteCount).Fill(0xDD);
}
