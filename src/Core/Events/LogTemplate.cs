namespace AsyncLog;

/// <summary>A compiled text template, as <see cref="SinkOptions.Template"/> describes it, for a sink with its own layout: <see cref="LogEvent.GetText(LogTemplate, int)"/> gives
/// the text, in which nothing is escaped or indented yet.</summary>
/// <remarks>Serves several threads at once.</remarks>
internal abstract class LogTemplate
{
    private protected LogTemplate()
    {
    }

    /// <summary>Renders the text into a buffer of the scratch, at most <see cref="FormatScratch.ValueLimit"/> bytes.</summary>
    internal abstract RecordBuffer Render(LogEvent logEvent, FormatScratch scratch);
}
