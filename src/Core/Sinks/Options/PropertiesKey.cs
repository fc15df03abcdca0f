namespace AsyncLog;

/// <summary>The <c>Properties</c> map: constant properties of every record.</summary>
internal static class PropertiesKey
{
    public const string KeyName = nameof(SinkOptions.Properties);

    public static OptionKey<TOptions> Create<TOptions>()
        where TOptions : SinkOptions
        => new MapKey<TOptions, string, string>(KeyName, OptionReload.Live, static options => options.Properties, Names, ScalarForms.OptionalText!);

    private static ScalarForm<string> Names { get; } = new(static text => new Parsed<string>(text), static text => text)
    {
        Check = static text => text.Length == 0 ? "a property needs a name" : null,
    };

    /// <summary>The properties with their tokens expanded, in the order of their names; one whose value is empty takes an inherited one away.</summary>
    public static ConstantProperties Resolve<TOptions>(TOptions options, InstanceResolution resolution, LayerLog<TOptions> log)
        where TOptions : SinkOptions
    {
        List<KeyValuePair<string, string>> resolved = [];
        foreach ((string name, string text) in options.Properties.OrderBy(static pair => pair.Key, StringComparer.Ordinal))
        {
            // A value that comes from code stands in no section, whatever a section said before.
            string key = $"{KeyName}:{name}";
            string blamed = log.PlaceOf(key) is { } place && place.Text == text ? key : KeyName;
            if (!string.IsNullOrEmpty(text) && resolution.ExpandText(text, blamed) is { } value)
            {
                resolved.Add(new(name, value));
            }
        }

        return resolved.Count == 0 ? ConstantProperties.None : new ConstantProperties(resolved);
    }
}
