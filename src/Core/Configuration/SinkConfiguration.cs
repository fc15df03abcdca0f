using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The settings in force of one sink, and what to do when configuration changes.</summary>
internal sealed class SinkConfiguration<TOptions> : IDisposable
    where TOptions : SinkOptions, new()
{
    private readonly SettingsReader<TOptions> _reader;
    private readonly SettingsMerge<TOptions> _merge;
    private readonly ProcessConfiguration _process;
    private readonly FilterChanges<TOptions> _filterChanges;
    private readonly Func<Action, ReloadWatch> _watch;

    // Replaced as wholes and read without a lock, by callers of loggers too: levels by MEL's call-back and by reloads, settings by reloads.
    private volatile SinkSettings<TOptions> _current;
    private volatile LevelRules _levels;

    // Keeps settings and factory rules that are combined to level rules from overtaking each other. Nothing foreign runs under it.
    private readonly Lock _combining = new();
    private FilterRules _factoryRules;
    private ReloadWatch? _reloads;

    public SinkConfiguration(
        SinkDefinition<TOptions> type,
        SettingsReader<TOptions> reader,
        ProcessConfiguration process,
        FilterChanges<TOptions> filterChanges,
        Func<Action, ReloadWatch> watch)
    {
        _reader = reader;
        _process = process;
        _filterChanges = filterChanges;
        _watch = watch;
        _merge = new SettingsMerge<TOptions>(type, reader.Table, reader.Naming);
        _factoryRules = new FilterRules([], LogLevel.Trace, reader.Naming);
        _current = First(type, reader.Read());
        _levels = LevelsOf(_current);
    }

    /// <summary>Raised with what a reload changes, on a timer's thread, one at a time; <see cref="Current"/> is the new one already.</summary>
    public event Action<SinkChange<TOptions>>? Changed;

    /// <summary>Raised with what a reload changes of the process-wide options, at one of the providers that share them.</summary>
    public event Action<ProcessChange>? ProcessChanged;

    /// <summary>Raised when <see cref="MinimumLevel"/> may give other answers than before.</summary>
    public event Action? LevelsChanged;

    public SinkSettings<TOptions> Current => _current;

    public SinkNaming Naming => _reader.Naming;

    /// <summary>The level rules in force.</summary>
    public LevelRules Levels => _levels;

    /// <summary>The lowest level of a category that the instance takes; its <c>MaxLevel</c> is not considered.</summary>
    public LogLevel MinimumLevel(InstanceSettings<TOptions> instance, string category) => _levels.Minimum(instance.OwnLevels, category);

    /// <summary>The same with the rule that says so.</summary>
    public EffectiveLevel EffectiveLevel(InstanceSettings<TOptions> instance, string category) =>
        _levels.Effective(instance.OwnLevels, category, instance.Name);

    /// <summary>Throws one exception with everything that is wrong at start.</summary>
    public void Throw()
    {
        UnknownKey[] unknown = [.. _process.UnknownKeys.Concat(_current.UnknownKeys)];
        foreach (ConfigurationProblem problem in _process.Problems.Concat(_current.Problems))
        {
            problem.TellEvent(keptLastGood: false);
        }

        IEnumerable<string> problems = _process.Problems.Concat(_current.Problems).Select(problem => problem.ToString());
        if (problems.Any() || Array.Exists(unknown, key => key.IsFatal || (_process.Options.Strict && !key.IsGuess)))
        {
            // What would only be reported is in the list too: it belongs to the same round of corrections.
            string[] failures = [.. problems.Concat(unknown.Select(key => key.ToString())).Distinct(StringComparer.Ordinal)];
            throw new SinkOptionsValidationException(_reader.Naming.Alias, typeof(TOptions), failures);
        }
    }

    /// <summary>The options of one instance as they stand in configuration and code now.</summary>
    public TOptions ReadOptions(string name) => _reader.ReadOptions(name);

    /// <summary>Begins to follow changes of the configuration.</summary>
    public void Watch() => _reloads ??= _watch(Reload);

    /// <summary>Takes the logger factory's own rules over and says what rules it needs besides.</summary>
    public LevelRules UseFactoryRules(LoggerFilterOptions options)
    {
        lock (_combining)
        {
            _factoryRules = new FilterRules(options.Rules, options.MinLevel, _reader.Naming);
            _levels = LevelsOf(_current);
        }

        LevelsChanged?.Invoke();
        return _levels;
    }

    public void Dispose() => _reloads?.Dispose();

    private void Reload()
    {
        ProcessChange process = _process.Reload();
        if (!process.IsEmpty)
        {
            ProcessChanged?.Invoke(process);
        }

        SinkChange<TOptions> change = ReadChange();
        if (change.IsEmpty)
        {
            return;
        }

        Publish(change);
        if (change.ChangesInstances)
        {
            RefreshFilters();
        }
    }

    private void Publish(SinkChange<TOptions> change)
    {
        lock (_combining)
        {
            _current = change.Settings;
            _levels = LevelsOf(_current);
        }

        Changed?.Invoke(change);
    }

    private SinkChange<TOptions> ReadChange()
    {
        try
        {
            SettingsReading<TOptions> reading = _reader.Read();
            // The process-wide options have no status of their own: every instance says what is wrong with them.
            reading.Problems.AddRange(_process.Problems);
            return _merge.Merge(_current, reading);
        }
        catch (Exception exception)
        {
            // Delegates and validators of the application run in there; at start the same exception would have ended the start.
            return _merge.Keep(_current, ConfigurationProblem.Unreadable(_reader.Naming.Section, exception));
        }
    }

    private void RefreshFilters()
    {
        try
        {
            _filterChanges.Fire();
        }
        catch (Exception exception)
        {
            // The factory throws at a level name it cannot read, here and at every change of configuration; its rules stay as they were.
            Publish(_merge.Keep(_current, new ConfigurationProblem(
                "Logging:LogLevel", null, $"the logger factory refused its rules: {ConfigurationProblem.Show(exception.GetBaseException())}")));
        }
    }

    private LevelRules LevelsOf(SinkSettings<TOptions> settings) =>
        new(_factoryRules, settings.ProviderLevels, [.. settings.Instances.Select(instance => instance.OwnLevels)], _reader.Naming);

    private static SinkSettings<TOptions> First(SinkDefinition<TOptions> type, SettingsReading<TOptions> reading)
    {
        List<InstanceSettings<TOptions>> instances = [.. reading.Instances.Select(instance => instance.Settings).OfType<InstanceSettings<TOptions>>()];
        List<InstanceProblem> problems = [.. reading.AllProblems];
        while (TargetClaims.FindConflict(type, instances) is { } conflict)
        {
            problems.Add(new InstanceProblem(conflict.Later.Name, TargetClaims.Problem(conflict, type.Name)));
            instances.Remove(conflict.Later);
        }

        return new SinkSettings<TOptions>
        {
            Instances = instances,
            ProviderLevels = reading.ProviderLevels ?? LevelMap.Empty,
            AllProblems = problems,
            UnknownKeys = reading.UnknownKeys,
            SwitchedOff = reading.SwitchedOff,
            HasOptions = reading.HasOptions,
        };
    }
}
