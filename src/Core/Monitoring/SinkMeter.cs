using System.Diagnostics.Metrics;
using System.Reflection;

namespace AsyncLog;

/// <summary>The meter <c>AsyncLog</c>: observable instruments over the status of all instances, which cost nothing until a listener reads them.</summary>
internal sealed class SinkMeter : IDisposable
{
    private readonly Meter _meter;
    private readonly Func<IReadOnlyList<SinkStatus>> _read;

    // A thread that has not read for so long begins another collection.
    private static readonly TimeSpan MaxCollectionTime = TimeSpan.FromSeconds(10);

    // Protects the fields below.
    private readonly Lock _gate = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);

    // One snapshot for all instruments that are read together: a listener reads its instruments on one thread, each of them once.
    private readonly Dictionary<int, Collection> _collections = [];

    /// <param name="meter">Owned.</param>
    /// <param name="failedObjects">Returns the number of objects that could not be serialized.</param>
    public SinkMeter(Meter meter, Func<IReadOnlyList<SinkStatus>> read, MeterHistograms histograms, Func<long> failedObjects)
    {
        _meter = meter;
        _read = read;
        foreach (var instrument in SinkInstrumentTable.All)
            instrument.Publish(meter, SnapshotFor);
        meter.CreateObservableCounter("asynclog.objects.failed", failedObjects, "{object}", "Values of {@Item} that could not be serialized.");
        histograms.Attach(meter);
    }

    /// <summary>Makes the meter: by the container's factory, which disposes it and gives it a scope, or without one.</summary>
    public static Meter Create(IMeterFactory? factory)
    {
        var version = typeof(SinkMeter).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];
        return factory is null ? new Meter(AsyncLogMeter.Name, version) : factory.Create(AsyncLogMeter.Name, version);
    }

    /// <summary>Publishes the measurements of a sink, unless an instrument of that name exists.</summary>
    public void Publish(SinkInstrument[] instruments)
    {
        foreach (var instrument in instruments)
        {
            bool isNew;
            lock (_gate)
            {
                isNew = _known.Add(instrument.Name);
                // The values that this thread read before lack it.
                if (isNew)
                    _collections.Remove(Environment.CurrentManagedThreadId);
            }

            // A listener may read it as soon as it is published: never under the lock.
            if (isNew)
                Add(instrument);
        }
    }

    public void Dispose() => _meter.Dispose();

    // Apart, so that nothing is captured for an instrument that is known.
    private void Add(SinkInstrument instrument) => SinkInstrumentTable.Publish(
        _meter, instrument.Name, instrument.Kind, instrument.Unit, instrument.Description, status => MeasurementsOf(status, instrument.Name), SnapshotFor);

    // Of all instances that have the instrument, under one name.
    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> MeasurementsOf(SinkStatus status, string name) => status.Measurements
        .Where(measurement => measurement.Name == name)
        .Select(static measurement => (measurement.Value, measurement.Tags.Select(static tag => new KeyValuePair<string, object?>(tag.Key, tag.Value)).ToArray()));

    private IReadOnlyList<SinkStatus> SnapshotFor(string instrument)
    {
        var thread = Environment.CurrentManagedThreadId;
        lock (_gate)
        {
            // By real time: the clock of a test may stand still or jump.
            var now = TimeProvider.System.GetTimestamp();
            if (_collections.TryGetValue(thread, out var collection) && TimeProvider.System.GetElapsedTime(collection.At, now) < MaxCollectionTime && collection.Given.Add(instrument))
            {
                collection.At = now;
                return collection.Snapshot;
            }

            foreach (var (other, old) in _collections)
            {
                if (TimeProvider.System.GetElapsedTime(old.At, now) >= MaxCollectionTime)
                    _collections.Remove(other);
            }

            collection = new Collection(_read(), instrument, now);
            _collections[thread] = collection;
            return collection.Snapshot;
        }
    }

    private sealed class Collection(IReadOnlyList<SinkStatus> snapshot, string first, long at)
    {
        public IReadOnlyList<SinkStatus> Snapshot { get; } = snapshot;

        public HashSet<string> Given { get; } = new(StringComparer.Ordinal) { first };

        public long At { get; set; } = at;
    }
}

/// <summary>The meter of AsyncLog, for OpenTelemetry's <c>AddMeter</c>, <c>dotnet-counters</c> and listeners.</summary>
internal static class AsyncLogMeter
{
    /// <summary>The name of the meter.</summary>
    public const string Name = "AsyncLog";
}
