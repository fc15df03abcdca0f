using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to syslog receivers. Add it with <c>AddAsyncSyslog</c>; its configuration section is <c>Logging:AsyncSyslog</c>.</summary>
/// <param name="services">From the container.</param>
[ProviderAlias("AsyncSyslog")]
public sealed class AsyncSyslogLoggerProvider(SinkServices<AsyncSyslogOptions> services) : SinkLoggerProvider<AsyncSyslogOptions>(services);
