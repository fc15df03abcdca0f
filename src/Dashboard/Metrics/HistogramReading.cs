namespace AsyncLog;

/// <summary>A histogram at one instant.</summary>
/// <param name="Family">The instrument's name.</param>
/// <param name="Tags">Its tags.</param>
/// <param name="Bounds">The upper bounds of all buckets but the last, which has none.</param>
/// <param name="Buckets">How many measurements fell into each bucket.</param>
/// <param name="Sum">The sum of all measurements.</param>
internal sealed record HistogramReading(string Family, IReadOnlyList<KeyValuePair<string, string>> Tags, double[] Bounds, long[] Buckets, double Sum)
{
    public string? Tag(string name) => Tags.FirstOrDefault(tag => tag.Key == name).Value;
}
