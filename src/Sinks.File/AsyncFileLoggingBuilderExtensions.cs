using System.Runtime.CompilerServices;
using AsyncLog;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds log files.</summary>
public static class AsyncFileLoggingBuilderExtensions
{
    /// <summary>Logs to the files in the section <c>Logging:AsyncFile</c>, or without that section to <c>logs/{ApplicationName}.log</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>A second call has no effect.</remarks>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder)
    {
        PackageVersion.Check();
        return Add(builder);
    }

    /// <summary>Logs to files, with options that code sets after the configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named files inherit them.</param>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder, Action<AsyncFileLoggerOptions> configure)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(configure);
        return Add(builder, configure: configure);
    }

    /// <summary>Logs to the files in a section of another name, which AsyncLog reads in place of <c>Logging:AsyncFile</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="section">The section, for example <c>builder.Configuration.GetSection("MyLogs")</c>. It has the keys of the usual
    /// section, with levels and named files; a reload applies its changes.</param>
    /// <remarks>A second call with the same section has no effect.</remarks>
    /// <exception cref="ArgumentException"><paramref name="section"/> is a whole configuration and not a section.</exception>
    /// <exception cref="InvalidOperationException">An earlier call gave another section.</exception>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder, IConfiguration section)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(section);
        return Add(builder, section: section);
    }

    /// <summary>Logs to a named file, in addition to the file of the section and other named files. The configuration may describe the same file under <c>Files</c>.
    /// To omit the file of the section, set <see cref="SinkOptions.Main"/> to false.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this file, after the ones that it inherits.</param>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder, string name, Action<AsyncFileLoggerOptions>? configure = null)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(name);
        return Add(builder, name, configure);
    }

    // Not inlined: it uses members of the core, which the check before it may refuse.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ILoggingBuilder Add(
        ILoggingBuilder builder, string? name = null, Action<AsyncFileLoggerOptions>? configure = null, IConfiguration? section = null) =>
        SinkRegistration.Add(builder, builder.AddControl(), static services => new AsyncFileLoggerProvider(services), name, configure, section: section);

    // Called again, the builder keeps the first definition, and with it the first control.
    private static FileSinkDefinition AddControl(this ILoggingBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var control = new AsyncFileControl();
        builder.Services.TryAddSingleton<IAsyncFileControl>(services =>
        {
            // Resolving the providers creates the sinks, which register with the control.
            _ = services.GetServices<ILoggerProvider>();
            return control;
        });
        return new FileSinkDefinition(control);
    }
}
