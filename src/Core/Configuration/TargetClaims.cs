namespace AsyncLog;

/// <summary>Finds instances that would write to the same destination.</summary>
internal static class TargetClaims
{
    private static StringComparer Comparer => OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase;

    public static bool AreSame(string? left, string? right) => Comparer.Equals(left, right);

    /// <summary>The first instance whose destination an earlier one has, and that earlier one.</summary>
    public static (InstanceSettings<TOptions> Later, InstanceSettings<TOptions> Earlier)? FindConflict<TOptions>(
        IEnumerable<InstanceSettings<TOptions>> instances)
        where TOptions : SinkOptions
    {
        Dictionary<string, InstanceSettings<TOptions>> owners = new(Comparer);
        foreach (InstanceSettings<TOptions> instance in instances)
        {
            if (instance.Target is { } target && !owners.TryAdd(target, instance))
            {
                return (instance, owners[target]);
            }
        }

        return null;
    }

    public static ConfigurationProblem Problem<TOptions>(InstanceSettings<TOptions> later, InstanceSettings<TOptions> earlier, string kind)
        where TOptions : SinkOptions =>
        new(later.TargetPlace, ConfigurationProblem.Show("", later.TargetText), $"instance '{earlier.Name}' writes to the same {kind}");
}
