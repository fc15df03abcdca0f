namespace AsyncLog;

/// <summary>What a sink's provider gets from the container: the settings, the formatters and the surroundings. Made by <c>AddSink</c>.</summary>
/// <typeparam name="TOptions">The sink's options class.</typeparam>
public sealed class SinkServices<TOptions> : IDisposable
    where TOptions : SinkOptions, new()
{
    internal SinkServices(
        SinkDefinition<TOptions> type,
        SinkConfiguration<TOptions> configuration,
        IReadOnlyDictionary<string, ILogFormatter> formatters,
        ApplicationInfo application,
        ProcessConfiguration process,
        SelfReport selfReport,
        InstanceSampler sampler,
        TimeProvider timeProvider)
    {
        Type = type;
        Configuration = configuration;
        Formatters = formatters;
        Application = application;
        Process = process;
        SelfReport = selfReport;
        Sampler = sampler;
        TimeProvider = timeProvider;
    }

    internal SinkDefinition<TOptions> Type { get; }

    internal SinkConfiguration<TOptions> Configuration { get; }

    /// <summary>Formatters registered by name.</summary>
    internal IReadOnlyDictionary<string, ILogFormatter> Formatters { get; }

    internal ApplicationInfo Application { get; }

    internal ProcessConfiguration Process { get; }

    internal SelfReport SelfReport { get; }

    internal InstanceSampler Sampler { get; }

    /// <summary>Whether a host starts and stops the application; it announces the instances, and drains on signals.</summary>
    internal bool HasHost { get; init; }

    internal TimeProvider TimeProvider { get; }

    /// <summary>Stops following changes of the configuration.</summary>
    public void Dispose() => Configuration.Dispose();
}
