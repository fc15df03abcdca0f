using System.Numerics;

namespace AsyncLog.Bench;

/// <summary>Log-linear recorder of nanoseconds: 64 buckets per power of two, so that a percentile is at most 1/64 above the true one. Recording
/// allocates nothing; one thread records.</summary>
internal sealed class LatencyHistogram
{
    private const int SubBits = 6;
    private const int SubBuckets = 1 << SubBits;

    private readonly long[] _counts = new long[BucketOf(long.MaxValue) + 1];

    public long Count { get; private set; }

    /// <summary>The longest, exactly.</summary>
    public long Maximum { get; private set; }

    /// <summary>Records one time; one below zero, which a clock that went back would give, counts as zero.</summary>
    public void Record(long nanoseconds)
    {
        var value = Math.Max(0, nanoseconds);
        _counts[BucketOf(value)]++;
        Count++;
        if (value > Maximum)
            Maximum = value;
    }

    /// <summary>Takes over what another one recorded.</summary>
    public void Add(LatencyHistogram other)
    {
        for (var bucket = 0; bucket < _counts.Length; bucket++)
            _counts[bucket] += other._counts[bucket];
        Count += other.Count;
        Maximum = Math.Max(Maximum, other.Maximum);
    }

    /// <summary>The smallest recorded time, to the end of its bucket, that this share of all times does not exceed.</summary>
    /// <param name="percent">More than 0, at most 100.</param>
    public long Percentile(double percent)
    {
        if (Count == 0)
            return 0;
        var rank = Math.Clamp((long)Math.Ceiling(percent / 100 * Count), 1, Count);
        var bucket = 0;
        for (var seen = _counts[0]; seen < rank; seen += _counts[bucket])
            bucket++;
        return Math.Min(EndOf(bucket), Maximum);
    }

    /// <summary>Which bucket a time falls into: one per nanosecond below 64, from there on 64 per power of two.</summary>
    internal static int BucketOf(long value)
    {
        if (value < SubBuckets)
            return (int)value;
        var shift = BitOperations.Log2((ulong)value) - SubBits;
        return (shift << SubBits) + (int)(value >> shift);
    }

    /// <summary>The longest time of a bucket.</summary>
    internal static long EndOf(int bucket)
    {
        if (bucket < SubBuckets)
            return bucket;
        var shift = (bucket >> SubBits) - 1;
        return ((bucket - ((long)shift << SubBits)) << shift) + ((1L << shift) - 1);
    }
}
