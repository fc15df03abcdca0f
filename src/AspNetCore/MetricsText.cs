using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The meter <c>AsyncLog</c> as OpenMetrics text, from one status, so the counts balance in it while records flow.</summary>
internal static class MetricsText
{
    private const string ObjectsFailed = "asynclog_objects_failed";

    private static readonly LogLevel[] Levels = [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];

    /// <summary>The instruments of every sink. Names, kinds and units are those of the meter.</summary>
    private static readonly Family[] Families =
    [
        Gauge("asynclog.sink.queue.size", "", "Records waiting.", static status => status.QueueSize),
        Gauge("asynclog.sink.queue.capacity", "", "The maximum number of waiting records.", static status => status.QueueCapacity),
        Gauge("asynclog.sink.queue.memory.usage", "By", "Rendered bytes waiting.", static status => status.QueueBytes),
        Gauge("asynclog.sink.queue.memory.limit", "By", "The maximum number of waiting bytes, after rendering.", static status => status.QueueBytesLimit),
        Gauge("asynclog.sink.queue.oldest.age", "s", "The age of the oldest record that waits or is in flight; 0 when there is none.", static status => status.OldestAge.TotalSeconds),
        Gauge("asynclog.sink.spool.records", "", "Records that wait on disk.", static status => status.Spooled),
        Gauge("asynclog.sink.spool.bytes", "By", "Total size of the spool files.", static status => status.SpooledBytes),
        Gauge("asynclog.sink.spool.oldest.age", "s", "The age of the oldest record on disk; 0 when none waits there.", static status => status.SpooledAge.TotalSeconds),
        Gauge("asynclog.sink.in_flight", "", "Records that the worker has taken but not yet settled, including those waiting for a retry.", static status => status.InFlight),
        new("asynclog.sink.enqueued", "counter", "", "Records accepted.", Enqueued),
        Gauge("asynclog.sink.unaccounted", "", "Accepted records that are nowhere and have no outcome; always 0.", static status => status.Unaccounted),
        Counter("asynclog.sink.written", "", "Records delivered, including those later found uncertain.", static status => status.Written),
        Counter("asynclog.sink.uncertain", "", "Delivered records that may not have arrived.", static status => status.Uncertain),
        Counter("asynclog.sink.recovered", "", "Accepted records that a killed process left.", static status => status.Recovered),
        Counter("asynclog.sink.unacknowledged", "", "Records at or above AcknowledgeLevel that were refused, lost, late or uncertain.", static status => status.Unacknowledged),
        new("asynclog.sink.dropped", "counter", "", "Records lost, by reason.", Dropped),
        Counter("asynclog.sink.truncated", "", "Records truncated to a limit.", static status => status.Truncated),
        Counter("asynclog.sink.render_errors", "", "Placeholders written instead of values.", static status => status.RenderErrors),
        Counter("asynclog.sink.output", "By", "Bytes delivered.", static status => status.OutputBytes),
        new("asynclog.sink.errors", "counter", "", "Failed operations, whether or not they later succeeded.", Errors),
        Counter("asynclog.sink.retries", "", "Attempts after a failure.", static status => status.Retries),
        Counter("asynclog.sink.caller_wait.time", "s", "Time that application threads waited.", static status => status.CallerWait.TotalSeconds),
        Gauge("asynclog.sink.last_success.age", "s", "Time without a delivery while records wait; 0 when none waits.", static status => status.TimeWithoutDelivery.TotalSeconds),
        new("asynclog.sink.status", "gauge", "", "1 for the current state, 0 for the others.", States),
    ];

    private static readonly Family[] Histograms =
    [
        new("asynclog.sink.write.duration", "histogram", "s", "How long one batch or request took.", static _ => []),
        new("asynclog.sink.batch.size", "histogram", "", "Records per batch.", static _ => []),
    ];

    public static string Of(AsyncLogStatus status)
    {
        var writer = new OpenMetricsWriter();
        var names = Families.Concat(Histograms).SelectMany(static family => SampleNames(family.Name)).ToHashSet(StringComparer.Ordinal);
        foreach (var family in Families)
            Write(writer, family, family.Name, status);
        names.UnionWith(SampleNames(ObjectsFailed));
        writer.Family(ObjectsFailed, "counter", "", "Values of {@Item} that could not be serialized.");
        writer.Sample(ObjectsFailed + "_total", [], [], status.ObjectsFailed);
        foreach (var family in MeasurementFamilies(status))
            Write(writer, family, Distinct(family.Name, names), status);
        foreach (var family in Histograms)
            WriteHistograms(writer, family, status);
        return writer.End();
    }

    // One family per instrument of a sink that any instance has.
    private static IEnumerable<Family> MeasurementFamilies(AsyncLogStatus status) => status.Instances
        .SelectMany(static instance => instance.Measurements)
        .DistinctBy(static measurement => measurement.Name)
        .OrderBy(static measurement => measurement.Name, StringComparer.Ordinal)
        .Select(static measurement => new Family(
            measurement.Name, measurement.Kind == SinkInstrumentKind.Counter ? "counter" : "gauge", measurement.Unit, measurement.Description, instance => instance.Measurements
                .Where(one => one.Name == measurement.Name)
                .Select(static one => new Sample(one.Value, [.. one.Tags.Select(static tag => new Label(OpenMetricsWriter.Name(tag.Key), tag.Value))]))));

