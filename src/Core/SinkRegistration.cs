using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Configuration;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Registers the services of a sink, and assembles those of its provider. The only place that resolves services from the container.</summary>
internal static class SinkRegistration
{
    /// <param name="create">Makes the provider.</param>
    /// <param name="name">The instance to add; null: those of the section only.</param>
    /// <param name="configure">Sets options of the instance, or of the section.</param>
    /// <param name="aliased">The class that has the alias; null: the provider.</param>
    /// <param name="section">The section to read in place of the usual one; null: the usual one, unless another call gives one.</param>
    public static ILoggingBuilder Add<TProvider, TOptions>(
        ILoggingBuilder builder, SinkDefinition<TOptions> definition, Func<SinkServices<TOptions>, TProvider> create, string? name, Action<TOptions>? configure,
        Type? aliased = null, IConfiguration? section = null)
        where TProvider : class, ILoggerProvider
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(definition);
        builder.AddConfiguration();
        var services = builder.Services;
        var names = NamesOf<TProvider, TOptions>(definition, aliased);
        if (IsFirst(names, services))
            services.AddSingleton(names);
        if (section is not null)
            AddSection(services, section, names);
        AddCommon(services);
        services.TryAddSingleton(provider => Create(provider, definition, aliased ?? typeof(TProvider), names));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<ISinkFindings, SinkSettings<TOptions>>(
            static provider => provider.GetRequiredService<SinkServices<TOptions>>().Configuration.Current));
        services.TryAddSingleton<FilterChanges<TOptions>>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<ILoggerProvider, TProvider>(provider => create(provider.GetRequiredService<SinkServices<TOptions>>())));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<LoggerFilterOptions>, FilterChanges<TOptions>>(
            static provider => provider.GetRequiredService<FilterChanges<TOptions>>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<LoggerFilterOptions>, SinkFilterOptions<TOptions>>(
            static provider => new SinkFilterOptions<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>(), provider.GetService<StartupHost>())));
        services.TryAddSingleton<IOptionsFactory<TOptions>>(static provider => new SinkOptionsFactory<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>()));
        services.TryAddSingleton<IOptionsMonitorCache<TOptions>, SinkOptionsCache<TOptions>>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<TOptions>, SinkOptionsChanges<TOptions>>(
            static provider => new SinkOptionsChanges<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>(), Options.DefaultName)));
        if (name is null)
        {
            if (configure is not null)
                services.Configure(configure);
            return builder;
        }

        services.AddSingleton(new SinkInstanceName<TOptions>(name));
        services.AddSingleton<IOptionsChangeTokenSource<TOptions>>(provider => new SinkOptionsChanges<TOptions>(provider.GetRequiredService<SinkServices<TOptions>>(), name));
        if (configure is not null)
            services.AddSingleton<IConfigureOptions<TOptions>>(new InstanceConfigureOptions<TOptions>(name, configure));
        return builder;
    }

    /// <summary>Adds a sink of others.</summary>
    /// <inheritdoc cref="Add"/>
    public static ILoggingBuilder AddCustom<TSink, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        ILoggingBuilder builder, string? name, Func<TOptions, SinkContext, TSink> create, Action<IConfiguration, TOptions> bind, Action<TOptions>? configure)
        where TSink : class, ILogSink
        where TOptions : SinkOptions, new()
    {
        ArgumentNullException.ThrowIfNull(create);
        ArgumentNullException.ThrowIfNull(bind);
        var alias = AliasOf(typeof(TSink));
        if (alias is null || InstanceName.Rule(alias, "") is not null)
        {
            throw new InvalidOperationException(
                $"{typeof(TSink)} needs an alias of letters, digits, '_', '.' or '-': put [ProviderAlias(\"Queue\")] on the class. It names the section Logging:Queue and the instance queue/default.");
        }

        return Add(
            builder, new CustomSinkDefinition<TSink, TOptions>(alias, create, bind), static services => new CustomSinkProvider<TSink, TOptions>(services), name, configure, typeof(TSink));
    }

    // A sink that was added before keeps its definition.
    private static bool IsFirst(SinkNames names, IServiceCollection services)
    {
        var isFirst = true;
        foreach (var earlier in services.Select(static service => service.ImplementationInstance).OfType<SinkNames>())
        {
            if (earlier.ProviderName == names.ProviderName)
                isFirst = false;
            else if (earlier.OptionsType == names.OptionsType)
                throw new InvalidOperationException($"{names.OptionsType} belongs to {earlier.AliasedName}; {names.AliasedName} needs its own options class.");
            else if (earlier.Alias.Equals(names.Alias, StringComparison.OrdinalIgnoreCase) || earlier.Kind.Equals(names.Kind, StringComparison.OrdinalIgnoreCase))
                throw new InvalidOperationException($"The alias of {names.AliasedName}, {names.Alias}, belongs to {earlier.AliasedName} with the section {earlier.Section}: give the class another alias.");
        }

        return isFirst;
    }

    private static void AddSection(IServiceCollection services, IConfiguration section, SinkNames names)
    {
        if (section is not IConfigurationSection given)
        {
            throw new ArgumentException(
                "Expected a section, such as builder.Configuration.GetSection(\"MyLogs\"), and not a whole configuration.", nameof(section));
        }

        var first = services.Select(static service => service.ImplementationInstance).OfType<GivenSection>()
            .FirstOrDefault(known => known.OptionsType == names.OptionsType);
        if (first is null)
        {
            services.AddSingleton(new GivenSection(names.OptionsType!, given));
        }
        else if (!first.Section.Path.Equals(given.Path, StringComparison.OrdinalIgnoreCase))
        {
            throw new InvalidOperationException(
                $"{names.RegistrationMethod} reads one section: it was given {first.Section.Path} and then {given.Path}. "
                + $"Describe all instances in one, below {names.ChildrenKey}.");
        }
    }

    // Services shared by the sinks of a container.
    private static void AddCommon(IServiceCollection services)
    {
        services.AddOptions();
        if (!services.Any(static service => service.ServiceType == typeof(ProcessSection)))
        {
            services.AddSingleton(static provider => new ProcessSection(provider.GetService<IConfiguration>()));

            // Before the delegates that were registered earlier: code overrides the section.
            services.Insert(0, ServiceDescriptor.Singleton<IConfigureOptions<AsyncLogOptions>>(static provider => provider.GetRequiredService<ProcessSection>()));
        }

        services.TryAddSingleton(static provider => new ProcessOptions(
            provider.GetRequiredService<ProcessSection>(), provider.GetRequiredService<IOptionsFactory<AsyncLogOptions>>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOptionsChangeTokenSource<AsyncLogOptions>, ProcessOptions>(
            static provider => provider.GetRequiredService<ProcessOptions>()));
        services.TryAddSingleton(static provider => SelfReport.Create(provider.GetRequiredService<ProcessOptions>().AtStart.SelfReportLevel, ClockOf(provider)));
        services.TryAddSingleton<IAsyncLogControl>(static provider => new AsyncLogControl(
            provider.GetServices<ILoggerProvider>(), ClockOf(provider), provider.GetRequiredService<ObjectSerializer>()));
        services.TryAddSingleton(static provider =>
        {
            var objects = provider.GetRequiredService<ObjectSerializer>();
            return new InstanceSampler(ClockOf(provider), provider.GetRequiredService<SelfReport>()) { FailedObjects = () => objects.Failed };
        });
        services.TryAddSingleton(static provider => CreateSerializer(provider.GetRequiredService<ProcessOptions>().AtStart, provider.GetRequiredService<SelfReport>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, SamplerHostedService>(
            static provider => new SamplerHostedService(provider.GetRequiredService<InstanceSampler>(), provider.GetService<IMeterFactory>())));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, StartupAnnouncer>(static provider => new StartupAnnouncer(
            provider.GetServices<ILoggerProvider>(), provider.GetRequiredService<ILoggerFactory>(), provider.GetRequiredService<ProcessOptions>().AtStart)));
    }

    // No service that needs a logger may be resolved here: the loggers are being made.
    private static SinkServices<TOptions> Create<TOptions>(IServiceProvider container, SinkDefinition<TOptions> definition, Type aliased, SinkNames names)
        where TOptions : SinkOptions, new()
    {
        using var services = ServicesOfLoggers.Enter(container, aliased);
        // First, so that the message about a cycle names it.
        var clock = ClockOf(services);
        GivenSection[] allGiven = [.. services.GetServices<GivenSection>()];
        var given = Array.Find(allGiven, static section => section.OptionsType == typeof(TOptions))?.Section;
        var section = given ?? services.GetRequiredService<ILoggerProviderConfigurationFactory>().GetConfiguration(aliased);
        if (given is not null)
            names = names with { Section = given.Path };
        var factoryLevels = services.GetRequiredService<ILoggerProviderConfiguration<FactoryLevels>>().Configuration;
        var formatters = new Dictionary<string, ILogFormatter>(StringComparer.OrdinalIgnoreCase);
        foreach (var named in services.GetServices<NamedLogFormatter>())
            formatters[named.Name] = named.Get(services);
        var host = services.GetService<IHostEnvironment>();
        var startup = services.GetService<StartupHost>();
        var application = startup?.Application ?? ApplicationInfo.From(host?.ApplicationName, host?.EnvironmentName, host?.ContentRootPath);
        var process = services.GetRequiredService<ProcessOptions>();
        var processSection = services.GetRequiredService<ProcessSection>();
        var selfReport = services.GetRequiredService<SelfReport>();
        if (clock is InstanceClock { Failed: null } ofApplication)
        {
            ofApplication.Failed = fault => selfReport.Report(
                LogLevel.Warning, "clock", "failed",
                $"the TimeProvider of the application threw {fault.GetType().Name}: {LogSinkException.TextOf(fault)}. The system's clock is used whenever it throws.");
        }

        var root = services.GetService<IConfiguration>();
        var sources = new OptionSources<TOptions>
        {
            Section = section,
            FactoryLevels = factoryLevels,
            Root = root,
            Files = new SettingsFiles(root),
            Configure = [.. services.GetServices<IConfigureOptions<TOptions>>()],
            PostConfigure = [.. services.GetServices<IPostConfigureOptions<TOptions>>()],
            Validate = [.. services.GetServices<IValidateOptions<TOptions>>()],
            Names = [.. services.GetServices<SinkInstanceName<TOptions>>().Select(static instance => instance.Name)],
            Sections = [.. services.GetServices<SinkNames>().Select(static sink => sink.Alias)],
            GivenSections = Array.ConvertAll(allGiven, static section => section.Section.Path),
            ProcessKeys = [.. ProcessSection.Table.Keys.Select(static key => key.Name)],
            Application = application,
            HostApplicationName = startup?.Application.ApplicationName ?? (string.IsNullOrEmpty(host?.ApplicationName) ? null : host.ApplicationName),
            Formats = new SinkFormats(definition.Formats, definition.AcceptsFormatters ? formatters.Keys : null, definition.DefaultFormat),
            CheckTemplate = LogFormatters.CheckTemplate,
            TemplateWarnings = LogFormatters.TemplateWarnings,
        };
        // Runs the delegates and validators of the options, which may look for services themselves.
        services.Use(typeof(TOptions));
        var configuration = new SinkConfiguration<TOptions>(new SettingsReader<TOptions>(definition, sources, names));
        var reload = new SinkReload<TOptions>(
            configuration, process, services.GetRequiredService<FilterChanges<TOptions>>(), selfReport,
            changed => new ReloadWatch([section.GetReloadToken, factoryLevels.GetReloadToken, processSection.GetReloadToken], clock, changed));
        return new SinkServices<TOptions>(
            definition, configuration, reload, formatters, application, process, selfReport, services.GetRequiredService<InstanceSampler>(), clock)
        {
            Random = Keyed<Random>(services, InstanceServices.RandomKey) ?? Random.Shared,
            Objects = services.GetRequiredService<ObjectSerializer>(),
            ReadAllSinks = container.GetServices<ISinkFindings>,
            SurvivalFiles = new SurvivalFiles(
                services.GetService<ISpoolFiles>() ?? SpoolFiles.Instance, services.GetService<ICrashFiles>() ?? CrashFiles.Instance, process.AtStart.CrashBufferPath),

            // Not resolved: the lifetime needs a logger.
            HasHost = startup is not null || services.GetService<IServiceProviderIsService>()?.IsService(typeof(IHostApplicationLifetime)) == true,
            IsStartup = startup is not null,
        };
    }

    private static ObjectSerializer CreateSerializer(AsyncLogOptions options, SelfReport selfReport)
        => new(options.ChangedSerializerOptions, problem => selfReport.Write(LogLevel.Warning, "objects", problem));

    private static SinkNames NamesOf<TProvider, TOptions>(SinkDefinition<TOptions> definition, Type? aliased)
        where TOptions : SinkOptions, new()
    {
        aliased ??= typeof(TProvider);
        return new SinkNames(typeof(TProvider).FullName!, AliasOf(aliased) ?? aliased.FullName!, definition.ChildrenKey, definition.RegistrationMethod)
        {
            AliasedName = aliased.FullName!,
            Kind = definition.Name,
            OptionsType = typeof(TOptions),
        };
    }

    // Read as the logger factory reads it.
    private static string? AliasOf(Type type)
        => type.GetCustomAttributesData().FirstOrDefault(static data => data.AttributeType == typeof(ProviderAliasAttribute))?.ConstructorArguments[0].Value as string;

    private static TimeProvider ClockOf(IServiceProvider services)
    {
        var application = services.GetService<TimeProvider>() ?? TimeProvider.System;
        var waits = Keyed<TimeProvider>(services, InstanceClock.WaitsKey) ?? TimeProvider.System;
        return application == waits ? application : new InstanceClock(application, waits);
    }

    // Not every container has keyed services.
    private static T? Keyed<T>(IServiceProvider services, string key)
        where T : class => (services as IKeyedServiceProvider)?.GetKeyedService(typeof(T), key) as T;

    // A provider that does not exist: by its alias the factory's own levels are found in every registered logging configuration.
    [ProviderAlias("LogLevel")]
    private sealed class FactoryLevels;
}

