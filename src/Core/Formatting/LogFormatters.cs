namespace AsyncLog;

/// <summary>Makes the formatters of the layouts that the library brings.</summary>
internal static class LogFormatters
{
    private const string Text = "Text";
    private const string Json = "Json";
    private const string Clef = "Clef";

    /// <summary>Says what is wrong with the template of a layout that has one, and in which column; null when nothing is.</summary>
    public static string? CheckTemplate(RecordLayout layout)
        => (layout.Custom is null && !Is(layout.Format, Text)) || layout.Template is null || TextTemplate.TryParse(layout.Template, out _, out var error) ? null : error;

    /// <summary>What a valid template prints and probably should not, and what was meant; each a sentence without its end.</summary>
    public static IEnumerable<(string Statement, string? Hint)> DoubtsOfTemplate(RecordLayout layout)
        => (layout.Custom is null && !Is(layout.Format, Text)) || layout.Template is null || !TextTemplate.TryParse(layout.Template, out var template, out _) ? [] : template.Doubts();

    /// <summary>Whether a format is one of the library's.</summary>
    public static bool Has(string format) => Is(format, Text) || Is(format, Json) || Is(format, Clef);

    /// <summary>Makes the formatter of a layout.</summary>
    /// <exception cref="ArgumentException">The format is not one of the library, or the template or the format of time stamps is not valid.</exception>
    public static ILogFormatter Create(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(layout);
        if (layout.TimestampFormat is { } format && TimestampFormat.Check(format) is { } problem)
            throw new ArgumentException($"The format of time stamps is not valid: {problem}.", nameof(layout));
        if (Is(layout.Format, Json))
            return new JsonFormatter(new JsonLayout(layout, timeProvider), layout.MaxRecordSize);
        if (Is(layout.Format, Clef))
            return new JsonFormatter(new ClefLayout(layout), layout.MaxRecordSize);
        if (!Is(layout.Format, Text))
            throw new ArgumentException($"'{layout.Format}' is no format of the library.", nameof(layout));
        return new TextFormatter(layout, TextTemplate.Parse(layout.Template ?? TextTemplate.Default), application, timeProvider);
    }

    private static bool Is(string format, string name) => string.Equals(format, name, StringComparison.OrdinalIgnoreCase);
}
