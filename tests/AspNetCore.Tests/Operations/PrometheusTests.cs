using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Operations;

[Trait("Category", "system")]
public sealed class PrometheusTests
{
    private static readonly string[] Expected =
    [
        "AsyncLogRecordsLost moody/stalled", "AsyncLogImportantRecordsLost moody/stalled", "AsyncLogQueueNearFull moody/stalled", "AsyncLogStale moody/stalled",
        "AsyncLogSinkFailed moody/failing", "AsyncLogCallersBlocked moody/held", "AsyncLogDiskLow file/default",
    ];

    [Fact]
    public async Task A_real_Prometheus_answers_every_expression_and_the_alerts_fire_and_clear()
    {
        await using var operated = await OperatedApp.Start();
        await using var prometheus = await Prometheus.Start(Hurried(await File.ReadAllTextAsync(DashboardFiles.Rules, TestContext.Current.CancellationToken)), ("shop", operated.App.Address));
        operated.Log(20);
        await Prometheus.Shows(async () => (await prometheus.Query("asynclog_sink_written_total > 0")).Count > 0, () => "nothing was scraped");

        operated.Stalled.Hang();
        operated.Held.Hang();
        operated.Failing.Failure = new LogSinkException("permission", "no", isPermanent: true);
        // One record hangs alone, so the queues fill with what comes after it.
        operated.Log(1);
        await Eventually.Holds(
            () => operated.App.Status("moody/stalled").InFlight == 1 && operated.App.Status("moody/held").InFlight == 1, () => $"nothing hangs: {operated.App.Status("moody/stalled")}");
        using (var storm = new Storm(operated))
        {
            IReadOnlySet<string> firing = new HashSet<string>();
            await Prometheus.Shows(async () => (firing = await prometheus.Firing()).IsSupersetOf(Expected), () => "missing: " + string.Join(", ", Expected.Except(firing)));
            foreach (var (title, expression, _) in DashboardFiles.Queries)
                await Prometheus.Shows(async () => (await prometheus.Query(DashboardFiles.Resolved(expression))).Count > 0, () => $"{title} is empty: {expression}");
        }

        await ShowsTheStatus(prometheus, operated.App);

        operated.Stalled.GoOn();
        operated.Held.GoOn();
        operated.Failing.Failure = null;
        IReadOnlySet<string> left = new HashSet<string>();
        await Prometheus.Shows(
            async () => !(left = await prometheus.Firing()).Any(static alert => alert.Contains(" moody/", StringComparison.Ordinal)), () => "still firing: " + string.Join(", ", left));
    }

    // Stalled and without callers nothing moves any more: after the next scrape all numbers are those of the status.
    private static async Task ShowsTheStatus(Prometheus prometheus, TestApp app)
    {
        var status = app.Control.GetStatus();
        foreach (var (metric, value) in Counters)
        {
            foreach (var sink in status.Instances.Where(static sink => sink.Type == "moody"))
                await Is(prometheus, $"sum by (asynclog_sink_name) ({metric})", sink.Name, value(sink), 0);
        }

        foreach (var sink in status.Instances.Where(static sink => sink.Type == "moody"))
        {
            await Is(prometheus, Panel("Fill by instance"), sink.Name, (double)sink.QueueSize / sink.QueueCapacity, 1e-9);
            await Is(prometheus, Panel("Memory against limit"), sink.Name, sink.QueueBytes, 0);
            await Is(prometheus, Panel("In flight"), sink.Name, sink.InFlight, 0);
        }

        await Is(prometheus, Panel("State history"), "moody/failing", 2, 0);
        await Is(prometheus, Panel("State history"), "moody/stalled", 1, 0);
        await Is(prometheus, Panel("Instances not healthy"), null, status.Instances.Count(static sink => sink.State is SinkState.Degraded or SinkState.Failed), 0);
        await Is(prometheus, Panel("Worst queue fill"), null, status.Instances.Max(static sink => (double)sink.QueueSize / sink.QueueCapacity), 1e-9);

        // increase() extends what it saw to the edges of its range; it began at 0 and may not go below, so it stays near.
        var lost = (double)status.Instances.Sum(static sink => sink.Dropped);
        var offered = status.Instances.Sum(static sink => sink.Offered);
        await Is(prometheus, Panel("Records lost, last hour"), null, lost, lost * 0.2);
        await Is(prometheus, Panel("Loss ratio, last hour"), null, lost / offered, lost / offered * 0.2);
    }

    private static IEnumerable<(string Metric, Func<SinkStatus, double> Value)> Counters =>
    [
        ("asynclog_sink_enqueued_total", static sink => sink.Enqueued),
        ("asynclog_sink_written_total", static sink => sink.Written),
        ("asynclog_sink_dropped_total", static sink => sink.Dropped),
        ("asynclog_sink_queue_size", static sink => sink.QueueSize),
        ("asynclog_sink_queue_capacity", static sink => sink.QueueCapacity),
        ("asynclog_sink_truncated_total", static sink => sink.Truncated),
    ];

    private static string Panel(string title) => DashboardFiles.Resolved(DashboardFiles.Queries.First(query => query.Title == title).Expression);

    private static async Task Is(Prometheus prometheus, string expression, string? sink, double expected, double tolerance)
    {
        double? actual = null;
        await Prometheus.Shows(
            async () =>
            {
                actual = (await prometheus.Query(expression)).FirstOrDefault(sample => sink is null || sample.Sink == sink)?.Value;
                return actual is { } value && Math.Abs(value - expected) <= tolerance;
            },
            () => $"{expression} of {sink} is {actual}, not {expected}");
    }

    // The same rules with seconds for minutes, so that a test may wait for them; their true times are in alerts.test.yaml.
    private static string Hurried(string rules)
        => rules.Replace("[5m]", "[10s]", StringComparison.Ordinal).Replace("[1m]", "[10s]", StringComparison.Ordinal)
            .Replace("for: 5m", "for: 2s", StringComparison.Ordinal).Replace("for: 2m", "for: 2s", StringComparison.Ordinal)
            .Replace("age_seconds > 300", "age_seconds > 3", StringComparison.Ordinal).Replace("2 * asynclog_file", "1e12 * asynclog_file", StringComparison.Ordinal);
}