/// <summary>The provider of a sink of others. The alias stands on the class of the sink.</summary>
internal sealed class CustomSinkProvider<TSink, TOptions>(SinkServices<TOptions> services) : SinkLoggerProvider<TOptions>(services)
    where TSink : class, ILogSink
    where TOptions : SinkOptions, new();

/// <summary>The container, while a sink's loggers are made: refuses a service that needs these loggers itself. The container would resolve it again and again, until it waits for
/// itself: the factories of a container hide their dependencies, so it finds no cycle through them.</summary>
internal sealed class ServicesOfLoggers : IKeyedServiceProvider, IDisposable
{
    [ThreadStatic]
    private static ServicesOfLoggers? _innermost;

    private readonly IServiceProvider _container;
    private readonly Type _provider;
    private readonly ServicesOfLoggers? _outer;
    private string _resolving = nameof(IServiceProvider);

    private ServicesOfLoggers(IServiceProvider container, Type provider, ServicesOfLoggers? outer) => (_container, _provider, _outer) = (container, provider, outer);

    /// <exception cref="InvalidOperationException">The loggers of the provider are being made by this thread.</exception>
    public static ServicesOfLoggers Enter(IServiceProvider container, Type provider)
    {
        for (var outer = _innermost; outer is not null; outer = outer._outer)
        {
            if (ReferenceEquals(outer._container, container) && outer._provider == provider)
                throw outer.Cycle();
        }

        return _innermost = new ServicesOfLoggers(container, provider, _innermost);
    }

