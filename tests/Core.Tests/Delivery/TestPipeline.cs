using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>Options of the test sink.</summary>
internal sealed class TestOptions : SinkOptions;

/// <summary>Its provider.</summary>
[ProviderAlias("Test")]
internal sealed class TestLoggerProvider(SinkServices<TestOptions> services) : SinkLoggerProvider<TestOptions>(services);

/// <summary>A whole pipeline around one test sink: factory, control, what was said on stderr.</summary>
internal sealed class TestPipeline : IDisposable
{
    private readonly ServiceProvider _services;
    private readonly SharedText _said = new();
    private readonly SelfReport _report;

    public TestPipeline(
        ILogSink sink, Action<TestOptions>? configure = null, TimeProvider? timeProvider = null, Action<AsyncLogOptions>? process = null,
        SinkDefinition<TestOptions>? type = null, LogLevel selfReport = LogLevel.Warning, Action<IServiceCollection>? services = null)
    {
        var collection = new ServiceCollection();
        collection.AddSingleton(timeProvider ?? TimeProvider.System);
        collection.AddKeyedSingleton(InstanceClock.WaitsKey, timeProvider ?? TimeProvider.System);
        _report = new SelfReport(selfReport, timeProvider ?? TimeProvider.System, () => _said.Writer);
        collection.AddSingleton(_report);
        collection.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace).AddSink<TestLoggerProvider, TestOptions>(
            type ?? new TestDefinition<TestOptions>("test", (_, _) => sink),
            options =>
            {
                options.Template = "{Message}{NewLine}";
                configure?.Invoke(options);
            }));
        collection.Configure<AsyncLogOptions>(options =>
        {
            options.StartupReport = false;
            options.FlushOnCrash = false;
            process?.Invoke(options);
        });
        services?.Invoke(collection);
        _services = collection.BuildServiceProvider();
        Factory = _services.GetRequiredService<ILoggerFactory>();
        Control = _services.GetRequiredService<IAsyncLogControl>();
        Logger = Factory.CreateLogger("Test");
    }

    public ILoggerFactory Factory { get; }

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public ILoggerProvider Provider => _services.GetServices<ILoggerProvider>().OfType<TestLoggerProvider>().Single();

    public SinkStatus Status => Control.GetStatus().Instances[0];

    /// <summary>Lines on stderr.</summary>
    public string Said
    {
        get
        {
            // The second that a flush waits at most is over soon on a busy machine.
            Eventually.True(_report.Flush);
            return _said.ToString();
        }
    }

    public Task<bool> Flush() => Control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);

    public void Dispose() => _services.Dispose();

    public ValueTask DisposeAsync() => _services.DisposeAsync();

    /// <summary>The counters add up, and begin with what the test offered.</summary>
    public void AssertConservation(long offered) => Counters.AssertAddUp(Status, offered);
}
