using System.Globalization;

namespace AsyncLog;

/// <summary>The meter <c>AsyncLog</c> as OpenMetrics text. All but the histograms comes out of one status, so the books balance in it while records flow.</summary>
internal static class MetricsText
{
    public static string Of(AsyncLogStatus status, IReadOnlyList<HistogramReading> histograms)
    {
        var writer = new OpenMetricsWriter();
        var names = SinkFamilies.All.Select(static family => family.Name).Concat(HistogramFamily.All.Select(static family => family.Name)).SelectMany(SampleNames).ToHashSet(StringComparer.Ordinal);
        foreach (var family in SinkFamilies.All)
            WriteFamily(writer, family, family.Name, status);
        foreach (var family in MeasurementFamilies.Of(status))
            WriteFamily(writer, family, Distinct(family.Name, names), status);
        foreach (var family in HistogramFamily.All)
            WriteHistogram(writer, family, histograms);
        return writer.End();
    }

    // Instruments of sinks whose names differ in the meter may be equal here; the text has each family once.
    private static string Distinct(string name, HashSet<string> names)
    {
        var distinct = name;
        for (var number = 2; SampleNames(distinct).Any(names.Contains); number++)
            distinct = string.Create(CultureInfo.InvariantCulture, $"{name}_{number}");
        names.UnionWith(SampleNames(distinct));
        return distinct;
    }

    private static IEnumerable<string> SampleNames(string family) => [family, family + "_total", family + "_created", family + "_bucket", family + "_count", family + "_sum"];

    private static void WriteFamily(OpenMetricsWriter writer, StatusFamily family, string name, AsyncLogStatus status)
    {
        var samples = status.Instances.SelectMany(instance => family.Read(instance).Select(sample => (Labels: LabelsOf(instance), Sample: sample))).ToArray();
        if (samples.Length == 0)
            return;
        // A number behind the unit takes the place of its suffix.
        writer.Family(name, family.Kind, name == family.Name ? family.Unit : "", family.Help);
        foreach (var (labels, sample) in samples)
            writer.Sample(family.SampleName(name), labels, sample.Labels, sample.Value);
    }

    private static void WriteHistogram(OpenMetricsWriter writer, HistogramFamily family, IReadOnlyList<HistogramReading> histograms)
    {
        var readings = histograms.Where(reading => reading.Family == family.Instrument).ToArray();
        if (readings.Length == 0)
            return;
        writer.Family(family.Name, "histogram", family.Unit, family.Help);
        foreach (var reading in readings)
            WriteReading(writer, family.Name, reading);
    }

    private static void WriteReading(OpenMetricsWriter writer, string name, HistogramReading reading)
    {
        Label[] labels = [.. reading.Tags.Select(static tag => new Label(OpenMetricsWriter.Name(tag.Key), tag.Value))];
        long count = 0;
        for (var bucket = 0; bucket < reading.Buckets.Length; bucket++)
        {
            count += reading.Buckets[bucket];
            var bound = bucket < reading.Bounds.Length ? reading.Bounds[bucket] : double.PositiveInfinity;
            writer.Sample(name + "_bucket", labels, [new Label("le", OpenMetricsWriter.Bound(bound))], count);
        }

        writer.Sample(name + "_count", labels, [], count);
        writer.Sample(name + "_sum", labels, [], reading.Sum);
    }

    private static Label[] LabelsOf(SinkStatus status)
    {
        var labels = new List<Label> { new("asynclog_sink_name", status.Name), new("asynclog_sink_type", status.Type) };
        if (status.ServerAddress is not null)
            labels.Add(new Label("server_address", status.ServerAddress));
        if (status.ServerPort is { } port)
            labels.Add(new Label("server_port", port.ToString(CultureInfo.InvariantCulture)));
        return [.. labels];
    }
}
