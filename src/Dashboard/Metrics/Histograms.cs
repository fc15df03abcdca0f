using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Globalization;

namespace AsyncLog;

/// <summary>The two histograms of the meter <c>AsyncLog</c>: the only numbers that a status does not carry, so they are listened to.</summary>
internal sealed class Histograms : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly ConcurrentDictionary<string, HistogramSeries> _series = new(StringComparer.Ordinal);
    private readonly IMeterFactory? _meters;

    /// <param name="meters">Whose meter to listen to: a process may have several hosts.</param>
    public Histograms(IMeterFactory? meters)
    {
        _meters = meters;
        _listener.InstrumentPublished = Enable;
        _listener.SetMeasurementEventCallback<double>((_, value, tags, state) => Record(value, tags, state));
        _listener.SetMeasurementEventCallback<long>((_, value, tags, state) => Record(value, tags, state));
        _listener.SetMeasurementEventCallback<int>((_, value, tags, state) => Record(value, tags, state));
        _listener.Start();
    }

    // ToArray, for sorting would count and copy in two steps, and a series may begin between them.
    public IReadOnlyList<HistogramReading> Read()
        => [.. _series.ToArray().OrderBy(static entry => entry.Key, StringComparer.Ordinal).Select(static entry => entry.Value.Read())];

    public void Dispose() => _listener.Dispose();

    private void Enable(Instrument instrument, MeterListener listener)
    {
        if (instrument.Meter.Name != AsyncLogMeter.Name || !(instrument.Meter.Scope is null || ReferenceEquals(instrument.Meter.Scope, _meters)))
            return;
        var bounds = instrument switch
        {
            Histogram<double> histogram => histogram.Advice?.HistogramBucketBoundaries?.ToArray() ?? [],
            Histogram<long> histogram => histogram.Advice?.HistogramBucketBoundaries?.Select(static bound => (double)bound).ToArray() ?? [],
            Histogram<int> histogram => histogram.Advice?.HistogramBucketBoundaries?.Select(static bound => (double)bound).ToArray() ?? [],
            _ => null,
        };
        if (bounds is not null)
            listener.EnableMeasurementEvents(instrument, (instrument.Name, bounds));
    }

    // Runs on the worker that measured, once per batch.
    private void Record(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state)
    {
        var (name, bounds) = ((string, double[]))state!;
        var texts = new KeyValuePair<string, string>[tags.Length];
        for (var index = 0; index < tags.Length; index++)
            texts[index] = new(tags[index].Key, Convert.ToString(tags[index].Value, CultureInfo.InvariantCulture) ?? "");
        var key = name + "\n" + string.Join('\n', texts);
        if (!_series.TryGetValue(key, out var series))
            series = _series.GetOrAdd(key, new HistogramSeries(name, texts, bounds));
        series.Record(value);
    }
}
