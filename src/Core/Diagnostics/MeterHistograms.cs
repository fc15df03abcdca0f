using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>The histograms of the meter: duration and size of batches, recorded by workers while a listener is attached.</summary>
internal sealed class MeterHistograms
{
    private Histogram<double>? _duration;
    private Histogram<int>? _size;

    /// <summary>True if a batch has to be measured.</summary>
    public bool IsEnabled => Volatile.Read(ref _duration) is { Enabled: true } || Volatile.Read(ref _size) is { Enabled: true };

    /// <summary>Publishes them in a meter.</summary>
    public void Attach(Meter meter)
    {
        Volatile.Write(ref _duration, meter.CreateHistogram(
            BatchHistograms.DurationName, "s", BatchHistograms.DurationText, tags: null, new InstrumentAdvice<double> { HistogramBucketBoundaries = BatchHistograms.Seconds }));
        Volatile.Write(ref _size, meter.CreateHistogram(
            BatchHistograms.SizeName, "{log_record}", BatchHistograms.SizeText, tags: null, new InstrumentAdvice<int> { HistogramBucketBoundaries = Array.ConvertAll(BatchHistograms.Records, static bound => (int)bound) }));
    }

    /// <summary>Records a call of a sink. Throws what a listener of the meter throws.</summary>
    /// <param name="errorType">The class of its failure; null: it did not fail.</param>
    public void Record(KeyValuePair<string, object?>[] tags, TimeSpan time, int records, string? errorType)
    {
        Volatile.Read(ref _size)?.Record(records, tags);
        Volatile.Read(ref _duration)?.Record(time.TotalSeconds, errorType is null ? tags : [.. tags, new(BatchHistograms.ErrorTag, errorType)]);
    }
}
