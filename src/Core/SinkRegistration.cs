using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Configuration;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Registers the services of a sink.</summary>
internal static class SinkRegistration
{
    /// <param name="builder">The logging builder.</param>
    /// <param name="definition">The sink's definition.</param>
    /// <param name="name">The instance to add; null: those of the section only.</param>
    /// <param name="configure">Sets options of the instance, or of the section.</param>
    public static ILoggingBuilder Add<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProvider, TOptions>(
        ILoggingBuilder builder, SinkDefinition<TOptions> definition, string? name, Action<TOptions>? configure)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(definition);
        builder.AddConfiguration();
        IServiceCollection services = builder.Services;
        SinkNaming naming = SinkServicesFactory.NamingOf<TProvider, TOptions>(definition);
        SinkNaming? earlier = services.Select(static service => service.ImplementationInstance).OfType<SinkNaming>()
            .FirstOrDefault(other => other.OptionsType == naming.OptionsType);
        if (earlier is null)
            services.AddSingleton(naming);
        else if (earlier.ProviderName != naming.ProviderName)
            throw new InvalidOperationException($"{typeof(TOptions)} belongs to {earlier.ProviderName}; {naming.ProviderName} needs an options class of its own.");

        services.AddOptions();
        services.TryAddSingleton(SinkServicesFactory.CreateProcess);
        services.TryAddSingleton(SinkServicesFactory.CreateSelfReport);
        services.TryAddSingleton(SinkServicesFactory.CreateControl);
        services.TryAddSingleton(SinkServicesFactory.CreatePublisher);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, HealthPublishing>(SinkServicesFactory.CreatePublishing));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, StartupReport>(SinkServicesFactory.CreateStartupReport));
        services.TryAddSingleton(provider => SinkServicesFactory.Create<TProvider, TOptions>(provider, definition));
        services.TryAddSingleton<FilterChanges<TOptions>>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<ILoggerProvider, TProvider>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<LoggerFilterOptions>, FilterChanges<TOptions>>(
            static provider => provider.GetRequiredService<FilterChanges<TOptions>>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<LoggerFilterOptions>, SinkFilterOptions<TOptions>>(
            static provider => new SinkFilterOptions<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>())));
        services.TryAddSingleton<IOptionsFactory<TOptions>>(static provider => new SinkOptionsFactory<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<TOptions>, LoggerProviderOptionsChangeTokenSource<TOptions, TProvider>>());
        if (name is null)
        {
            if (configure is not null)
                services.Configure(configure);
            return builder;
        }

        services.AddSingleton(new SinkInstanceName<TOptions>(name));
        services.AddSingleton<IOptionsChangeTokenSource<TOptions>>(provider => new ConfigurationChangeTokenSource<TOptions>(
            name, provider.GetRequiredService<ILoggerProviderConfiguration<TProvider>>().Configuration));
        if (configure is not null)
            services.AddSingleton<IConfigureOptions<TOptions>>(new InstanceConfigureOptions<TOptions>(name, configure));
        return builder;
    }
}
