namespace AsyncLog;

/// <summary>Finds instances that would write to the same destination, or use the same reserved name.</summary>
internal static class DestinationConflicts
{
    private static StringComparer Comparer => OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase;

    public static bool AreSame(string? left, string? right) => Comparer.Equals(left, right);

    /// <summary>Whether two settings have the same destination and reserved names.</summary>
    public static bool HaveSameNames<TOptions>(SinkDefinition<TOptions> definition, InstanceSettings<TOptions> left, InstanceSettings<TOptions> right)
        where TOptions : SinkOptions, new() => NamesOf(definition, left).SequenceEqual(NamesOf(definition, right), Comparer);

    /// <summary>Finds the first instance that needs a name of an earlier one; null when there is none.</summary>
    public static DestinationConflict<TOptions>? Find<TOptions>(SinkDefinition<TOptions> definition, IEnumerable<InstanceSettings<TOptions>> instances)
        where TOptions : SinkOptions, new()
    {
        Dictionary<string, InstanceSettings<TOptions>> owners = new(Comparer);
        foreach (var instance in instances)
        {
            foreach (var name in NamesOf(definition, instance))
            {
                if (!owners.TryAdd(name, instance) && !ReferenceEquals(owners[name], instance))
                    return new DestinationConflict<TOptions>(instance, owners[name], name);
            }
        }

        return null;
    }

    private static IEnumerable<string> NamesOf<TOptions>(SinkDefinition<TOptions> definition, InstanceSettings<TOptions> instance)
        where TOptions : SinkOptions, new()
    {
        var reserved = definition.ReservedNamesOf(instance.Options);
        return instance.Destination is { } destination ? reserved.Prepend(destination) : reserved;
    }
}

/// <summary>Two instances that need the same name.</summary>
/// <param name="Later">The instance that has to give way.</param>
/// <param name="Earlier">The instance that has the name.</param>
/// <param name="Name">The name both need.</param>
internal sealed record DestinationConflict<TOptions>(InstanceSettings<TOptions> Later, InstanceSettings<TOptions> Earlier, string Name)
    where TOptions : SinkOptions
{
    /// <param name="kind">The sink's type: <c>file</c>.</param>
    public InstanceProblem ToProblem(string kind) => new(Later.Name, new ConfigurationProblem(
        Later.DestinationPath,
        ConfigurationProblem.Show("", Later.DestinationText),
        DestinationConflicts.AreSame(Name, Later.Destination) && DestinationConflicts.AreSame(Name, Earlier.Destination)
            ? $"instance '{Earlier.Name}' writes to the same {kind}"
            : $"instances '{Earlier.Name}' and '{Later.Name}' would share {kind}s such as {ConfigurationProblem.Show("", Name)}"));
}
