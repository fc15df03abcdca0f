namespace AsyncLog;

/// <summary>Finds the known name that a misspelled one was probably meant to be. Names that differ by case only are equal.</summary>
internal static class NameSuggestions
{
    private const int MaxEdits = 2;

    // A longer text is not a misspelling of a known name, and the cost of the distance is the product of both lengths.
    private const int MaxNameLength = 64;

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

    /// <summary>Finds the nearest name within two edits: of several, the one of equal length, else the first; null when there is none.</summary>
    public static string? Near(string text, IEnumerable<string> names)
    {
        if (text.Length > MaxNameLength)
        {
            return null;
        }

        string? nearest = null;
        int least = int.MaxValue;
        foreach (string name in names)
        {
            int distance = Distance(text, name);
            // The distance first, then the length.
            int rank = (distance * MaxNameLength) + Math.Abs(name.Length - text.Length);
            if (distance <= MaxEdits && rank < least)
                (nearest, least) = (name, rank);
        }

        return nearest;
    }

    /// <summary>Finds one of a few short names, as of an enumeration: near in proportion to its length, else the only one with the same beginning.</summary>
    public static string? Closest(string text, IReadOnlyList<string> names)
    {
        string? near = Near(text, names.Where(name => Distance(text, name) * 2 <= Math.Max(text.Length, name.Length)));
        if (near is not null || text.Length < 3)
        {
            return near;
        }

        string[] alike = [.. names.Where(name => BeginsWith(name, text) || BeginsWith(text, name))];
        return alike.Length == 1 ? alike[0] : null;
    }

    /// <summary>Finds a level by its name in other libraries, else as <see cref="Closest"/>.</summary>
    public static string? Level(string text, IReadOnlyList<string> names) =>
        LevelWords.TryGetValue(text, out string? word) ? word : Closest(text, names);

    /// <summary>Computes the Damerau–Levenshtein distance (insert, delete, replace, swap of neighbors), ignoring case.</summary>
    public static int Distance(string a, string b)
    {
        int[,] cost = new int[a.Length + 1, b.Length + 1];
        for (int i = 0; i <= a.Length; i++)
        {
            cost[i, 0] = i;
        }

        for (int j = 0; j <= b.Length; j++)
        {
            cost[0, j] = j;
        }

        for (int i = 1; i <= a.Length; i++)
        {
            for (int j = 1; j <= b.Length; j++)
            {
                int replace = cost[i - 1, j - 1] + (Same(a[i - 1], b[j - 1]) ? 0 : 1);
                cost[i, j] = Math.Min(replace, Math.Min(cost[i - 1, j], cost[i, j - 1]) + 1);
                bool swapped = i > 1 && j > 1 && Same(a[i - 1], b[j - 2]) && Same(a[i - 2], b[j - 1]);
                if (swapped)
                {
                    cost[i, j] = Math.Min(cost[i, j], cost[i - 2, j - 2] + 1);
                }
            }
        }

        return cost[a.Length, b.Length];
    }

    private static bool BeginsWith(string text, string beginning) => text.StartsWith(beginning, StringComparison.OrdinalIgnoreCase);

    private static bool Same(char a, char b) => char.ToUpperInvariant(a) == char.ToUpperInvariant(b);
}
