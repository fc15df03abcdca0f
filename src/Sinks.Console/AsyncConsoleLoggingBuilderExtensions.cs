using System.Runtime.CompilerServices;
using AsyncLog;
using Microsoft.Extensions.Configuration;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds standard output and standard error.</summary>
public static class AsyncConsoleLoggingBuilderExtensions
{
    private const string OtherProvider = "Microsoft.Extensions.Logging.Console.ConsoleLoggerProvider";

    /// <summary>Logs to standard output, with the options in the section <c>Logging:AsyncConsole</c>. Call <c>ClearProviders()</c> before it, because a host adds the console
    /// provider of .NET, which also writes every line.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>A second call has no effect.</remarks>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder)
    {
        PackageVersion.Check();
        return Add(builder);
    }

    /// <summary>Logs to standard output, with options that code sets after the configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named streams inherit them.</param>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder, Action<AsyncConsoleLoggerOptions> configure)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(configure);
        return Add(builder, configure: configure);
    }

    /// <summary>Logs to the standard streams in a section of another name, which AsyncLog reads in place of <c>Logging:AsyncConsole</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="section">The section, for example <c>builder.Configuration.GetSection("MyLogs")</c>. It has the keys of the usual
    /// section, with levels and named streams; a reload applies its changes.</param>
    /// <remarks>A second call with the same section has no effect.</remarks>
    /// <exception cref="ArgumentException"><paramref name="section"/> is a whole configuration and not a section.</exception>
    /// <exception cref="InvalidOperationException">An earlier call gave another section.</exception>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder, IConfiguration section)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(section);
        return Add(builder, section: section);
    }

    /// <summary>Logs to a named stream, in addition to that of the section, with its own levels and format. The configuration may describe the same stream under
    /// <c>Streams</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this stream, after the ones that it inherits.</param>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder, string name, Action<AsyncConsoleLoggerOptions>? configure = null)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(name);
        return Add(builder, name, configure);
    }

    // Not inlined: it uses members of the core, which the check before it may refuse.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ILoggingBuilder Add(
        ILoggingBuilder builder, string? name = null, Action<AsyncConsoleLoggerOptions>? configure = null, IConfiguration? section = null) =>
        SinkRegistration.Add(builder, DefinitionFor(builder), static services => new AsyncConsoleLoggerProvider(services), name, configure, section: section);

    /// <param name="open">Returns a standard stream; null: that of the process.</param>
    internal static ConsoleSinkDefinition DefinitionFor(ILoggingBuilder builder, Func<ConsoleStream, StandardStream>? open = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var services = builder.Services;
        return new ConsoleSinkDefinition(() => services.Any(static service => service is { IsKeyedService: false, ImplementationType.FullName: OtherProvider }), open);
    }
}
