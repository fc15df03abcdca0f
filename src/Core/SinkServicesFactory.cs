using System.Diagnostics.Metrics;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Configuration;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Collects from the container what a sink needs. The only place that asks the container for anything.</summary>
internal static class SinkServicesFactory
{
    public static SinkServices<TOptions> Create<TProvider, TOptions>(IServiceProvider services, SinkDefinition<TOptions> type)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new()
    {
        IConfiguration section = services.GetRequiredService<ILoggerProviderConfiguration<TProvider>>().Configuration;
        IConfiguration factoryLevels = services.GetRequiredService<ILoggerProviderConfiguration<FactoryLevels>>().Configuration;
        Dictionary<string, ILogFormatter> formatters = new(StringComparer.OrdinalIgnoreCase);
        foreach (NamedLogFormatter named in services.GetServices<NamedLogFormatter>())
        {
            formatters[named.Name] = named.Get(services);
        }

        ApplicationInfo application = ApplicationOf(services.GetService<IHostEnvironment>());
        ProcessConfiguration process = services.GetRequiredService<ProcessConfiguration>();
        TimeProvider timeProvider = services.GetService<TimeProvider>() ?? TimeProvider.System;
        OptionSources<TOptions> sources = new()
        {
            Section = section,
            FactoryLevels = factoryLevels,
            Configure = [.. services.GetServices<IConfigureOptions<TOptions>>()],
            PostConfigure = [.. services.GetServices<IPostConfigureOptions<TOptions>>()],
            Validate = [.. services.GetServices<IValidateOptions<TOptions>>()],
            Names = [.. services.GetServices<SinkInstanceName<TOptions>>().Select(instance => instance.Name)],
        };
        SinkSurroundings surroundings = new()
        {
            Root = services.GetService<IConfiguration>(),
            Sections = [.. services.GetServices<SinkNaming>().Select(naming => naming.Alias)],
            Application = application,
            Formats = new SinkFormats(type.Formats, type.AcceptsFormatters ? formatters.Keys : [], type.DefaultFormat),
            RootValue = services.GetService<IConfiguration>() is { } root ? name => root[name] : Environment.GetEnvironmentVariable,
            HostApplicationName = NotEmpty(services.GetService<IHostEnvironment>()?.ApplicationName),
        };
        SettingsReader<TOptions> reader = new(type, sources, NamingOf<TProvider, TOptions>(type), surroundings);
        SinkConfiguration<TOptions> configuration = new(
            type, reader, process, services.GetRequiredService<FilterChanges<TOptions>>(),
            changed => new ReloadWatch([section.GetReloadToken, factoryLevels.GetReloadToken, process.GetReloadToken], timeProvider, changed));
        return new SinkServices<TOptions>(
            type, configuration, formatters, application, process, services.GetRequiredService<SelfReport>(), services.GetRequiredService<HealthPublisher>(), timeProvider)
        {
            // Asked, not resolved: the lifetime wants a logger, and the loggers are being made right now.
            HasHost = services.GetService<IServiceProviderIsService>()?.IsService(typeof(IHostApplicationLifetime)) == true,
        };
    }

    public static ProcessConfiguration CreateProcess(IServiceProvider services) => new(
        services.GetService<IConfiguration>(),
        services.GetServices<IConfigureOptions<AsyncLogOptions>>(),
        services.GetServices<IPostConfigureOptions<AsyncLogOptions>>());

    public static SelfReport CreateSelfReport(IServiceProvider services) => SelfReport.Create(
        services.GetRequiredService<ProcessConfiguration>().Options.SelfReport, services.GetService<TimeProvider>() ?? TimeProvider.System);

    public static IAsyncLogControl CreateControl(IServiceProvider services)
        => new AsyncLogControl(services.GetServices<ILoggerProvider>(), services.GetService<TimeProvider>() ?? TimeProvider.System);

    public static HealthPublisher CreatePublisher(IServiceProvider services)
        => new(services.GetService<TimeProvider>() ?? TimeProvider.System, services.GetRequiredService<SelfReport>());

    public static HealthPublishing CreatePublishing(IServiceProvider services)
        => new(services.GetRequiredService<HealthPublisher>(), services.GetService<IMeterFactory>());

    public static StartupReport CreateStartupReport(IServiceProvider services) => new(
        services.GetServices<ILoggerProvider>(), services.GetRequiredService<ILoggerFactory>(), services.GetRequiredService<ProcessConfiguration>().Options);

    public static SinkNaming NamingOf<TProvider, TOptions>(SinkDefinition<TOptions> type)
        where TOptions : SinkOptions, new()
    {
        string fullName = typeof(TProvider).FullName!;
        string alias = typeof(TProvider).GetCustomAttribute<ProviderAliasAttribute>()?.Alias ?? fullName;
        return new SinkNaming(fullName, alias, type.ChildrenKey, type.RegistrationMethod) { OptionsType = typeof(TOptions) };
    }

    private static ApplicationInfo ApplicationOf(IHostEnvironment? host) => new(
        NotEmpty(host?.ApplicationName) ?? Assembly.GetEntryAssembly()?.GetName().Name ?? "app",
        NotEmpty(host?.EnvironmentName) ?? Environments.Production,
        NotEmpty(host?.ContentRootPath) ?? AppContext.BaseDirectory);

    private static string? NotEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    // A provider that does not exist, by whose alias the factory's own levels are found in every registered logging configuration.
    [ProviderAlias("LogLevel")]
    private sealed class FactoryLevels;
}

/// <summary>A formatter that options may choose by name with <c>Format</c>.</summary>
/// <param name="Name">The name; compared ignoring case.</param>
/// <param name="Get">Gets the formatter, which serves all instances that choose it, from the container.</param>
internal sealed record NamedLogFormatter(string Name, Func<IServiceProvider, ILogFormatter> Get);
