using Microsoft.Extensions.Logging;

namespace AsyncLog.Allocation;

/// <summary>A sink that never comes back from its first batch, so that the queue fills and stays full.</summary>
internal sealed class BlockedSink : ILogSink
{
    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => await Task.Delay(Timeout.Infinite, cancellationToken);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Its options: the common ones.</summary>
internal sealed class BlockedOptions : SinkOptions;

/// <summary>Its provider.</summary>
[ProviderAlias("Blocked")]
internal sealed class BlockedLoggerProvider(SinkServices<BlockedOptions> services) : SinkLoggerProvider<BlockedOptions>(services);
