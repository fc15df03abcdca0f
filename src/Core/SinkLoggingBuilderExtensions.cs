using System.Diagnostics.CodeAnalysis;
using AsyncLog;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.Extensions.Logging;

/// <summary>Registers sinks with a logging builder. Called by a sink's own <c>AddAsync…</c> method.</summary>
public static class SinkLoggingBuilderExtensions
{
    /// <summary>Adds a sink with the instances its configuration section describes.</summary>
    /// <typeparam name="TProvider">The sink's provider; its alias is the name of the section.</typeparam>
    /// <typeparam name="TOptions">The sink's options class.</typeparam>
    /// <param name="builder">The logging builder.</param>
    /// <param name="definition">The sink's definition.</param>
    /// <param name="configure">Code for the section's own options; it runs after configuration was read.</param>
    /// <remarks>Calling it again adds nothing twice; all delegates run, and the first definition stays.</remarks>
    /// <exception cref="InvalidOperationException">Another provider has been added with the same options class.</exception>
    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkDefinition<TOptions> definition, Action<TOptions>? configure = null)
        where TProvider : SinkLoggerProvider<TOptions>
        where TOptions : SinkOptions, new()
    {
        return SinkRegistration.Add<TProvider, TOptions>(builder, definition, null, configure);
    }

    /// <summary>Adds a sink with a named instance, the same one that stands under this name in configuration.</summary>
    /// <typeparam name="TProvider">The sink's provider; its alias is the name of the section.</typeparam>
    /// <typeparam name="TOptions">The sink's options class.</typeparam>
    /// <param name="builder">The logging builder.</param>
    /// <param name="definition">The sink's definition.</param>
    /// <param name="name">The instance's name: letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Code for the instance; it runs after everything it inherits and after its own configuration.</param>
    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkDefinition<TOptions> definition, string name, Action<TOptions>? configure = null)
        where TProvider : SinkLoggerProvider<TOptions>
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(name);
        return SinkRegistration.Add<TProvider, TOptions>(builder, definition, name, configure);
    }

    /// <summary>Has the host log to the running sinks of a start-up factory, in place of sinks of its own.</summary>
    /// <param name="builder">The logging builder of the host.</param>
    /// <param name="startup">The factory. It stays the owner of the sinks: dispose it after the host.</param>
    /// <remarks>Its delegate runs on this builder too. Options, validators and formatters of the sinks that the host registers besides have no effect: the sinks run.</remarks>
    public static ILoggingBuilder AddBootstrap(this ILoggingBuilder builder, AsyncLogBootstrap startup)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(startup);
        startup.AddTo(builder);
        return builder;
    }

    /// <summary>Registers a formatter that the option <c>Format</c> of any instance may name.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">The name; compared ignoring case. A later formatter of the same name replaces an earlier one.</param>
    /// <param name="formatter">The formatter; it must serve several threads at once.</param>
    public static ILoggingBuilder AddLogFormatter(this ILoggingBuilder builder, string name, ILogFormatter formatter)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentNullException.ThrowIfNull(formatter);
        builder.Services.AddSingleton(new NamedLogFormatter(name, _ => formatter));
        return builder;
    }

    /// <summary>Registers a formatter that the option <c>Format</c> of any instance may name and that the container makes: a singleton with the name as its key.</summary>
    /// <typeparam name="TFormatter">The formatter; it must serve several threads at once. Its constructor must not depend on loggers, which need it themselves.</typeparam>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">The name; compared ignoring case. A later formatter of the same name replaces an earlier one.</param>
    public static ILoggingBuilder AddLogFormatter<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFormatter>(
        this ILoggingBuilder builder, string name)
        where TFormatter : class, ILogFormatter
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        builder.Services.AddKeyedSingleton<ILogFormatter, TFormatter>(name);
        builder.Services.AddSingleton(new NamedLogFormatter(name, services => services.GetRequiredKeyedService<ILogFormatter>(name)));
        return builder;
    }
}
