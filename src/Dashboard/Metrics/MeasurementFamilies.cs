namespace AsyncLog;

/// <summary>What sinks measured themselves, as families of the text.</summary>
internal static class MeasurementFamilies
{
    /// <summary>One family per instrument that any instance has.</summary>
    public static IEnumerable<StatusFamily> Of(AsyncLogStatus status)
        => status.Instances
            .SelectMany(static instance => instance.Measurements)
            .DistinctBy(static measurement => measurement.Name)
            .OrderBy(static measurement => measurement.Name, StringComparer.Ordinal)
            .Select(static measurement => new StatusFamily(
                measurement.Name,
                measurement.Kind == SinkInstrumentKind.Counter ? "counter" : "gauge",
                UnitOf(measurement.Unit),
                measurement.Description,
                instance => SamplesOf(instance, measurement.Name)));

    // In braces stands what is counted; the text has no unit for it.
    private static string UnitOf(string unit)
        => unit switch
        {
            "By" => "bytes",
            "s" => "seconds",
            _ => "",
        };

    private static IEnumerable<StatusSample> SamplesOf(SinkStatus status, string name)
        => status.Measurements
            .Where(measurement => measurement.Name == name)
            .Select(static measurement => new StatusSample([.. measurement.Tags.Select(static tag => new Label(OpenMetricsWriter.Name(tag.Key), tag.Value))], measurement.Value));
}
