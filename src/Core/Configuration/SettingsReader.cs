using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Reads all instances of one sink from all sources. Changes nothing that runs.</summary>
internal sealed class SettingsReader<TOptions>(SinkDefinition<TOptions> definition, OptionSources<TOptions> sources, SinkNames names)
    where TOptions : SinkOptions, new()
{
    // Each change of a file ends before the next reading; only a source whose values change by themselves takes all of them.
    private const int MostReadings = 10;
    private const string ListRule = "instances have names: expected a section per instance, not a value or list";

    private readonly OptionsReader<TOptions> _reader = new(definition, sources, names);

    public OptionsTable<TOptions> Table => _reader.Table;

    public SinkNames Names => names;

    public SinkDefinition<TOptions> Definition => definition;

    /// <summary>Reads everything from one state of the configuration.</summary>
    /// <exception cref="InvalidOperationException">The configuration did not stop changing.</exception>
    public SinkCandidate<TOptions> Read()
    {
        for (var reading = 0; reading < MostReadings; reading++)
        {
            var snapshot = sources.Renew();
            var candidate = ReadSnapshot();
            if (snapshot.IsCurrent(sources.Section, sources.FactoryLevels))
                return candidate;
        }

        throw new InvalidOperationException("the configuration changes while it is read");
    }

    private SinkCandidate<TOptions> ReadSnapshot()
    {
        string[] keys = [.. sources.Snapshot.Section.GetChildren().Select(static child => child.Key)];
        SinkCandidate<TOptions> result = new()
        {
            IsPresent = keys.Length > 0,
            HasOptions = keys.Any(static key => !key.Equals(LevelMap.KeyName, StringComparison.OrdinalIgnoreCase)),
        };
        ReadFactoryLevels(result);
        result.UnknownKeys.AddRange(MisnamedSections.Find(sources.Root, names, sources.Sections, sources.GivenSections, sources.ProcessKeys, result.IsPresent));
        if (!result.IsPresent && sources.Section is IConfigurationSection given)
        {
            result.UnknownKeys.Add(new UnknownKey(names.Section, "expected a section with options")
            {
                Statement = string.IsNullOrEmpty(given.Value) ? "has no keys" : $"is the value '{ConfigurationProblem.Show("", given.Value)}'",
            });
        }

        var parent = _reader.ReadDefault();
        result.UnknownKeys.AddRange(parent.Log.UnknownKeys);
        result.ProviderLevels = parent.Log.Problems.Count == 0 ? LevelMap.Of(parent.Options.LogLevel) : null;
        List<string> instances = [.. ReadNames(result)];
        if (result.AreNamesReadable)
            result.UnknownKeys.AddRange(sources.OfNoInstance(instances, instances.Count == 0 || parent.Options.Main));
        result.SwitchedOff = parent.SwitchedOff;
        if (!parent.Options.Enabled || parent.SwitchedOff is not null)
            return result;
        if (instances.Count == 0 || parent.Options.Main)
            Complete(parent, result);
        foreach (var name in instances)
        {
            var instance = _reader.ReadNamed(name);
            result.UnknownKeys.AddRange(instance.Log.UnknownKeys);
            if (instance.Options.Enabled)
                Complete(instance, result);
        }

        return result;
    }

    /// <summary>The options of one instance as <c>IOptions</c> and <c>IOptionsMonitor</c> give them: of all layers, texts not expanded.</summary>
    /// <param name="name">The instance; empty: the one of the section.</param>
    /// <exception cref="OptionsValidationException">Something is wrong with them; the message lists every problem.</exception>
    public TOptions ReadOptions(string name)
    {
        var candidate = name.Length == 0 || InstanceName.IsDefault(name) ? _reader.ReadDefault() : _reader.ReadNamed(name);
        var failures = _reader.Failures(candidate);
        return failures.Count == 0 ? candidate.Options : throw new SinkOptionsValidationException(name, typeof(TOptions), failures);
    }

    /// <summary>Reads an instance from the snapshot that was read last, with the destination of other settings of it.</summary>
    /// <returns>Null: they do not fit together.</returns>
    public InstanceSettings<TOptions>? ReadWithDestinationOf(InstanceSettings<TOptions> other)
    {
        var candidate = InstanceName.IsDefault(other.Name) ? _reader.ReadDefault() : _reader.ReadNamed(other.Name);
        foreach (var key in Table.Keys.Where(key => Table.IsOfDestination(key, definition.CanApply)))
            key.Copy(other.Options, candidate.Options);
        _reader.Complete(candidate);
        return candidate.Settings;
    }

    /// <summary>Checks the settings files after a reading; see <see cref="SettingsFiles.Check"/>.</summary>
    public ConfigurationProblem? CheckFiles() => sources.Files.Check();

    private void Complete(InstanceCandidate<TOptions> instance, SinkCandidate<TOptions> result)
    {
        _reader.Complete(instance);
        result.Instances.Add(instance);

        // Warnings about an inherited template are reported once, for the section that defines it.
        result.UnknownKeys.AddRange(instance.Log.Warnings.Except(result.UnknownKeys));
    }

    private IEnumerable<string> ReadNames(SinkCandidate<TOptions> result)
    {
        var section = sources.Snapshot.Section.GetSection(names.ChildrenKey);
        string[] configured = [.. section.GetChildren().Select(static child => child.Key)];
        if (OptionText.IsList(configured) || !string.IsNullOrEmpty(section.Value))
        {
            result.AreNamesReadable = false;
            result.Problems.Add(new ConfigurationProblem(names.Children, string.IsNullOrEmpty(section.Value) ? null : section.Value, ListRule));
            configured = [];
        }

        foreach (var name in configured.Concat(sources.Names).Distinct(StringComparer.OrdinalIgnoreCase))
        {
            var path = configured.Contains(name, StringComparer.OrdinalIgnoreCase) ? names.Children : $"{names.RegistrationMethod}(\"{name}\"): name";
            if (InstanceName.Rule(name, definition.DestinationKey) is { } rule)
                result.Problems.Add(new ConfigurationProblem(path, ConfigurationProblem.Show("", name), rule));
            else
                yield return name;
        }
    }

    // The factory throws at the first level it cannot read; the message names neither the key nor the allowed values.
    private void ReadFactoryLevels(SinkCandidate<TOptions> result)
    {
        foreach (var (category, text) in sources.Snapshot.FactoryLevels.AsEnumerable(makePathsRelative: true))
        {
            var path = $"Logging:LogLevel:{category}";
            if (!string.IsNullOrEmpty(text) && LevelMap.WarningOf(path, category) is { } warning)
                result.UnknownKeys.Add(warning);
            var isReadable = string.IsNullOrEmpty(text) || Enum.TryParse(text, ignoreCase: true, out LogLevel _);
            var level = isReadable ? default : OptionText.Level(text!);
            if ((level.Rule ?? LevelMap.KeyRule(category)) is { } rule)
                result.Problems.Add(new ConfigurationProblem(path, ConfigurationProblem.Show("", text ?? ""), rule, level.Suggestion));
        }
    }
}

