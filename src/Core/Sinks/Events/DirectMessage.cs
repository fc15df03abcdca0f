namespace AsyncLog;

/// <summary>Renders a message straight to its place in a record, which nearly always is all there is to do.</summary>
internal static class DirectMessage
{
    /// <summary>Writes the message if it stands there as it is; false, and nothing written: it needs escapes, or more room, and is kept for that.</summary>
    public static bool TryWrite(ref Utf8Writer writer, LogEvent logEvent, EscapeStyle style)
    {
        var start = writer.Position;
        var errors = logEvent.RenderErrors;
        if (writer.IsFull || !logEvent.TryWriteMessage(ref writer))
            return false;
        // Known without a look at the bytes; JSON has more to escape than what is not printable.
        if (writer.IsPlain && style == EscapeStyle.Text)
            return true;
        if (!writer.IsTruncated)
        {
            var message = writer.Since(start);
            if (Escaping.IsClean(message, style))
                return true;
            logEvent.KeepMessage(message);
        }
        // One that was cut is rendered again, so that what it really needs is counted.
        logEvent.RenderErrors = writer.IsTruncated ? errors : logEvent.RenderErrors;
        writer.Rewind(start);
        return false;
    }
}
