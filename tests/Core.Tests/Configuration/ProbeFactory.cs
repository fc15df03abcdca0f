using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

/// <summary>The real logger factory with the test provider, a configuration that can change, and a clock that is told to move.</summary>
internal sealed class ProbeFactory : IDisposable
{
    private readonly ServiceProvider _services;

    public ProbeFactory(IEnumerable<(string Key, string? Value)> values, Action<ILoggingBuilder>? logging = null)
    {
        Source = MemorySource.Build(values);
        ServiceCollection services = new();
        services.AddSingleton<TimeProvider>(Time);
        services.AddKeyedSingleton<TimeProvider>(InstanceClock.WaitsKey, Time);
        services.AddSingleton<IConfiguration>(Source);
        services.AddLogging(builder =>
        {
            builder.AddConfiguration(Source.GetSection("Logging"));
            builder.AddProbe(Probe.Type());
            logging?.Invoke(builder);
        });
        _services = services.BuildServiceProvider();
        Factory = _services.GetRequiredService<ILoggerFactory>();
        Provider = _services.GetServices<ILoggerProvider>().OfType<ProbeProvider>().Single();
    }

    public IConfigurationRoot Source { get; }

    public FakeTimeProvider Time { get; } = new();

    public ILoggerFactory Factory { get; }

    public IServiceProvider Container => _services;

    public ProbeProvider Provider { get; }

    public SinkConfiguration<ProbeOptions> Configuration => Provider.Services.Configuration;

    public LoggerFilterOptions Filters => _services.GetRequiredService<Microsoft.Extensions.Options.IOptionsMonitor<LoggerFilterOptions>>().CurrentValue;

    /// <summary>Replaces the configuration; null values remove a key. Nothing is applied before the quiet time is over.</summary>
    public void Edit(params (string Key, string? Value)[] values)
    {
        MemorySource memory = MemorySource.Of(Source);
        foreach ((string key, string? value) in values)
        {
            memory.Change(key, value);
        }

        Source.Reload();
    }

    public void EditAndApply(params (string Key, string? Value)[] values)
    {
        Edit(values);
        Time.Advance(TimeSpan.FromMilliseconds(250));
    }

    /// <summary>The instances that take a call.</summary>
    public string[] Log(string category, LogLevel level)
    {
        Provider.Taken.Clear();
        Factory.CreateLogger(category).Log(level, "x");
        return [.. Provider.Taken.Select(taken => taken.Instance)];
    }

    public void Dispose() => _services.Dispose();
}
