using System.Runtime.CompilerServices;
using AsyncLog;
using Microsoft.Extensions.Configuration;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds syslog receivers.</summary>
public static class AsyncSyslogLoggingBuilderExtensions
{
    /// <summary>Logs to the receivers in the section <c>Logging:AsyncSyslog</c>. Without that section it logs to the socket of the local daemon if there is one, otherwise to
    /// <c>udp://localhost:514</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>A second call has no effect.</remarks>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder)
    {
        PackageVersion.Check();
        return Add(builder);
    }

    /// <summary>Logs to syslog, with options that code sets after the configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named servers inherit them.</param>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, Action<AsyncSyslogLoggerOptions> configure)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(configure);
        return Add(builder, configure: configure);
    }

    /// <summary>Logs to the receivers in a section of another name, which AsyncLog reads in place of <c>Logging:AsyncSyslog</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="section">The section, for example <c>builder.Configuration.GetSection("MyLogs")</c>. It has the keys of the usual
    /// section, with levels and named servers; a reload applies its changes.</param>
    /// <remarks>A second call with the same section has no effect.</remarks>
    /// <exception cref="ArgumentException"><paramref name="section"/> is a whole configuration and not a section.</exception>
    /// <exception cref="InvalidOperationException">An earlier call gave another section.</exception>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, IConfiguration section)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(section);
        return Add(builder, section: section);
    }

    /// <summary>Logs to a named receiver, in addition to the one of the section, by default the local daemon, and to other named ones. The configuration may describe the
    /// same receiver under <c>Servers</c>. To omit the receiver of the section, set <see cref="SinkOptions.Main"/> to false.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this receiver, after the ones that it inherits.</param>
    public static ILoggingBuilder AddAsyncSyslog(this ILoggingBuilder builder, string name, Action<AsyncSyslogLoggerOptions>? configure = null)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(name);
        return Add(builder, name, configure);
    }

    // Not inlined: it uses members of the core, which the check before it may refuse.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ILoggingBuilder Add(
        ILoggingBuilder builder, string? name = null, Action<AsyncSyslogLoggerOptions>? configure = null, IConfiguration? section = null) =>
        SinkRegistration.Add(builder, NewDefinition(), static services => new AsyncSyslogLoggerProvider(services), name, configure, section: section);

    private static SyslogSinkDefinition NewDefinition() => new(localDaemon: SyslogEndpoint.FindLocal());
}
