using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A provider started from configuration, with sinks that take everything.</summary>
internal sealed class StartedProvider<TProvider, TOptions> : IDisposable
    where TProvider : SinkLoggerProvider<TOptions>
    where TOptions : SinkOptions, new()
{
    private readonly ServiceProvider _services;

    /// <summary>Starts it.</summary>
    /// <param name="createType">Makes the sink's type around what creates its sinks.</param>
    /// <param name="values">Keys of the configuration's root.</param>
    /// <param name="configure">Code.</param>
    /// <param name="services">What else the container has.</param>
    public StartedProvider(
        Func<Func<TOptions, SinkContext, ILogSink>, SinkDefinition<TOptions>> createType,
        IEnumerable<(string Key, string? Value)> values,
        Action<TOptions>? configure,
        params ReadOnlySpan<ServiceDescriptor> services)
    {
        StandardError.Keep();
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(values.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value))).Build();
        var collection = new ServiceCollection().AddSingleton<IConfiguration>(configuration);
        foreach (var service in services)
            collection.Add(service);
        collection.AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddSink<TProvider, TOptions>(createType(Keep), configure));
        _services = collection.BuildServiceProvider();
        try
        {
            _services.GetRequiredService<ILoggerFactory>();
            // The second that the start waits at most for stderr is over soon on a busy machine.
            Eventually.True(_services.GetRequiredService<SelfReport>().Flush);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The options of every instance that was started, by its full name.</summary>
    public Dictionary<string, TOptions> Options { get; } = new(StringComparer.Ordinal);

    public void Dispose() => _services.Dispose();

    private NoSink Keep(TOptions options, SinkContext context)
    {
        Options[context.Name] = options;
        return new NoSink();
    }

    private sealed class NoSink : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
