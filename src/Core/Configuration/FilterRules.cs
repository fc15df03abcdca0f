using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The logger factory's own rules for one provider, without ours. Immutable.</summary>
/// <remarks>Selects as the factory does, which keeps its selector to itself: provider before category, longest category, last of equals.</remarks>
internal sealed class FilterRules
{
    private readonly LoggerFilterRule[] _rules;
    private readonly LogLevel _minLevel;

    public FilterRules(IEnumerable<LoggerFilterRule> rules, LogLevel minLevel, string providerName, string alias)
    {
        _rules = [.. rules.Where(rule => rule.ProviderName is null || rule.ProviderName == providerName || rule.ProviderName == alias)];
        _minLevel = minLevel;
    }

    /// <summary>The rules that can apply to the provider.</summary>
    public IReadOnlyList<LoggerFilterRule> Rules => _rules;

    public bool HasWildcards => Array.Exists(_rules, rule => CategoryPattern.IsWildcard(rule.CategoryName));

    /// <summary>The level the factory asks for; <see cref="LogLevel.Trace"/> where its rule has only a delegate.</summary>
    public LogLevel Level(string category) => Level(Select(category));

    /// <summary>The lowest level any rule can ask for, whatever the category.</summary>
    public LogLevel LowestLevel => _rules.Select(rule => Level(rule)).Append(_minLevel).Min();

    public LoggerFilterRule? Select(string category)
    {
        LoggerFilterRule? best = null;
        foreach (LoggerFilterRule rule in _rules)
        {
            if (CategoryPattern.Matches(rule.CategoryName, category) && !Beats(best, rule))
            {
                best = rule;
            }
        }

        return best;
    }

    /// <summary>Whether the factory has this level of a map as a rule for the provider, so that it decides by itself as the map wants.</summary>
    public bool Holds(CategoryLevel level) => Array.Exists(_rules, rule =>
        rule.ProviderName is not null && rule.Filter is null && rule.LogLevel == level.Level
        && string.Equals(rule.CategoryName, level.Category, StringComparison.OrdinalIgnoreCase));

    private LogLevel Level(LoggerFilterRule? rule) => rule is null ? _minLevel : rule.LogLevel ?? LogLevel.Trace;

    private static bool Beats(LoggerFilterRule? best, LoggerFilterRule rule)
    {
        if (best is null)
        {
            return false;
        }

        bool isBestScoped = best.ProviderName is not null;
        return isBestScoped == rule.ProviderName is not null
            ? CategoryPattern.IsMoreSpecific(best.CategoryName, rule.CategoryName)
            : isBestScoped;
    }
}
