using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A <c>LogLevel</c> map: the longest matching prefix wins, one <c>*</c> is allowed, <c>Default</c> comes last. Immutable.</summary>
internal sealed class LevelMap
{
    /// <summary>The key that represents all categories.</summary>
    public const string DefaultKey = "Default";

    /// <summary>The option that holds the map.</summary>
    public const string KeyName = nameof(SinkOptions.LogLevel);

    private readonly CategoryLevel[] _levels;

    private LevelMap(CategoryLevel[] levels) => _levels = levels;

    public static LevelMap Empty { get; } = new([]);

    /// <summary>The kind of the keys: categories.</summary>
    public static UntypedOptionKind KeyKind { get; } =
        new(new OptionForm(OptionFormKind.Text), static text => new(text), static category => (string?)category, static category => KeyRule((string)category!));

    public IReadOnlyList<CategoryLevel> Levels => _levels;

    public bool IsEmpty => _levels.Length == 0;

    public static LevelMap Of(ICollection<KeyValuePair<string, LogLevel>> levels) =>
        levels.Count == 0 ? Empty : new([.. levels.Select(static pair => new CategoryLevel(CategoryOf(pair.Key), pair.Value))]);

    /// <summary>The rule a category key breaks, in words; null when it breaks none.</summary>
    public static string? KeyRule(string category) => category.AsSpan().Count('*') > 1 ? "a category may contain only one '*'" : null;

    /// <summary>The category that a key of a map represents; null for all categories.</summary>
    public static string? CategoryOf(string key) => key.Equals(DefaultKey, StringComparison.OrdinalIgnoreCase) ? null : key;

    /// <summary>A key that is nearly <see cref="DefaultKey"/>: it is the name of a category then, which is probably not meant; else null.</summary>
    public static UnknownKey? WarningOf(string path, string category) =>
        CategoryOf(category) is null || NameSuggestions.Near(category, [DefaultKey]) is null ? null : new UnknownKey(path, $"did you mean '{DefaultKey}'?")
        {
            Statement = "applies only to categories with this name",
            IsUsed = true,
            IsGuess = true,
            Category = category,
        };

    /// <summary>The level of the best matching key; null when none matches.</summary>
    public LogLevel? Find(string category) => FindBest(category)?.Level;

    /// <summary>The best matching entry; null when none matches.</summary>
    public CategoryLevel? FindBest(string category)
    {
        CategoryLevel? best = null;
        foreach (CategoryLevel candidate in _levels)
        {
            if (CategoryPattern.Matches(candidate.Category, category) && !CategoryPattern.IsMoreSpecific(best?.Category, candidate.Category))
                best = candidate;
        }

        return best;
    }

    /// <summary>The lowest level the map can give for any category.</summary>
    /// <param name="inherited">The lowest level of what decides a category that no key matches.</param>
    public LogLevel LowestLevel(LogLevel inherited)
    {
        var levels = _levels.Select(static level => level.Level);
        return (Array.Exists(_levels, static level => level.Category is null) ? levels : levels.Append(inherited)).Min();
    }

    public bool HasSameLevels(LevelMap other) =>
        _levels.Length == other._levels.Length && _levels.All(level => other._levels.Any(level.IsSame));
}

/// <summary>One entry of a map; a null category means all.</summary>
internal sealed record CategoryLevel(string? Category, LogLevel Level)
{
    public bool IsSame(CategoryLevel other) =>
        Level == other.Level && string.Equals(Category, other.Category, StringComparison.OrdinalIgnoreCase);
}

/// <summary>Category keys as the logger factory understands them: a prefix, or a prefix and a suffix around one <c>*</c>; ignoring case.</summary>
internal static class CategoryPattern
{
    private const char Wildcard = '*';

    /// <summary>Returns true if the pattern covers the category; null covers all.</summary>
    public static bool Matches(string? pattern, string category)
    {
        if (pattern is null)
            return true;

        int star = pattern.IndexOf(Wildcard);
        ReadOnlySpan<char> prefix = star < 0 ? pattern : pattern.AsSpan(0, star);
        ReadOnlySpan<char> suffix = star < 0 ? default : pattern.AsSpan(star + 1);
        return category.AsSpan().StartsWith(prefix, StringComparison.OrdinalIgnoreCase)
            && category.AsSpan().EndsWith(suffix, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Returns true if the first pattern beats the second, which comes later and so wins when they are equally long.</summary>
    public static bool IsMoreSpecific(string? first, string? second) =>
        first is not null && (second is null || first.Length > second.Length);
}
