using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.PlatformProbe;

/// <summary>The logging of an application. Its records are numbered.</summary>
internal sealed class Application : IAsyncDisposable
{
    private readonly ServiceProvider _services;

    public Application(IConfiguration configuration, Action<IServiceCollection>? configure = null)
    {
        var services = new ServiceCollection().AddSingleton(configuration);
        configure?.Invoke(services);
        services.AddLogging(logging => AddSinks(logging, configuration)).AddHealthChecks().AddAsyncLog();
        _services = services.BuildServiceProvider();
        try
        {
            Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("Probe");
        }
        catch
        {
            _services.Dispose();
            throw;
        }
    }

    public IServiceProvider Services => _services;

    public ILogger Logger { get; }

    public IAsyncLogControl Control => _services.GetRequiredService<IAsyncLogControl>();

    /// <summary>The status of its first instance.</summary>
    public SinkStatus Status => Control.GetStatus().Instances[0];

    /// <summary>Starts one with one section.</summary>
    /// <param name="section">The name of the section in <c>Logging</c>.</param>
    /// <param name="options">The options in it; a key that begins with a colon is one of the root.</param>
    public static Application Start(string section, params ReadOnlySpan<(string Key, string Value)> options) => new(Settings(section, options));

    /// <inheritdoc cref="Start"/>
    public static IConfigurationRoot Settings(string section, params ReadOnlySpan<(string Key, string Value)> options)
    {
        var settings = new Dictionary<string, string?> { ["AsyncLog:StartupReport"] = "false", ["AsyncLog:SelfReportLevel"] = "None", ["Logging:LogLevel:Default"] = "Trace" };
        foreach (var (key, value) in options)
            settings[key.StartsWith(':') ? key[1..] : $"Logging:{section}:{key}"] = value;
        return new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
    }

    /// <summary>Adds the sinks that have a section.</summary>
    public static void AddSinks(ILoggingBuilder logging, IConfiguration configuration)
    {
        logging.AddConfiguration(configuration.GetSection("Logging"));
        if (configuration.GetSection("Logging:AsyncFile").Exists())
            logging.AddAsyncFile();
        if (configuration.GetSection("Logging:AsyncConsole").Exists())
            logging.AddAsyncConsole();
        if (configuration.GetSection("Logging:AsyncSyslog").Exists())
            logging.AddAsyncSyslog();
        if (configuration.GetSection("Logging:AsyncOtlp").Exists())
            logging.AddAsyncOtlp();
    }

    /// <summary>The messages of <see cref="Log(int, int)"/>.</summary>
    public static IEnumerable<string> Messages(int first, int count) => Enumerable.Range(first, count).Select(static number => $"record {number}.");

    /// <summary>Logs records from a number on.</summary>
    public void Log(int first, int count)
    {
        for (var number = first; number < first + count; number++)
            Logger.LogInformation("record {Number}.", number);
    }

    public async Task Flush() => Expect.True(await Control.FlushAsync(TimeSpan.FromSeconds(30)), () => $"{Status.State}, {Status.LastErrorType}");

    /// <summary>Writes what waits, and begins a new file.</summary>
    public async Task Roll()
    {
        await Flush();
        Expect.True(await _services.GetRequiredService<IAsyncFileControl>().RollAsync(timeout: TimeSpan.FromSeconds(30)), () => $"{Status.State}, {Status.LastErrorType}");
    }

    public ValueTask DisposeAsync() => _services.DisposeAsync();
}
