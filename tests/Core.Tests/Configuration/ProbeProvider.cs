using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

/// <summary>A provider that remembers which instances took which calls, as the real one decides it.</summary>
[ProviderAlias("AsyncProbe")]
internal sealed class ProbeProvider : ILoggerProvider
{
    public ProbeProvider(SinkServices<ProbeOptions> services)
    {
        Services = services;
        services.ThrowIfInvalid();
        services.Reload.Start(change => SelfReportLevels.AddRange(change.SelfReport is { } level ? [level] : []), Changes.Add, () => { });
    }

    public SinkServices<ProbeOptions> Services { get; }

    public List<SinkChange<ProbeOptions>> Changes { get; } = [];

    public List<LogLevel> SelfReportLevels { get; } = [];

    public ConcurrentQueue<(string Instance, string Category, LogLevel Level)> Taken { get; } = [];

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void Dispose()
    {
    }

    private sealed class Logger(ProbeProvider owner, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            foreach (InstanceSettings<ProbeOptions> instance in owner.Services.Configuration.Current.Instances)
            {
                bool takes = owner.Services.Configuration.MinimumLevel(instance, category) <= logLevel && !(logLevel > instance.Options.MaxLevel);
                if (takes)
                {
                    owner.Taken.Enqueue((instance.Name, category, logLevel));
                }
            }
        }
    }
}

internal static class ProbeLoggingBuilderExtensions
{
    public static ILoggingBuilder AddProbe(this ILoggingBuilder builder, SinkDefinition<ProbeOptions> definition, Action<ProbeOptions>? configure = null, IConfiguration? section = null)
        => builder.AddSink<ProbeProvider, ProbeOptions>(definition, configure, section);

    public static ILoggingBuilder AddProbe(this ILoggingBuilder builder, SinkDefinition<ProbeOptions> definition, string name, Action<ProbeOptions>? configure = null)
        => builder.AddSink<ProbeProvider, ProbeOptions>(definition, name, configure);
}
