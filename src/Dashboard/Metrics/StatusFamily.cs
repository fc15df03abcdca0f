namespace AsyncLog;

/// <summary>One instrument that is read out of a status.</summary>
/// <param name="Instrument">Its name in the meter.</param>
/// <param name="Kind"><c>gauge</c> or <c>counter</c>.</param>
/// <param name="Unit">Its unit in the text: <c>bytes</c>, <c>seconds</c>, or empty for things that are counted.</param>
/// <param name="Help">What it says.</param>
/// <param name="Read">Its samples of one instance: further labels and value.</param>
internal sealed record StatusFamily(string Instrument, string Kind, string Unit, string Help, Func<SinkStatus, IEnumerable<StatusSample>> Read)
{
    /// <summary>The name of the family in the text.</summary>
    public string Name { get; } = OpenMetricsWriter.Name(Instrument) + (Unit.Length > 0 ? "_" + Unit : "");

    /// <summary>The name of its samples in a family of this name.</summary>
    public string SampleName(string name) => Kind == "counter" ? name + "_total" : name;

    public static StatusFamily Gauge(string instrument, string unit, string help, Func<SinkStatus, double?> read) => Single(instrument, "gauge", unit, help, read);

    public static StatusFamily Counter(string instrument, string unit, string help, Func<SinkStatus, double?> read) => Single(instrument, "counter", unit, help, read);

    // Null is for what an instance does not have: no sample, not 0.
    private static StatusFamily Single(string instrument, string kind, string unit, string help, Func<SinkStatus, double?> read)
        => new(instrument, kind, unit, help, status => read(status) is { } value ? [new StatusSample([], value)] : []);
}
