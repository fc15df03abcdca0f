namespace AsyncLog;

/// <summary>Decides what a reload changes: good instances change, bad ones keep their last good settings.</summary>
internal sealed class SettingsMerge<TOptions>(SinkDefinition<TOptions> type, OptionsTable<TOptions> table, SinkNaming naming)
    where TOptions : SinkOptions, new()
{
    public SinkChange<TOptions> Merge(SinkSettings<TOptions> old, SettingsReading<TOptions> candidate)
    {
        List<InstanceProblem> problems = [.. candidate.AllProblems];
        bool hasVanished = old.HasOptions && !candidate.IsPresent;
        if (hasVanished)
        {
            problems.Add(new InstanceProblem(null, new ConfigurationProblem(naming.Section, null, "the section has vanished")));
        }

        bool isReadable = candidate.AreNamesReadable && !hasVanished;
        IReadOnlyList<InstanceSettings<TOptions>> instances = isReadable ? Choose(old, candidate, problems) : old.Instances;
        return Compare(old, new SinkSettings<TOptions>
        {
            Instances = instances,
            ProviderLevels = isReadable ? candidate.ProviderLevels ?? old.ProviderLevels : old.ProviderLevels,
            AllProblems = problems,
            UnknownKeys = candidate.UnknownKeys,
            HasOptions = hasVanished || candidate.HasOptions,
        });
    }

    /// <summary>Keeps everything, because of something that went wrong besides.</summary>
    public SinkChange<TOptions> Keep(SinkSettings<TOptions> old, ConfigurationProblem problem) => Compare(old, new SinkSettings<TOptions>
    {
        Instances = old.Instances,
        ProviderLevels = old.ProviderLevels,
        AllProblems = [.. old.AllProblems.Append(new InstanceProblem(null, problem)).Distinct()],
        UnknownKeys = old.UnknownKeys,
        HasOptions = old.HasOptions,
    });

    private List<InstanceSettings<TOptions>> Choose(
        SinkSettings<TOptions> old, SettingsReading<TOptions> candidate, List<InstanceProblem> problems)
    {
        List<InstanceSettings<TOptions>> chosen = [];
        foreach (InstanceReading<TOptions> reading in candidate.Instances)
        {
            if ((reading.Settings ?? Find(old.Instances, reading.Name)) is { } settings)
            {
                chosen.Add(settings);
            }
        }

        // Who stays where it was has the older right to its destination; so whoever moved onto it goes back. That may leave another one
        // without a place it had counted on, hence the loop; each round undoes one move.
        while (TargetClaims.FindConflict(type, chosen.OrderBy(settings => HasMoved(old, settings))) is { } conflict)
        {
            problems.Add(new InstanceProblem(conflict.Later.Name, TargetClaims.Problem(conflict, type.Name)));
            int index = chosen.IndexOf(conflict.Later);
            InstanceSettings<TOptions>? lastGood = Find(old.Instances, conflict.Later.Name);
            if (lastGood is null || ReferenceEquals(lastGood, conflict.Later))
            {
                chosen.RemoveAt(index);
            }
            else
            {
                chosen[index] = lastGood;
            }
        }

        return chosen;
    }

    private bool HasMoved(SinkSettings<TOptions> old, InstanceSettings<TOptions> settings) =>
        !(Find(old.Instances, settings.Name) is { } before && TargetClaims.ClaimTheSame(type, before, settings));

    private SinkChange<TOptions> Compare(SinkSettings<TOptions> old, SinkSettings<TOptions> settings)
    {
        InstanceChange<TOptions>[] changed = [.. settings.Instances
            .Select(now => Find(old.Instances, now.Name) is { } before && !ReferenceEquals(before, now) ? Compare(before, now) : null)
            .OfType<InstanceChange<TOptions>>()];
        return new SinkChange<TOptions>
        {
            Settings = settings,
            Added = [.. settings.Instances.Where(now => Find(old.Instances, now.Name) is null)],
            Removed = [.. old.Instances.Where(before => Find(settings.Instances, before.Name) is null)],
            Changed = changed,
            NewProblems = [.. settings.Problems.Except(old.Problems)],
            NewUnknownKeys = [.. settings.UnknownKeys.Except(old.UnknownKeys)],
            HasNewProviderLevels = !settings.ProviderLevels.HasSameLevels(old.ProviderLevels),
            SolvedProblems = [.. old.Problems.Except(settings.Problems)],
            HasSolvedUnknownKeys = old.UnknownKeys.Except(settings.UnknownKeys).Any(),
        };
    }

    private InstanceChange<TOptions>? Compare(InstanceSettings<TOptions> old, InstanceSettings<TOptions> now)
    {
        IReadOnlyList<OptionKey<TOptions>> keys = table.Compare(old.Options, now.Options);
        if (!TargetClaims.AreSame(old.Target, now.Target) && table.Find(type.DestinationKey) is { } target && !keys.Contains(target))
        {
            // A name derived from the section's own destination moves with it.
            keys = [.. keys, target];
        }

        if (keys.Count == 0)
        {
            return null;
        }

        OptionKey<TOptions>[] live = [.. keys.Where(key => key.Reload != OptionReload.NextStart)];
        return new InstanceChange<TOptions>(
            old,
            now,
            live.Length == 0 ? OptionReload.NextStart : live.Max(ReloadOf),
            live.Any(key => ReloadOf(key) == OptionReload.Rebuild && !table.IsCommon(key)),
            [.. live.Select(key => key.Name)],
            [.. keys.Except(live).Select(key => key.Name)]);
    }

    // A sink that cannot be given new options gets a new instance for its own ones; the common ones are Core's business.
    private OptionReload ReloadOf(OptionKey<TOptions> key) =>
        !type.CanApply && !table.IsCommon(key) ? OptionReload.Rebuild : key.Reload;

    private static InstanceSettings<TOptions>? Find(IReadOnlyList<InstanceSettings<TOptions>> instances, string name) =>
        instances.FirstOrDefault(instance => instance.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
}
