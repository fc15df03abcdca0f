namespace AsyncLog;

/// <summary>The measurements of one histogram with one set of tags.</summary>
/// <param name="family">The instrument's name.</param>
/// <param name="tags">The tags, in the order they came in.</param>
/// <param name="bounds">The upper bounds of all buckets but the last, which has none.</param>
internal sealed class HistogramSeries(string family, KeyValuePair<string, string>[] tags, double[] bounds)
{
    // Protects what is measured; taken by the worker that measures and by whoever reads.
    private readonly Lock _gate = new();
    private readonly long[] _buckets = new long[bounds.Length + 1];
    private double _sum;

    public string Family => family;

    public void Record(double value)
    {
        var bucket = Array.BinarySearch(bounds, value);
        lock (_gate)
        {
            _buckets[bucket < 0 ? ~bucket : bucket]++;
            _sum += value;
        }
    }

    public HistogramReading Read()
    {
        lock (_gate)
            return new HistogramReading(family, tags, bounds, [.. _buckets], _sum);
    }
}
