using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to standard output and standard error. Add it with <c>AddAsyncConsole</c>; its configuration section is <c>Logging:AsyncConsole</c>.</summary>
/// <param name="services">From the container.</param>
[ProviderAlias("AsyncConsole")]
public sealed class AsyncConsoleLoggerProvider(SinkServices<AsyncConsoleOptions> services) : SinkLoggerProvider<AsyncConsoleOptions>(services);
