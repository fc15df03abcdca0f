namespace AsyncLog;

/// <summary>Makes the formatters of the library's own formats.</summary>
internal static class LogFormatters
{
    /// <summary>Validates the template of a layout that has one: gets the rule it breaks, with the column, or null.</summary>
    public static string? CheckTemplate(RecordLayout layout)
        => !HasTemplate(layout) || TextTemplate.TryParse(layout.Template!, out _, out var error) ? null : error;

    /// <summary>Finds probable mistakes in a valid template: what it prints, as a sentence without its end, and a hint.</summary>
    public static IEnumerable<(string Statement, string? Hint)> TemplateWarnings(RecordLayout layout)
        => HasTemplate(layout) && TextTemplate.TryParse(layout.Template!, out var template, out _) ? template.Warnings() : [];

    /// <summary>Makes the formatter of a layout.</summary>
    /// <exception cref="ArgumentException">The format is not one of the library's, or the template or the format of timestamps is not valid.</exception>
    public static ILogFormatter Create(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(layout);
        if (layout.TimestampFormat is { } format && TimestampFormat.Check(format) is { } problem)
            throw new ArgumentException($"The timestamp format is not valid: {problem}.", nameof(layout));
        if (Is(layout.Format, SinkFormats.Json))
            return new JsonFormatter(new JsonLayout(layout, timeProvider), layout.MaxRecordSize);
        if (Is(layout.Format, SinkFormats.Clef))
            return new JsonFormatter(new ClefLayout(layout), layout.MaxRecordSize);
        if (!Is(layout.Format, SinkFormats.Text))
            throw new ArgumentException($"'{layout.Format}' is not a built-in format.", nameof(layout));
        return new TextFormatter(layout, TextTemplate.Parse(layout.Template ?? layout.DefaultTemplate ?? TextTemplate.Default), application, timeProvider);
    }

    private static bool HasTemplate(RecordLayout layout) => layout.Template is not null && (layout.Custom is not null || Is(layout.Format, SinkFormats.Text));

    private static bool Is(string format, string name) => string.Equals(format, name, StringComparison.OrdinalIgnoreCase);
}

/// <summary>The formatters of one provider: one per layout, so that instances with equal layouts share the rendering of a record.</summary>
internal sealed class FormatterCache(IReadOnlyDictionary<string, ILogFormatter> named, ApplicationInfo application, TimeProvider timeProvider)
{
    // Protects the formatters; taken at start and on reload only.
    private readonly Lock _gate = new();
    private readonly Dictionary<RecordLayout, ILogFormatter> _formatters = [];

    public ILogFormatter For(RecordLayout layout)
    {
        if (layout.Custom is null && named.TryGetValue(layout.Format, out var own))
            return own;
        lock (_gate)
        {
            if (!_formatters.TryGetValue(layout, out var formatter))
                _formatters[layout] = formatter = Create(layout);
            return formatter;
        }
    }

    /// <summary>Forgets the formatters of all other layouts. Queues that still hold such records have theirs.</summary>
    public void Keep(IEnumerable<RecordLayout> layouts)
    {
        var kept = layouts.ToHashSet();
        lock (_gate)
        {
            foreach (var layout in _formatters.Keys.Except(kept).ToList())
                _formatters.Remove(layout);
        }
    }

    private ILogFormatter Create(RecordLayout layout) => layout.Custom is { } custom
        ? custom.CreateFormatter(layout, TextLayout.Unescaped(layout, application, timeProvider), timeProvider)
        : LogFormatters.Create(layout, application, timeProvider);
}
