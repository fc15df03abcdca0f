using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to standard output and standard error. Add it with <c>AddAsyncConsole</c>; its configuration section is <c>Logging:AsyncConsole</c>.</summary>
[ProviderAlias("AsyncConsole")]
internal sealed class AsyncConsoleLoggerProvider(SinkServices<AsyncConsoleLoggerOptions> services) : SinkLoggerProvider<AsyncConsoleLoggerOptions>(services);
