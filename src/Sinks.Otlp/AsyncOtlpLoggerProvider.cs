using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Exports logs to OpenTelemetry collectors. Add it with <c>AddAsyncOtlp</c>; its configuration section is <c>Logging:AsyncOtlp</c>.</summary>
/// <param name="services">From the container.</param>
[ProviderAlias("AsyncOtlp")]
public sealed class AsyncOtlpLoggerProvider(SinkServices<AsyncOtlpOptions> services) : SinkLoggerProvider<AsyncOtlpOptions>(services);
