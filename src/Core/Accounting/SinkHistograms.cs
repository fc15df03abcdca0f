using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>The histograms of the meter: duration and size of batches, recorded by workers while a listener is attached.</summary>
internal sealed class SinkHistograms
{
    private static readonly int[] DecadeSteps = [1, 2, 5];
    private static readonly double[] Seconds = [.. Steps(-4, 1).Where(static step => step <= 10)];
    private static readonly int[] Records = [.. Steps(0, 4).Where(static step => step <= 10_000).Select(static step => (int)step)];
    private Histogram<double>? _duration;
    private Histogram<int>? _size;

    /// <summary>Whether a batch has to be measured.</summary>
    public bool IsEnabled => Volatile.Read(ref _duration) is { Enabled: true } || Volatile.Read(ref _size) is { Enabled: true };

    /// <summary>Publishes them in a meter.</summary>
    public void Attach(Meter meter)
    {
        Volatile.Write(ref _duration, meter.CreateHistogram(
            "asynclog.sink.write.duration", "s", "How long one batch or request took.", tags: null, new InstrumentAdvice<double> { HistogramBucketBoundaries = Seconds }));
        Volatile.Write(ref _size, meter.CreateHistogram(
            "asynclog.sink.batch.size", "{log_record}", "Records per batch.", tags: null, new InstrumentAdvice<int> { HistogramBucketBoundaries = Records }));
    }

    /// <summary>Records a call of a sink. Throws what a listener of the meter throws.</summary>
    /// <param name="tags">Those of the instance.</param>
    /// <param name="time">How long it took.</param>
    /// <param name="records">How many records it was given.</param>
    /// <param name="errorType">The class of its failure; null: it did not fail.</param>
    public void Record(KeyValuePair<string, object?>[] tags, TimeSpan time, int records, string? errorType)
    {
        Volatile.Read(ref _size)?.Record(records, tags);
        Volatile.Read(ref _duration)?.Record(time.TotalSeconds, errorType is null ? tags : [.. tags, new("error.type", errorType)]);
    }

    private static IEnumerable<double> Steps(int fromExponent, int toExponent)
    {
        for (var exponent = fromExponent; exponent <= toExponent; exponent++)
        {
            foreach (var step in DecadeSteps)
                yield return exponent < 0 ? step / Math.Pow(10, -exponent) : step * Math.Pow(10, exponent);
        }
    }
}
