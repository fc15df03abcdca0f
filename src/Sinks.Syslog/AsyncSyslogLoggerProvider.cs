using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs to syslog receivers. Add it with <c>AddAsyncSyslog</c>; its configuration section is <c>Logging:AsyncSyslog</c>.</summary>
[ProviderAlias("AsyncSyslog")]
internal sealed class AsyncSyslogLoggerProvider(SinkServices<AsyncSyslogLoggerOptions> services) : SinkLoggerProvider<AsyncSyslogLoggerOptions>(services);
