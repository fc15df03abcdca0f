using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to files. Add it with <c>AddAsyncFile</c>; its configuration section is <c>Logging:AsyncFile</c>.</summary>
[ProviderAlias("AsyncFile")]
internal sealed class AsyncFileLoggerProvider(SinkServices<AsyncFileLoggerOptions> services) : SinkLoggerProvider<AsyncFileLoggerOptions>(services);
