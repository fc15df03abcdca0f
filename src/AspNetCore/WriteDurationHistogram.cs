namespace AsyncLog;

/// <summary>Durations of writes, as the buckets and counts of a histogram.</summary>
/// <param name="Bounds">The upper bounds in seconds of all buckets but the last, which has none.</param>
internal sealed record WriteDurationHistogram(IReadOnlyList<double> Bounds, IReadOnlyList<long> Buckets)
{
    public static WriteDurationHistogram None { get; } = new([], [0]);

    public long Count => Buckets.Sum();

    /// <summary>The writes of one instance that did not fail.</summary>
    public static WriteDurationHistogram OfWrites(SinkStatus status) => status.Histograms
        .Where(static histogram => histogram.Name == "asynclog.sink.write.duration" && histogram.ErrorType is null)
        .Select(static histogram => new WriteDurationHistogram(histogram.Bounds, histogram.Buckets))
        .FirstOrDefault(None);

    /// <summary>Returns the time in seconds within which a share of all writes ended, evenly spread within a bucket; null without a write.</summary>
    /// <remarks>As histogram_quantile of Prometheus: values above the highest bound count as the highest bound.</remarks>
    public double? Quantile(double share)
    {
        var rank = share * Count;
        long below = 0;
        for (var bucket = 0; bucket < Buckets.Count; bucket++)
        {
            if (Buckets[bucket] > 0 && below + Buckets[bucket] >= rank)
                return Within(bucket, (rank - below) / Buckets[bucket]);
            below += Buckets[bucket];
        }

        return null;
    }

    private double? Within(int bucket, double share)
    {
        if (bucket == Bounds.Count)
            return Bounds.Count == 0 ? null : Bounds[^1];
        var lower = bucket == 0 ? 0 : Bounds[bucket - 1];
        return lower + (Bounds[bucket] - lower) * share;
    }
}
