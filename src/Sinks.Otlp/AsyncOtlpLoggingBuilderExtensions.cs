using System.Runtime.CompilerServices;
using AsyncLog;
using Microsoft.Extensions.Configuration;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds OpenTelemetry collectors.</summary>
public static class AsyncOtlpLoggingBuilderExtensions
{
    /// <summary>Exports to the collectors in the section <c>Logging:AsyncOtlp</c> and the variables <c>OTEL_EXPORTER_OTLP_…</c>, or without them to
    /// <c>http://localhost:4318</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>A second call has no effect.</remarks>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder)
    {
        PackageVersion.Check();
        return Add(builder);
    }

    /// <summary>Exports to a collector, with options that code sets after the configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named collectors inherit them.</param>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder, Action<AsyncOtlpLoggerOptions> configure)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(configure);
        return Add(builder, configure: configure);
    }

    /// <summary>Exports to the collectors in a section of another name, which AsyncLog reads in place of <c>Logging:AsyncOtlp</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="section">The section, for example <c>builder.Configuration.GetSection("MyLogs")</c>. It has the keys of the usual
    /// section, with levels and named collectors; a reload applies its changes.</param>
    /// <remarks>A second call with the same section has no effect.</remarks>
    /// <exception cref="ArgumentException"><paramref name="section"/> is a whole configuration and not a section.</exception>
    /// <exception cref="InvalidOperationException">An earlier call gave another section.</exception>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder, IConfiguration section)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(section);
        return Add(builder, section: section);
    }

    /// <summary>Exports to a named collector, in addition to the one of the section or the variables and to other named ones. The configuration may describe the same
    /// collector under <c>Collectors</c>. To omit the collector of the section, set <see cref="SinkOptions.Main"/> to false.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this collector, after the ones that it inherits.</param>
    public static ILoggingBuilder AddAsyncOtlp(this ILoggingBuilder builder, string name, Action<AsyncOtlpLoggerOptions>? configure = null)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(name);
        return Add(builder, name, configure);
    }

    // Not inlined: it uses members of the core, which the check before it may refuse.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ILoggingBuilder Add(
        ILoggingBuilder builder, string? name = null, Action<AsyncOtlpLoggerOptions>? configure = null, IConfiguration? section = null) =>
        SinkRegistration.Add(builder, new OtlpSinkDefinition(), static services => new AsyncOtlpLoggerProvider(services), name, configure, section: section);
}
