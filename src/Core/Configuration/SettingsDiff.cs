namespace AsyncLog;

/// <summary>Computes the changes of a reload: valid instances change, invalid ones keep their last valid settings.</summary>
internal sealed class SettingsDiff<TOptions>(SinkDefinition<TOptions> definition, OptionsTable<TOptions> table, SinkNames names)
    where TOptions : SinkOptions, new()
{
    /// <summary>Merges the settings read with those in force.</summary>
    public SinkChange<TOptions> Merge(SinkSettings<TOptions> old, SinkCandidate<TOptions> candidate)
    {
        List<InstanceProblem> problems = [.. candidate.AllProblems];
        var hasVanished = old.HasOptions && !candidate.IsPresent;
        if (hasVanished)
            problems.Add(new InstanceProblem(null, new ConfigurationProblem(names.Section, null, "the section was removed: to disable the sink, keep the section and set Enabled to false")));
        var isReadable = candidate.AreNamesReadable && !hasVanished;
        var instances = isReadable ? Choose(old, candidate, problems) : old.Instances;
        return Compare(old, new SinkSettings<TOptions>
        {
            Instances = instances,
            ProviderLevels = isReadable ? candidate.ProviderLevels ?? old.ProviderLevels : old.ProviderLevels,
            AllProblems = problems,
            UnknownKeys = candidate.UnknownKeys,
            SwitchedOff = candidate.SwitchedOff,
            HasOptions = hasVanished || candidate.HasOptions,
        });
    }

    /// <summary>Keeps everything and adds a problem that does not come from the settings themselves.</summary>
    public SinkChange<TOptions> Keep(SinkSettings<TOptions> old, ConfigurationProblem problem) => Compare(old, new SinkSettings<TOptions>
    {
        Instances = old.Instances,
        ProviderLevels = old.ProviderLevels,
        AllProblems = [.. old.AllProblems.Append(new InstanceProblem(null, problem)).Distinct()],
        UnknownKeys = old.UnknownKeys,
        SwitchedOff = old.SwitchedOff,
        HasOptions = old.HasOptions,
    });

    private List<InstanceSettings<TOptions>> Choose(SinkSettings<TOptions> old, SinkCandidate<TOptions> candidate, List<InstanceProblem> problems)
    {
        List<InstanceSettings<TOptions>> chosen =
            [.. candidate.Instances.Select(instance => instance.Settings ?? old.Find(instance.Name)).OfType<InstanceSettings<TOptions>>()];

        // An instance that keeps its destination has priority over one that moved to it; that one goes back to its old destination. A third instance may have
        // moved there, hence the loop; each iteration undoes one move.
        while (DestinationConflicts.Find(definition, chosen.Where(settings => !HasMoved(old, settings)).Concat(chosen.Where(settings => HasMoved(old, settings)))) is { } conflict)
        {
            problems.Add(conflict.ToProblem(definition.Name, definition.DestinationKey));
            var index = chosen.IndexOf(conflict.Later);
            var lastGood = old.Find(conflict.Later.Name);
            if (lastGood is null || ReferenceEquals(lastGood, conflict.Later))
                chosen.RemoveAt(index);
            else
                chosen[index] = lastGood;
        }

        return chosen;
    }

    private bool HasMoved(SinkSettings<TOptions> old, InstanceSettings<TOptions> settings) =>
        !(old.Find(settings.Name) is { } before && DestinationConflicts.HaveSameNames(definition, before, settings));

    private SinkChange<TOptions> Compare(SinkSettings<TOptions> old, SinkSettings<TOptions> settings) => new()
    {
        Settings = settings,
        Added = [.. settings.Instances.Where(now => old.Find(now.Name) is null)],
        Removed = [.. old.Instances.Where(before => settings.Find(before.Name) is null)],
        Changed = [.. settings.Instances
            .Select(now => old.Find(now.Name) is { } before && !ReferenceEquals(before, now) ? Compare(before, now) : null)
            .OfType<InstanceChange<TOptions>>()],
        HasNewProviderLevels = !settings.ProviderLevels.HasSameLevels(old.ProviderLevels),
        NewProblems = [.. settings.Problems.Except(old.Problems)],
        SolvedProblems = [.. old.Problems.Except(settings.Problems)],
        NewUnknownKeys = [.. settings.UnknownKeys.Except(old.UnknownKeys)],
        HasSolvedUnknownKeys = old.UnknownKeys.Except(settings.UnknownKeys).Any(),
    };

    /// <summary>The change of one instance; null: there is none.</summary>
    public InstanceChange<TOptions>? Compare(InstanceSettings<TOptions> old, InstanceSettings<TOptions> now)
    {
        var keys = table.Compare(old.Options, now.Options);
        if (!DestinationConflicts.AreSame(old.Destination, now.Destination) && table.Find(definition.DestinationKey) is { } destination && !keys.Contains(destination))
        {
            // A name derived from the section's own destination moves with it.
            keys = [.. keys, destination];
        }

        if (keys.Count == 0)
            return null;
        OptionKey<TOptions>[] live = [.. keys.Where(static key => key.Reload != OptionReload.NextStart)];
        return new InstanceChange<TOptions>(
            old,
            now,
            live.Length == 0 ? OptionReload.NextStart : live.Max(ReloadOf),
            live.Any(key => ReloadOf(key) == OptionReload.LiveNewFile) || now.Layout.NewLine != old.Layout.NewLine,
            live.Any(key => table.IsOfDestination(key, definition.CanApply)),
            [.. live.Select(static key => key.Name)],
            [.. keys.Except(live).Select(static key => key.Name)]);
    }

    // A sink that cannot be given new options is rebuilt for its own ones; the common ones are applied by Core.
    private OptionReload ReloadOf(OptionKey<TOptions> key) => !definition.CanApply && !table.IsCommon(key) ? OptionReload.Rebuild : key.Reload;
}

