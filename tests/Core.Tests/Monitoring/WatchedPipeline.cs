using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Monitoring;

/// <summary>A pipeline around one test sink under a name of its own, so that what it measures and tells is found among that of other tests; with a health check.</summary>
internal sealed class WatchedPipeline : IDisposable
{
    private static int _count;
    private readonly ServiceProvider _services;
    private readonly ManualResetEventSlim _gate = new(initialState: true);
    private readonly SharedText _said = new();
    private readonly SelfReport _report;

    public WatchedPipeline(
        TimeProvider? timeProvider = null, Action<TestOptions>? configure = null, Action<AsyncLogHealthOptions>? health = null,
        Action<SinkContext>? created = null, HealthStatus? failureStatus = null, TimeSpan batchDelay = default)
    {
        Type = $"watched{Interlocked.Increment(ref _count)}";
        Sink.Before = _ => _gate.Wait();
        var services = new ServiceCollection();
        services.AddSingleton(timeProvider ?? TimeProvider.System);
        services.AddKeyedSingleton(InstanceClock.WaitsKey, timeProvider ?? TimeProvider.System);
        _report = new SelfReport(LogLevel.Warning, timeProvider ?? TimeProvider.System, () => _said.Writer);
        services.AddSingleton(_report);
        services.Configure<AsyncLogOptions>(static options =>
        {
            options.StartupReport = false;
            options.FlushOnCrash = false;
        });
        services.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace)
            .AddFilter("Microsoft", LogLevel.None)
            .AddSink<TestLoggerProvider, TestOptions>(
            new TestDefinition<TestOptions>(Type, (_, context) =>
            {
                created?.Invoke(context);
                return Sink;
            })
            {
                BatchDelay = batchDelay,
            },
            options =>
            {
                options.Template = "{Message}{NewLine}";
                configure?.Invoke(options);
            }));
        services.AddHealthChecks().AddAsyncLog(health, failureStatus: failureStatus);
        _services = services.BuildServiceProvider();
        Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Test");
        Control = _services.GetRequiredService<IAsyncLogControl>();
    }

    public string Type { get; }

    public string Name => $"{Type}/default";

    public TestSink Sink { get; } = new();

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public SinkStatus Status => Control.GetStatus().Instances.Single();

    /// <summary>Lines on stderr, without their time stamps.</summary>
    public string[] Said
    {
        get
        {
            // The second that a flush waits at most is over soon on a busy machine.
            Eventually.True(_report.Flush);
            return [.. _said.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line[(line.IndexOf("AsyncLog: ", StringComparison.Ordinal) + 10)..])];
        }
    }

    /// <summary>Lets the sink hang in its next call.</summary>
    public void Stall() => _gate.Reset();

    /// <summary>Lets it go on.</summary>
    public void Release() => _gate.Set();

    /// <summary>Loses one record, at once and whatever the sink does; four others are accepted.</summary>
    public void LoseOneOfFive() => Logger.LogInformation("outer {Value}", new DeepValue(Logger, 5));

    /// <summary>The same, and waits until the others are written, so that none of them grows old.</summary>
    public async Task LoseOne()
    {
        LoseOneOfFive();
        Assert.True(await Flush());
    }

    /// <summary>Offers records and wakes the worker, whatever the clock says.</summary>
    public Task<bool> Offer(int records)
    {
        for (var i = 0; i < records; i++)
            Logger.LogInformation("record {Number}", i);
        return Flush();
    }

    public Task<bool> Flush() => Control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

    public async Task<HealthReportEntry> CheckHealth()
        => (await _services.GetRequiredService<HealthCheckService>().CheckHealthAsync(TestContext.Current.CancellationToken)).Entries["asynclog"];

    /// <summary>Ends the provider while the sink may hang.</summary>
    public void End() => _services.GetServices<ILoggerProvider>().OfType<TestLoggerProvider>().Single().Dispose();

    public void Dispose()
    {
        _gate.Set();
        _services.Dispose();
        _gate.Dispose();
    }

    // Logs from inside its own rendering, one level deeper than is allowed.
    private sealed class DeepValue(ILogger logger, int depth)
    {
        public override string ToString()
        {
            if (depth > 1)
                logger.LogInformation("nested {Value}", new DeepValue(logger, depth - 1));
            return "value";
        }
    }
}
