namespace AsyncLog;

/// <summary>Checks the options of one instance as a whole, resolves its texts and makes its settings.</summary>
internal sealed class InstanceCompletion<TOptions>(
    SinkDefinition<TOptions> type, KeyTable<TOptions> table, OptionSources<TOptions> sources, SinkNaming naming, SinkSurroundings surroundings)
    where TOptions : SinkOptions, new()
{
    /// <summary>Sets the reading's settings unless there is a problem.</summary>
    public void Complete(InstanceReading<TOptions> reading)
    {
        DropMisfits(reading);
        foreach (CrossRule<TOptions> cross in table.Rules)
        {
            if (cross.Rule(reading.Options) is { } rule)
            {
                Blame(reading, cross.Key, rule, null);
            }
        }

        InstanceResolution resolution = new(
            reading.Name, FullName(reading), surroundings.Application, surroundings.Variable,
            (key, rule, suggestion) => Blame(reading, key, rule, suggestion));
        type.Resolve(reading.Options, resolution);
        foreach (string failure in sources.Failures(reading.OptionsName, reading.Options))
        {
            reading.Log.Problems.Add(ConfigurationProblem.Verbatim(failure));
        }

        RecordLayout layout = LayoutOf(reading, resolution);
        if (LogFormatters.CheckTemplate(layout) is { } templateRule)
        {
            Blame(reading, nameof(SinkOptions.Template), templateRule, null);
        }

        foreach ((string statement, string? hint) in LogFormatters.DoubtsOfTemplate(layout))
        {
            string place = reading.Log.PlaceOf(nameof(SinkOptions.Template))?.Path ?? $"{naming.SectionOf(reading.Name)}:{nameof(SinkOptions.Template)}";
            reading.Log.Doubts.Add(new UnknownKey($"{place} '{ConfigurationProblem.Show("", layout.Template!)}'", hint) { Statement = statement, IsUsed = true });
        }

        if (reading.Log.Problems.Count == 0)
        {
            reading.Settings = Settle(reading, layout);
        }
    }

    private InstanceSettings<TOptions> Settle(InstanceReading<TOptions> reading, RecordLayout layout)
    {
        KeyPlace? place = reading.Log.PlaceOf(type.DestinationKey);
        bool isOwn = place is { } known && (reading.IsDefault || !known.IsParents);
        return new InstanceSettings<TOptions>
        {
            Name = reading.Name,
            FullName = FullName(reading),
            Options = reading.Options,
            OwnLevels = reading.IsDefault ? LevelMap.Empty : new LevelMap(reading.Options.LogLevel),
            Layout = layout,
            Target = type.UniqueDestinationOf(reading.Options),
            TargetPlace = isOwn ? place!.Value.Path : $"{naming.SectionOf(reading.Name)}:{type.DestinationKey}",
            TargetText = (isOwn ? place!.Value.Text : null) ?? type.UniqueDestinationOf(reading.Options) ?? "",
        };
    }

    private RecordLayout LayoutOf(InstanceReading<TOptions> reading, InstanceResolution resolution)
    {
        TOptions options = reading.Options;
        ConstantProperties properties = PropertiesKey.Resolve(options, resolution, reading.Log);
        RecordLayout layout = new()
        {
            Format = surroundings.Formats.Canonical(options.Format),
            Template = options.Template,
            TimestampFormat = options.TimestampFormat,
            UseUtcTimestamp = options.UseUtcTimestamp,
            IncludeScopes = options.IncludeScopes,
            Properties = surroundings.Formats.IsText(options) ? ConstantProperties.None : properties,
            MaxRecordSize = options.MaxRecordSize,
            Instance = options.Template?.Contains("{Instance", StringComparison.OrdinalIgnoreCase) == true ? reading.Name : "",
        };
        return type.LayoutOf(options, layout);
    }

    // An option that makes no sense beside the instance's own choice is no mistake when it was only inherited.
    private void DropMisfits(InstanceReading<TOptions> reading)
    {
        foreach (DependentKey<TOptions> dependent in table.DependentKeys)
        {
            OptionKey<TOptions>? key = table.Find(dependent.Key);
            if (key is null || reading.Log.PlaceOf(dependent.Key) is not { } place || key.Show(reading.Options) is null || dependent.Fits(reading.Options))
            {
                continue;
            }

            bool isInherited = !reading.IsDefault && place.IsParents && reading.Log.PlaceOf(dependent.DecidingKey) is { IsParents: false };
            if (isInherited)
            {
                key.Copy(new TOptions(), reading.Options);
                reading.Log.Forget(dependent.Key);
            }
            else
            {
                Blame(reading, dependent.Key, dependent.Rule, null);
            }
        }
    }

    private void Blame(InstanceReading<TOptions> reading, string key, string rule, string? suggestion)
    {
        KeyPlace place = reading.Log.PlaceOf(key) ?? new KeyPlace(OptionLayer.Default, $"{naming.SectionOf(reading.Name)}:{key}", null);
        reading.Log.Problem(place.Path, key, place.Text ?? table.Find(key)?.Show(reading.Options) ?? "", rule, suggestion);
    }

    private string FullName(InstanceReading<TOptions> reading) => $"{type.Name}/{reading.Name}";
}
