using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

/// <summary>A container with <see cref="QueueSink"/>, added as others add theirs, over a configuration that can be edited.</summary>
internal sealed class QueuePipeline : IDisposable
{
    private readonly ServiceProvider _services;
    private readonly IConfigurationRoot _configuration;
    private readonly ReloadClock _clock = new();
    private readonly SharedText _said = new();
    private readonly SelfReport _report;

    /// <param name="values">Keys of the section, or full paths.</param>
    public QueuePipeline(params (string Key, string? Value)[] values)
        : this(more: null, values)
    {
    }

    /// <param name="more">Adds to the container.</param>
    /// <param name="values">Keys of the section, or full paths.</param>
    public QueuePipeline(Action<ILoggingBuilder>? more, params (string Key, string? Value)[] values)
        : this((builder, pipeline) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(pipeline.Create, bind: static (section, options) => section.Bind(options)), more, values)
    {
    }

    public QueuePipeline(Action<ILoggingBuilder, QueuePipeline> add, Action<ILoggingBuilder>? more, params (string Key, string? Value)[] values)
    {
        _configuration = MemorySource.Build([("Logging:Queue:Template", "{Message}{NewLine}"), .. Full(values)]);
        var services = new ServiceCollection();
        services.AddSingleton<TimeProvider>(_clock);
        services.AddKeyedSingleton<TimeProvider>(InstanceClock.WaitsKey, _clock);
        services.AddSingleton<IConfiguration>(_configuration);
        _report = new SelfReport(LogLevel.Warning, TimeProvider.System, () => _said.Writer);
        services.AddSingleton(_report);
        services.AddHealthChecks().AddAsyncLog();
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash) = (false, false));
        services.AddLogging(builder =>
        {
            builder.AddConfiguration(_configuration.GetSection("Logging"));
            add(builder, this);
            more?.Invoke(builder);
        });
        _services = services.BuildServiceProvider();
        Factory = _services.GetRequiredService<ILoggerFactory>();
        Control = _services.GetRequiredService<IAsyncLogControl>();
        Logger = Factory.CreateLogger("Shop");
    }

    public ILoggerFactory Factory { get; }

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public IServiceProvider Services => _services;

    /// <summary>Changes a sink that is being made.</summary>
    public Action<QueueSink>? Making { get; set; }

    /// <summary>Every sink that was made, oldest first.</summary>
    public ConcurrentQueue<QueueSink> Sinks { get; } = new();

    public SinkStatus Status => StatusOf("default");

    /// <summary>Lines on stderr.</summary>
    public string Said
    {
        get
        {
            Eventually.True(_report.Flush);
            return _said.ToString();
        }
    }

    public SinkStatus StatusOf(string instance) => Control.GetStatus().Instances.Single(status => status.Name == $"queue/{instance}");

    /// <summary>The newest sink of an instance.</summary>
    public QueueSink SinkOf(string instance) => Sinks.Last(sink => sink.Context.Name == $"queue/{instance}");

    public QueueSink Create(QueueSinkOptions options, SinkContext context)
    {
        var sink = new QueueSink(options, context);
        Making?.Invoke(sink);
        Sinks.Enqueue(sink);
        return sink;
    }

    /// <summary>Edits keys of the section, or with their full paths any others (null takes one away), and applies the edit.</summary>
    public void Edit(params (string Key, string? Value)[] values)
    {
        foreach (var (key, value) in Full(values))
            MemorySource.Of(_configuration).Change(key, value);
        _configuration.Reload();
        _clock.Run();
    }

    public async Task<bool> Flush() => await Control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);

    public async Task<HealthReportEntry> CheckHealth()
        => (await _services.GetRequiredService<HealthCheckService>().CheckHealthAsync(TestContext.Current.CancellationToken)).Entries.Single().Value;

    public void Dispose() => _services.Dispose();

    private static IEnumerable<(string Key, string? Value)> Full(IEnumerable<(string Key, string? Value)> values)
        => values.Select(static pair => (pair.Key.StartsWith("Logging:", StringComparison.Ordinal) || pair.Key.StartsWith("AsyncLog:", StringComparison.Ordinal) ? pair.Key : $"Logging:Queue:{pair.Key}", pair.Value));
}
