using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A <c>LogLevel</c> map: the longest matching prefix wins, one <c>*</c> is allowed, <c>Default</c> comes last. Immutable.</summary>
internal sealed class LevelMap
{
    /// <summary>The key that stands for all categories.</summary>
    public const string DefaultKey = "Default";

    private readonly CategoryLevel[] _levels;

    public LevelMap(IEnumerable<KeyValuePair<string, LogLevel>> levels) =>
        _levels = [.. levels.Select(pair => new CategoryLevel(CategoryOf(pair.Key), pair.Value))];

    public static LevelMap Empty { get; } = new([]);

    public IReadOnlyList<CategoryLevel> Levels => _levels;

    public bool IsEmpty => _levels.Length == 0;

    /// <summary>The category a key of a map means; null for all of them.</summary>
    public static string? CategoryOf(string key) => key.Equals(DefaultKey, StringComparison.OrdinalIgnoreCase) ? null : key;

    /// <summary>The level of the best matching key; null when none matches.</summary>
    public LogLevel? Find(string category, bool withWildcards = true) => FindBest(category, withWildcards)?.Level;

    /// <summary>The best matching entry; null when none matches.</summary>
    public CategoryLevel? FindBest(string category, bool withWildcards = true)
    {
        CategoryLevel? best = null;
        foreach (CategoryLevel candidate in _levels)
        {
            bool applies = (withWildcards || !candidate.IsWildcard) && CategoryPattern.Matches(candidate.Category, category);
            if (applies && !CategoryPattern.IsMoreSpecific(best?.Category, candidate.Category))
            {
                best = candidate;
            }
        }

        return best;
    }

    public bool HasSameLevels(LevelMap other) =>
        _levels.Length == other._levels.Length && _levels.All(level => other._levels.Any(level.IsSame));
}
