namespace AsyncLog;

/// <summary>The text behind the tag of the older forms.</summary>
internal sealed class BsdBody(SyslogLayout layout, LogTemplate? template) : ISyslogBody
{
    private readonly MessageText _message = new(template);
    private readonly WireText _text = new(layout.ControlCharacters, isParameter: false);

    /// <inheritdoc/>
    public int Write(ref WireWriter writer, int start, LogEvent logEvent, bool withEventName, SyslogScratch scratch)
    {
        var end = start + layout.MaxMessageBytes;
        var text = _message.Of(logEvent, layout.MaxMessageBytes, scratch);
        if (text.IsEmpty)
            return start;
        writer.Write((byte)' ');
        logEvent.WasTruncated = _text.Write(ref writer, text, end - writer.Position);
        return start;
    }
}
