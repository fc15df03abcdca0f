using System.Diagnostics.CodeAnalysis;
using AsyncLog;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.Extensions.Logging;

/// <summary>Adds sinks and formatters of your own, and start-up logging.</summary>
public static class SinkLoggingBuilderExtensions
{
    private const string ByReflection = "The options are bound by reflection: pass bind, whose call the source generator of the binder replaces.";

    /// <summary>Adds a sink of your own, with the instances that its section describes: that of its alias below <c>Logging</c>.</summary>
    /// <typeparam name="TSink">The sink. Its <see cref="ProviderAliasAttribute"/> names the section and the rules for levels, and in lower case the type in names of instances.</typeparam>
    /// <typeparam name="TOptions">The options class of this sink.</typeparam>
    /// <param name="builder">The logging builder.</param>
    /// <param name="create">Makes the sink of one instance. It opens nothing: see <see cref="IOpenableLogSink"/>. The options do not change any more.</param>
    /// <param name="bind">Binds the options of <typeparamref name="TOptions"/> to their keys: <c>static (section, options) => section.Bind(options)</c>. AsyncLog reads the keys of
    /// <see cref="SinkOptions"/> itself; the section has the others only. Called for the section and then for that of a named instance, so it must not reset a key that is missing.</param>
    /// <param name="configure">Sets the options of the section, after the configuration; named instances inherit them. Default null: nothing to set.</param>
    /// <remarks>
    /// <para>A second call adds nothing twice; all delegates for options run, and the first sink and binder stay. Validate the options with an
    /// <see cref="Microsoft.Extensions.Options.IValidateOptions{TOptions}"/> of the container.</para>
    /// <para>A key that is not a public property of the options is reported as unknown. A reload that changes an option of <typeparamref name="TOptions"/> replaces the sink,
    /// which gets the records that wait. Records on the disk (<see cref="SinkOptions.SpoolPath"/>) are sent by a later process with the same alias and <see cref="SinkOptions.Format"/>.</para>
    /// <para>After a failure the sink gets the rest again after 0.1 s, doubling to 30 s at random, or after <see cref="LogSinkException.RetryDelay"/>.</para>
    /// </remarks>
    /// <exception cref="InvalidOperationException"><typeparamref name="TSink"/> has no alias, or another sink has the alias or the options class.</exception>
    public static ILoggingBuilder AddAsyncLogSink<TSink, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        this ILoggingBuilder builder, Func<TOptions, SinkContext, TSink> create, Action<IConfiguration, TOptions> bind, Action<TOptions>? configure = null)
        where TSink : class, ILogSink
        where TOptions : SinkOptions, new() => SinkRegistration.AddCustom(builder, null, create, bind, configure);

    /// <summary>Adds a sink of your own with a named instance, the same one that stands under this name below <c>Instances</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">The instance's name: letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="create">Makes the sink of one instance.</param>
    /// <param name="bind">Binds the options to their keys.</param>
    /// <param name="configure">Sets the options of the instance, after those it inherits and its own section. Default null: nothing to set.</param>
    /// <inheritdoc cref="AddAsyncLogSink{TSink, TOptions}(ILoggingBuilder, Func{TOptions, SinkContext, TSink}, Action{IConfiguration, TOptions}, Action{TOptions})"/>
    public static ILoggingBuilder AddAsyncLogSink<TSink, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        this ILoggingBuilder builder, string name, Func<TOptions, SinkContext, TSink> create, Action<IConfiguration, TOptions> bind, Action<TOptions>? configure = null)
        where TSink : class, ILogSink
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(name);
        return SinkRegistration.AddCustom(builder, name, create, bind, configure);
    }

    /// <summary>Adds a sink of your own, whose options are bound by reflection. In a trimmed or native application pass <c>bind</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="create">Makes the sink of one instance.</param>
    /// <param name="configure">Sets the options of the section, after the configuration; named instances inherit them. Default null: nothing to set.</param>
    /// <inheritdoc cref="AddAsyncLogSink{TSink, TOptions}(ILoggingBuilder, Func{TOptions, SinkContext, TSink}, Action{IConfiguration, TOptions}, Action{TOptions})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static ILoggingBuilder AddAsyncLogSink<TSink, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        this ILoggingBuilder builder, Func<TOptions, SinkContext, TSink> create, Action<TOptions>? configure = null)
        where TSink : class, ILogSink
        where TOptions : SinkOptions, new() => SinkRegistration.AddCustom(builder, null, create, static (section, options) => section.Bind(options), configure);

    /// <summary>Adds a sink of your own with a named instance, whose options are bound by reflection. In a trimmed or native application pass <c>bind</c>.</summary>
    /// <param name="builder">The logging builder.</param>
    /// <param name="name">The instance's name: letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="create">Makes the sink of one instance.</param>
    /// <param name="configure">Sets the options of the instance, after those it inherits and its own section. Default null: nothing to set.</param>
    /// <inheritdoc cref="AddAsyncLogSink{TSink, TOptions}(ILoggingBuilder, Func{TOptions, SinkContext, TSink}, Action{IConfiguration, TOptions}, Action{TOptions})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static ILoggingBuilder AddAsyncLogSink<TSink, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        this ILoggingBuilder builder, string name, Func<TOptions, SinkContext, TSink> create, Action<TOptions>? configure = null)
        where TSink : class, ILogSink
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(name);
        return SinkRegistration.AddCustom(builder, name, create, static (section, options) => section.Bind(options), configure);
    }

    /// <summary>Has the host log to the running sinks of a start-up factory, in place of sinks of its own.</summary>
    /// <param name="builder">The logging builder of the host.</param>
    /// <param name="startup">The factory. It stays the owner of the sinks: dispose it after the host.</param>
    /// <remarks>Its delegate runs on this builder too. Options, validators and formatters of the sinks that the host registers besides have no effect: the sinks run.</remarks>
    public static ILoggingBuilder AddAsyncLogBootstrap(this ILoggingBuilder builder, AsyncLogBootstrap startup)
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
    public static ILoggingBuilder AddAsyncLogFormatter(this ILoggingBuilder builder, string name, ILogFormatter formatter)
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
    public static ILoggingBuilder AddAsyncLogFormatter<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFormatter>(
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
