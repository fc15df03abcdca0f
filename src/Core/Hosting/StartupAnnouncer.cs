using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Announces every instance through the application's own logger when the host starts, so that the console shows where the logs are.</summary>
internal sealed class StartupAnnouncer(IEnumerable<ILoggerProvider> providers, ILoggerFactory factory, AsyncLogOptions options) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        // By now the host gets the signals.
        foreach (var provider in providers.OfType<SinkLoggerProvider>())
            provider.HostStarted();
        if (!options.StartupReport)
            return Task.CompletedTask;
        var logger = factory.CreateLogger(Notice.Category);
        foreach (var (_, line) in providers.OfType<SinkLoggerProvider>().SelectMany(static provider => provider.StartupLines()))
            Announce(logger, line);
        return Task.CompletedTask;
    }

    private static void Announce(ILogger logger, Notice line)
    {
        try
        {
            logger.Log(line.Level, line.EventId, line, null, Notice.Formatter);
        }
        catch (AggregateException exception) when (exception.InnerExceptions.All(static inner => inner is LogDeliveryException))
        {
            // Counted; the line is AsyncLog's own and no reason for a host not to start.
        }
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
