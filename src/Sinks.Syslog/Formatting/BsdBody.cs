namespace AsyncLog;

/// <summary>The text behind the tag of the older forms.</summary>
internal sealed class BsdBody(SyslogLayout layout) : ISyslogBody
{
    private readonly WireText _text = new(layout.ControlCharacters, isParameter: false);

    /// <inheritdoc/>
    public int Write(ref WireWriter writer, int start, LogEvent logEvent, bool withEventName, SyslogScratch scratch)
    {
        var end = start + layout.MaxMessageBytes;
        var text = MessageText.Of(logEvent, layout.MaxMessageBytes, scratch);
        if (text.IsEmpty)
            return start;
        writer.Write((byte)' ');
        logEvent.WasCut = _text.Write(ref writer, text, end - writer.Position);
        return start;
    }
}
