using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

/// <summary>A whole pipeline over a configuration that can be edited; an edit is applied on the calling thread.</summary>
internal sealed class ReloadPipeline : IDisposable
{
    private readonly ServiceProvider _services;
    private readonly IConfigurationRoot _configuration;
    private readonly ReloadClock _clock = new();
    private readonly SharedText _said = new();
    private readonly SelfReport _report;
    private readonly string _type;

    public ReloadPipeline(params (string Key, string? Value)[] values)
        : this(making: null, values)
    {
    }

    public ReloadPipeline(Action<ReloadSink>? making, params (string Key, string? Value)[] values)
        : this("reload", making, values)
    {
    }

    public ReloadPipeline(string type, params (string Key, string? Value)[] values)
        : this(type, making: null, values)
    {
    }

    /// <param name="type">The first part of the names of its instances.</param>
    /// <param name="making">See <see cref="Making"/>; for the first sink as well.</param>
    /// <param name="values">Keys of the section, or full paths.</param>
    private ReloadPipeline(string type, Action<ReloadSink>? making, (string Key, string? Value)[] values)
    {
        _type = type;
        Making = making;
        _configuration = MemorySource.Build(
            [("Logging:LogLevel:Default", "Trace"), ("Logging:Reload:Destination", "a"), ("Logging:Reload:Template", "{Message}{NewLine}"), .. Full(values)]);
        var services = new ServiceCollection();
        services.AddSingleton<TimeProvider>(_clock);
        services.AddKeyedSingleton<TimeProvider>(InstanceClock.WaitsKey, _clock);
        services.AddSingleton<IConfiguration>(_configuration);
        _report = new SelfReport(LogLevel.Warning, TimeProvider.System, () => _said.Writer);
        services.AddSingleton(_report);
        services.AddLogging(builder => builder.AddConfiguration(_configuration.GetSection("Logging")).AddSink<ReloadLoggerProvider, ReloadOptions>(Type()));
        services.Configure<AsyncLogOptions>(static options =>
        {
            options.StartupReport = false;
            options.FlushOnCrash = false;
        });
        _services = services.BuildServiceProvider();
        Factory = _services.GetRequiredService<ILoggerFactory>();
        Control = _services.GetRequiredService<IAsyncLogControl>();
        Logger = Factory.CreateLogger("Test");
    }

    public ILoggerFactory Factory { get; }

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    /// <summary>Changes a sink that is being made, or throws.</summary>
    public Action<ReloadSink>? Making { get; set; }

    /// <summary>Every sink that was made, oldest first.</summary>
    public ConcurrentQueue<ReloadSink> Sinks { get; } = new();

    /// <summary>What each of them was made with.</summary>
    public ConcurrentQueue<SinkContext> Contexts { get; } = new();

    public SinkStatus Status => StatusOf("default");

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

    public SinkLoggerProvider Provider => _services.GetServices<ILoggerProvider>().OfType<ReloadLoggerProvider>().Single();

    public SinkStatus StatusOf(string instance) => Control.GetStatus().Instances.Single(status => status.Name == $"{_type}/{instance}");

    /// <summary>Edits keys of the section, or with their full paths any others (null takes one away), and applies the edit.</summary>
    public void Edit(params (string Key, string? Value)[] values)
    {
        foreach (var (key, value) in Full(values))
            MemorySource.Of(_configuration).Change(key, value);
        _configuration.Reload();
        _clock.Run();
    }

    public Task<bool> Flush() => Control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);

    public void Dispose() => _services.Dispose();

    /// <summary>The counters add up, and begin with what the test offered.</summary>
    public void AssertConservation(long offered) => Counters.AssertAddUp(Status, offered);

    private static IEnumerable<(string Key, string? Value)> Full(IEnumerable<(string Key, string? Value)> values)
        => values.Select(static pair => (IsFull(pair.Key) ? pair.Key : $"Logging:Reload:{pair.Key}", pair.Value));

    private static bool IsFull(string key) => key.StartsWith("Logging:", StringComparison.Ordinal) || key.StartsWith("AsyncLog:", StringComparison.Ordinal);

    private TestDefinition<ReloadOptions> Type() => new(_type, Create)
    {
        Children = "Files",
        Destination = "Destination",
        Clear = static options => options.Destination = null,
        UniqueDestination = static options => options.Destination,
        Rows = static table => table
            .Add("Destination", static o => o.Destination, static (o, v) => o.Destination = v, OptionKind.OptionalText, OptionReload.Rebuild)
            .Add("Tuning", static o => o.Tuning, static (o, v) => o.Tuning = v, OptionKind.Integer(), OptionReload.Live)
            .Add("Prefix", static o => o.Prefix, static (o, v) => o.Prefix = v, OptionKind.OptionalText, OptionReload.Live),
        Layout = static (options, layout) => options.Prefix is { } prefix ? layout with { Custom = new PrefixLayout(prefix) } : layout,
        Applying = static (sink, options) => ((ReloadSink)sink).Tuning = options.Tuning,
        Wire = static _ => "lines",
        Rolling = static sink => ((ReloadSink)sink).RollForNewLayout(),
    };

    private ReloadSink Create(ReloadOptions options, SinkContext context)
    {
        var sink = new ReloadSink(options.Destination ?? "");
        Making?.Invoke(sink);
        context.SetTarget(sink.Destination);
        Sinks.Enqueue(sink);
        Contexts.Enqueue(context);
        return sink;
    }
}
