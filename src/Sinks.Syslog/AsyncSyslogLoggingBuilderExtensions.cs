using AsyncLog;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds syslog receivers.</summary>
public static class AsyncSyslogLoggingBuilderExtensions
{
    /// <summary>Logs to the receivers in the section <c>Logging:AsyncSyslog</c>. Without that section it logs to the socket of the local daemon if there is one, otherwise to
    /// <c>udp://localhost:514</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>A second call has no effect.</remarks>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder) =>
        builder.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(NewDefinition());

    /// <summary>Logs to syslog, with options that code sets after the configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named servers inherit them.</param>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, Action<AsyncSyslogOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(NewDefinition(), configure);
    }

    /// <summary>Logs to a named receiver, in addition to the one of the section, by default the local daemon, and to other named ones. The configuration may describe the
    /// same receiver under <c>Servers</c>. To omit the receiver of the section, set <see cref="SinkOptions.Main"/> to false.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this receiver, after the ones that it inherits.</param>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, string name, Action<AsyncSyslogOptions>? configure = null) =>
        builder.AddSink<AsyncSyslogLoggerProvider, AsyncSyslogOptions>(NewDefinition(), name, configure);

    private static SyslogSinkDefinition NewDefinition() => new(localDaemon: SyslogEndpoint.FindLocal());
}
