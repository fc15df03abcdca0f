using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

[ProviderAlias("Stalling")]
internal sealed class StallingLoggerProvider(SinkServices<StallingOptions> services) : SinkLoggerProvider<StallingOptions>(services);
