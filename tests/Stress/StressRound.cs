using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Runs one plan and judges it from outside: what is missing is what was dropped, level by level.</summary>
internal sealed class StressRound(StressPlan plan, StressSink sink, TimeSpan duration)
{
    private readonly long[] _calls = new long[plan.Threads];

    /// <summary>Runs it.</summary>
    /// <returns>What is wrong; empty when nothing is.</returns>
    public List<string> Run(out long calls)
    {
        var services = new ServiceCollection();
        services.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace).AddSink<StressLoggerProvider, StressOptions>(
            new StressDefinition(sink), Configure));
        services.Configure<AsyncLogOptions>(static options =>
        {
            options.SelfReportLevel = LogLevel.None;
            options.StartupReport = false;
            options.FlushOnCrash = false;
        });
        var provider = services.BuildServiceProvider();
        var control = provider.GetRequiredService<IAsyncLogControl>();
        var logger = provider.GetRequiredService<ILoggerFactory>().CreateLogger("Stress");
        using var stop = new CancellationTokenSource(duration);
        var threads = Enumerable.Range(0, plan.Threads).Select(index => Start(() => Produce(logger, index, stop.Token))).ToList();
        var judge = new StressJudge(plan);
        var flusher = Start(() => judge.FlushAtRandom(control, stop.Token));
        if (!plan.DisposeUnderLoad)
            threads.ForEach(static thread => thread.Join());
        else
            stop.Token.WaitHandle.WaitOne(duration / 2);
        flusher.Join(plan.DisposeUnderLoad ? TimeSpan.Zero : Timeout.InfiniteTimeSpan);
        provider.Dispose();
        threads.ForEach(static thread => thread.Join());
        flusher.Join();
        calls = _calls.Sum();
        judge.Judge(_calls, sink, control.GetStatus().Instances[0]);
        return judge.Findings;
    }

    private static Thread Start(ThreadStart body)
    {
        var thread = new Thread(body) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private void Configure(StressOptions options)
    {
        options.Template = "{Message}{NewLine}";
        options.QueueFullMode = plan.FullMode;
        options.WaitTimeout = TimeSpan.FromMinutes(1);
        options.MaxQueueLength = plan.MaxQueueLength;
        options.MaxQueueMemory = plan.MaxQueueMemory;
        options.MaxRecordSize = plan.MaxRecordSize;
        options.ShutdownTimeout = TimeSpan.FromMinutes(1);
        options.GapNotices = false;
    }

    private void Produce(ILogger logger, int thread, CancellationToken stop)
    {
        var random = new Random(HashCode.Combine(plan.Seed, thread));
        var calls = 0L;
        while (!stop.IsCancellationRequested)
        {
            var filling = random.Next(100) switch
            {
                < 80 => random.Next(200),
                < 98 => random.Next(plan.MaxRecordSize / 4),
                _ => random.Next(plan.MaxRecordSize * 2),
            };
            logger.Log(StressRecord.LevelOf(thread, calls), default, StressRecord.Text(thread, calls, filling), null, static (state, _) => state);
            calls++;
            if (random.Next(1000) == 0)
                Thread.Yield();
        }

        _calls[thread] = calls;
    }
}
