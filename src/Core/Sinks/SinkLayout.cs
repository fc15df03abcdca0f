namespace AsyncLog;

/// <summary>A layout that a sink brings along (<see cref="SinkDefinition{TOptions}.LayoutOf"/> sets it as <see cref="RecordLayout.Custom"/>).</summary>
/// <remarks>A derived record compares by value everything that affects the layout of a record: equal layouts share one formatter, and a layout
/// that a reload changes puts a new formatter in force with the next record.</remarks>
public abstract record SinkLayout
{
    /// <summary>Makes the formatter; it serves all instances with an equal layout, on several threads at once.</summary>
    /// <param name="layout">The layout by the options common to all sinks.</param>
    /// <param name="template">Its <see cref="RecordLayout.Template"/>, ready for <see cref="LogEvent.GetText(LogTemplate, int)"/>; null when there is none.</param>
    /// <param name="timeProvider">The clock, for its local time zone.</param>
    public abstract ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider);
}
