using AsyncLog;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds standard output and standard error.</summary>
public static class AsyncConsoleLoggingBuilderExtensions
{
    private const string OtherProvider = "Microsoft.Extensions.Logging.Console.ConsoleLoggerProvider";

    /// <summary>Logs to standard output, as section <c>Logging:AsyncConsole</c> describes. Call <c>ClearProviders()</c> before it: a host has added the console
    /// provider of .NET, which writes every line too.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <remarks>Calling it again adds nothing twice.</remarks>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder) =>
        builder.AddSink<AsyncConsoleLoggerProvider, AsyncConsoleOptions>(DefinitionFor(builder));

    /// <summary>Logs to standard output, with options set in code after configuration was read.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="configure">Sets the options of the section; named streams inherit them.</param>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder, Action<AsyncConsoleOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddSink<AsyncConsoleLoggerProvider, AsyncConsoleOptions>(DefinitionFor(builder), configure);
    }

    /// <summary>Logs to a named stream besides that of the section, with levels and a format of its own; the same one that may stand under <c>Streams</c> in
    /// configuration.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">Letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Sets the options of this stream after everything it inherits.</param>
    public static ILoggingBuilder AddAsyncConsole(this ILoggingBuilder builder, string name, Action<AsyncConsoleOptions>? configure = null) =>
        builder.AddSink<AsyncConsoleLoggerProvider, AsyncConsoleOptions>(DefinitionFor(builder), name, configure);

    /// <param name="builder">The logging builder.</param>
    /// <param name="open">Gives a standard stream; null: that of the process.</param>
    internal static ConsoleSinkDefinition DefinitionFor(ILoggingBuilder builder, Func<ConsoleStream, StandardStream>? open = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var services = builder.Services;
        return new ConsoleSinkDefinition(() => services.Any(static service => service is { IsKeyedService: false, ImplementationType.FullName: OtherProvider }), open);
    }
}
