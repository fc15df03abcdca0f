using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Makes the rules that let the logger factory pass what any instance wants.</summary>
/// <remarks>
/// For a category without <c>*</c> keys in play the longest key K that is a prefix of it decides in the factory, and every map finds for K what it
/// finds for the category: all matching keys are prefixes of K too. A key with <c>*</c> can match the one and not the other. So its level
/// takes part in the minimum of every key, maps are searched for K without such keys, and a rule whose own key has a <c>*</c> gets the
/// minimum of all: more may pass than is needed, never less.
/// </remarks>
internal static class UnionRules
{
    public static IEnumerable<LoggerFilterRule> Create(LevelRules levels, string providerName)
    {
        string?[] keys = [.. KeysOf(levels)];
        LogLevel wildcards = LowestWildcard(levels);
        LogLevel lowest = keys.Where(key => !CategoryPattern.IsWildcard(key)).Min(key => Lowest(levels, key, wildcards));
        Func<string?, string?, LogLevel, bool>? selected = SelectedFilter(levels.Factory);
        foreach (string? key in keys)
        {
            bool isWildcard = CategoryPattern.IsWildcard(key);
            LogLevel level = isWildcard ? lowest : Lowest(levels, key, wildcards);
            yield return new LoggerFilterRule(
                providerName, key, level, isWildcard || levels.Factory.HasWildcards ? selected : levels.Factory.Select(key ?? "")?.Filter);
        }
    }

    private static IEnumerable<string?> KeysOf(LevelRules levels) =>
        levels.Factory.Rules.Select(rule => rule.CategoryName)
            .Concat(levels.Provider.Levels.Select(level => level.Category))
            .Concat(levels.Own.SelectMany(map => map.Levels).Select(level => level.Category))
            .Append(null)
            .Distinct(StringComparer.OrdinalIgnoreCase);

    private static LogLevel LowestWildcard(LevelRules levels)
    {
        LogLevel lowest = levels.Own.Append(levels.Provider)
            .SelectMany(map => map.Levels)
            .Where(level => level.IsWildcard)
            .Select(level => level.Level)
            .DefaultIfEmpty(LogLevel.None)
            .Min();

        // The factory's choice among its own rules can differ between a key and a category in more ways than one; all of them is safe.
        return levels.Factory.HasWildcards && levels.Factory.LowestLevel < lowest ? levels.Factory.LowestLevel : lowest;
    }

    private static LogLevel Lowest(LevelRules levels, string? key, LogLevel wildcards)
    {
        string category = key ?? "";
        LogLevel inherited = levels.Provider.Find(category, withWildcards: false) ?? levels.Factory.Level(category);
        LogLevel lowest = levels.Own
            .Select(map => map.Find(category, withWildcards: false) ?? inherited)
            .DefaultIfEmpty(inherited)
            .Min();
        return wildcards < lowest ? wildcards : lowest;
    }

    // Where a '*' is in play the delegate depends on the category, not on the key under which it is found.
    private static Func<string?, string?, LogLevel, bool>? SelectedFilter(FilterRules factory)
    {
        if (factory.Rules.All(rule => rule.Filter is null))
        {
            return null;
        }

        ConcurrentDictionary<string, Func<string?, string?, LogLevel, bool>?> known = new(StringComparer.Ordinal);
        return (provider, category, level) =>
            known.GetOrAdd(category ?? "", name => factory.Select(name)?.Filter)?.Invoke(provider, category, level) ?? true;
    }
}
