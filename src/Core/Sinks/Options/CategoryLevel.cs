using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>One entry of a map; a null category stands for all.</summary>
internal sealed record CategoryLevel(string? Category, LogLevel Level)
{
    public bool IsWildcard => CategoryPattern.IsWildcard(Category);

    public bool IsSame(CategoryLevel other) =>
        Level == other.Level && string.Equals(Category, other.Category, StringComparison.OrdinalIgnoreCase);
}
