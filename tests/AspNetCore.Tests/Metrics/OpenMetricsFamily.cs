namespace AsyncLog.Tests.Metrics;

/// <summary>A family of an OpenMetrics text.</summary>
internal sealed record OpenMetricsFamily(string Name)
{
    private static readonly string[] Gauge = [""];
    private static readonly string[] Counter = ["_total"];
    private static readonly string[] Histogram = ["_bucket", "_count", "_sum"];

    public Dictionary<string, string> Metadata { get; } = new(StringComparer.Ordinal);

    public List<OpenMetricsSample> Samples { get; } = [];

    public IReadOnlyList<string> Suffixes => Metadata["TYPE"] switch { "gauge" => Gauge, "counter" => Counter, _ => Histogram };
}

/// <summary>A sample of an OpenMetrics text.</summary>
internal sealed record OpenMetricsSample(string Name, IReadOnlyDictionary<string, string> Labels, double Value);