    /// <summary>Names what is used from now on, for the message about a cycle.</summary>
    public void Use(Type service) => _resolving = NameOf(service);

    public object? GetService(Type serviceType)
    {
        Use(serviceType);
        return _container.GetService(serviceType);
    }

    // Not every container has keyed services.
    public object? GetKeyedService(Type serviceType, object? serviceKey)
    {
        _resolving = $"{NameOf(serviceType)} '{serviceKey}'";
        return (_container as IKeyedServiceProvider)?.GetKeyedService(serviceType, serviceKey);
    }

    public object GetRequiredKeyedService(Type serviceType, object? serviceKey)
    {
        _resolving = $"{NameOf(serviceType)} '{serviceKey}'";
        return _container.GetRequiredKeyedService(serviceType, serviceKey);
    }

    public void Dispose() => _innermost = _outer;

    private InvalidOperationException Cycle() => new(
        $"A circular dependency was detected for the service of type '{typeof(ILoggerFactory)}': {nameof(ILoggerFactory)} -> {_provider.Name} -> {_resolving} -> ... -> {nameof(ILoggerFactory)}. "
        + $"Loggers are made from {_resolving}: no service behind it may have an {nameof(ILogger)}, {nameof(ILogger)}<T> or {nameof(ILoggerFactory)} as a parameter of its constructor.");

