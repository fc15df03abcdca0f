using System.Diagnostics.CodeAnalysis;
using AsyncLog;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Configuration;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.Logging;

/// <summary>Registers sinks with a logging builder. What a sink's own <c>AddAsync…</c> method calls.</summary>
public static class SinkLoggingBuilderExtensions
{
    /// <summary>Adds a sink with the instances its configuration section describes.</summary>
    /// <typeparam name="TProvider">The sink's provider; its alias is the name of the section.</typeparam>
    /// <typeparam name="TOptions">The sink's options class.</typeparam>
    /// <param name="builder">The logging builder.</param>
    /// <param name="type">The sink's description.</param>
    /// <param name="configure">Code for the section's own options; it runs after configuration was read.</param>
    /// <remarks>Calling it again adds nothing twice; all delegates run.</remarks>
    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkType<TOptions> type, Action<TOptions>? configure = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(type);
        builder.AddConfiguration();
        IServiceCollection services = builder.Services;
        services.AddOptions();
        services.TryAddSingleton(SinkServicesFactory.CreateProcess);
        services.TryAddSingleton(SinkServicesFactory.CreateSelfReport);
        services.TryAddSingleton(SinkServicesFactory.CreateControl);
        services.TryAddSingleton(SinkServicesFactory.CreateSampler);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, SamplerHostedService>(SinkServicesFactory.CreateSamplerService));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, StartupReport>(SinkServicesFactory.CreateStartupReport));
        services.TryAddSingleton(provider => SinkServicesFactory.Create<TProvider, TOptions>(provider, type));
        SinkNaming naming = SinkServicesFactory.NamingOf<TProvider, TOptions>(type);
        if (!services.Any(service => naming.Equals(service.ImplementationInstance)))
        {
            services.AddSingleton(naming);
        }

        services.TryAddSingleton<FilterChanges<TOptions>>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<ILoggerProvider, TProvider>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<LoggerFilterOptions>, FilterChanges<TOptions>>(
            static provider => provider.GetRequiredService<FilterChanges<TOptions>>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<LoggerFilterOptions>, SinkFilterOptions<TOptions>>(
            static provider => new SinkFilterOptions<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>(), typeof(TProvider).FullName!)));
        services.TryAddSingleton<IOptionsFactory<TOptions>>(static provider => new SinkOptionsFactory<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<TOptions>, LoggerProviderOptionsChangeTokenSource<TOptions, TProvider>>());
        if (configure is not null)
        {
            services.Configure(configure);
        }

        return builder;
    }

    /// <summary>Adds a sink with a named instance, the same one that stands under this name in configuration.</summary>
    /// <typeparam name="TProvider">The sink's provider; its alias is the name of the section.</typeparam>
    /// <typeparam name="TOptions">The sink's options class.</typeparam>
    /// <param name="builder">The logging builder.</param>
    /// <param name="type">The sink's description.</param>
    /// <param name="name">The instance's name: letters, digits, <c>_</c>, <c>.</c>, <c>-</c>; not <c>default</c>.</param>
    /// <param name="configure">Code for the instance; it runs after everything it inherits and after its own configuration.</param>
    public static ILoggingBuilder AddSink<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        this ILoggingBuilder builder, SinkType<TOptions> type, string name, Action<TOptions>? configure = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(name);
        builder.AddSink<TProvider, TOptions>(type);
        builder.Services.AddSingleton(new SinkInstanceName<TOptions>(name));
        builder.Services.AddSingleton<IOptionsChangeTokenSource<TOptions>>(provider => new ConfigurationChangeTokenSource<TOptions>(
            name, provider.GetRequiredService<ILoggerProviderConfiguration<TProvider>>().Configuration));
        if (configure is not null)
        {
            builder.Services.AddSingleton<IConfigureOptions<TOptions>>(new InstanceConfigureOptions<TOptions>(name, configure));
        }

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
        builder.Services.AddSingleton(new NamedLogFormatter(name, formatter));
        return builder;
    }
}
