namespace AsyncLog;

/// <summary>What configuration and code say about one sink: its instances, and what is wrong. Immutable.</summary>
internal sealed class SinkSettings<TOptions>
    where TOptions : SinkOptions
{
    /// <summary>The enabled instances, the default one first.</summary>
    public required IReadOnlyList<InstanceSettings<TOptions>> Instances { get; init; }

    /// <summary>The levels of the provider's section.</summary>
    public required LevelMap ProviderLevels { get; init; }

    public required IReadOnlyList<ConfigurationProblem> Problems { get; init; }

    public required IReadOnlyList<UnknownKey> UnknownKeys { get; init; }

    /// <summary>Why the whole provider is switched off from outside its section; null when it is not.</summary>
    public string? SwitchedOff { get; init; }

    /// <summary>Whether the provider's section has any key, or had when it was last seen.</summary>
    public required bool IsPresent { get; init; }
}
