using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Types = System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes;

namespace AsyncLog.Tests;

/// <summary>Adds sinks of tests as the packages of this repository add theirs: with a definition.</summary>
internal static class TestSinkExtensions
{
    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(Types.PublicConstructors | Types.NonPublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkDefinition<TOptions> definition, Action<TOptions>? configure = null, IConfiguration? section = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new() => SinkRegistration.Add(builder, definition, Create<TProvider, TOptions>, null, configure, section: section);

    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(Types.PublicConstructors | Types.NonPublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkDefinition<TOptions> definition, string name, Action<TOptions>? configure = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new() => SinkRegistration.Add(builder, definition, Create<TProvider, TOptions>, name, configure);

    private static TProvider Create<[DynamicallyAccessedMembers(Types.PublicConstructors | Types.NonPublicConstructors)] TProvider, TOptions>(SinkServices<TOptions> services)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new() =>
            typeof(TProvider).GetConstructor(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, [typeof(SinkServices<TOptions>)]) is { } constructor
            ? (TProvider)constructor.Invoke(BindingFlags.DoNotWrapExceptions, binder: null, [services], culture: null) : Activator.CreateInstance<TProvider>();
}