    private static string NameOf(Type type)
    {
        if (type == typeof(ProcessOptions))
            return NameOf(typeof(IOptions<AsyncLogOptions>));
        if (!type.IsGenericType)
            return type.Name;
        var arguments = type.GetGenericArguments();
        return type.GetGenericTypeDefinition() == typeof(IEnumerable<>) ? NameOf(arguments[0])
            : $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}<{string.Join(", ", arguments.Select(NameOf))}>";
    }
}

/// <summary>A formatter that options may choose by name with <c>Format</c>.</summary>
/// <param name="Name">The name; compared ignoring case.</param>
/// <param name="Get">Gets the formatter, which serves all instances that choose it, from the container.</param>
internal sealed record NamedLogFormatter(string Name, Func<IServiceProvider, ILogFormatter> Get);

/// <summary>A delegate for one named instance. Unlike names of options, names of instances are equal ignoring case.</summary>
internal sealed class InstanceConfigureOptions<TOptions>(string instance, Action<TOptions> configure) : IConfigureNamedOptions<TOptions>
    where TOptions : SinkOptions
{
    public void Configure(TOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, TOptions options)
    {
        if (instance.Equals(name, StringComparison.OrdinalIgnoreCase))
            configure(options);
    }
}

/// <summary>Gives an application the options in force from the container: those of the running instance, texts expanded.</summary>
/// <remarks>The object is a copy: what the application changes in it has no effect on the instance. Without such an instance the options are read from all layers; they throw when
/// they are not valid.</remarks>
internal sealed class SinkOptionsFactory<TOptions>(SinkServices<TOptions> services) : IOptionsFactory<TOptions>
    where TOptions : SinkOptions, new()
{
    public TOptions Create(string name) => services.Configuration.Current.Find(name.Length == 0 ? InstanceName.Default : name) is { } instance
        ? services.Configuration.Table.Copy(instance.Options, new TOptions()) : services.Configuration.ReadOptions(name);
}

