namespace AsyncLog;

/// <summary>A text template made ready (options.md section 9), for a sink with a layout of its own: <see cref="LogEvent.GetText(LogTemplate, int)"/> gives
/// the text, in which nothing is escaped or indented yet.</summary>
/// <remarks>Serves several threads at once.</remarks>
public sealed class LogTemplate
{
    private LogTemplate(TextLayout layout) => Layout = layout;

    internal TextLayout Layout { get; }

    internal static LogTemplate? Of(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
        => layout.Template is { } template ? new(new TextLayout(layout, TextTemplate.Parse(template), application, timeProvider, EscapeStyle.None)) : null;
}
