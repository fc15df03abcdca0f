namespace AsyncLog;

/// <summary>Finds instances that would write to the same destination, or claim something else that only one may have.</summary>
internal static class TargetClaims
{
    private static StringComparer Comparer => OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase;

    public static bool AreSame(string? left, string? right) => Comparer.Equals(left, right);

    /// <summary>Whether two settings claim exactly the same.</summary>
    public static bool ClaimTheSame<TOptions>(SinkDefinition<TOptions> type, InstanceSettings<TOptions> left, InstanceSettings<TOptions> right)
        where TOptions : SinkOptions, new() => Of(type, left).SequenceEqual(Of(type, right), Comparer);

    /// <summary>The first instance that claims what an earlier one has, and that earlier one.</summary>
    public static TargetConflict<TOptions>? FindConflict<TOptions>(SinkDefinition<TOptions> type, IEnumerable<InstanceSettings<TOptions>> instances)
        where TOptions : SinkOptions, new()
    {
        Dictionary<string, InstanceSettings<TOptions>> owners = new(Comparer);
        foreach (InstanceSettings<TOptions> instance in instances)
        {
            foreach (string claim in Of(type, instance))
            {
                if (!owners.TryAdd(claim, instance) && !ReferenceEquals(owners[claim], instance))
                {
                    return new TargetConflict<TOptions>(instance, owners[claim], claim);
                }
            }
        }

        return null;
    }

    public static ConfigurationProblem Problem<TOptions>(TargetConflict<TOptions> conflict, string kind)
        where TOptions : SinkOptions
    {
        (InstanceSettings<TOptions> later, InstanceSettings<TOptions> earlier, string claim) = conflict;
        return new ConfigurationProblem(
            later.TargetPlace,
            ConfigurationProblem.Show("", later.TargetText),
            AreSame(claim, later.Target) && AreSame(claim, earlier.Target)
                ? $"instance '{earlier.Name}' writes to the same {kind}"
                : $"instances '{earlier.Name}' and '{later.Name}' would share {kind}s such as {ConfigurationProblem.Show("", claim)}");
    }

    private static IEnumerable<string> Of<TOptions>(SinkDefinition<TOptions> type, InstanceSettings<TOptions> instance)
        where TOptions : SinkOptions, new()
    {
        IEnumerable<string> further = type.ReservedNamesOf(instance.Options);
        return instance.Target is { } target ? further.Prepend(target) : further;
    }
}

/// <summary>Two instances that claim the same.</summary>
/// <param name="Later">Who has to give way.</param>
/// <param name="Earlier">Who has it.</param>
/// <param name="Claim">What both claim.</param>
internal sealed record TargetConflict<TOptions>(InstanceSettings<TOptions> Later, InstanceSettings<TOptions> Earlier, string Claim)
    where TOptions : SinkOptions;
