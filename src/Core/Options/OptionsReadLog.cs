namespace AsyncLog;

/// <summary>The layer a value comes from. Later ones override earlier ones.</summary>
internal enum OptionLayer
{
    Default,
    ParentSection,
    ParentCode,
    ChildSection,
    ChildCode,
    PostConfigure,
}

/// <summary>Origin of an option's value, for messages and to distinguish inherited values from the instance's own.</summary>
/// <param name="Path">The full key path, or the registration call and the property.</param>
/// <param name="Text">The value as it was written; null when it comes from code.</param>
internal sealed record OptionOrigin(OptionLayer Layer, string Path, string? Text)
{
    /// <summary>True if a named instance only inherited it.</summary>
    public bool IsParents => Layer is OptionLayer.ParentSection or OptionLayer.ParentCode;
}

/// <summary>Collects the findings while one options object is read: the origin of each value, problems, unknown keys.</summary>
internal sealed class OptionsReadLog
{
    private readonly Dictionary<string, OptionOrigin> _origins = new(StringComparer.OrdinalIgnoreCase);

    public List<ConfigurationProblem> Problems { get; } = [];

    public List<UnknownKey> UnknownKeys { get; } = [];

    /// <summary>Values that are valid and probably not meant.</summary>
    public List<UnknownKey> Warnings { get; } = [];

    public void SetOrigin(string key, OptionOrigin origin) => _origins[key] = origin;

    public void RemoveOrigin(string key) => _origins.Remove(key);

    /// <summary>The origin of an option's value; null: it is the default.</summary>
    public OptionOrigin? OriginOf(string key) => _origins.TryGetValue(key, out var origin) ? origin : null;

    public void ReportProblem(string path, string key, string? value, string rule, string? suggestion = null) =>
        Problems.Add(new ConfigurationProblem(path, value is null ? null : ConfigurationProblem.Show(key, value), rule, suggestion));
}
