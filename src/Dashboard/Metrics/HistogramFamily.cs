namespace AsyncLog;

/// <summary>One histogram of the meter in the text.</summary>
/// <param name="Instrument">Its name in the meter.</param>
/// <param name="Unit">Its unit in the text, or empty.</param>
/// <param name="Help">What it says.</param>
internal sealed record HistogramFamily(string Instrument, string Unit, string Help)
{
    public static IReadOnlyList<HistogramFamily> All { get; } =
    [
        new("asynclog.sink.write.duration", "seconds", "How long one batch or request took."),
        new("asynclog.sink.batch.size", "", "Records per batch."),
    ];

    public string Name { get; } = OpenMetricsWriter.Name(Instrument) + (Unit.Length > 0 ? "_" + Unit : "");
}
