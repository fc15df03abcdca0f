using System.Diagnostics.Metrics;
using Microsoft.Extensions.Hosting;

namespace AsyncLog;

/// <summary>Starts the publisher with the host, when the container is complete: a provider must not ask for a meter factory while loggers are made.</summary>
internal sealed class HealthPublishing(HealthPublisher publisher, IMeterFactory? meters) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        publisher.Start(meters);
        return Task.CompletedTask;
    }

    // It goes on until the providers have drained: what is lost after the host stopped is seen too.
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
