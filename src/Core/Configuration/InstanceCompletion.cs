namespace AsyncLog;

/// <summary>Checks the options of one instance as a whole, resolves its texts and makes its settings.</summary>
internal sealed class InstanceCompletion<TOptions>(
    SinkDefinition<TOptions> type, OptionsTable<TOptions> table, OptionSources<TOptions> sources, SinkNaming naming, SinkSurroundings surroundings)
    where TOptions : SinkOptions, new()
{
    /// <summary>Sets the reading's settings unless there is a problem.</summary>
    public void Complete(InstanceReading<TOptions> reading)
    {
        DropMisfits(reading);
        foreach (OptionsTable<TOptions>.Rule cross in table.Rules)
        {
            if (cross.Check(reading.Options) is { } rule)
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
            string place = reading.Log.OriginOf(nameof(SinkOptions.Template))?.Path ?? $"{naming.SectionOf(reading.Name)}:{nameof(SinkOptions.Template)}";
            reading.Log.Doubts.Add(new UnknownKey($"{place} '{ConfigurationProblem.Show("", layout.Template!)}'", hint) { Statement = statement, IsUsed = true });
        }

        if (reading.Log.Problems.Count == 0)
        {
            reading.Settings = Settle(reading, layout);
        }
    }

    private InstanceSettings<TOptions> Settle(InstanceReading<TOptions> reading, RecordLayout layout)
    {
        OptionOrigin? place = reading.Log.OriginOf(type.DestinationKey);
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
        ConstantProperties properties = ResolveProperties(options, resolution, reading.Log);
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

    // In the order of their names; one whose value is empty removes an inherited one.
    private static ConstantProperties ResolveProperties(TOptions options, InstanceResolution resolution, OptionsReadLog log)
    {
        List<KeyValuePair<string, string>> resolved = [];
        foreach ((string name, string text) in options.Properties.OrderBy(static pair => pair.Key, StringComparer.Ordinal))
        {
            // A value that comes from code stands in no section, whatever a section said before.
            string key = $"{nameof(SinkOptions.Properties)}:{name}";
            string named = log.OriginOf(key) is { } origin && origin.Text == text ? key : nameof(SinkOptions.Properties);
            if (!string.IsNullOrEmpty(text) && resolution.ExpandText(text, named) is { } value)
                resolved.Add(new(name, value));
        }

        return resolved.Count == 0 ? ConstantProperties.None : new ConstantProperties(resolved);
    }

    // An option that makes no sense beside the instance's own choice is no mistake when it was only inherited.
    private void DropMisfits(InstanceReading<TOptions> reading)
    {
        foreach (OptionsTable<TOptions>.Condition dependent in table.Conditions)
        {
            OptionKey<TOptions>? key = table.Find(dependent.Key);
            if (key is null || reading.Log.OriginOf(dependent.Key) is not { } place || key.Show(reading.Options) is null || dependent.Fits(reading.Options))
            {
                continue;
            }

            bool isInherited = !reading.IsDefault && place.IsParents && reading.Log.OriginOf(dependent.DecidingKey) is { IsParents: false };
            if (isInherited)
            {
                key.Copy(new TOptions(), reading.Options);
                reading.Log.RemoveOrigin(dependent.Key);
            }
            else
            {
                Blame(reading, dependent.Key, dependent.Rule, null);
            }
        }
    }

    private void Blame(InstanceReading<TOptions> reading, string key, string rule, string? suggestion)
    {
        OptionOrigin place = reading.Log.OriginOf(key) ?? new OptionOrigin(OptionLayer.Default, $"{naming.SectionOf(reading.Name)}:{key}", null);
        reading.Log.ReportProblem(place.Path, key, place.Text ?? table.Find(key)?.Show(reading.Options) ?? "", rule, suggestion);
    }

    private string FullName(InstanceReading<TOptions> reading) => $"{type.Name}/{reading.Name}";
}
