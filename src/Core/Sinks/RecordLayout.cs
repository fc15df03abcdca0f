namespace AsyncLog;

/// <summary>All settings that affect the layout of a record. Equal layouts share one formatter, and a record is rendered once for all of them.</summary>
internal sealed record RecordLayout
{
    /// <summary><c>Text</c>, <c>Json</c>, <c>Clef</c>, or the name of a registered formatter; compared ignoring case.</summary>
    public required string Format { get; init; }

    /// <summary>The text template, as <see cref="SinkOptions.Template"/> describes it; null for the layout's own.</summary>
    public string? Template { get; init; }

    /// <summary>The text template where <see cref="Template"/> is null; null for that of the library. A sink sets it to have one of its own.</summary>
    public string? DefaultTemplate { get; init; }

    /// <summary>A .NET format for the time stamp, or null for the layout's own.</summary>
    public string? TimestampFormat { get; init; }

    /// <summary>True if time stamps are UTC.</summary>
    public bool UseUtcTimestamp { get; init; }

    /// <summary>True if scopes are written; null: JSON and CLEF yes, text where the template has <c>{Scopes}</c>.</summary>
    public bool? IncludeScopes { get; init; }

    /// <summary>Constant properties of every record, tokens expanded; empty with text, which does not write them.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; init; } = ConstantProperties.None;

    /// <summary>The maximum number of bytes of one record.</summary>
    public int MaxRecordSize { get; init; } = 64 << 10;

    /// <summary>The line end: LF or CRLF.</summary>
    public string NewLine { get; init; } = "\n";

    /// <summary>True if line breaks inside message and values become a line end and two spaces (text only) instead of being escaped.</summary>
    public bool IndentNewLines { get; init; }

    /// <summary>True if exceptions are escaped onto the record's line (text only).</summary>
    public bool SingleLine { get; init; }

    /// <summary>True if levels have the colours of .NET's console provider, as ANSI escape sequences (text only).</summary>
    public bool ColorLevels { get; init; }

    /// <summary>The instance's name for <c>{Instance}</c>; empty where the template does not use it, so that layouts can be shared.</summary>
    public string Instance { get; init; } = "";

    /// <summary>The layout of a sink that has its own, in place of the library's; null for the library's.</summary>
    public SinkLayout? Custom { get; init; }
}

/// <summary>A layout that a sink brings along (<see cref="SinkDefinition{TOptions}.LayoutOf"/> sets it as <see cref="RecordLayout.Custom"/>).</summary>
/// <remarks>A derived record compares by value everything that affects the layout of a record: equal layouts share one formatter, and a layout
/// that a reload changes puts a new formatter in force with the next record.</remarks>
internal abstract record SinkLayout
{
    /// <summary>Makes the formatter; it serves all instances with an equal layout, on several threads at once.</summary>
    /// <param name="layout">The layout by the options common to all sinks.</param>
    /// <param name="template">Its <see cref="RecordLayout.Template"/>, ready for <see cref="LogEvent.GetText(LogTemplate, int)"/>; null when there is none.</param>
    /// <param name="timeProvider">The clock, for its local time zone.</param>
    public abstract ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider);
}
