namespace AsyncLog;

/// <summary>Category keys as the logger factory understands them: a prefix, or a prefix and a suffix around one <c>*</c>; ignoring case.</summary>
internal static class CategoryPattern
{
    private const char Wildcard = '*';

    public static bool IsWildcard(string? pattern) => pattern is not null && pattern.Contains(Wildcard);

    /// <summary>Whether the pattern covers the category; null covers all.</summary>
    public static bool Matches(string? pattern, string category)
    {
        if (pattern is null)
        {
            return true;
        }

        int star = pattern.IndexOf(Wildcard);
        ReadOnlySpan<char> prefix = star < 0 ? pattern : pattern.AsSpan(0, star);
        ReadOnlySpan<char> suffix = star < 0 ? default : pattern.AsSpan(star + 1);
        return category.AsSpan().StartsWith(prefix, StringComparison.OrdinalIgnoreCase)
            && category.AsSpan().EndsWith(suffix, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Whether the first pattern beats the second, which comes later and so wins when they are equally long.</summary>
    public static bool IsMoreSpecific(string? first, string? second) =>
        first is not null && (second is null || first.Length > second.Length);
}
