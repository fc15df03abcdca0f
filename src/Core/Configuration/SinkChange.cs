namespace AsyncLog;

/// <summary>What a reload changes. Instances that are not named stay as they are.</summary>
internal sealed class SinkChange<TOptions>
    where TOptions : SinkOptions
{
    public required SinkSettings<TOptions> Settings { get; init; }

    public IReadOnlyList<InstanceSettings<TOptions>> Added { get; init; } = [];

    /// <summary>Instances to drain and close; their counters stay.</summary>
    public IReadOnlyList<InstanceSettings<TOptions>> Removed { get; init; } = [];

    public IReadOnlyList<InstanceChange<TOptions>> Changed { get; init; } = [];

    /// <summary>Problems that were not there before.</summary>
    public IReadOnlyList<ConfigurationProblem> NewProblems { get; init; } = [];

    /// <summary>Unknown keys that were not there before.</summary>
    public IReadOnlyList<UnknownKey> NewUnknownKeys { get; init; } = [];

    /// <summary>Whether levels of the provider's section changed.</summary>
    public bool HasNewProviderLevels { get; init; }

    /// <summary>Problems that were there before and are gone.</summary>
    public IReadOnlyList<ConfigurationProblem> SolvedProblems { get; init; } = [];

    /// <summary>Whether an unknown key of before is gone.</summary>
    public bool HasSolvedUnknownKeys { get; init; }

    /// <summary>Whether what runs has to change.</summary>
    public bool ChangesInstances => Added.Count > 0 || Removed.Count > 0 || Changed.Count > 0 || HasNewProviderLevels;

    public bool IsEmpty => !ChangesInstances && NewProblems.Count == 0 && NewUnknownKeys.Count == 0 && SolvedProblems.Count == 0 && !HasSolvedUnknownKeys;
}
