using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs before the host is built, and until after it has ended. The host takes its sinks over: there is one file handle, one connection, one queue.</summary>
/// <remarks>
/// <code>
/// var builder = WebApplication.CreateBuilder(args);
/// using var startup = AsyncLogBootstrap.Create(builder.Configuration, logging => logging.AddAsyncFile());
/// startup.CreateLogger("Startup").LogInformation("Reading the catalogue");
/// builder.Logging.AddAsyncLogBootstrap(startup);
/// </code>
/// <para>The sinks are those that the delegate adds, as the configuration describes them. Disposing it is the flush; the sinks end with it, not with the host, so that an
/// exception that ends the host can still be logged. Without <c>AddAsyncLogBootstrap</c> dispose it before the host is built: two writers of one file roll it twice.</para>
/// <para>An unhandled exception is recorded as long as it is not disposed. The <c>using</c> of an asynchronous <c>Main</c> ends before that: catch the exception, and log it.</para>
/// <para>Scopes of loggers made here are not written once a host has taken over: its own are.</para>
/// </remarks>
public sealed class AsyncLogBootstrap : ILoggerFactory, IAsyncDisposable
{
    private readonly Action<ILoggingBuilder> _configure;
    private readonly IServiceCollection _descriptions = new ServiceCollection();
    private readonly StartupHost _host;
    private readonly ServiceProvider _services;

    private AsyncLogBootstrap(IConfiguration configuration, Action<ILoggingBuilder> configure)
    {
        _configure = configure;
        _host = StartupHost.From(configuration);
        _descriptions.AddSingleton(configuration).AddSingleton(_host).AddLogging(logging =>
        {
            logging.AddConfiguration(configuration.GetSection("Logging"));
            configure(logging);
        });
        _services = _descriptions.BuildServiceProvider();
        try
        {
            _ = Factory;
        }
        catch (Exception)
        {
            _services.Dispose();
            throw;
        }
    }

    private ILoggerFactory Factory => _services.GetRequiredService<ILoggerFactory>();

    /// <summary>Starts the sinks.</summary>
    /// <param name="configuration">The application's configuration, of the builder of its host: sections, name, environment and content root are read from it.</param>
    /// <param name="configure">Adds the sinks: <c>logging => logging.AddAsyncFile()</c>. Runs again on the builder of the host that takes over.</param>
    /// <exception cref="Microsoft.Extensions.Options.OptionsValidationException">The configuration is not valid; the message lists every problem.</exception>
    public static AsyncLogBootstrap Create(IConfiguration configuration, Action<ILoggingBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        ArgumentNullException.ThrowIfNull(configure);
        return new AsyncLogBootstrap(configuration, configure);
    }

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => Factory.CreateLogger(categoryName);

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider) => Factory.AddProvider(provider);

    /// <summary>Drains the sinks and closes them, within their <see cref="SinkOptions.ShutdownTimeout"/>. After the host, if one has taken over.</summary>
    public void Dispose() => _services.Dispose();

    /// <summary>The same as <see cref="Dispose"/>, without holding the calling thread.</summary>
    public ValueTask DisposeAsync() => _services.DisposeAsync();

    /// <summary>Registers the running sinks with a host. The host's container holds them and does not dispose them.</summary>
    internal void AddTo(ILoggingBuilder builder)
    {
        _configure(builder);
        var providers = _services.GetServices<ILoggerProvider>().OfType<SinkLoggerProvider>().ToList();
        var running = _descriptions.Where(IsOfSinks).Select(static description => description.ServiceType).ToHashSet();
        var services = builder.Services;
        for (var index = 0; index < services.Count; index++)
        {
            var description = services[index];
            if (IsOfSinks(description) && running.Contains(description.ServiceType))
                services[index] = new ServiceDescriptor(description.ServiceType, _services.GetRequiredService(description.ServiceType));
            // A factory has the type of what it makes.
            else if (description is { IsKeyedService: false, ImplementationFactory: { } factory }
                && providers.Find(provider => factory.GetType().GenericTypeArguments[1] == provider.GetType()) is { } provider)
                services[index] = new ServiceDescriptor(description.ServiceType, provider);
        }

        _host.IsTakenOver = true;
    }

    // Those of AsyncLog and of its sinks that exist once. Those of .NET find them in the host's container, and the control serves all of its providers.
    private static bool IsOfSinks(ServiceDescriptor description)
        => description is { IsKeyedService: false, ImplementationInstance: null, Lifetime: ServiceLifetime.Singleton, ServiceType.IsGenericTypeDefinition: false }
            && description.ServiceType != typeof(IAsyncLogControl)
            && description.ServiceType.Namespace?.StartsWith("Microsoft.", StringComparison.Ordinal) != true;
}

/// <summary>Represents the host until there is one.</summary>
internal sealed record StartupHost(ApplicationInfo Application)
{
    /// <summary>True if a host has the sinks: the rules of its logger factory are in force.</summary>
    public bool IsTakenOver { get; set; }

    // As the builders of .NET read them from the same configuration.
    public static StartupHost From(IConfiguration configuration) => new(ApplicationInfo.From(
        configuration[HostDefaults.ApplicationKey],
        configuration[HostDefaults.EnvironmentKey],
        Path.Combine(AppContext.BaseDirectory, configuration[HostDefaults.ContentRootKey] ?? "")));
}
