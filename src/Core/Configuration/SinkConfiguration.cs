using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The settings in force of one sink, and the levels of its instances.</summary>
internal sealed class SinkConfiguration<TOptions>
    where TOptions : SinkOptions, new()
{
    private readonly SettingsReader<TOptions> _reader;
    private readonly SettingsDiff<TOptions> _diff;

    // Replaced as wholes and read without a lock, by callers of loggers too: levels by MEL's call-back and by reloads, settings by reloads.
    private volatile SinkSettings<TOptions> _current;
    private volatile LevelRules _levels;

    // Keeps the combination of settings and factory rules into level rules in order. No user code runs under it.
    private readonly Lock _combining = new();
    private FilterRules _factoryRules;

    public SinkConfiguration(SettingsReader<TOptions> reader)
    {
        _reader = reader;
        _diff = new SettingsDiff<TOptions>(reader.Definition, reader.Table, reader.Names);
        _factoryRules = new FilterRules([], LogLevel.Trace, reader.Names);
        _current = _diff.Merge(SinkSettings<TOptions>.Empty, reader.Read()).Settings;
        _levels = CombineLevels();
    }

    /// <summary>Called when <see cref="MinimumLevel"/> may give other answers because the logger factory has other rules.</summary>
    public Action? LevelsChanged { get; set; }

    public SinkSettings<TOptions> Current => _current;

    public SinkNames Names => _reader.Names;

    /// <summary>The level rules in force.</summary>
    public LevelRules Levels => _levels;

    /// <summary>The options that configuration may set.</summary>
    public OptionsTable<TOptions> Table => _reader.Table;

    /// <summary>The lowest level of a category that the instance takes; its <c>MaxLevel</c> is not considered.</summary>
    public LogLevel MinimumLevel(InstanceSettings<TOptions> instance, string category) => _levels.Minimum(instance.OwnLevels, category);

    /// <summary>The same with the rule that defines it.</summary>
    public EffectiveLevel EffectiveLevel(InstanceSettings<TOptions> instance, string category) =>
        _levels.Effective(instance.OwnLevels, category, instance.Name);

    /// <summary>Throws one exception if something is wrong at start, with everything that is wrong with any sink.</summary>
    /// <param name="processUnknownKeys">The unknown keys of their section.</param>
    /// <param name="isStrict">True if unknown keys are errors.</param>
    /// <param name="readAll">Reads all sinks; called only if the start ends.</param>
    public void ThrowIfInvalid(
        IReadOnlyList<ConfigurationProblem> processProblems, IReadOnlyList<UnknownKey> processUnknownKeys, bool isStrict, Func<IEnumerable<ISinkFindings>> readAll)
    {
        var current = _current;
        if (processProblems.Count == 0 && current.Problems.Count == 0 && !processUnknownKeys.Concat(current.UnknownKeys).Any(key => key.IsFatal || (isStrict && !key.IsGuess)))
            return;

        // Warnings are in the list too: they belong to the same round of corrections.
        List<ConfigurationProblem> problems = [.. processProblems, .. current.Problems];
        List<UnknownKey> unknown = [.. processUnknownKeys, .. current.UnknownKeys];
        try
        {
            foreach (var sink in readAll())
            {
                problems.AddRange(sink.Problems.Except(problems));
                unknown.AddRange(sink.UnknownKeys.Except(unknown));
            }
        }
        catch (Exception exception)
        {
            // Delegates of the application run in there.
            problems.Add(ConfigurationProblem.Unreadable("Logging", exception));
        }

        foreach (var problem in problems)
            ConfigurationReport.WriteEvent(problem, keptLastGood: false);
        string[] failures = [.. problems.Select(static problem => problem.ToString()).Concat(unknown.Select(static key => key.ToString())).Distinct(StringComparer.Ordinal)];
        throw new SinkOptionsValidationException(_reader.Names.Alias, typeof(TOptions), failures);
    }

    /// <summary>The options of one instance as configuration and code define them now.</summary>
    /// <exception cref="Microsoft.Extensions.Options.OptionsValidationException">Something is wrong with them.</exception>
    public TOptions ReadOptions(string name) => _reader.ReadOptions(name);

    /// <summary>Reads everything again and puts it in force.</summary>
    /// <param name="processProblems">Problems in the process-wide options, which have no status of their own: every instance shows it.</param>
    /// <returns>The changes to make. After an invalid change the last valid settings stay.</returns>
    public SinkChange<TOptions> Reload(IEnumerable<ConfigurationProblem> processProblems)
    {
        try
        {
            var candidate = _reader.Read();
            // After the reading: a file may be emptied before it and during it.
            if (_reader.CheckFiles() is { } problem)
                return Keep(problem);
            candidate.Problems.AddRange(processProblems);
            return Use(_diff.Merge(_current, candidate));
        }
        catch (Exception exception)
        {
            // Delegates and validators of the application run in there; at start the same exception would have ended the start.
            return Keep(ConfigurationProblem.Unreadable(_reader.Names.Section, exception));
        }
    }

    /// <summary>The change between two settings of one instance; null: there is none.</summary>
    public InstanceChange<TOptions>? Compare(InstanceSettings<TOptions> old, InstanceSettings<TOptions> now) => _diff.Compare(old, now);

    /// <summary>Reads the settings of an instance again, with the destination of other settings.</summary>
    /// <returns>Null: the destination and the rest do not fit together.</returns>
    public InstanceSettings<TOptions>? ReadWithDestinationOf(InstanceSettings<TOptions> other) => _reader.ReadWithDestinationOf(other);

    /// <summary>Keeps the settings and adds a problem to them.</summary>
    public SinkChange<TOptions> Keep(ConfigurationProblem problem) => Use(_diff.Keep(_current, problem));

    /// <summary>Takes over the logger factory's own rules.</summary>
    /// <returns>The level rules in force, which define the rule that the factory needs.</returns>
    public LevelRules UseFactoryRules(LoggerFilterOptions options)
    {
        LevelRules levels;
        lock (_combining)
        {
            _factoryRules = new FilterRules(options.Rules, options.MinLevel, _reader.Names);
            _levels = levels = CombineLevels();
        }

        LevelsChanged?.Invoke();
        return levels;
    }

    private SinkChange<TOptions> Use(SinkChange<TOptions> change)
    {
        if (change.IsEmpty)
            return change;
        lock (_combining)
        {
            _current = change.Settings;
            _levels = CombineLevels();
        }

        return change;
    }

    private LevelRules CombineLevels() =>
        new(_factoryRules, _current.ProviderLevels, [.. _current.Instances.Select(static instance => instance.OwnLevels)], _reader.Names);
}
