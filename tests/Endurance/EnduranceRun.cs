using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Logs to files through the public surface while somebody works against it, and judges the result by the bytes and the counters.</summary>
internal sealed class EnduranceRun(TimeSpan duration, Ground ground, Checks checks)
{
    public const int RecordsPerSecond = 20_000;
    private const int Threads = 4;
    private const long FileSizeLimit = 6L << 20;

    // Two seconds of records: a full disk has to cost some.
    private const int QueueLength = 2 * RecordsPerSecond;
    private static readonly TimeSpan AllowedRecovery = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Budget = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan DegradedAfterTrouble = TimeSpan.FromSeconds(60);

    public void Run()
    {
        using var evidence = new Evidence(ground);
        var provider = Services();
        var control = provider.GetRequiredService<IAsyncLogControl>();
        var logger = provider.GetRequiredService<ILoggerFactory>().CreateLogger(EnduranceRecord.Category);
        using var load = new Load(logger, Threads, RecordsPerSecond);
        using var watch = new StatusWatch(control);
        var saboteur = new Saboteur(ground, load, evidence, watch);
        var start = Stopwatch.GetTimestamp();
        watch.Start();
        load.Start();
        saboteur.Run(duration);
        load.Stop();
        var isFlushed = control.FlushAsync(Budget, CancellationToken.None).GetAwaiter().GetResult();
        var rate = load.Calls / Stopwatch.GetElapsedTime(start).TotalSeconds;
        JudgeState(watch);
        watch.Stop();
        provider.Dispose();

        var status = control.GetStatus().Instances[0];
        var judge = new FileJudge(load.Marks());
        judge.Read(evidence.Read());
        checks.That("20,000 records a second are logged", rate >= RecordsPerSecond * 0.95, $"{rate:0} a second, {load.Calls} in all");
        checks.That("everything is flushed at the end", isFlushed && status.QueueSize == 0 && status.InFlight == 0, $"{status.QueueSize} waiting, {status.InFlight} in flight");
        JudgeRecovery(saboteur.Acts);
        if (saboteur.Acts.Where(static act => act.Kind == ActKind.FillDisk).ToList() is { Count: > 0 } full)
            checks.That("a full disk costs records", full.TrueForAll(static act => act.Drops > 0), $"{string.Join(", ", full.Select(static act => act.Drops))} dropped");
        JudgeFiles(judge);
        JudgeCounters(judge, watch, status, load.Calls, saboteur.Acts);
    }

    private ServiceProvider Services()
    {
        var services = new ServiceCollection();
        services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        services.AddLogging(builder => builder.AddAsyncFile(options =>
        {
            options.Path = ground.Active;
            options.Template = "{Category}: {Message}{NewLine}";
            options.FileSizeLimit = FileSizeLimit;
            options.RetainedFileCountLimit = null;

            // The disk is small and is filled up: the floor would answer first.
            options.MinFreeSpace = 0;
            options.MaxQueueLength = QueueLength;
            options.ShutdownTimeout = Budget;
        }));
        return services.BuildServiceProvider();
    }

    private void JudgeState(StatusWatch watch)
    {
        const string Expectation = "the state is degraded while the disk is full and healthy again a minute after the last trouble";
        if (ground.NoSmallDisk is { } reason)
            checks.Skip(Expectation, reason);
        else
        {
            var healed = Polling.Until(() => watch.Look().State == SinkState.Healthy, DegradedAfterTrouble + AllowedRecovery);
            checks.That(Expectation, watch.HasSeen(SinkState.Degraded, "no_space") && healed is not null, $"seen: {watch.States}");
        }
    }

    private void JudgeRecovery(IReadOnlyList<Act> acts)
    {
        foreach (var kind in Enum.GetValues<ActKind>())
        {
            var expectation = $"delivery is back within 1 s: {kind}";
            var ofKind = acts.Where(act => act.Kind == kind).ToList();
            if (ofKind.Count > 0)
            {
                // Twice the lag: the worker and the disk wait for a busy processor, each for itself.
                var isBack = ofKind.TrueForAll(static act => act.Recovered is { } recovered && recovered <= AllowedRecovery + (2 * act.Lag));
                var slowest = ofKind.MaxBy(static act => act.Recovered ?? TimeSpan.MaxValue)!;
                checks.That(expectation, isBack, $"{ofKind.Count} times, {slowest.Recovered?.TotalMilliseconds:0} ms at most, of which the machine took {slowest.Lag.TotalMilliseconds:0} ms");
            }
            else if (kind == ActKind.FillDisk && ground.NoSmallDisk is { } reason)
            {
                checks.Skip(expectation, reason);
            }
            else
            {
                checks.Skip(expectation, "the run is too short");
            }
        }
    }

    private void JudgeFiles(FileJudge judge)
    {
        checks.That("files are rolled every few seconds", judge.Files >= duration.TotalSeconds / 6, $"{judge.Files} files");
        checks.None("every line is whole", judge.Torn);
        checks.None("no byte is NUL", judge.Nuls);
        checks.None("no record is there twice", judge.Twice);
        checks.None("the order of each thread holds in each file and from file to file", judge.Order);
    }

    private void JudgeCounters(FileJudge judge, StatusWatch watch, SinkStatus status, long calls, IReadOnlyList<Act> acts)
    {
        var losses = acts.Sum(judge.MissingIn);
        var isExact = acts.All(static act => act.Copy is null || act.Drops == 0);
        var cut = status.Written - judge.Lines;
        checks.That(
            "lines read + lines lost between copy and truncate = written",
            isExact ? cut == losses : cut >= 0 && cut <= losses,
            $"{judge.Lines} + {losses} = {status.Written}");
        checks.That("calls = offered", calls == status.Offered, $"{calls} = {status.Offered}");
        checks.That("offered = written + dropped", status.Offered == status.Written + status.Dropped, $"{status.Offered} = {status.Written} + {status.Dropped}");
        checks.That("what is not read is dropped or was truncated", judge.Missing == status.Dropped + cut, $"{judge.Missing} = {status.Dropped} + {cut}");
        checks.That("gap notices announce every drop", judge.Announced == status.Dropped, $"{judge.Notices} notices, {judge.Announced} of {status.Dropped}");
        checks.None($"the counters add up in every snapshot, {watch.Snapshots} times", watch.Findings);
        Checks.Say($"drops: {(status.Drops.Count == 0 ? "none" : string.Join(", ", status.Drops))}");
        Checks.Say($"errors: {(status.Errors.Count == 0 ? "none" : string.Join(", ", status.Errors))}");
    }
}
