namespace AsyncLog;

/// <summary>How long writes took: counts in buckets, as histograms keep them.</summary>
/// <param name="Bounds">The upper bounds in seconds of all buckets but the last, which has none.</param>
/// <param name="Buckets">The number of writes in each.</param>
internal sealed record Latency(double[] Bounds, long[] Buckets)
{
    private const string Family = "asynclog.sink.write.duration";
    private const string NameTag = "asynclog.sink.name";

    public static Latency None { get; } = new([], [0]);

    public long Count => Buckets.Sum();

    /// <summary>All writes of one instance, good ones and failed ones.</summary>
    public static Latency OfWrites(IReadOnlyList<HistogramReading> histograms, string instance)
        => histograms
            .Where(reading => reading.Family == Family && reading.Tag(NameTag) == instance)
            .Select(static reading => new Latency(reading.Bounds, reading.Buckets))
            .Aggregate(None, static (all, one) => all.Plus(one));

    /// <summary>The time in seconds that a share of all writes kept, evenly spread within a bucket; null without a write.</summary>
    /// <remarks>As histogram_quantile of Prometheus: what lies above the highest bound counts as the highest bound.</remarks>
    public double? Quantile(double share)
    {
        var rank = share * Count;
        long below = 0;
        for (var bucket = 0; bucket < Buckets.Length; bucket++)
        {
            if (Buckets[bucket] > 0 && below + Buckets[bucket] >= rank)
                return Within(bucket, (rank - below) / Buckets[bucket]);
            below += Buckets[bucket];
        }

        return null;
    }

    private double? Within(int bucket, double share)
    {
        if (bucket == Bounds.Length)
            return Bounds.Length == 0 ? null : Bounds[^1];
        var lower = bucket == 0 ? 0 : Bounds[bucket - 1];
        return lower + (Bounds[bucket] - lower) * share;
    }

    private Latency Plus(Latency other)
        => other.Buckets.Length == Buckets.Length ? this with { Buckets = [.. Buckets.Zip(other.Buckets, static (one, another) => one + another)] } : other;
}
