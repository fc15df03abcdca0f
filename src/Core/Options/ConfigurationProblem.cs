using System.Text;

namespace AsyncLog;

/// <summary>A mistake in the configuration or in code that stops the start, or that a reload ignores.</summary>
/// <param name="Place">The full key path, or the registration call and the property.</param>
/// <param name="Value">The value as it was written; null if there is none to show.</param>
internal sealed record ConfigurationProblem(string Place, string? Value, string Rule, string? Suggestion = null)
{
    private const int MaxValueLength = 200;

    /// <summary>A problem that a validator of the application found.</summary>
    public static ConfigurationProblem Verbatim(string text) => new("", null, text);

    /// <summary>Code of the application failed while a section was read again.</summary>
    public static ConfigurationProblem Unreadable(string section, Exception exception) =>
        new(section, null, $"reading it failed with {exception.GetType().Name}: {Show(exception)}");

    /// <summary>The message of an exception, in one line.</summary>
    public static string Show(Exception exception) => OneLine(exception.Message, int.MaxValue);

    /// <summary>Shows a value in one line; values of secret keys are never shown.</summary>
    public static string Show(string key, string value) => IsSecret(key) ? "***" : OneLine(WithoutCredentials(key, value), MaxValueLength);

    /// <summary>The rule without line breaks.</summary>
    public string RuleInOneLine => OneLine(Rule, int.MaxValue);

    public override string ToString()
    {
        if (Place.Length == 0)
            return RuleInOneLine;

        string value = Value is null ? "" : $" '{Value}'";
        string suggestion = Suggestion is null ? "" : $"; did you mean '{Suggestion}'?";
        return $"{Place}{value} is not valid: {Rule}{suggestion}";
    }

    // Of an address only scheme and host: the part before the @ may be a password. Without a scheme only the key shows that it is an address.
    private static string WithoutCredentials(string key, string value)
    {
        int scheme = value.IndexOf("://", StringComparison.Ordinal);
        int at = value.LastIndexOf('@');
        if (scheme >= 0 && at > scheme)
            return string.Concat(value.AsSpan(0, scheme + 3), "***", value.AsSpan(at));

        return at >= 0 && IsAddress(key) ? string.Concat("***", value.AsSpan(at)) : value;
    }

    private static bool IsAddress(string key) =>
        key.EndsWith("Endpoint", StringComparison.OrdinalIgnoreCase) || key.EndsWith("Address", StringComparison.OrdinalIgnoreCase);

    private static bool IsSecret(string key) =>
        key.EndsWith("Password", StringComparison.OrdinalIgnoreCase)
        || key.EndsWith("Key", StringComparison.OrdinalIgnoreCase)
        || key.StartsWith("Headers", StringComparison.OrdinalIgnoreCase);

    private static string OneLine(string value, int longest)
    {
        bool isCut = value.Length > longest;
        StringBuilder line = new();
        foreach (char character in isCut ? value.AsSpan(0, longest) : value)
            line.Append(char.IsControl(character) || character is '\u2028' or '\u2029' ? ' ' : character);

        return isCut ? line.Append("...").ToString() : line.ToString();
    }
}
