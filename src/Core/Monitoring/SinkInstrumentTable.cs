using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The one table of the instruments that every sink has. Names, units and tags are a promise: renaming one breaks somebody's dashboard.</summary>
internal static class SinkInstrumentTable
{
    private const string Records = "{log_record}";
    private const string Bytes = "By";
    private const string Seconds = "s";
    private const string Errors = "{error}";
    private static readonly LogLevel[] Levels = [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];
    private static readonly SinkState[] States = [SinkState.Healthy, SinkState.Degraded, SinkState.Failed, SinkState.Stopped];
    private static readonly DropReason[] Reasons = [.. Enumerable.Range(0, DropReasons.Count).Select(static reason => (DropReason)reason)];

    public static IReadOnlyList<IStatusInstrument> All { get; } =
    [
        Level("asynclog.sink.queue.size", Records, "Records waiting.", static status => status.QueueSize),
        Level("asynclog.sink.queue.capacity", Records, "The bound of records waiting.", static status => status.QueueCapacity),
        Level("asynclog.sink.queue.memory.usage", Bytes, "Rendered bytes waiting.", static status => status.QueueBytes),
        Level("asynclog.sink.queue.memory.limit", Bytes, "The bound of rendered bytes waiting.", static status => status.QueueBytesLimit),
        Time("asynclog.sink.queue.oldest.age", SinkInstrumentKind.Gauge, "The age of the oldest waiting record; 0 when none waits.", static status => status.OldestAge),
        Level("asynclog.sink.in_flight", Records, "Records taken by the worker whose outcome is open, retry waits included.", static status => status.InFlight),
        Tagged("asynclog.sink.enqueued", Records, "Records accepted.", EnqueuedOf),
        Total("asynclog.sink.written", Records, "Records delivered, those found uncertain later included.", static status => status.Written),
        Total("asynclog.sink.uncertain", Records, "Of the records written those that may not have arrived.", static status => status.Uncertain),
        Tagged("asynclog.sink.dropped", Records, "Records lost.", DroppedOf),
        Total("asynclog.sink.truncated", Records, "Records cut to a limit.", static status => status.Truncated),
        Total("asynclog.sink.render_errors", Errors, "Placeholders written instead of values.", static status => status.RenderErrors),
        Total("asynclog.sink.output", Bytes, "Bytes delivered.", static status => status.OutputBytes),
        Tagged("asynclog.sink.errors", Errors, "Failed operations, recovered or not.", static status => status.Errors.Select(static error => (error.Value, Tags(ErrorType(error.Key))))),
        Total("asynclog.sink.retries", "{attempt}", "Attempts after a failure.", static status => status.Retries),
        Time("asynclog.sink.caller_wait.time", SinkInstrumentKind.Counter, "Time application threads were held.", static status => status.CallerWait),
        Time("asynclog.sink.last_success.age", SinkInstrumentKind.Gauge, "Time without a delivery while records wait; 0 when none waits.", static status => status.UnservedFor),
        new StatusInstrument<long>("asynclog.sink.status", SinkInstrumentKind.UpDownCounter, "1", "1 for the current state, 0 for the others.", StatesOf),
    ];

    private static StatusInstrument<long> Level(string name, string unit, string description, Func<SinkStatus, long> read)
        => new(name, SinkInstrumentKind.UpDownCounter, unit, description, status => [(read(status), [])]);

    private static StatusInstrument<long> Total(string name, string unit, string description, Func<SinkStatus, long> read)
        => Tagged(name, unit, description, status => [(read(status), [])]);

    private static StatusInstrument<double> Time(string name, SinkInstrumentKind kind, string description, Func<SinkStatus, TimeSpan> read)
        => new(name, kind, Seconds, description, status => [(read(status).TotalSeconds, [])]);

    private static StatusInstrument<long> Tagged(
        string name, string unit, string description, Func<SinkStatus, IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)>> read)
        => new(name, SinkInstrumentKind.Counter, unit, description, read);

    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> EnqueuedOf(SinkStatus status)
        => Levels.Select(level => (status.EnqueuedByLevel[level], Tags(LevelTag(level))));

    // All of them from the beginning, also those that never happen: a rise from nothing is no rise to whoever computes rates.
    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> DroppedOf(SinkStatus status)
    {
        var counts = status.Drops.ToDictionary(static drop => (drop.Reason, drop.Level), static drop => drop.Count);
        return Reasons.SelectMany(
            static _ => Levels, (reason, level) => (counts.GetValueOrDefault((reason, level)), Tags(ErrorType(DropReasons.NameOf(reason)), LevelTag(level))));
    }

    private static IEnumerable<(long Value, KeyValuePair<string, object?>[] Tags)> StatesOf(SinkStatus status)
        => States.Select(state => (status.State == state ? 1L : 0L, Tags(new KeyValuePair<string, object?>("asynclog.sink.state", SinkStates.NameOf(state)))));

    private static KeyValuePair<string, object?>[] Tags(params KeyValuePair<string, object?>[] tags) => tags;

    private static KeyValuePair<string, object?> ErrorType(string value) => new("error.type", value);

    private static KeyValuePair<string, object?> LevelTag(LogLevel level) => new("asynclog.log.level", LevelNames.Of(level));
}
