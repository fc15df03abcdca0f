using System.Diagnostics.Metrics;
using System.Reflection;

namespace AsyncLog;

/// <summary>The meter <c>AsyncLog</c>: instruments over the books of all instances, which cost nothing until somebody reads them.</summary>
internal sealed class SinkMeter : IDisposable
{
    private readonly Meter _meter;
    private readonly Func<IReadOnlyList<SinkStatus>> _read;

    // Protects the fields below.
    private readonly Lock _gate = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);

    // One snapshot for all instruments that are read together; whoever was given it already begins the next.
    private IReadOnlyList<SinkStatus>? _snapshot;
    private readonly Dictionary<string, IReadOnlyList<SinkStatus>> _given = new(StringComparer.Ordinal);

    /// <param name="meter">Owned.</param>
    /// <param name="read">Takes a snapshot.</param>
    /// <param name="histograms">What workers measure.</param>
    public SinkMeter(Meter meter, Func<IReadOnlyList<SinkStatus>> read, SinkHistograms histograms)
    {
        _meter = meter;
        _read = read;
        foreach (var instrument in SinkInstrumentTable.All)
            instrument.Create(meter, () => SnapshotFor(instrument.Name));
        histograms.Attach(meter);
    }

    /// <summary>Makes the meter: by the container's factory, which disposes it and which tests tell apart, or by itself.</summary>
    public static Meter Create(IMeterFactory? factory)
    {
        var version = typeof(SinkMeter).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];
        return factory is null ? new Meter(AsyncLogMeter.Name, version) : factory.Create(AsyncLogMeter.Name, version);
    }

    /// <summary>What was read is out of date.</summary>
    public void Renew()
    {
        lock (_gate)
            _snapshot = null;
    }

    /// <summary>Publishes what a sink measures itself, unless an instrument of that name is there.</summary>
    public void Publish(SinkInstrument[] instruments)
    {
        foreach (var instrument in instruments)
        {
            bool isNew;
            lock (_gate)
                isNew = _known.Add(instrument.Name);
            // A listener that is told of it may read it at once: never under the lock.
            if (isNew)
                Add(instrument);
        }
    }

    public void Dispose() => _meter.Dispose();

    // Apart, so that nothing is captured for an instrument that is known.
    private void Add(SinkInstrument instrument) => OwnInstrument.Create(_meter, instrument, () => SnapshotFor(instrument.Name));

    private IReadOnlyList<SinkStatus> SnapshotFor(string instrument)
    {
        lock (_gate)
        {
            if (_snapshot is null || (_given.TryGetValue(instrument, out var given) && ReferenceEquals(given, _snapshot)))
                _snapshot = _read();
            _given[instrument] = _snapshot;
            return _snapshot;
        }
    }
}
