namespace AsyncLog;

/// <summary>The holes a text template knows by name, and the formats they take.</summary>
internal static class TextHoles
{
    private static readonly Dictionary<string, TextHole> Known = new(StringComparer.Ordinal)
    {
        ["Timestamp"] = TextHole.Timestamp,
        ["Level"] = TextHole.Level,
        ["Category"] = TextHole.Category,
        ["SourceContext"] = TextHole.Category,
        ["Message"] = TextHole.Message,
        ["Exception"] = TextHole.Exception,
        ["NewLine"] = TextHole.NewLine,
        ["EventId"] = TextHole.EventId,
        ["EventName"] = TextHole.EventName,
        ["TraceId"] = TextHole.TraceId,
        ["SpanId"] = TextHole.SpanId,
        ["ThreadId"] = TextHole.ThreadId,
        ["ProcessId"] = TextHole.ProcessId,
        ["MachineName"] = TextHole.MachineName,
        ["ApplicationName"] = TextHole.ApplicationName,
        ["EnvironmentName"] = TextHole.EnvironmentName,
        ["Instance"] = TextHole.Instance,
        ["Scopes"] = TextHole.Scopes,
        ["Properties"] = TextHole.Properties,
    };

    /// <summary>The known names.</summary>
    public static IReadOnlyCollection<string> Names => Known.Keys;

    public static TextHole Find(string name) => Known.GetValueOrDefault(name, TextHole.Property);

    /// <summary>The known name of which a property's name is a slip; null when it is near none. A third of its letters at most may differ.</summary>
    public static string? NearestTo(string property)
        => NameSuggestions.Near(property, Known.Keys.Where(name => NameSuggestions.Distance(property, name) * 3 <= property.Length));

    /// <summary>Says what is wrong with a hole's format, or null.</summary>
    public static string? CheckFormat(TextHole hole, string name, string? format) => hole switch
    {
        _ when format is null => null,
        TextHole.Property => null,
        TextHole.Timestamp => TimestampFormat.Check(format),
        TextHole.Level => LevelNames.InForm(format) is null ? Expected(name, format, "u3, w3, t3, u, w or none") : null,
        TextHole.Category => format == "s" ? null : Expected(name, format, "s or none"),
        TextHole.Message => format == "lj" ? null : Expected(name, format, "lj or none"),
        _ => $"{{{name}}} takes no format",
    };

    private static string Expected(string name, string format, string expected) => $"'{format}' is no format of {{{name}}}: expected {expected}";
}
