using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Announces every instance through the application's own logger when the host starts, so that the console shows where the logs are.</summary>
internal sealed class StartupAnnouncer(IEnumerable<ILoggerProvider> providers, ILoggerFactory factory, AsyncLogOptions options) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (!options.StartupReport)
            return Task.CompletedTask;
        var logger = factory.CreateLogger(Notice.Category);
        foreach (var (_, line) in providers.OfType<SinkLoggerProvider>().SelectMany(static provider => provider.StartupLines()))
            logger.Log(line.Level, line.EventId, line, null, Notice.Formatter);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
