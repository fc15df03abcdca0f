namespace AsyncLog;

/// <summary>Finds the name that was probably meant. Names that differ by case only are equal.</summary>
internal static class NameSuggestions
{
    private const int MostEdits = 2;

    // Longer texts than this are never a slip of a known name, and the distance costs the product of both lengths.
    private const int LongestName = 64;

    private static readonly Dictionary<string, string> LevelWords = new(StringComparer.OrdinalIgnoreCase)
    {
        ["All"] = "Trace",
        ["Verbose"] = "Trace",
        ["Dbg"] = "Debug",
        ["Notice"] = "Information",
        ["Err"] = "Error",
        ["Fatal"] = "Critical",
        ["Off"] = "None",
    };

    /// <summary>The name within two edits, the nearest first, equal length before others, else in the order given; null when none is near.</summary>
    public static string? Near(string text, IEnumerable<string> names)
    {
        if (text.Length > LongestName)
        {
            return null;
        }

        return names
            .Select(name => (Name: name, Distance: EditDistance.Between(text, name), Length: Math.Abs(name.Length - text.Length)))
            .Where(candidate => candidate.Distance <= MostEdits)
            .OrderBy(candidate => candidate.Distance)
            .ThenBy(candidate => candidate.Length)
            .Select(candidate => candidate.Name)
            .FirstOrDefault();
    }

    /// <summary>For short names, as of enumerations: near in proportion to the length, else the only name that begins alike.</summary>
    public static string? Closest(string text, IReadOnlyList<string> names)
    {
        string? near = Near(text, names.Where(name => EditDistance.Between(text, name) * 2 <= Math.Max(text.Length, name.Length)));
        if (near is not null || text.Length < 3)
        {
            return near;
        }

        string[] alike = [.. names.Where(name => BeginsWith(name, text) || BeginsWith(text, name))];
        return alike.Length == 1 ? alike[0] : null;
    }

    private static bool BeginsWith(string text, string beginning) => text.StartsWith(beginning, StringComparison.OrdinalIgnoreCase);

    public static string? Level(string text, IReadOnlyList<string> names) =>
        LevelWords.TryGetValue(text, out string? word) ? word : Closest(text, names);
}
