namespace AsyncLog;

/// <summary>What configuration and code say about one sink: its instances, and what is wrong. Immutable.</summary>
internal sealed class SinkSettings<TOptions>
    where TOptions : SinkOptions
{
    /// <summary>The enabled instances, the default one first.</summary>
    public required IReadOnlyList<InstanceSettings<TOptions>> Instances { get; init; }

    /// <summary>The levels of the provider's section.</summary>
    public required LevelMap ProviderLevels { get; init; }

    /// <summary>What is wrong, and whose it is.</summary>
    public required IReadOnlyList<InstanceProblem> AllProblems { get; init; }

    /// <summary>What is wrong, each problem once: several instances inherit the mistakes of the section.</summary>
    public IReadOnlyList<ConfigurationProblem> Problems => [.. AllProblems.Select(static problem => problem.Problem).Distinct()];

    public required IReadOnlyList<UnknownKey> UnknownKeys { get; init; }

    /// <summary>Why the whole provider is switched off from outside its section; null when it is not.</summary>
    public string? SwitchedOff { get; init; }

    /// <summary>Whether the provider's section has options besides levels, or had when it was last seen: then it must not vanish.</summary>
    public required bool HasOptions { get; init; }

    /// <summary>What an instance has to say is wrong, or null: what is its own or nobody's, and what is of one that does not run and so has no status.</summary>
    public string? ProblemOf(string instance)
    {
        string[] texts = [.. AllProblems
            .Where(problem => IsNamed(instance, problem.Instance) || !Instances.Any(running => IsNamed(running.Name, problem.Instance)))
            .Select(static problem => problem.ToString())
            .Distinct(StringComparer.Ordinal)];
        return texts.Length == 0 ? null : string.Join("; ", texts);
    }

    private static bool IsNamed(string instance, string? name) => instance.Equals(name, StringComparison.OrdinalIgnoreCase);
}
