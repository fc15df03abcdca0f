namespace AsyncLog;

/// <summary>The instruments of the sinks of one instance; they outlive each sink.</summary>
internal sealed class SinkInstruments
{
    // Protects the list, which only grows.
    private readonly Lock _gate = new();
    private SinkInstrument[] _all = [];

    /// <summary>Gets or creates the instrument of a name.</summary>
    public SinkInstrument Get(string name, SinkInstrumentKind kind, string unit, string description)
    {
        lock (_gate)
        {
            if (Array.Find(_all, known => known.Name == name) is { } instrument)
                return instrument;
            var added = new SinkInstrument(name, kind, unit, description);
            Volatile.Write(ref _all, [.. _all, added]);
            return added;
        }
    }

    /// <summary>All so far; never changed, replaced when one is added.</summary>
    public SinkInstrument[] All => Volatile.Read(ref _all);

    public IReadOnlyList<SinkMeasurement> Read() => [.. All.SelectMany(static instrument => instrument.Measure())];
}
