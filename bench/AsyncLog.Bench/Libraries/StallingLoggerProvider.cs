using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

[ProviderAlias("Stalling")]
internal sealed class StallingLoggerProvider(SinkServices<StallingOptions> services) : SinkLoggerProvider<StallingOptions>(services);

/// <summary>Describes <see cref="StallingSink"/>.</summary>
internal sealed class StallingDefinition() : SinkDefinition<StallingOptions>("stalling")
{
    public override ILogSink CreateSink(StallingOptions options, SinkContext context) => new StallingSink(options.Path, options.Stalls);
}
