namespace AsyncLog;

/// <summary>Services of a sink's provider from the container: settings, formatters and services.</summary>
/// <typeparam name="TOptions">The sink's options class.</typeparam>
internal sealed class SinkServices<TOptions> : IDisposable
    where TOptions : SinkOptions, new()
{
    internal SinkServices(
        SinkDefinition<TOptions> definition,
        SinkConfiguration<TOptions> configuration,
        SinkReload<TOptions> reload,
        IReadOnlyDictionary<string, ILogFormatter> formatters,
        ApplicationInfo application,
        ProcessOptions process,
        SelfReport selfReport,
        InstanceSampler sampler,
        TimeProvider timeProvider)
    {
        Definition = definition;
        Configuration = configuration;
        Reload = reload;
        Formatters = formatters;
        Application = application;
        Process = process;
        SelfReport = selfReport;
        Sampler = sampler;
        TimeProvider = timeProvider;
    }

    internal SinkDefinition<TOptions> Definition { get; }

    internal SinkConfiguration<TOptions> Configuration { get; }

    internal SinkReload<TOptions> Reload { get; }

    internal IReadOnlyDictionary<string, ILogFormatter> Formatters { get; }

    internal ApplicationInfo Application { get; }

    internal ProcessOptions Process { get; }

    internal SelfReport SelfReport { get; }

    internal InstanceSampler Sampler { get; }

    internal TimeProvider TimeProvider { get; }

    /// <summary>See <see cref="InstanceServices.Random"/>.</summary>
    internal Random Random { get; init; } = Random.Shared;

    /// <summary>Serializes the values of <c>{@Item}</c>.</summary>
    internal ObjectSerializer Objects { get; init; } = ObjectSerializer.Default;

    /// <summary>True if a host starts the application, now or later: it announces the instances and starts to sample them.</summary>
    internal bool HasHost { get; init; }

    /// <summary>True if the host is not built yet: nothing drains on signals.</summary>
    internal bool IsStartup { get; init; }

    /// <summary>Reads the configuration of every sink of the container.</summary>
    internal Func<IEnumerable<ISinkFindings>> ReadAllSinks { get; init; } = static () => [];

    internal SurvivalFiles SurvivalFiles { get; init; } = new(SpoolFiles.Instance, CrashFiles.Instance, CrashDirectory: null);

    /// <summary>Throws one exception if something is wrong at start, with everything that is wrong with any sink.</summary>
    internal void ThrowIfInvalid() => Configuration.ThrowIfInvalid(Process.Problems, Process.UnknownKeys, Process.AtStart.Strict, ReadAllSinks);

    /// <summary>Stops following changes of the configuration.</summary>
    public void Dispose() => Reload.Dispose();
}
