using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to files. Add it with <c>AddAsyncFile</c>; its configuration section is <c>Logging:AsyncFile</c>.</summary>
/// <param name="services">From the container.</param>
[ProviderAlias("AsyncFile")]
public sealed class AsyncFileLoggerProvider(SinkServices<AsyncFileOptions> services) : SinkLoggerProvider<AsyncFileOptions>(services);