/// <summary>Everything that was read of one sink, good and bad.</summary>
internal sealed class SinkCandidate<TOptions>
    where TOptions : SinkOptions
{
    /// <summary>The enabled instances, complete ones with settings, the others with problems.</summary>
    public List<InstanceCandidate<TOptions>> Instances { get; } = [];

    /// <summary>Problems that belong to no instance.</summary>
    public List<ConfigurationProblem> Problems { get; } = [];

    public List<UnknownKey> UnknownKeys { get; } = [];

    /// <summary>Reason why the whole provider is switched off from outside its section; null when it is not.</summary>
    public string? SwitchedOff { get; set; }

    /// <summary>True if the provider's section has any key.</summary>
    public bool IsPresent { get; init; }

    /// <summary>True if the section has a key besides <c>LogLevel</c>, which the logger factory reads too.</summary>
    public bool HasOptions { get; init; }

    /// <summary>The levels of the provider's section; null when something in the section is wrong.</summary>
    public LevelMap? ProviderLevels { get; set; }

    /// <summary>True if the named instances are sections, as they should be.</summary>
    public bool AreNamesReadable { get; set; } = true;

    public IReadOnlyList<InstanceProblem> AllProblems =>
    [
        .. Problems.Select(static problem => new InstanceProblem(null, problem)),
        .. Instances.SelectMany(static instance => instance.Log.Problems.Select(problem => new InstanceProblem(instance.Name, problem))),
    ];
}

/// <summary>Everything that is wrong with the options of one sink; the message has one line per problem.</summary>
internal sealed class SinkOptionsValidationException(string alias, Type optionsType, IReadOnlyList<string> failures)
    : OptionsValidationException(alias, optionsType, failures)
{
    // A suggestion contains "; ", by which the base class would separate the failures.
    public override string Message => string.Join('\n', Failures);
}
