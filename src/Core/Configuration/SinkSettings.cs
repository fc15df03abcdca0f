namespace AsyncLog;

/// <summary>The settings of one instance: read, checked and resolved. The options no longer change.</summary>
internal sealed class InstanceSettings<TOptions>
    where TOptions : SinkOptions
{
    /// <summary><c>errors</c>; <c>default</c> for the instance the section itself describes.</summary>
    public required string Name { get; init; }

    /// <summary><c>file/errors</c>.</summary>
    public required string FullName { get; init; }

    public required TOptions Options { get; init; }

    /// <summary>The levels only this instance has; empty if it follows the provider.</summary>
    public required LevelMap OwnLevels { get; init; }

    public required RecordLayout Layout { get; init; }

    /// <summary>The destination no other instance may have; null if sharing is fine.</summary>
    public string? Destination { get; init; }

    /// <summary>The key path of the destination, for messages.</summary>
    public required string DestinationPath { get; init; }

    /// <summary>The destination as it was written.</summary>
    public required string DestinationText { get; init; }

    /// <summary>True if a section or code chose the destination.</summary>
    public bool HasChosenDestination { get; init; }
}

/// <summary>The problems in the configuration of one sink, for the error at start that lists those of all sinks.</summary>
internal interface ISinkFindings
{
    /// <summary>Distinct problems: several instances inherit the mistakes of the section.</summary>
    IReadOnlyList<ConfigurationProblem> Problems { get; }

    IReadOnlyList<UnknownKey> UnknownKeys { get; }
}

/// <summary>The settings of one sink that are in force: its instances and problems. Immutable.</summary>
internal sealed class SinkSettings<TOptions> : ISinkFindings
    where TOptions : SinkOptions
{
    /// <summary>No instances, before anything was read.</summary>
    public static SinkSettings<TOptions> Empty { get; } = new()
    {
        Instances = [],
        ProviderLevels = LevelMap.Empty,
        AllProblems = [],
        UnknownKeys = [],
        HasOptions = false,
    };

    /// <summary>The enabled instances, the default one first.</summary>
    public required IReadOnlyList<InstanceSettings<TOptions>> Instances { get; init; }

    /// <summary>The levels of the provider's section.</summary>
    public required LevelMap ProviderLevels { get; init; }

    /// <summary>Problems by instance.</summary>
    public required IReadOnlyList<InstanceProblem> AllProblems { get; init; }

    public IReadOnlyList<ConfigurationProblem> Problems => [.. AllProblems.Select(static problem => problem.Problem).Distinct()];

    public required IReadOnlyList<UnknownKey> UnknownKeys { get; init; }

    /// <summary>Reason why the whole provider is switched off from outside its section; null when it is not.</summary>
    public string? SwitchedOff { get; init; }

    /// <summary>True if the provider's section has options besides levels, or had when it was last seen: then it must not vanish.</summary>
    public required bool HasOptions { get; init; }

    /// <summary>The settings of an instance; null when there is no such instance.</summary>
    public InstanceSettings<TOptions>? Find(string name) => Instances.FirstOrDefault(instance => instance.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>The problems that an instance's status shows, or null: its own, those of no instance, and those of instances that do not run.</summary>
    public string? ProblemOf(string instance)
    {
        string[] texts = [.. AllProblems
            .Where(problem => problem.Instance is not { } name || name.Equals(instance, StringComparison.OrdinalIgnoreCase) || Find(name) is null)
            .Select(static problem => problem.ToString())
            .Distinct(StringComparer.Ordinal)];
        return texts.Length == 0 ? null : string.Join("; ", texts);
    }
}

/// <summary>A problem, and the name of the instance it belongs to; null if it belongs to no single one.</summary>
internal sealed record InstanceProblem(string? Instance, ConfigurationProblem Problem)
{
    public override string ToString() => Problem.ToString();
}
