using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>The configuration of one sink at one time. Live configuration may change between the keys and the values of one reading.</summary>
internal sealed class ConfigurationSnapshot
{
    private readonly KeyValuePair<string, string?>[] _section;
    private readonly KeyValuePair<string, string?>[] _factoryLevels;
    private readonly Func<string, string?> _liveValue;

    // Values of the root that were asked for.
    private readonly ConcurrentDictionary<string, string?> _values = new(StringComparer.OrdinalIgnoreCase);

    public ConfigurationSnapshot(IConfiguration section, IConfiguration factoryLevels, Func<string, string?> rootValue)
    {
        (_section, _factoryLevels, _liveValue) = (PairsOf(section), PairsOf(factoryLevels), rootValue);
        (Section, FactoryLevels) = (ConfigurationOf(_section), ConfigurationOf(_factoryLevels));
    }

    public IConfiguration Section { get; }

    public IConfiguration FactoryLevels { get; }

    public string? RootValue(string name) => _values.GetOrAdd(name, _liveValue);

    /// <summary>Returns true if the live configuration has the same values: then the snapshot was not taken in the middle of a change.</summary>
    public bool IsCurrent(IConfiguration section, IConfiguration factoryLevels)
        => PairsOf(section).SequenceEqual(_section) && PairsOf(factoryLevels).SequenceEqual(_factoryLevels) && _values.All(pair => _liveValue(pair.Key) == pair.Value);

    /// <summary>A copy of all keys below a section.</summary>
    public static IConfiguration Copy(IConfiguration section) => ConfigurationOf(PairsOf(section));

    private static KeyValuePair<string, string?>[] PairsOf(IConfiguration section) => [.. section.AsEnumerable(makePathsRelative: true)];

    private static IConfigurationRoot ConfigurationOf(IEnumerable<KeyValuePair<string, string?>> pairs) => new ConfigurationBuilder().AddInMemoryCollection(pairs).Build();
}