/// <summary>Finds instances that would write to the same destination, or use the same reserved name.</summary>
internal static class DestinationConflicts
{
    private static StringComparer Comparer => OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase;

    public static bool AreSame(string? left, string? right) => Comparer.Equals(left, right);

    /// <summary>Returns true if two settings have the same destination and reserved names.</summary>
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

/// <summary>Two instances that need the same name; the earlier one has it.</summary>
internal sealed record DestinationConflict<TOptions>(InstanceSettings<TOptions> Later, InstanceSettings<TOptions> Earlier, string Name)
    where TOptions : SinkOptions
{
    /// <param name="kind">The sink's type: <c>file</c>.</param>
    /// <param name="key">The option with the destination: <c>Path</c>.</param>
    public InstanceProblem ToProblem(string kind, string key) => new(Later.Name, new ConfigurationProblem(
        Later.DestinationPath,
        ConfigurationProblem.Show("", Later.DestinationText),
        DestinationConflicts.AreSame(Name, Later.Destination) && DestinationConflicts.AreSame(Name, Earlier.Destination)
            ? $"instance '{Earlier.Name}' writes to the same {kind}: give one of them another {key}"
            : $"instances '{Earlier.Name}' and '{Later.Name}' would share {kind}s such as {ConfigurationProblem.Show("", Name)}: give one of them another {key}"));
}

/// <summary>Changes made by a reload. Instances that are in no list stay as they are.</summary>
internal sealed class SinkChange<TOptions>
    where TOptions : SinkOptions
{
    public required SinkSettings<TOptions> Settings { get; init; }

    public required IReadOnlyList<InstanceSettings<TOptions>> Added { get; init; }

    /// <summary>Instances to drain and close; their counters stay.</summary>
    public required IReadOnlyList<InstanceSettings<TOptions>> Removed { get; init; }

    public required IReadOnlyList<InstanceChange<TOptions>> Changed { get; init; }

    /// <summary>True if levels of the provider's section changed.</summary>
    public required bool HasNewProviderLevels { get; init; }

    /// <summary>Problems that were not there before.</summary>
    public required IReadOnlyList<ConfigurationProblem> NewProblems { get; init; }

    /// <summary>Problems that were there before and are gone.</summary>
    public required IReadOnlyList<ConfigurationProblem> SolvedProblems { get; init; }

    /// <summary>Unknown keys that were not there before.</summary>
    public required IReadOnlyList<UnknownKey> NewUnknownKeys { get; init; }

    /// <summary>True if an unknown key of before is gone.</summary>
    public required bool HasSolvedUnknownKeys { get; init; }

    /// <summary>True if running instances have to change.</summary>
    public bool ChangesInstances => Added.Count > 0 || Removed.Count > 0 || Changed.Count > 0 || HasNewProviderLevels;

    public bool IsEmpty => !ChangesInstances && NewProblems.Count == 0 && NewUnknownKeys.Count == 0 && SolvedProblems.Count == 0 && !HasSolvedUnknownKeys;
}

/// <summary>Change of one instance.</summary>
/// <remarks>
/// <paramref name="Reload"/> is the strongest action needed; <see cref="OptionReload.NextStart"/> if nothing can be done now.
/// <paramref name="BeginsNewFile"/> is true if later records have a layout that must not share a file with earlier ones.
/// <paramref name="RebuildsSink"/> is true if the destination has to be opened again; otherwise a new queue in front of it is enough.
/// <paramref name="Keys"/> take effect now.
/// </remarks>
internal sealed record InstanceChange<TOptions>(
    InstanceSettings<TOptions> Old,
    InstanceSettings<TOptions> New,
    OptionReload Reload,
    bool BeginsNewFile,
    bool RebuildsSink,
    IReadOnlyList<string> Keys,
    IReadOnlyList<string> NextStartKeys)
    where TOptions : SinkOptions;
