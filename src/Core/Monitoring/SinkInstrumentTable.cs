using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The one table of the instruments that every sink has. Names, units and tags are a promise: renaming one breaks dashboards.</summary>
internal static class SinkInstrumentTable
{
    private const string Records = "{log_record}";
    private const string Bytes = "By";
    private const string Seconds = "s";
    private const string Errors = "{error}";
    private static readonly LogLevel[] Levels = [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];
    private static readonly SinkState[] States = [SinkState.Healthy, SinkState.Degraded, SinkState.Failed, SinkState.Stopped];

    public static IReadOnlyList<StatusInstrument> All { get; } =
    [
        Level("asynclog.sink.queue.size", Records, "Records waiting.", static status => status.QueueSize),
        Level("asynclog.sink.queue.capacity", Records, "The maximum number of waiting records.", static status => status.QueueCapacity),
        Level("asynclog.sink.queue.memory.usage", Bytes, "Rendered bytes waiting.", static status => status.QueueBytes),
        Level("asynclog.sink.queue.memory.limit", Bytes, "The maximum number of waiting bytes, after rendering.", static status => status.QueueBytesLimit),
        Time("asynclog.sink.queue.oldest.age", SinkInstrumentKind.Gauge, "The age of the oldest record that waits or is in flight; 0 when there is none.", static status => status.OldestAge),
        Level("asynclog.sink.spool.records", Records, "Records that wait on the disk.", static status => status.Spooled),
        Level("asynclog.sink.spool.bytes", Bytes, "Total size of the spool files.", static status => status.SpooledBytes),
        Time("asynclog.sink.spool.oldest.age", SinkInstrumentKind.Gauge, "The age of the oldest record on the disk; 0 when none waits there.", static status => status.SpooledAge),
        Level("asynclog.sink.in_flight", Records, "Records that the worker has taken but not yet settled, including those waiting for a retry.", static status => status.InFlight),
        Tagged("asynclog.sink.enqueued", Records, "Records accepted.", EnqueuedOf),
        Level("asynclog.sink.unaccounted", Records, "Accepted records that are nowhere and have no outcome; always 0.", static status => status.Unaccounted),
        Total("asynclog.sink.written", Records, "Records delivered, including those later found uncertain.", static status => status.Written),
        Total("asynclog.sink.uncertain", Records, "Delivered records that may not have arrived.", static status => status.Uncertain),
        Total("asynclog.sink.unacknowledged", Records, "Records at or above AcknowledgeLevel that were refused, lost, late or uncertain.", static status => status.Unacknowledged),
        Total("asynclog.sink.recovered", Records, "Accepted records that a killed process had left.", static status => status.Recovered),
        Tagged("asynclog.sink.dropped", Records, "Records lost.", DroppedOf),
        Total("asynclog.sink.truncated", Records, "Records truncated to a limit.", static status => status.Truncated),
        Total("asynclog.sink.render_errors", Errors, "Placeholders written instead of values.", static status => status.RenderErrors),
        Total("asynclog.sink.output", Bytes, "Bytes delivered.", static status => status.OutputBytes),
        Tagged("asynclog.sink.errors", Errors, "Failed operations, whether or not they later succeeded.", static status => status.Errors.Select(static error => (error.Value, Tags(ErrorType(error.Key))))),
        Total("asynclog.sink.retries", "{attempt}", "Attempts after a failure.", static status => status.Retries),
        Time("asynclog.sink.caller_wait.time", SinkInstrumentKind.Counter, "Time that application threads waited.", static status => status.CallerWait),
        Time("asynclog.sink.last_success.age", SinkInstrumentKind.Gauge, "Time without a delivery while records wait; 0 when none waits.", static status => status.TimeWithoutDelivery),
        Of("asynclog.sink.status", SinkInstrumentKind.UpDownCounter, "1", "1 for the current state, 0 for the others.", StatesOf),
    ];

    /// <summary>Publishes an observable instrument with the values of all instances.</summary>
    /// <param name="read">The values of one instance, with the tags they have besides those of the instance.</param>
    /// <param name="snapshot">Returns the status of all instances for the instrument of this name.</param>
    public static void Publish<T>(
        Meter meter, string name, SinkInstrumentKind kind, string unit, string description,
        Func<SinkStatus, IEnumerable<(T Value, KeyValuePair<string, object?>[] Tags)>> read, Func<string, IReadOnlyList<SinkStatus>> snapshot)
        where T : struct
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

        IEnumerable<Measurement<T>> Observe() => snapshot(name).SelectMany(ValuesOf).ToList();

        IEnumerable<Measurement<T>> ValuesOf(SinkStatus status)
        {
            var common = SinkTags.Of(status.Name, status.Type, status.ServerAddress, status.ServerPort);
            return read(status).Select(value => new Measurement<T>(value.Value, value.Tags.Length == 0 ? common : [.. common, .. value.Tags]));
        }
    }

    private static StatusInstrument Of<T>(
        string name, SinkInstrumentKind kind, string unit, string description, Func<SinkStatus, IEnumerable<(T Value, KeyValuePair<string, object?>[] Tags)>> read)
        where T : struct
        => new((meter, snapshot) => Publish(meter, name, kind, unit, description, read, snapshot));

    private static StatusInstrument Level(string name, string unit, string description, Func<SinkStatus, long> read)
        => Of<long>(name, SinkInstrumentKind.UpDownCounter, unit, description, status => [(read(status), [])]);

    private static StatusInstrument Total(string name, string unit, string description, Func<SinkStatus, long> read)
        => Tagged(name, unit, description, status => [(read(status), [])]);

    private static StatusInstrument Time(string name, SinkInstrumentKind kind, string description, Func<SinkStatus, TimeSpan> read)
        => Of<double>(name, kind, Seconds, description, status => [(read(status).TotalSeconds, [])]);

    private static StatusInstrument Tagged(
        string name, string unit, string description, Func<SinkStatus, IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)>> read)
        => Of(name, SinkInstrumentKind.Counter, unit, description, read);

    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> EnqueuedOf(SinkStatus status)
        => Levels.Select(level => (status.EnqueuedByLevel[level], Tags(LevelTag(level))));

    // All of them from the beginning, also those that never happen: a series that begins above zero shows no rise.
    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> DroppedOf(SinkStatus status)
    {
        var counts = status.Drops.ToDictionary(static drop => (drop.Reason, drop.Level), static drop => drop.Count);
        return DropReasons.All.SelectMany(
            static _ => Levels, (reason, level) => (counts.GetValueOrDefault((reason, level)), Tags(ErrorType(DropReasons.NameOf(reason)), LevelTag(level))));
    }

    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> StatesOf(SinkStatus status)
        => States.Select(state => (status.State == state ? 1L : 0L, Tags(new KeyValuePair<string, object?>("asynclog.sink.state", SinkStates.NameOf(state)))));

    private static KeyValuePair<string, object?>[] Tags(params KeyValuePair<string, object?>[] tags) => tags;

    private static KeyValuePair<string, object?> ErrorType(string value) => new("error.type", value);

    private static KeyValuePair<string, object?> LevelTag(LogLevel level) => new("asynclog.log.level", LevelNames.Of(level));
}

/// <summary>One instrument over the status of all instances.</summary>
/// <param name="Publish">Publishes it in a meter; it reads the snapshot of its name.</param>
internal sealed record StatusInstrument(Action<Meter, Func<string, IReadOnlyList<SinkStatus>>> Publish);
