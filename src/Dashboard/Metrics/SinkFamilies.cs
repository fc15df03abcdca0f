namespace AsyncLog;

/// <summary>What the meter says of any sink, as read out of a status.</summary>
internal static class SinkFamilies
{
    public static IReadOnlyList<StatusFamily> All { get; } = [.. Queue(), .. Flow(), .. Trouble()];

    private static StatusFamily[] Queue()
        =>
        [
            StatusFamily.Gauge("asynclog.sink.queue.size", "", "Records waiting.", static status => status.QueueSize),
            StatusFamily.Gauge("asynclog.sink.queue.capacity", "", "Bound of the records waiting.", static status => status.QueueCapacity),
            StatusFamily.Gauge("asynclog.sink.queue.memory.usage", "bytes", "Rendered bytes waiting.", static status => status.QueueBytes),
            StatusFamily.Gauge("asynclog.sink.queue.memory.limit", "bytes", "Bound of the bytes waiting.", static status => status.QueueBytesLimit),
            StatusFamily.Gauge("asynclog.sink.queue.oldest.age", "seconds", "Age of the oldest waiting record, 0 when none waits.", static status => status.OldestAge.TotalSeconds),
            StatusFamily.Gauge("asynclog.sink.in_flight", "", "Records taken whose outcome is open.", static status => status.InFlight),
        ];

    private static StatusFamily[] Flow()
        =>
        [
            new("asynclog.sink.enqueued", "counter", "", "Records accepted.", Enqueued),
            StatusFamily.Counter("asynclog.sink.written", "", "Records delivered, those later found uncertain among them.", static status => status.Written),
            StatusFamily.Counter("asynclog.sink.uncertain", "", "Delivered records that can be neither sent again nor proved.", static status => status.Uncertain),
            new("asynclog.sink.dropped", "counter", "", "Records lost, by reason.", Dropped),
            StatusFamily.Counter("asynclog.sink.truncated", "", "Records delivered but cut.", static status => status.Truncated),
            StatusFamily.Counter("asynclog.sink.render_errors", "", "Placeholders written instead of values.", static status => status.RenderErrors),
            StatusFamily.Counter("asynclog.sink.output", "bytes", "Bytes delivered.", static status => status.OutputBytes),
        ];

    private static StatusFamily[] Trouble()
        =>
        [
            new("asynclog.sink.errors", "counter", "", "Failed operations, recovered or not.", Errors),
            StatusFamily.Counter("asynclog.sink.retries", "", "Attempts after a failure.", static status => status.Retries),
            StatusFamily.Counter("asynclog.sink.caller_wait.time", "seconds", "Time that application threads were held.", static status => status.CallerWait.TotalSeconds),
            StatusFamily.Gauge("asynclog.sink.last_success.age", "seconds", "Time without a delivery while records wait, 0 when none waits.", static status => status.UnservedFor.TotalSeconds),
            new("asynclog.sink.status", "gauge", "", "1 for the state that holds, 0 for the others.", States),
        ];

    private static IEnumerable<StatusSample> Enqueued(SinkStatus status)
    {
        foreach (var level in Words.RecordLevels.ToArray())
            yield return new StatusSample([LevelLabel(level)], status.EnqueuedByLevel.GetValueOrDefault(level));
    }

    // Also those that never happened: a series that begins above 0 would hide its first rise from rate() and increase().
    private static IEnumerable<StatusSample> Dropped(SinkStatus status)
    {
        var counts = status.Drops.ToDictionary(static drop => (drop.Reason, drop.Level), static drop => drop.Count);
        foreach (var reason in Enum.GetValues<DropReason>())
        {
            foreach (var level in Words.RecordLevels.ToArray())
                yield return new StatusSample([new Label("error_type", Words.Of(reason)), LevelLabel(level)], counts.GetValueOrDefault((reason, level)));
        }
    }

    private static IEnumerable<StatusSample> Errors(SinkStatus status)
        => status.Errors.OrderBy(static error => error.Key, StringComparer.Ordinal).Select(static error => new StatusSample([new Label("error_type", error.Key)], error.Value));

    private static IEnumerable<StatusSample> States(SinkStatus status)
        => Enum.GetValues<SinkState>().Select(state => new StatusSample([new Label("asynclog_sink_state", Words.Of(state))], state == status.State ? 1 : 0));

    private static Label LevelLabel(Microsoft.Extensions.Logging.LogLevel level) => new("asynclog_log_level", Words.Of(level));
}
