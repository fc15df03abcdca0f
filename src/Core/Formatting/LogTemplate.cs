namespace AsyncLog;

/// <summary>A text template made ready, as <see cref="SinkOptions.Template"/> describes it, for a sink with a layout of its own: <see cref="LogEvent.GetText(LogTemplate, int)"/> gives
/// the text, in which nothing is escaped or indented yet.</summary>
/// <remarks>Serves several threads at once.</remarks>
public sealed class LogTemplate
{
    private readonly TextLayout _layout;

    private LogTemplate(TextLayout layout) => _layout = layout;

    internal static LogTemplate? Of(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
    {
        if (layout.Template is not { } template)
            return null;
        // Where lines end is the sink's to decide.
        var unbroken = layout with { IndentNewLines = false, SingleLine = false };
        return new(new TextLayout(unbroken, TextTemplate.Parse(template), application, timeProvider, EscapeStyle.None));
    }

    /// <summary>The text as long as the scratch wants it, in the scratch.</summary>
    internal RecordBuffer Render(LogEvent logEvent, FormatScratch scratch)
    {
        var output = scratch.Output;
        output.Trim(FormatScratch.Keep);
        output.Reset(scratch.ValueLimit);
        var writer = new Utf8Writer(output);
        _layout.Write(ref writer, logEvent, scratch);
        writer.Flush();
        return output;
    }
}
