using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>What workers measure batch by batch, if anybody listens.</summary>
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

    /// <summary>A call of a sink has ended.</summary>
    /// <param name="instance">Whose.</param>
    /// <param name="time">How long it took.</param>
    /// <param name="records">How many records it was given.</param>
    /// <param name="errorType">Why it failed; null: it did not.</param>
    public void Record(SinkInstance instance, TimeSpan time, int records, string? errorType)
    {
        if (!IsEnabled)
            return;
        try
        {
            var tags = SinkTags.Of(instance.Name, instance.Type, instance.Server?.Address, instance.Server?.Port);
            Volatile.Read(ref _size)?.Record(records, tags);
            if (errorType is not null)
                tags = [.. tags, new("error.type", errorType)];
            Volatile.Read(ref _duration)?.Record(time.TotalSeconds, tags);
        }
        catch (Exception exception)
        {
            // Listeners of a meter are foreign code, and .NET lets their exceptions through to the thread that measures.
            var type = LogSinkException.TypeOf(exception);
            instance.Metrics.CountError(type);
            instance.SelfReport.Report(
                SelfReportLevel.Warning, instance.Name, "metrics", $"a listener of the meter failed: {LogSinkException.TextOf(exception)} ({type}). Delivery goes on without it.");
        }
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
