namespace AsyncLog;

/// <summary>Makes the formatters of the layouts that the library brings.</summary>
internal static class LogFormatters
{
    public const string Text = "Text";
    public const string Json = "Json";

    /// <summary>Whether a format is one of the library's own.</summary>
    public static bool IsKnown(string format) => Is(format, Text) || Is(format, Json);

    /// <summary>Makes the formatter of a layout whose format <see cref="IsKnown"/> knows and whose template is valid.</summary>
    /// <exception cref="ArgumentException">The format is not known, or the template is not valid.</exception>
    public static ILogFormatter Create(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(layout);
        if (Is(layout.Format, Json))
            return new JsonFormatter(layout, timeProvider);
        if (!Is(layout.Format, Text))
            throw new ArgumentException($"'{layout.Format}' is no format of the library.", nameof(layout));
        if (!TextTemplate.TryParse(layout.Template ?? TextTemplate.Default, out var template, out var error))
            throw new ArgumentException($"The template is not valid: {error}.", nameof(layout));
        return new TextFormatter(layout, template, application, timeProvider);
    }

    private static bool Is(string format, string name) => string.Equals(format, name, StringComparison.OrdinalIgnoreCase);
}
