using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Starts the provider from configuration, with a sink that takes everything.</summary>
internal sealed class SyslogProvider : IDisposable
{
    private readonly ServiceProvider _services;

    private SyslogProvider(ServiceProvider services) => _services = services;

    /// <summary>The options of every instance that was started, by its full name.</summary>
    public Dictionary<string, AsyncSyslogOptions> Options { get; } = new(StringComparer.Ordinal);

    /// <summary>Starts it.</summary>
    /// <param name="values">Keys below <c>Logging:AsyncSyslog</c>.</param>
    /// <param name="configure">Code.</param>
    public static SyslogProvider Start(IEnumerable<(string Key, string? Value)> values, Action<AsyncSyslogOptions>? configure = null)
    {
        StandardError.Keep();
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create("Logging:AsyncSyslog:" + pair.Key, pair.Value))).Build();
        var started = new Dictionary<string, AsyncSyslogOptions>(StringComparer.Ordinal);
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(configuration);
        services.AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(
            AsyncSyslogSinkType.Create((options, context) =>
            {
                started[context.Name] = options;
                return new NoSink();
            }),
            configure));
        var provider = new SyslogProvider(services.BuildServiceProvider());
        try
        {
            provider._services.GetRequiredService<ILoggerFactory>();
        }
        catch
        {
            provider.Dispose();
            throw;
        }

        foreach (var (name, options) in started)
            provider.Options[name] = options;
        return provider;
    }

    public void Dispose() => _services.Dispose();

    private sealed class NoSink : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
