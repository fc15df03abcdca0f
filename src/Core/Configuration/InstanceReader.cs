using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>Puts the options of one instance together.</summary>
/// <remarks>
/// Weakest first: built-in default, variables, section of the provider, code for the provider, section of the instance, code for the instance,
/// post-configure. Every instance begins with an options object of its own, so delegates run once per instance.
/// </remarks>
internal sealed class InstanceReader<TOptions>(
    SinkDefinition<TOptions> type, OptionsTable<TOptions> table, OptionSources<TOptions> sources, SinkNaming naming, SinkSurroundings surroundings)
    where TOptions : SinkOptions, new()
{
    public InstanceReading<TOptions> ReadDefault()
    {
        InstanceReading<TOptions> reading = Begin(InstanceName.Default);
        ReadParent(reading);
        ApplyPostConfigure(reading);
        return reading;
    }

    public InstanceReading<TOptions> ReadChild(string name, IConfigurationSection section)
    {
        InstanceReading<TOptions> reading = Begin(name);
        ReadParent(reading);
        reading.Log.UnknownKeys.Clear();
        reading.Options.LogLevel.Clear();
        reading.Options.Enabled = true;
        reading.Log.RemoveOrigin(nameof(SinkOptions.LogLevel));
        reading.Log.RemoveOrigin(nameof(SinkOptions.Enabled));
        type.ClearDestination(reading.Options);
        string path = naming.SectionOf(name);
        if (!string.IsNullOrEmpty(section.Value))
        {
            reading.Log.ReportProblem(path, name, section.Value, "expected a section with the instance's options");
        }

        table.Read(section, path, OptionLayer.ChildSection, reading.Options, reading.Log);
        ApplyCode(reading, OptionLayer.ChildCode, name, options => sources.ApplyCode(name, options));
        ApplyPostConfigure(reading);
        return reading;
    }

    private InstanceReading<TOptions> Begin(string name)
    {
        TOptions options = new();
        SinkEnvironment environment = new(surroundings.RootValue, surroundings.HostApplicationName);
        type.ReadEnvironment(options, environment);
        return new InstanceReading<TOptions>(name, options) { SwitchedOff = environment.SwitchedOff };
    }

    private void ReadParent(InstanceReading<TOptions> reading)
    {
        table.Read(sources.Section, naming.Section, OptionLayer.ParentSection, reading.Options, reading.Log, naming.ChildrenKey);
        ApplyCode(reading, OptionLayer.ParentCode, InstanceName.Default, options => sources.ApplyCode("", options));
    }

    private void ApplyPostConfigure(InstanceReading<TOptions> reading) => ApplyCode(
        reading, OptionLayer.PostConfigure, reading.Name, options => sources.ApplyPostConfigure(reading.OptionsName, options));

    // Delegates do not say what they set; what is different afterwards came from them.
    private void ApplyCode(InstanceReading<TOptions> reading, OptionLayer layer, string instance, Action<TOptions> apply)
    {
        object?[] before = table.Snapshot(reading.Options);
        apply(reading.Options);
        for (int index = 0; index < before.Length; index++)
        {
            OptionKey<TOptions> key = table.Keys[index];
            if (Equals(before[index], key.Snapshot(reading.Options)))
            {
                continue;
            }

            string path = $"{naming.CallOf(instance)}: {key.Name}";
            reading.Log.SetOrigin(key.Name, new OptionOrigin(layer, path, null));
            if (key.Check(reading.Options) is { } rule)
            {
                reading.Log.ReportProblem(path, key.Name, key.Show(reading.Options) ?? "", rule);
            }
        }
    }
}
