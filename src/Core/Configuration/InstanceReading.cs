namespace AsyncLog;

/// <summary>One instance while it is put together, layer by layer.</summary>
internal sealed class InstanceReading<TOptions>(string name, TOptions options)
    where TOptions : SinkOptions
{
    public string Name { get; } = name;

    public bool IsDefault => Name == InstanceName.Default;

    /// <summary>The name under which delegates of the options pipeline know it.</summary>
    public string OptionsName => IsDefault ? "" : Name;

    public TOptions Options { get; } = options;

    /// <summary>Why the whole provider is switched off; null when it is not.</summary>
    public string? SwitchedOff { get; init; }

    public OptionsReadLog Log { get; } = new();

    /// <summary>The result; null while it is not complete or when there are problems.</summary>
    public InstanceSettings<TOptions>? Settings { get; set; }
}
