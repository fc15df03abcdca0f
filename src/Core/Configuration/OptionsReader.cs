namespace AsyncLog;

/// <summary>Reads the options of one instance: puts the layers together, checks the whole, resolves its texts and makes its settings.</summary>
/// <remarks>
/// Weakest first: built-in default, variables, section of the provider, code for the provider, section of the instance, code for the instance,
/// post-configure. Every instance begins with its own options object, so delegates run once per instance,
/// and again if it must not inherit credentials.
/// </remarks>
internal sealed class OptionsReader<TOptions>
    where TOptions : SinkOptions, new()
{
    private const string SpoolPrefix = "Spool";
    private readonly SinkDefinition<TOptions> _definition;
    private readonly OptionSources<TOptions> _sources;
    private readonly SinkNames _names;

    public OptionsReader(SinkDefinition<TOptions> definition, OptionSources<TOptions> sources, SinkNames names)
    {
        _definition = definition;
        _sources = sources;
        _names = names;
        Table = BaseOptions.CreateTable<TOptions>(sources.Formats);
        definition.Describe(Table);
        if (definition.WireFormat is not null)
            return;
        foreach (var key in Table.Keys.Where(key => Table.IsCommon(key) && key.Name.StartsWith(SpoolPrefix, StringComparison.Ordinal)).ToList())
            Table.Forbid(key.Name, "only sinks that send to a server have a spool");
    }

    public OptionsTable<TOptions> Table { get; }

    /// <summary>Reads the instance that the section itself describes.</summary>
    public InstanceCandidate<TOptions> ReadDefault() => Read(InstanceName.Default);

    /// <summary>Reads a named instance.</summary>
    public InstanceCandidate<TOptions> ReadNamed(string name) => Read(name);

    /// <summary>Checks the options as a whole and sets the candidate's settings unless there is a problem.</summary>
    public void Complete(InstanceCandidate<TOptions> candidate)
    {
        CheckConditions(candidate);
        foreach (var rule in Table.Rules)
        {
            if (rule.Check(candidate.Options) is { } broken)
                ReportProblem(candidate, rule.Key, broken, null);
        }

        if (!candidate.IsDefault && !candidate.Options.Main)
            ReportProblem(candidate, nameof(SinkOptions.Main), "belongs to the section itself: switch a named instance off with Enabled", null);
        InstanceResolution resolution = new(
            candidate.Name, FullNameOf(candidate), _sources.Application, _sources.Variable, (key, rule, suggestion) => ReportProblem(candidate, key, rule, suggestion));
        _definition.Resolve(candidate.Options, resolution);
        if (candidate.Options.SpoolPath is { } spool && resolution.ExpandText(spool, nameof(SinkOptions.SpoolPath)) is { } directory)
            candidate.Options.SpoolPath = Path.GetFullPath(Path.Combine(_sources.Application.ContentRootPath, directory));
        foreach (var failure in _sources.Failures(candidate.OptionsName, candidate.Options))
            candidate.Log.Problems.Add(ConfigurationProblem.Verbatim(failure));

        var layout = LayoutOf(candidate, resolution);
        if (_sources.CheckTemplate(layout) is { } templateRule)
            ReportProblem(candidate, nameof(SinkOptions.Template), templateRule, null);
        foreach (var (statement, hint) in _sources.TemplateWarnings(layout))
        {
            var path = candidate.Log.OriginOf(nameof(SinkOptions.Template))?.Path ?? $"{_names.SectionOf(candidate.Name)}:{nameof(SinkOptions.Template)}";
            candidate.Log.Warnings.Add(new UnknownKey($"{path} '{ConfigurationProblem.Show("", layout.Template!)}'", hint) { Statement = statement, IsUsed = true });
        }

        WarnOfTimestampFormat(candidate);
        WarnOfUnusedProperties(candidate);
        if (candidate.Log.Problems.Count == 0)
            candidate.Settings = MakeSettings(candidate, layout);
    }

    private void WarnOfTimestampFormat(InstanceCandidate<TOptions> candidate)
    {
        const string Key = nameof(SinkOptions.TimestampFormat);
        if (candidate.Options.TimestampFormat is not { } format || TimestampFormat.FindLiteralLetter(format) is not var (letter, meant))
            return;
        var path = candidate.Log.OriginOf(Key)?.Path ?? $"{_names.SectionOf(candidate.Name)}:{Key}";
        candidate.Log.Warnings.Add(new UnknownKey($"{path} '{ConfigurationProblem.Show("", format)}'", meant is null ? "quote text as in 'at'" : $"did you mean '{meant}'?")
        {
            Statement = $"prints the letter '{letter}' as it is",
            IsUsed = true,
        });
    }

    // Properties of the section itself may be meant for its named instances.
    private void WarnOfUnusedProperties(InstanceCandidate<TOptions> candidate)
    {
        if (candidate.Options.Properties.Count == 0 || !_sources.Formats.IsText(candidate.Options) || candidate.Log.OriginOf(nameof(SinkOptions.Properties)) is not { } origin)
            return;
        if (candidate.IsDefault ? _sources.Section.GetSection(_names.ChildrenKey).GetChildren().Any() || _sources.Names.Count > 0 : origin.IsParents)
            return;
        candidate.Log.Warnings.Add(new UnknownKey(origin.Path, "use Format Json or Clef, or write the text into Template") { Statement = "has no effect with Format Text", IsUsed = true, IsGuess = true });
    }

    /// <summary>The problems of the options, those of the application's validators included, as they are printed.</summary>
    public IReadOnlyList<string> Failures(InstanceCandidate<TOptions> candidate) =>
        [.. candidate.Log.Problems.Select(static problem => problem.ToString()), .. _sources.Failures(candidate.OptionsName, candidate.Options)];

    // Delegates may set the server, so it is known only when everything was read: what the instance must not inherit takes a second reading.
    private InstanceCandidate<TOptions> Read(string name)
    {
        var candidate = Read(name, new Inheritance(OfVariables: true, OfSection: true), out var allowed);
        return Table.Credentials.Count == 0 || allowed == new Inheritance(true, true) ? candidate : Read(name, allowed, out _);
    }

    private InstanceCandidate<TOptions> Read(string name, Inheritance inherited, out Inheritance allowed)
    {
        var candidate = Begin(name);
        var ofVariables = _definition.ServerOf(candidate.Options);
        if (!inherited.OfVariables)
            CopyCredentials(new TOptions(), candidate);
        TOptions beforeSection = new();
        Table.Credentials.ForEach(key => key.Copy(candidate.Options, beforeSection));
        ReadParent(candidate);
        var ofSection = _definition.ServerOf(candidate.Options);
        if (!candidate.IsDefault)
        {
            if (!inherited.OfSection)
                CopyCredentials(beforeSection, candidate);
            ReadChild(candidate);
        }

        ApplyPostConfigure(candidate);
        var server = _definition.ServerOf(candidate.Options);

        // Variables that name no server belong to that of the section.
        allowed = new Inheritance((ofVariables ?? ofSection) == server, candidate.IsDefault || ofSection == server);
        return candidate;
    }

    private void CopyCredentials(TOptions from, InstanceCandidate<TOptions> candidate)
    {
        foreach (var key in Table.Credentials)
        {
            key.Copy(from, candidate.Options);
            candidate.Log.RemoveOrigin(key.Name);
        }
    }

    private void ReadChild(InstanceCandidate<TOptions> candidate)
    {
        var (name, log) = (candidate.Name, candidate.Log);
        log.UnknownKeys.Clear();
        candidate.Options.LogLevel.Clear();
        (candidate.Options.Enabled, candidate.Options.Main) = (true, true);
        log.RemoveOrigin(nameof(SinkOptions.LogLevel));
        log.RemoveOrigin(nameof(SinkOptions.Enabled));
        log.RemoveOrigin(nameof(SinkOptions.Main));
        _definition.ClearDestination(candidate.Options);

        var section = _sources.Snapshot.Section.GetSection(_names.ChildrenKey).GetSection(name);
        var path = _names.SectionOf(name);
        if (!string.IsNullOrEmpty(section.Value))
            log.ReportProblem(path, name, section.Value, "expected a section with the instance's options");
        Table.Read(section, path, OptionLayer.ChildSection, candidate.Options, log);
        ApplyCode(candidate, OptionLayer.ChildCode, name, options => _sources.ApplyCode(name, options));
    }

    private InstanceCandidate<TOptions> Begin(string name)
    {
        TOptions options = new();
        SinkEnvironment environment = new(_sources.Snapshot.RootValue, _sources.HostApplicationName);
        _definition.ReadEnvironment(options, environment);
        return new InstanceCandidate<TOptions>(name, options) { SwitchedOff = environment.SwitchedOff };
    }

    private void ReadParent(InstanceCandidate<TOptions> candidate)
    {
        Table.Read(_sources.Snapshot.Section, _names.Section, OptionLayer.ParentSection, candidate.Options, candidate.Log, _names.ChildrenKey);
        ApplyCode(candidate, OptionLayer.ParentCode, InstanceName.Default, options => _sources.ApplyCode("", options));
    }

    private void ApplyPostConfigure(InstanceCandidate<TOptions> candidate) => ApplyCode(
        candidate, OptionLayer.PostConfigure, candidate.Name, options => _sources.ApplyPostConfigure(candidate.OptionsName, options));

    // Delegates do not report what they set: a value that differs afterwards came from them.
    private void ApplyCode(InstanceCandidate<TOptions> candidate, OptionLayer layer, string instance, Action<TOptions> apply)
    {
        var before = Table.Snapshot(candidate.Options);
        apply(candidate.Options);
        for (var index = 0; index < before.Length; index++)
        {
            var key = Table.Keys[index];
            if (Equals(before[index], key.Snapshot(candidate.Options)))
                continue;
            var path = $"{_names.CallOf(instance)}: {key.Name}";
            candidate.Log.SetOrigin(key.Name, new OptionOrigin(layer, path, null));
            if (key.Check(candidate.Options) is { } rule)
                candidate.Log.ReportProblem(path, key.Name, key.Show(candidate.Options) ?? "", rule);
        }
    }

    // An option that makes no sense beside the instance's own choice is no mistake when it was only inherited.
    private void CheckConditions(InstanceCandidate<TOptions> candidate)
    {
        foreach (var condition in Table.Conditions)
        {
            var key = Table.Find(condition.Key);
            if (key is null || candidate.Log.OriginOf(condition.Key) is not { } origin || key.Show(candidate.Options) is null || condition.Fits(candidate.Options))
                continue;
            var isInherited = !candidate.IsDefault && origin.IsParents && candidate.Log.OriginOf(condition.DecidingKey) is { IsParents: false };
            if (isInherited)
            {
                key.Copy(new TOptions(), candidate.Options);
                candidate.Log.RemoveOrigin(condition.Key);
            }
            else
            {
                ReportProblem(candidate, condition.Key, condition.Rule, null);
            }
        }
    }

    private RecordLayout LayoutOf(InstanceCandidate<TOptions> candidate, InstanceResolution resolution)
    {
        var options = candidate.Options;
        var properties = ResolveProperties(candidate, resolution);
        return _definition.LayoutOf(options, new RecordLayout
        {
            Format = _sources.Formats.Canonical(options.Format),
            Template = options.Template,
            TimestampFormat = options.TimestampFormat,
            UseUtcTimestamp = options.UseUtcTimestamp,
            IncludeScopes = options.IncludeScopes,
            Properties = _sources.Formats.IsText(options) ? ConstantProperties.None : properties,
            MaxRecordSize = options.MaxRecordSize,
            Instance = options.Template?.Contains("{Instance", StringComparison.OrdinalIgnoreCase) == true ? candidate.Name : "",
        });
    }

    // In the order of their names; one whose value is empty removes an inherited one.
    private static ConstantProperties ResolveProperties(InstanceCandidate<TOptions> candidate, InstanceResolution resolution)
    {
        if (candidate.Options.Properties.Count == 0)
            return ConstantProperties.None;
        List<KeyValuePair<string, string>> resolved = [];
        foreach (var name in candidate.Options.Properties.Keys.Order(StringComparer.Ordinal))
        {
            var text = candidate.Options.Properties[name];
            // A value that comes from code is in no section, even if a section set it before.
            var key = $"{nameof(SinkOptions.Properties)}:{name}";
            var reported = candidate.Log.OriginOf(key) is { } origin && origin.Text == text ? key : nameof(SinkOptions.Properties);
            if (!string.IsNullOrEmpty(text) && resolution.ExpandText(text, reported) is { } value)
                resolved.Add(new(name, value));
        }

        return resolved.Count == 0 ? ConstantProperties.None : new ConstantProperties(resolved);
    }

    private InstanceSettings<TOptions> MakeSettings(InstanceCandidate<TOptions> candidate, RecordLayout layout)
    {
        var origin = candidate.Log.OriginOf(_definition.DestinationKey);
        var own = origin is { } known && (candidate.IsDefault || !known.IsParents) ? origin : null;
        var destination = _definition.UniqueDestinationOf(candidate.Options);
        return new InstanceSettings<TOptions>
        {
            Name = candidate.Name,
            FullName = FullNameOf(candidate),
            Options = candidate.Options,
            OwnLevels = candidate.IsDefault ? LevelMap.Empty : LevelMap.Of(candidate.Options.LogLevel),
            Layout = layout,
            Destination = destination,
            DestinationPath = own?.Path ?? $"{_names.SectionOf(candidate.Name)}:{_definition.DestinationKey}",
            DestinationText = own?.Text ?? destination ?? "",
            HasChosenDestination = origin is not null
                || (_definition.DestinationKey.Length == 0 && Table.Keys.Any(key => !Table.IsCommon(key) && candidate.Log.OriginOf(key.Name) is not null)),
        };
    }

    private void ReportProblem(InstanceCandidate<TOptions> candidate, string key, string rule, string? suggestion)
    {
        var origin = candidate.Log.OriginOf(key) ?? new OptionOrigin(OptionLayer.Default, $"{_names.SectionOf(candidate.Name)}:{key}", null);
        candidate.Log.ReportProblem(origin.Path, key, origin.Text ?? Table.Find(key)?.Show(candidate.Options) ?? "", rule, suggestion);
    }

    private string FullNameOf(InstanceCandidate<TOptions> candidate) => $"{_definition.Name}/{candidate.Name}";

    // Whose credentials an instance gets besides its own.
    private readonly record struct Inheritance(bool OfVariables, bool OfSection);
}

/// <summary>One instance as read, with the origin of each value and the problems.</summary>
internal sealed class InstanceCandidate<TOptions>(string name, TOptions options)
    where TOptions : SinkOptions
{
    public string Name { get; } = name;

    public bool IsDefault => Name == InstanceName.Default;

    /// <summary>The name of the options in delegates of the options pipeline.</summary>
    public string OptionsName => IsDefault ? "" : Name;

    public TOptions Options { get; } = options;

    /// <summary>Reason why the whole provider is switched off; null when it is not.</summary>
    public string? SwitchedOff { get; init; }

    public OptionsReadLog Log { get; } = new();

    /// <summary>The result; null while it is not complete or when there are problems.</summary>
    public InstanceSettings<TOptions>? Settings { get; set; }
}
