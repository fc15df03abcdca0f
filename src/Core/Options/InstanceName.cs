namespace AsyncLog;

/// <summary>Names of instances: <c>[A-Za-z0-9_.-]{1,64}</c>, equal ignoring case.</summary>
internal static class InstanceName
{
    public const string Default = "default";

    private const int MaxNameLength = 64;

    // A name may have dots, as in Shop.Audit; with one of these at its end it is meant as a path.
    private static readonly string[] FileExtensions = [".log", ".txt", ".json", ".jsonl", ".ndjson", ".clef", ".csv", ".out", ".err"];

    public static bool IsDefault(string name) => name.Equals(Default, StringComparison.OrdinalIgnoreCase);

    /// <summary>The answer to a name that none has: it lists those that there are.</summary>
    /// <param name="kind">Of what there is none: <c>file</c>.</param>
    /// <param name="instance">The name.</param>
    /// <param name="names">Those that there are.</param>
    public static ArgumentException Unknown(string kind, string instance, IReadOnlyList<string> names)
        => new($"There is no {kind} '{instance}'{(names.Count == 0 ? ", nor any other" : $"; expected {OptionText.Alternatives(names)}")}.", nameof(instance));

    /// <summary>The rule a name breaks, in words; null when it breaks none.</summary>
    /// <param name="targetKey">The option for what the name may be mistaken for: the destination. Empty: it is not known.</param>
    public static string? Rule(string name, string targetKey) =>
        IsDefault(name) ? "the name is reserved: the section itself describes the default instance"
        : IsDestination(name) ? "expected the name of an instance" + (targetKey.Length == 0 ? ", not a destination" : $"; {targetKey} sets its destination")
        : name.Length is 0 or > MaxNameLength || HasOtherLetters(name) ? "expected a name of 1 to 64 letters, digits, '_', '.' or '-'"
        : null;

    private static bool HasOtherLetters(string name)
    {
        foreach (var letter in name)
        {
            if (!char.IsAsciiLetterOrDigit(letter) && letter is not ('_' or '.' or '-'))
                return true;
        }

        return false;
    }

    private static bool IsDestination(string name) =>
        name.Contains('/') || name.Contains('\\') || Array.Exists(FileExtensions, extension => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase));
}
