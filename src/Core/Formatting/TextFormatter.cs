namespace AsyncLog;

/// <summary>The text layout: one record, one line, by a template.</summary>
internal sealed class TextFormatter : RecordFormatter
{
    private readonly TextLayout _layout;
    private readonly TextLines _lines;
    private readonly TextCut _cut;

    public TextFormatter(RecordLayout layout, TextTemplate template, ApplicationInfo application, TimeProvider timeProvider)
        : base(layout.MaxRecordSize)
    {
        _layout = new TextLayout(layout, template, application, timeProvider);
        _lines = new TextLines(_layout);
        _cut = new TextCut(_layout, _lines, layout.MaxRecordSize);
    }

    protected override void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var start = output.Length;
        var writer = new Utf8Writer(output);
        _layout.Write(ref writer, logEvent, scratch);
        writer.Flush();
        if (!output.IsTruncated)
            _lines.End(output, start);
    }

    protected override void RenderTruncated(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole)
        => _cut.Write(logEvent, output, scratch, isWhole ? length : null);
}