    // Names of sinks' instruments that differ in the meter may be equal here; the text has each family once.
    private static string Distinct(string name, HashSet<string> names)
    {
        var distinct = name;
        for (var number = 2; SampleNames(distinct).Any(names.Contains); number++)
            distinct = string.Create(CultureInfo.InvariantCulture, $"{name}_{number}");
        names.UnionWith(SampleNames(distinct));
        return distinct;
    }

    private static IEnumerable<string> SampleNames(string family) => [family, family + "_total", family + "_created", family + "_bucket", family + "_count", family + "_sum"];

    private static void Write(OpenMetricsWriter writer, Family family, string name, AsyncLogStatus status)
    {
        var samples = status.Instances.SelectMany(instance => family.Read(instance).Select(sample => (Labels: LabelsOf(instance), Sample: sample))).ToArray();
        if (samples.Length == 0)
            return;
        // A number behind the unit takes the place of its suffix.
        writer.Family(name, family.Kind, name == family.Name ? family.Suffix : "", family.Help);
        foreach (var (labels, sample) in samples)
            writer.Sample(family.Kind == "counter" ? name + "_total" : name, labels, sample.Labels, sample.Value);
    }

    private static void WriteHistograms(OpenMetricsWriter writer, Family family, AsyncLogStatus status)
    {
        var histograms = status.Instances.OrderBy(static instance => instance.Name, StringComparer.Ordinal)
            .SelectMany(instance => instance.Histograms.Where(histogram => histogram.Name == family.Instrument).Select(histogram => (Labels: LabelsOf(instance), Histogram: histogram))).ToArray();
        if (histograms.Length == 0)
            return;
        writer.Family(family.Name, family.Kind, family.Suffix, family.Help);
        foreach (var (common, histogram) in histograms)
        {
            Label[] labels = histogram.ErrorType is null ? common : [.. common, new Label("error_type", histogram.ErrorType)];
            long count = 0;
            for (var bucket = 0; bucket < histogram.Buckets.Count; bucket++)
            {
                count += histogram.Buckets[bucket];
                var bound = bucket < histogram.Bounds.Count ? histogram.Bounds[bucket] : double.PositiveInfinity;
                writer.Sample(family.Name + "_bucket", labels, [new Label("le", OpenMetricsWriter.Bound(bound))], count);
            }

            writer.Sample(family.Name + "_count", labels, [], count);
            writer.Sample(family.Name + "_sum", labels, [], histogram.Sum);
        }
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

    private static Family Gauge(string instrument, string unit, string help, Func<SinkStatus, double> read) => new(instrument, "gauge", unit, help, status => [new Sample(read(status))]);

    private static Family Counter(string instrument, string unit, string help, Func<SinkStatus, double> read) => new(instrument, "counter", unit, help, status => [new Sample(read(status))]);

    private static IEnumerable<Sample> Enqueued(SinkStatus status)
        => Levels.Select(level => new Sample(status.EnqueuedByLevel.GetValueOrDefault(level), LevelLabel(level)));

    // Includes reasons that never occurred. rate() and increase() would miss the first increase of a series that begins above 0.
    private static IEnumerable<Sample> Dropped(SinkStatus status)
    {
        var counts = status.Drops.ToDictionary(static drop => (drop.Reason, drop.Level), static drop => drop.Count);
        return Enum.GetValues<DropReason>().SelectMany(
            static _ => Levels, (reason, level) => new Sample(counts.GetValueOrDefault((reason, level)), new Label("error_type", new DropCount(reason, level, 0).ReasonName), LevelLabel(level)));
    }

    private static IEnumerable<Sample> Errors(SinkStatus status)
        => status.Errors.OrderBy(static error => error.Key, StringComparer.Ordinal).Select(static error => new Sample(error.Value, new Label("error_type", error.Key)));

    private static IEnumerable<Sample> States(SinkStatus status)
        => Enum.GetValues<SinkState>().Select(state => new Sample(state == status.State ? 1 : 0, new Label("asynclog_sink_state", MetricWords.Of(state))));

    private static Label LevelLabel(LogLevel level) => new("asynclog_log_level", level.ToString());

    /// <summary>One instrument.</summary>
    /// <param name="Kind"><c>gauge</c>, <c>counter</c> or <c>histogram</c>.</param>
    private sealed record Family(string Instrument, string Kind, string Unit, string Help, Func<SinkStatus, IEnumerable<Sample>> Read)
    {
        /// <summary>The unit in the text; things that are counted have none.</summary>
        public string Suffix { get; } = Unit switch { "By" => "bytes", "s" => "seconds", _ => "" };

        /// <summary>The name in the text. As with OpenTelemetry's exporters a unit that the name ends with is not repeated.</summary>
        public string Name => OpenMetricsWriter.Name(Instrument) is var name && (Suffix.Length == 0 || name.EndsWith("_" + Suffix, StringComparison.Ordinal)) ? name : name + "_" + Suffix;
    }

    // The labels are those beyond the instance's.
    private readonly record struct Sample(double Value, params Label[] Labels);
}

/// <summary>The words of metrics and JSON.</summary>
internal static class MetricWords
{
    public static string Of(SinkState state) => JsonNamingPolicy.SnakeCaseLower.ConvertName(state.ToString());
}
