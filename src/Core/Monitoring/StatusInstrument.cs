using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>One instrument over the status of all instances.</summary>
/// <typeparam name="T">The type of its values.</typeparam>
/// <param name="name">The name in metrics.</param>
/// <param name="kind">How its values behave.</param>
/// <param name="unit">The unit, as UCUM writes it.</param>
/// <param name="description">What is measured.</param>
/// <param name="read">The values of one instance, with the tags they have besides those of the instance.</param>
internal sealed class StatusInstrument<T>(
    string name, SinkInstrumentKind kind, string unit, string description, Func<SinkStatus, IEnumerable<(T Value, KeyValuePair<string, object?>[] Tags)>> read)
    : IStatusInstrument
    where T : struct
{
    public string Name => name;

    public void Create(Meter meter, Func<IReadOnlyList<SinkStatus>> snapshot)
    {
        switch (kind)
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

        IEnumerable<Measurement<T>> Observe() => snapshot().SelectMany(ValuesOf).ToList();
    }

    private IEnumerable<Measurement<T>> ValuesOf(SinkStatus status)
    {
        var common = SinkTags.Of(status.Name, status.Type, status.ServerAddress, status.ServerPort);
        foreach (var (value, tags) in read(status))
            yield return new Measurement<T>(value, tags.Length == 0 ? common : [.. common, .. tags]);
    }
}
