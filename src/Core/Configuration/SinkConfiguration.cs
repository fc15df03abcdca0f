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

    // Reloads only, which come one at a time.
    private SelfReportLevel _selfReport;

    public SinkConfiguration(
        SinkType<TOptions> type,
        SettingsReader<TOptions> reader,
        ProcessConfiguration process,
        FilterChanges<TOptions> filterChanges,
        Func<Action, ReloadWatch> watch)
    {
        _reader = reader;
        _process = process;
        _selfReport = process.Options.SelfReport;
        _filterChanges = filterChanges;
        _watch = watch;
        _merge = new SettingsMerge<TOptions>(type, reader.Table, reader.Naming);
        _factoryRules = new FilterRules([], LogLevel.Trace, reader.Naming.ProviderName, reader.Naming.Alias);
        _current = First(type, reader.Read());
        _levels = LevelsOf(_current);
    }

    /// <summary>Raised with what a reload changes, on a timer's thread, one at a time; <see cref="Current"/> is the new one already.</summary>
    public event Action<SinkChange<TOptions>>? Changed;

    /// <summary>Raised with the level of the self-report when that changed.</summary>
    public event Action<SelfReportLevel>? SelfReportChanged;

    /// <summary>Raised when <see cref="MinimumLevel"/> may give other answers than before.</summary>
    public event Action? LevelsChanged;

    public SinkSettings<TOptions> Current => _current;

    /// <summary>The level rules in force.</summary>
    public LevelRules Levels => _levels;

    /// <summary>The lowest level of a category that the instance takes; its <c>MaxLevel</c> is not considered.</summary>
    public LogLevel MinimumLevel(InstanceSettings<TOptions> instance, string category) => _levels.Minimum(instance.OwnLevels, category);

    /// <summary>The same with the rule that says so.</summary>
    public EffectiveLevel EffectiveLevel(InstanceSettings<TOptions> instance, string category) =>
        _levels.Effective(instance.OwnLevels, category, _reader.Naming, instance.Name);

    /// <summary>Throws one exception with everything that is wrong at start.</summary>
    public void Throw()
    {
        IEnumerable<string> unknown = _process.UnknownKeys.Concat(_current.UnknownKeys)
            .Where(key => key.IsFatal || _process.Options.Strict)
            .Select(key => key.ToString());
        foreach (ConfigurationProblem problem in _process.Problems.Concat(_current.Problems))
        {
            problem.TellEvent(keptLastGood: false);
        }

        IEnumerable<string> problems = _process.Problems.Concat(_current.Problems).Select(problem => problem.ToString());
        string[] failures = [.. problems.Concat(unknown).Distinct(StringComparer.Ordinal)];
        if (failures.Length > 0)
        {
            throw new SinkOptionsValidationException(_reader.Naming.Alias, typeof(TOptions), failures);
        }
    }

    /// <summary>Begins to follow changes of the configuration.</summary>
    public void Watch() => _reloads ??= _watch(Reload);

    /// <summary>Takes the logger factory's own rules over and says what rules it needs besides.</summary>
    public LevelRules UseFactoryRules(LoggerFilterOptions options)
    {
        lock (_combining)
        {
            _factoryRules = new FilterRules(options.Rules, options.MinLevel, _reader.Naming.ProviderName, _reader.Naming.Alias);
            _levels = LevelsOf(_current);
        }

        LevelsChanged?.Invoke();
        return _levels;
    }

    public void Dispose() => _reloads?.Dispose();

    private void Reload()
    {
        SelfReportLevel selfReport = _process.CurrentSelfReport();
        if (selfReport != _selfReport)
        {
            _selfReport = selfReport;
            SelfReportChanged?.Invoke(selfReport);
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
            return _merge.Merge(_current, _reader.Read());
        }
        catch (Exception exception)
        {
            // Delegates and validators of the application run in there; at start the same exception would have ended the start.
            string cause = $"{exception.GetType().Name}: {ConfigurationProblem.Show(exception)}";
            return _merge.Keep(_current, new ConfigurationProblem(
                _reader.Naming.Section, null, $"reading it failed with {cause}; the last good settings stay"));
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
        new(_factoryRules, settings.ProviderLevels, [.. settings.Instances.Select(instance => instance.OwnLevels)]);

    private static SinkSettings<TOptions> First(SinkType<TOptions> type, SettingsReading<TOptions> reading)
    {
        List<InstanceSettings<TOptions>> instances = [.. reading.Instances.Select(instance => instance.Settings).OfType<InstanceSettings<TOptions>>()];
        List<ConfigurationProblem> problems = [.. reading.AllProblems];
        while (TargetClaims.FindConflict(instances) is { } conflict)
        {
            problems.Add(TargetClaims.Problem(conflict.Later, conflict.Earlier, type.Name));
            instances.Remove(conflict.Later);
        }

        return new SinkSettings<TOptions>
        {
            Instances = instances,
            ProviderLevels = reading.ProviderLevels ?? LevelMap.Empty,
            Problems = problems,
            UnknownKeys = reading.UnknownKeys,
            SwitchedOff = reading.SwitchedOff,
            IsPresent = reading.IsPresent,
        };
    }
}
