namespace AsyncLog;

/// <summary>A <see cref="LogTemplate"/> rendered by the compiled text layout.</summary>
internal sealed class TextLogTemplate : LogTemplate
{
    private readonly TextLayout _layout;

    private TextLogTemplate(TextLayout layout) => _layout = layout;

    public static LogTemplate? Of(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
    {
        if (layout.Template is not { } template)
            return null;
        // The sink decides where lines end.
        var unbroken = layout with { IndentNewLines = false, SingleLine = false };
        return new TextLogTemplate(new TextLayout(unbroken, TextTemplate.Parse(template), application, timeProvider, EscapeStyle.None));
    }

    internal override RecordBuffer Render(LogEvent logEvent, FormatScratch scratch)
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
