using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>Publishes an instrument that sinks brought along: all instances that have it, under one name.</summary>
internal static class OwnInstrument
{
    /// <param name="meter">Where.</param>
    /// <param name="own">One of it, for its name and kind: every instance has its own.</param>
    /// <param name="snapshot">All instances.</param>
    public static void Create(Meter meter, SinkInstrument own, Func<IReadOnlyList<SinkStatus>> snapshot)
    {
        var (name, unit, description) = (own.Name, own.Unit, own.Description);
        switch (own.Kind)
        {
            case SinkInstrumentKind.Counter:
                meter.CreateObservableCounter(name, Observe, unit, description);
                break;
            case SinkInstrumentKind.UpDownCounter:
                meter.CreateObservableUpDownCounter(name, Observe, unit, description);
                break;
            default:
                meter.CreateObservableGauge(name, Observe, unit, description);
                break;
        }

        IEnumerable<Measurement<long>> Observe() => snapshot().SelectMany(status => ValuesOf(status, name)).ToList();
    }

    private static IEnumerable<Measurement<long>> ValuesOf(SinkStatus status, string name)
    {
        var tags = SinkTags.Of(status.Name, status.Type, status.ServerAddress, status.ServerPort);
        foreach (var measurement in status.Measurements)
        {
            if (measurement.Name == name)
                yield return new Measurement<long>(measurement.Value, [.. tags, .. measurement.Tags.Select(static tag => new KeyValuePair<string, object?>(tag.Key, tag.Value))]);
        }
    }
}
