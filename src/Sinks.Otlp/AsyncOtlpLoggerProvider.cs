using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Exports logs to OpenTelemetry collectors. Add it with <c>AddAsyncOtlp</c>; its configuration section is <c>Logging:AsyncOtlp</c>.</summary>
[ProviderAlias("AsyncOtlp")]
internal sealed class AsyncOtlpLoggerProvider(SinkServices<AsyncOtlpLoggerOptions> services) : SinkLoggerProvider<AsyncOtlpLoggerOptions>(services);
