using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to standard output and standard error. Add it with <c>AddAsyncConsole</c>; its configuration section is <c>Logging:AsyncConsole</c>.</summary>
[ProviderAlias("AsyncConsole")]
public sealed class AsyncConsoleLoggerProvider : SinkLoggerProvider<AsyncConsoleLoggerOptions>
{
    internal AsyncConsoleLoggerProvider(SinkServices<AsyncConsoleLoggerOptions> services)
        : base(services)
    {
    }
}
