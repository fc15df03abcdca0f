using AsyncLog;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds OpenTelemetry collectors.</summary>
public static class AsyncOtlpLoggingBuilderExtensions
{
    /// <summary>Exports to the collectors that section <c>Logging:AsyncOtlp</c> and the variables <c>OTEL_EXPORTER_OTLP_…</c> describe; without them to
    /// <c>http://localhost:4318</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>Calling it again adds nothing twice.</remarks>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder) =>
        builder.AddSink<AsyncOtlpLoggerProvider, AsyncOtlpOptions>(new OtlpSinkDefinition());

    /// <summary>Exports to a collector, with options set in code after configuration was read.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named collectors inherit them.</param>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder, Action<AsyncOtlpOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddSink<AsyncOtlpLoggerProvider, AsyncOtlpOptions>(new OtlpSinkDefinition(), configure);
    }

    /// <summary>Exports to a named collector besides others; the same one that may stand under <c>Collectors</c> in configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this collector after everything it inherits.</param>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder, string name, Action<AsyncOtlpOptions>? configure = null) =>
        builder.AddSink<AsyncOtlpLoggerProvider, AsyncOtlpOptions>(new OtlpSinkDefinition(), name, configure);
}
