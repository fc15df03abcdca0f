using AsyncLog;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds syslog receivers.</summary>
public static class AsyncSyslogLoggingBuilderExtensions
{
    /// <summary>Logs to the receivers that section <c>Logging:AsyncSyslog</c> describes; without it to the local daemon's socket where there is one, else to
    /// <c>udp://localhost:514</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>Calling it again adds nothing twice.</remarks>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder) =>
        builder.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(NewDefinition());

    /// <summary>Logs to syslog, with options set in code after configuration was read.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named servers inherit them.</param>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, Action<AsyncSyslogOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(NewDefinition(), configure);
    }

    /// <summary>Logs to a named receiver besides others; the same one that may stand under <c>Servers</c> in configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this receiver after everything it inherits.</param>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, string name, Action<AsyncSyslogOptions>? configure = null) =>
        builder.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(NewDefinition(), name, configure);

    private static SyslogSinkDefinition NewDefinition() => new(localDaemon: SyslogEndpoint.FindLocal());
}
