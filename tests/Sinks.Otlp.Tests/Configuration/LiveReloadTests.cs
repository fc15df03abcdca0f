using AsyncLog.Tests.Transport;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

public sealed class LiveReloadTests
{
    private const string Delay = "Logging:AsyncOtlp:ScheduledDelay";

    // A minute is the longest delay there is, and more than any test waits.
    [Fact]
    public void A_shorter_ScheduledDelay_takes_effect_while_records_are_logged()
    {
        using var collector = new StubCollector();
        IConfigurationRoot configuration = Configuration(collector, (Delay, "1m"));
        using ServiceProvider services = Services(configuration);
        ILogger logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("C");
        var instance = services.GetRequiredService<IAsyncLogControl>();
        logger.LogInformation("under the old delay");

        configuration[Delay] = "10ms";
        configuration.Reload();
        // The edit hurries what waits; from then on the new delay counts.
        Eventually.True(() => collector.Requests.Count > 0);
        for (int i = 0; i < 5; i++)
            logger.LogInformation("under the new delay");

        Eventually.True(() => instance.GetStatus().Instances[0].Written == 6);
        Assert.Equal(6, collector.Requests.Sum(static request => request.RecordCount));
    }

    private static IConfigurationRoot Configuration(StubCollector collector, params IEnumerable<(string Key, string Value)> values) => new ConfigurationBuilder()
        .AddInMemoryCollection(values.Append(("Logging:AsyncOtlp:Endpoint", collector.Address.ToString())).Select(static pair => KeyValuePair.Create(pair.Item1, (string?)pair.Item2))).Build();

    private static ServiceProvider Services(IConfigurationRoot configuration)
    {
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(configuration);
        services.AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncOtlp());
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel, options.FlushOnCrash) = (false, LogLevel.None, false));
        return services.BuildServiceProvider();
    }
}
