namespace AsyncLog;

/// <summary>The known keys of one options class, what is known about other names, and the rules over several keys.</summary>
internal sealed class KeyTable<TOptions>
{
    private readonly List<OptionKey<TOptions>> _keys = [];
    private readonly HashSet<OptionKey<TOptions>> _common = [];
    private readonly Dictionary<string, string> _refused = new(StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _planned = new(UnknownKeyHints.PlannedEverywhere, StringComparer.OrdinalIgnoreCase);

    public IReadOnlyList<OptionKey<TOptions>> Keys => _keys;

    public List<CrossRule<TOptions>> Rules { get; } = [];

    public List<DependentKey<TOptions>> DependentKeys { get; } = [];

    public void Add(OptionKey<TOptions> key)
    {
        if (Find(key.Name) is not null)
        {
            throw new ArgumentException($"The key '{key.Name}' is in the table already.", nameof(key));
        }

        _keys.Add(key);
    }

    public void Remove(string name) => _keys.RemoveAll(key => key.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Lets a name that is not in the table stop the start.</summary>
    public void Refuse(string name, string hint) => _refused[name] = hint;

    public bool IsRefused(string name) => _refused.ContainsKey(name);

    /// <summary>Declares the keys of now to be those that every sink has.</summary>
    public void MarkCommon() => _common.UnionWith(_keys);

    public bool IsCommon(OptionKey<TOptions> key) => _common.Contains(key);

    public void AddPlanned(IEnumerable<string> names) => _planned.UnionWith(names);

    public OptionKey<TOptions>? Find(string name) => _keys.Find(key => key.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>What to say about a name that is not in the table; null when nothing comes to mind.</summary>
    public string? HintFor(string name, IEnumerable<string> furtherNames) =>
        _refused.GetValueOrDefault(name) ?? UnknownKeyHints.For(name, [.. _keys.Select(key => key.Name), .. furtherNames], _planned);

    public object?[] Snapshot(TOptions options) => [.. _keys.Select(key => key.Snapshot(options))];

    /// <summary>The keys whose values differ between the two.</summary>
    public IReadOnlyList<OptionKey<TOptions>> Compare(TOptions left, TOptions right) =>
        [.. _keys.Where(key => !Equals(key.Snapshot(left), key.Snapshot(right)))];
}
