using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Reads the settings of one sink from all sources. Changes nothing that runs.</summary>
internal sealed class SettingsReader<TOptions>
    where TOptions : SinkOptions, new()
{
    private const string ListRule = "instances have names: expected a section per instance, not a value or list";

    private readonly SinkDefinition<TOptions> _type;
    private readonly OptionSources<TOptions> _sources;
    private readonly SinkNaming _naming;
    private readonly IConfiguration? _root;
    private readonly IReadOnlyCollection<string> _sections;
    private readonly InstanceReader<TOptions> _instances;
    private readonly InstanceCompletion<TOptions> _completion;

    public SettingsReader(SinkDefinition<TOptions> type, OptionSources<TOptions> sources, SinkNaming naming, SinkSurroundings surroundings)
    {
        _type = type;
        _sources = sources;
        _naming = naming;
        _root = surroundings.Root;
        _sections = surroundings.Sections;
        Table = BaseOptions.CreateTable(type, surroundings.Formats);
        _instances = new InstanceReader<TOptions>(type, Table, sources, naming, surroundings);
        _completion = new InstanceCompletion<TOptions>(type, Table, sources, naming, surroundings);
    }

    public OptionsTable<TOptions> Table { get; }

    public SinkNaming Naming => _naming;

    public SettingsReading<TOptions> Read()
    {
        string[] keys = [.. _sources.Section.GetChildren().Select(child => child.Key)];
        SettingsReading<TOptions> result = new()
        {
            IsPresent = keys.Length > 0,
            HasOptions = keys.Any(key => !key.Equals(LevelMap.KeyName, StringComparison.OrdinalIgnoreCase)),
        };
        ReadFactoryLevels(result);
        result.UnknownKeys.AddRange(MisnamedSections.Find(_root, _naming, _sections, result.IsPresent));
        InstanceReading<TOptions> parent = _instances.ReadDefault();
        result.UnknownKeys.AddRange(parent.Log.UnknownKeys);
        result.ProviderLevels = parent.Log.Problems.Count == 0 ? new LevelMap(parent.Options.LogLevel) : null;
        List<string> names = [.. ReadNames(result)];
        result.SwitchedOff = parent.SwitchedOff;
        if (!parent.Options.Enabled || parent.SwitchedOff is not null)
        {
            return result;
        }

        bool hasDefault = names.Count == 0 || _type.HasDefaultInstance(parent.Options);
        if (hasDefault)
        {
            Complete(parent, result);
        }

        foreach (string name in names)
        {
            InstanceReading<TOptions> child = _instances.ReadChild(name, _sources.Section.GetSection(_naming.ChildrenKey).GetSection(name));
            result.UnknownKeys.AddRange(child.Log.UnknownKeys);
            if (child.Options.Enabled)
            {
                Complete(child, result);
            }
        }

        return result;
    }

    /// <summary>The options of one instance as <c>IOptions</c> and <c>IOptionsMonitor</c> give them: of all layers, texts not expanded.</summary>
    /// <param name="name">The instance; empty: the one of the section.</param>
    /// <exception cref="OptionsValidationException">Something is wrong with them; the message lists every problem.</exception>
    public TOptions ReadOptions(string name)
    {
        InstanceReading<TOptions> reading = name.Length == 0 || InstanceName.IsDefault(name)
            ? _instances.ReadDefault()
            : _instances.ReadChild(name, _sources.Section.GetSection(_naming.ChildrenKey).GetSection(name));
        string[] failures = [.. reading.Log.Problems.Select(problem => problem.ToString()), .. _sources.Failures(reading.OptionsName, reading.Options)];
        return failures.Length == 0 ? reading.Options : throw new SinkOptionsValidationException(name, typeof(TOptions), failures);
    }

    private void Complete(InstanceReading<TOptions> instance, SettingsReading<TOptions> result)
    {
        _completion.Complete(instance);
        result.Instances.Add(instance);

        // An inherited template is doubted once, where it stands.
        result.UnknownKeys.AddRange(instance.Log.Doubts.Except(result.UnknownKeys));
    }

    private IEnumerable<string> ReadNames(SettingsReading<TOptions> result)
    {
        IConfigurationSection section = _sources.Section.GetSection(_naming.ChildrenKey);
        string[] configured = [.. section.GetChildren().Select(child => child.Key)];
        bool isList = configured.Length > 0 && configured.Order(StringComparer.Ordinal).SequenceEqual(
            Enumerable.Range(0, configured.Length).Select(OptionText.Show).Order(StringComparer.Ordinal));
        if (isList || !string.IsNullOrEmpty(section.Value))
        {
            result.AreNamesReadable = false;
            result.Problems.Add(new ConfigurationProblem(_naming.Children, section.Value ?? "", ListRule));
            configured = [];
        }

        IEnumerable<(string Name, string Place)> all = configured.Select(name => (name, _naming.Children))
            .Concat(_sources.Names.Select(name => (name, $"{_naming.RegistrationMethod}(\"{name}\"): name")));
        foreach ((string name, string place) in all.DistinctBy(entry => entry.Name, StringComparer.OrdinalIgnoreCase))
        {
            if (InstanceName.Rule(name, _type.DestinationKey) is { } rule)
            {
                result.Problems.Add(new ConfigurationProblem(place, ConfigurationProblem.Show("", name), rule));
                continue;
            }

            yield return name;
        }
    }

    // The factory stops at the first level it cannot read and says neither where it stands nor what is allowed.
    private void ReadFactoryLevels(SettingsReading<TOptions> result)
    {
        foreach ((string category, string? text) in _sources.FactoryLevels.AsEnumerable(makePathsRelative: true))
        {
            bool isReadable = string.IsNullOrEmpty(text) || Enum.TryParse(text, ignoreCase: true, out LogLevel _);
            ParseResult<LogLevel> level = isReadable ? default : OptionText.Level(text!);
            string? rule = level.Rule ?? LevelMap.KeyRule(category);
            if (rule is not null)
            {
                string value = ConfigurationProblem.Show("", text ?? "");
                result.Problems.Add(new ConfigurationProblem($"Logging:LogLevel:{category}", value, rule, level.Suggestion));
            }
        }
    }
}
