using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>From which level each instance takes records of a category. Immutable; replaced when rules or settings change.</summary>
/// <remarks>
/// Until an instance has levels of its own the logger factory alone decides, as its users know it. As soon as one has, the factory lets
/// through what any instance wants (<see cref="UnionRules"/>), and each instance is decided here.
/// </remarks>
internal sealed class LevelRules
{
    private readonly FilterRules _factory;

    public LevelRules(FilterRules factory, LevelMap provider, IReadOnlyList<LevelMap> own)
    {
        _factory = factory;
        Provider = provider;
        Own = own;
        IsUnion = own.Any(map => !map.IsEmpty) || provider.Levels.Any(level => !factory.Holds(level));
    }

    /// <summary>The map of the provider's section.</summary>
    public LevelMap Provider { get; }

    /// <summary>The map of each enabled instance, empty where it has none.</summary>
    public IReadOnlyList<LevelMap> Own { get; }

    /// <summary>The rules before ours.</summary>
    public FilterRules Factory => _factory;

    /// <summary>Whether the factory needs rules of ours to let through what an instance wants.</summary>
    public bool IsUnion { get; }

    /// <summary>The lowest level of a category that an instance with this map takes.</summary>
    public LogLevel Minimum(LevelMap own, string category) =>
        own.Find(category) ?? (IsUnion ? Provider.Find(category) : null) ?? _factory.Level(category);

    /// <summary>The same with the key that decides.</summary>
    public EffectiveLevel Effective(LevelMap own, string category, SinkNaming naming, string instance)
    {
        if (own.FindBest(category) is { } ownLevel)
            return new EffectiveLevel(ownLevel.Level, KeyIn(naming.SectionOf(instance), ownLevel.Category));
        if (IsUnion && Provider.FindBest(category) is { } providerLevel)
            return new EffectiveLevel(providerLevel.Level, KeyIn(naming.Section, providerLevel.Category));
        var level = _factory.Level(category);
        return _factory.Select(category) is not { } rule ? new EffectiveLevel(level, "LoggerFilterOptions.MinLevel")
            : new EffectiveLevel(level, KeyIn(rule.ProviderName is null ? "Logging" : naming.Section, rule.CategoryName));
    }

    private static string KeyIn(string section, string? category) => $"{section}:LogLevel:{category ?? LevelMap.DefaultKey}";
}
