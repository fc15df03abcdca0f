using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to syslog receivers. Add it with <c>AddAsyncSyslog</c>; its configuration section is <c>Logging:AsyncSyslog</c>.</summary>
[ProviderAlias("AsyncSyslog")]
public sealed class AsyncSyslogLoggerProvider : SinkLoggerProvider<AsyncSyslogOptions>
{
    internal AsyncSyslogLoggerProvider(SinkServices<AsyncSyslogOptions> services)
        : base(services)
    {
    }
}
