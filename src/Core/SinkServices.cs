namespace AsyncLog;

/// <summary>What a sink's provider gets from the container: the settings, the formatters and the surroundings. Made by <c>AddSink</c>.</summary>
/// <typeparam name="TOptions">The sink's options class.</typeparam>
public sealed class SinkServices<TOptions> : IDisposable
    where TOptions : SinkOptions, new()
{
    internal SinkServices(
        SinkType<TOptions> type,
        SinkConfiguration<TOptions> configuration,
        IReadOnlyDictionary<string, ILogFormatter> formatters,
        ApplicationInfo application,
        ProcessConfiguration process,
        TimeProvider timeProvider)
    {
        Type = type;
        Configuration = configuration;
        Formatters = formatters;
        Application = application;
        Process = process;
        TimeProvider = timeProvider;
    }

    internal SinkType<TOptions> Type { get; }

    internal SinkConfiguration<TOptions> Configuration { get; }

    /// <summary>Formatters registered by name.</summary>
    internal IReadOnlyDictionary<string, ILogFormatter> Formatters { get; }

    internal ApplicationInfo Application { get; }

    internal ProcessConfiguration Process { get; }

    internal TimeProvider TimeProvider { get; }

    /// <summary>Stops following changes of the configuration.</summary>
    public void Dispose() => Configuration.Dispose();
}
