using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to files. Add it with <c>AddAsyncFile</c>; its configuration section is <c>Logging:AsyncFile</c>.</summary>
[ProviderAlias("AsyncFile")]
public sealed class AsyncFileLoggerProvider : SinkLoggerProvider<AsyncFileLoggerOptions>
{
    internal AsyncFileLoggerProvider(SinkServices<AsyncFileLoggerOptions> services)
        : base(services)
    {
    }
}
