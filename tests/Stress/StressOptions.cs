using Microsoft.Extensions.Logging;

namespace AsyncLog.Stress;

/// <summary>Options of the stress sink: only the common ones.</summary>
internal sealed class StressOptions : SinkOptions;

/// <summary>Its provider.</summary>
[ProviderAlias("Stress")]
internal sealed class StressLoggerProvider(SinkServices<StressOptions> services) : SinkLoggerProvider<StressOptions>(services);