/// <summary>Signals <see cref="IOptionsMonitor{TOptions}"/> that a reload changed the options in force.</summary>
internal sealed class SinkOptionsChanges<TOptions>(SinkServices<TOptions> services, string name) : IOptionsChangeTokenSource<TOptions>
    where TOptions : SinkOptions, new()
{
    public string Name => name;

    public IChangeToken GetChangeToken() => services.Reload.GetOptionsToken();
}

/// <summary>Keeps the options of <see cref="IOptionsMonitor{TOptions}"/> until a reload, which removes those of all names: named instances inherit from the section.</summary>
internal sealed class SinkOptionsCache<TOptions> : OptionsCache<TOptions>
    where TOptions : SinkOptions, new()
{
    public override bool TryRemove(string? name)
    {
        Clear();
        return true;
    }
}

/// <summary>Replaces the logger factory's rules for a sink's provider by one, where the sink's instances have their own levels.</summary>
/// <param name="startup">Of the container that logs before the host is built; null: the host's.</param>
internal sealed class SinkFilterOptions<TOptions>(SinkServices<TOptions> services, StartupHost? startup) : IPostConfigureOptions<LoggerFilterOptions>
    where TOptions : SinkOptions, new()
{
    public void PostConfigure(string? name, LoggerFilterOptions options)
    {
        // The logger factory has the options without a name.
        if (name != Options.DefaultName)
            return;
        // Two factories log to the sinks once a host has taken over; the rules of the host's are in force.
        var levels = startup?.IsTakenOver == true ? services.Configuration.Levels : services.Configuration.UseFactoryRules(options);
        if (!levels.DecidesHere)
        {
            services.Configuration.Names.RepeatRules(options.Rules);
            return;
        }

        for (var index = options.Rules.Count - 1; index >= 0; index--)
        {
            if (options.Rules[index].ProviderName is { } provider && services.Configuration.Names.IsProvider(provider))
                options.Rules.RemoveAt(index);
        }

        options.Rules.Add(levels.CreateFactoryRule());
    }
}
