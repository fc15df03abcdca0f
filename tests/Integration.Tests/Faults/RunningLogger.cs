using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Faults;

/// <summary>A logger with files in the test's own process, whose configuration can be changed.</summary>
internal sealed class RunningLogger : IDisposable
{
    private readonly IConfigurationRoot _configuration;
    private readonly ServiceProvider _services;

    public RunningLogger(params ReadOnlySpan<(string Key, string Value)> settings)
    {
        var values = new Dictionary<string, string?>
        {
            ["Logging:AsyncFile:Template"] = "{Message}{NewLine}",
            ["Logging:AsyncFile:MinFreeSpace"] = "0",
            ["AsyncLog:StartupReport"] = "false",
        };
        foreach (var (key, value) in settings)
            values["Logging:AsyncFile:" + key] = value;
        _configuration = new ConfigurationBuilder().AddInMemoryCollection(values).Build();
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(_configuration);
        services.AddLogging(logging => logging.AddConfiguration(_configuration.GetSection("Logging")).AddAsyncFile());
        _services = services.BuildServiceProvider();
        Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("Test");
        Control = _services.GetRequiredService<IAsyncLogControl>();
    }

    public ILogger Logger { get; }

    public IAsyncLogControl Control { get; }

    public SinkStatus Status => Control.GetStatus().Instances[0];

    public Task<bool> Flush() => Control.FlushAsync(TimeSpan.FromSeconds(25), TestContext.Current.CancellationToken);

    /// <summary>Changes an option as an edit of the file does.</summary>
    public void Change(string key, string value)
    {
        _configuration["Logging:AsyncFile:" + key] = value;
        _configuration.Reload();
    }

    public void Dispose() => _services.Dispose();

    public SinkStatus AssertCountersAddUp(long offered) => Counters.AssertAddUp(Status, offered);
}
