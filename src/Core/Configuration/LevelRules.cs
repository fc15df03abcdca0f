using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The logger factory's own rules for one provider, without ours. Immutable.</summary>
/// <remarks>Selects as the factory does, whose selector is internal: provider before category, longest category, last of equals.</remarks>
internal sealed class FilterRules(IEnumerable<LoggerFilterRule> rules, LogLevel minLevel, SinkNames names)
{
    private readonly LoggerFilterRule[] _rules = [.. rules.Where(rule => rule.ProviderName is null || names.IsProvider(rule.ProviderName))];

    /// <summary>The lowest level that any rule admits, for any category.</summary>
    public LogLevel LowestLevel => _rules.Select(rule => LevelOf(rule)).Append(minLevel).Min();

    public bool HasFilters => Array.Exists(_rules, static rule => rule.Filter is not null);

    /// <summary>The level of the factory's rule; <see cref="LogLevel.Trace"/> if its rule has only a delegate.</summary>
    public LogLevel Level(string category) => LevelOf(Select(category));

    public LoggerFilterRule? Select(string category)
    {
        LoggerFilterRule? best = null;
        foreach (var rule in _rules)
        {
            if (CategoryPattern.Matches(rule.CategoryName, category) && !Beats(best, rule))
                best = rule;
        }

        return best;
    }

    /// <summary>Returns true if the factory has this level of a map as a rule for the provider, and so decides as the map does.</summary>
    public bool Holds(CategoryLevel level) => Array.Exists(_rules, rule =>
        rule.ProviderName is not null && rule.Filter is null && rule.LogLevel == level.Level
        && string.Equals(rule.CategoryName, level.Category, StringComparison.OrdinalIgnoreCase));

    private LogLevel LevelOf(LoggerFilterRule? rule) => rule is null ? minLevel : rule.LogLevel ?? LogLevel.Trace;

    private static bool Beats(LoggerFilterRule? best, LoggerFilterRule rule)
    {
        if (best is null)
            return false;
        var isBestScoped = best.ProviderName is not null;
        return isBestScoped == rule.ProviderName is not null ? CategoryPattern.IsMoreSpecific(best.CategoryName, rule.CategoryName) : isBestScoped;
    }
}

/// <summary>From which level each instance takes records of a category. Immutable; replaced when rules or settings change.</summary>
/// <remarks>
/// Until an instance has its own levels the logger factory alone decides, as its users know it. As soon as one has, the factory passes
/// everything from the lowest level that any instance takes, and each instance is decided here.
/// </remarks>
internal sealed class LevelRules
{
    private readonly FilterRules _factory;
    private readonly LevelMap _provider;
    private readonly IReadOnlyList<LevelMap> _own;
    private readonly SinkNames _names;

    /// <param name="own">The map of each enabled instance, empty if it has none.</param>
    public LevelRules(FilterRules factory, LevelMap provider, IReadOnlyList<LevelMap> own, SinkNames names)
    {
        _factory = factory;
        _provider = provider;
        _own = own;
        _names = names;
        DecidesHere = own.Any(static map => !map.IsEmpty) || provider.Levels.Any(level => !factory.Holds(level));
    }

    /// <summary>True if instances are decided here; the factory then needs <see cref="CreateFactoryRule"/>.</summary>
    public bool DecidesHere { get; }

    /// <summary>The lowest level of a category that an instance with this map takes.</summary>
    public LogLevel Minimum(LevelMap own, string category) =>
        own.Find(category) ?? (DecidesHere ? _provider.Find(category) : null) ?? _factory.Level(category);

    /// <summary>The same with the key that decides.</summary>
    public EffectiveLevel Effective(LevelMap own, string category, string instance)
    {
        if (own.FindBest(category) is { } ownLevel)
            return new EffectiveLevel(ownLevel.Level, KeyIn(_names.SectionOf(instance), ownLevel.Category));
        if (DecidesHere && _provider.FindBest(category) is { } providerLevel)
            return new EffectiveLevel(providerLevel.Level, KeyIn(_names.Section, providerLevel.Category));
        var level = _factory.Level(category);
        return _factory.Select(category) is not { } rule ? new EffectiveLevel(level, "LoggerFilterOptions.MinLevel")
            : new EffectiveLevel(level, KeyIn(rule.ProviderName is null ? "Logging" : _names.UsualSection, rule.CategoryName));
    }

    /// <summary>Creates the rule by which the logger factory passes records of any instance; it replaces its rules for the provider.</summary>
    /// <remarks>The delegates of the replaced rules still decide, each for the categories for which the factory would have selected it.</remarks>
    public LoggerFilterRule CreateFactoryRule()
    {
        Func<string?, string?, LogLevel, bool>? filter = null;
        if (_factory.HasFilters)
        {
            ConcurrentDictionary<string, Func<string?, string?, LogLevel, bool>?> selected = new(StringComparer.Ordinal);
            filter = (provider, category, level) =>
                selected.GetOrAdd(category ?? "", name => _factory.Select(name)?.Filter)?.Invoke(provider, category, level) ?? true;
        }

        return new LoggerFilterRule(_names.ProviderName, categoryName: null, LowestLevel(), filter);
    }

    private static string KeyIn(string section, string? category) => $"{section}:LogLevel:{category ?? LevelMap.DefaultKey}";

    // A map with a level for all categories inherits nothing.
    private LogLevel LowestLevel()
    {
        var inherited = _provider.LowestLevel(_factory.LowestLevel);
        return _own.Select(map => map.LowestLevel(inherited)).DefaultIfEmpty(inherited).Min();
    }
}
