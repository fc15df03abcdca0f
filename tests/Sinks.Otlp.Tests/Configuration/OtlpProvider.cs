using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.FileProviders;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Starts the provider from configuration, with a sink that takes everything.</summary>
internal sealed class OtlpProvider : IDisposable
{
    private readonly ServiceProvider _services;

    private OtlpProvider(ServiceProvider services) => _services = services;

    /// <summary>The options of every instance that was started, by its full name.</summary>
    public Dictionary<string, AsyncOtlpOptions> Options { get; } = new(StringComparer.Ordinal);

    /// <summary>Starts it.</summary>
    /// <param name="values">Keys of the configuration's root.</param>
    /// <param name="applicationName">What the host says; null: there is no host.</param>
    /// <param name="configure">Code.</param>
    public static OtlpProvider Start(
        IEnumerable<(string Key, string? Value)> values, string? applicationName = null, Action<AsyncOtlpOptions>? configure = null)
    {
        StandardError.Keep();
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value))).Build();
        var started = new Dictionary<string, AsyncOtlpOptions>(StringComparer.Ordinal);
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(configuration);
        if (applicationName is not null)
            services.AddSingleton<IHostEnvironment>(new NamedHost { ApplicationName = applicationName });
        services.AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddSink<AsyncOtlpLoggerProvider, AsyncOtlpOptions>(
            AsyncOtlpSinkType.Create((options, context) =>
            {
                started[context.Name] = options;
                return new NoSink();
            }),
            configure));
        var provider = new OtlpProvider(services.BuildServiceProvider());
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

    private sealed class NamedHost : IHostEnvironment
    {
        public string EnvironmentName { get; set; } = "Production";

        public required string ApplicationName { get; set; }

        public string ContentRootPath { get; set; } = AppContext.BaseDirectory;

        public IFileProvider ContentRootFileProvider { get; set; } = new NullFileProvider();
    }

    private sealed class NoSink : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
