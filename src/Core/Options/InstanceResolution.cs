namespace AsyncLog;

/// <summary>Expands configured texts of one instance and collects problems of its options.</summary>
internal sealed class InstanceResolution
{
    private readonly TokenText _tokens;
    private readonly Action<string, string, string?> _report;

    internal InstanceResolution(
        string instance, string fullName, ApplicationInfo application, Func<string, string?> variable, Action<string, string, string?> report)
    {
        Instance = instance;
        FullName = fullName;
        Application = application;
        _tokens = new TokenText(application, instance, variable);
        _report = report;
    }

    /// <summary>The instance's own name, for example <c>errors</c>; <c>default</c> for the one the section itself describes.</summary>
    public string Instance { get; }

    /// <summary>The name in metrics and reports, for example <c>file/errors</c>.</summary>
    public string FullName { get; }

    /// <summary>True if this is the instance the section itself describes.</summary>
    public bool IsDefault => Instance == InstanceName.Default;

    /// <summary>Names and folders of the application.</summary>
    public ApplicationInfo Application { get; }

    /// <summary>Expands variables and tokens of a path and makes it absolute and normal.</summary>
    /// <param name="path">The configured path.</param>
    /// <param name="key">The option that the message names.</param>
    /// <returns>
    /// The path, or null when a problem was reported. <c>{Date}</c> and <c>{Date:format}</c> stay in the file name as they are, and
    /// <c>{{</c> and <c>}}</c> stay doubled everywhere.
    /// </returns>
    public string? ExpandPath(string path, string key = "Path") => Take(_tokens.ExpandPath(path), key);

    /// <summary>Expands variables and tokens of a text; doubled braces become single ones.</summary>
    /// <param name="text">The configured text.</param>
    /// <param name="key">The option that the message names.</param>
    /// <returns>The text, or null when a problem was reported.</returns>
    public string? ExpandText(string text, string key) => Take(_tokens.Expand(text), key);

    /// <summary>Reports that an option is not valid.</summary>
    /// <param name="key">The option.</param>
    /// <param name="rule">The rule that is broken, in words: <c>must be at least 4KB</c>.</param>
    /// <param name="suggestion">Probable intention.</param>
    public void Problem(string key, string rule, string? suggestion = null) => _report(key, rule, suggestion);

    private string? Take(ParseResult<string> expanded, string key)
    {
        if (expanded.IsValid)
            return expanded.Value;

        _report(key, expanded.Rule!, expanded.Suggestion);
        return null;
    }
}
