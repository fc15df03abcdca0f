namespace AsyncLog;

/// <summary>A candidate: everything that was read, good and bad.</summary>
internal sealed class SettingsReading<TOptions>
    where TOptions : SinkOptions
{
    /// <summary>The enabled instances, complete ones with settings, the others with problems.</summary>
    public List<InstanceReading<TOptions>> Instances { get; } = [];

    /// <summary>Problems that belong to no instance.</summary>
    public List<ConfigurationProblem> Problems { get; } = [];

    public List<UnknownKey> UnknownKeys { get; } = [];

    /// <summary>Why the whole provider is switched off from outside its section; null when it is not.</summary>
    public string? SwitchedOff { get; set; }

    /// <summary>Whether the provider's section has any key.</summary>
    public bool IsPresent { get; init; }

    /// <summary>Whether it has one besides <c>LogLevel</c>, which the logger factory reads too and lets go when it is taken away.</summary>
    public bool HasOptions { get; init; }

    /// <summary>The levels of the provider's section; null when something in the section is wrong.</summary>
    public LevelMap? ProviderLevels { get; set; }

    /// <summary>Whether the named instances stand there as they should.</summary>
    public bool AreNamesReadable { get; set; } = true;

    public IReadOnlyList<InstanceProblem> AllProblems =>
    [
        .. Problems.Select(static problem => new InstanceProblem(null, problem)),
        .. Instances.SelectMany(static instance => instance.Log.Problems.Select(problem => new InstanceProblem(instance.Name, problem))),
    ];
}
