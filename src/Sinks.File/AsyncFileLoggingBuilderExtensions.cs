using AsyncLog;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds log files to a logging builder.</summary>
public static class AsyncFileLoggingBuilderExtensions
{
    /// <summary>Adds the log files that <c>Logging:AsyncFile</c> describes; without configuration one file, <c>logs/{ApplicationName}.log</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>Calling it again adds nothing twice.</remarks>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder)
        => builder.AddSink<AsyncFileLoggerProvider, AsyncFileOptions>(AsyncFileSinkType.Create());

    /// <summary>Adds log files and configures the section's own options in code; code comes after configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets options of the default file, and what named files inherit.</param>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder, Action<AsyncFileOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddSink<AsyncFileLoggerProvider, AsyncFileOptions>(AsyncFileSinkType.Create(), configure);
    }

    /// <summary>Adds a named log file, the same one that <c>Logging:AsyncFile:Files</c> has under this name.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">1 to 64 letters, digits, <c>_</c>, <c>.</c> or <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets its options, after everything it inherits and its own configuration.</param>
    public static ILoggingBuilder AddAsyncFile(this ILoggingBuilder builder, string name, Action<AsyncFileOptions>? configure = null)
        => builder.AddSink<AsyncFileLoggerProvider, AsyncFileOptions>(AsyncFileSinkType.Create(), name, configure);
}
