using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A sink that does not come back from its first batch while it lives, so that the queue fills and stays full.</summary>
internal sealed class BlockedSink : ILogSink
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => await _end.Task.WaitAsync(cancellationToken);

    public ValueTask DisposeAsync()
    {
        _end.TrySetResult();
        return ValueTask.CompletedTask;
    }
}

/// <summary>Its options: the common ones.</summary>
internal sealed class BlockedOptions : SinkOptions;

/// <summary>Its provider.</summary>
[ProviderAlias("Blocked")]
internal sealed class BlockedLoggerProvider(SinkServices<BlockedOptions> services) : SinkLoggerProvider<BlockedOptions>(services);

/// <summary>Its definition.</summary>
internal sealed class BlockedDefinition() : SinkDefinition<BlockedOptions>("blocked")
{
    public override string RegistrationMethod => "AddSink";

    public override ILogSink CreateSink(BlockedOptions options, SinkContext context) => new BlockedSink();
}
