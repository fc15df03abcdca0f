using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Adds sinks of tests as the packages of this repository add theirs: with a definition.</summary>
internal static class TestSinkExtensions
{
    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkDefinition<TOptions> definition, Action<TOptions>? configure = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new() => SinkRegistration.Add(builder, definition, Create<TProvider, TOptions>, null, configure);

    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkDefinition<TOptions> definition, string name, Action<TOptions>? configure = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new() => SinkRegistration.Add(builder, definition, Create<TProvider, TOptions>, name, configure);

    private static TProvider Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(SinkServices<TOptions> services)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new() => (TProvider)Activator.CreateInstance(typeof(TProvider), BindingFlags.DoNotWrapExceptions | BindingFlags.Instance | BindingFlags.Public, binder: null, [services], culture: null)!;
}
