namespace AsyncLog;

/// <summary>All instances at one instant.</summary>
internal sealed record HistoryPoint(DateTimeOffset At, IReadOnlyDictionary<string, InstancePoint> Instances)
{
    public static HistoryPoint Of(AsyncLogStatus status, IReadOnlyList<HistogramReading> histograms)
        => new(
            status.CapturedAt,
            status.Instances.ToDictionary(static instance => instance.Name, instance => InstancePoint.Of(instance, Latency.OfWrites(histograms, instance.Name)), StringComparer.Ordinal));
}
