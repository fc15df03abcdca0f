namespace AsyncLog;

/// <summary>What was noticed while one options object was put together: where each value came from, what is wrong, what is unknown.</summary>
internal sealed class LayerLog<TOptions>
{
    private readonly Dictionary<string, KeyPlace> _places = new(StringComparer.OrdinalIgnoreCase);

    public List<ConfigurationProblem> Problems { get; } = [];

    public List<UnknownKey> UnknownKeys { get; } = [];

    /// <summary>Values that are valid and probably not meant.</summary>
    public List<UnknownKey> Doubts { get; } = [];

    public void Placed(string key, KeyPlace place) => _places[key] = place;

    public void Forget(string key) => _places.Remove(key);

    public KeyPlace? PlaceOf(string key) => _places.TryGetValue(key, out KeyPlace place) ? place : null;

    public void Problem(string path, string key, string? value, string rule, string? suggestion = null) =>
        Problems.Add(new ConfigurationProblem(path, value is null ? null : ConfigurationProblem.Show(key, value), rule, suggestion));
}
