using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>The text of a record (RFC 5424 §6.4) as UTF-8 before it is escaped: what a template gives, or the message, then the exception.</summary>
/// <param name="template">The template, or null.</param>
internal sealed class MessageText(LogTemplate? template)
{
    private const int MostBytesPerChar = 3;

    private static ReadOnlySpan<byte> Bom => [0xEF, 0xBB, 0xBF];

    /// <summary>Puts the text together; what is far longer than <paramref name="most"/> bytes is not looked at.</summary>
    /// <returns>The text; valid as long as the event and the scratch's text.</returns>
    public ReadOnlySpan<byte> Of(LogEvent logEvent, int most, SyslogScratch scratch)
    {
        // Every character is a byte at least, also when it is a space afterwards.
        var worthReading = most * MostBytesPerChar;
        if (template is not null)
            return WithoutBom(logEvent.GetText(template, worthReading)).TrimEnd("\r\n"u8);
        var message = MessageOf(logEvent);
        if (logEvent.ExceptionText is not { } exception)
            return message;
        message = Start(message, worthReading);
        var bounded = WireText.Bounded(exception.AsSpan().TrimEnd("\r\n"), most);
        var text = scratch.TextOf(message.Length + 1 + (bounded.Length * MostBytesPerChar));
        message.CopyTo(text);
        var length = message.Length;
        if (length > 0)
            text[length++] = (byte)'\n';
        Utf8.FromUtf16(bounded, text.AsSpan(length), out _, out var written);
        var all = text.AsSpan(0, length + written);
        return message.IsEmpty ? WithoutBom(all) : all;
    }

    /// <summary>Whether the text, all of it, has a character beyond ASCII after escaping.</summary>
    /// <param name="logEvent">The event.</param>
    /// <param name="text">Its text; with a template that is what counts.</param>
    /// <param name="keepsControls">Whether control characters beyond ASCII stay.</param>
    public bool IsBeyondAscii(LogEvent logEvent, ReadOnlySpan<byte> text, bool keepsControls)
    {
        if (template is not null)
            return IsBeyondAscii(text, keepsControls);
        var message = MessageOf(logEvent);
        var exception = logEvent.ExceptionText.AsSpan();
        // An exception behind an empty message begins the text.
        if (message.IsEmpty)
            exception = exception.TrimStart('\uFEFF');
        if (IsBeyondAscii(message, keepsControls))
            return true;
        foreach (var rune in exception.EnumerateRunes())
        {
            if (!rune.IsAscii && (keepsControls || !WireText.IsControl(rune.Value)))
                return true;
        }

        return false;
    }

    private static bool IsBeyondAscii(ReadOnlySpan<byte> utf8, bool keepsControls)
    {
        for (var at = utf8.IndexOfAnyExceptInRange((byte)0, (byte)0x7F); at >= 0; at = utf8.IndexOfAnyExceptInRange((byte)0, (byte)0x7F))
        {
            Rune.DecodeFromUtf8(utf8[at..], out var rune, out var length);
            if (keepsControls || !WireText.IsControl(rune.Value))
                return true;
            utf8 = utf8[(at + length)..];
        }

        return false;
    }

    // Where a message was cut before is not its end: line breaks stay there, so that what follows reaches the limit and the cut is seen.
    private static ReadOnlySpan<byte> MessageOf(LogEvent logEvent)
    {
        var message = logEvent.Message;
        var isWhole = logEvent.MessageLength == message.Length;
        message = WithoutBom(message);
        return isWhole ? message.TrimEnd("\r\n"u8) : message;
    }

    private static ReadOnlySpan<byte> WithoutBom(ReadOnlySpan<byte> text)
    {
        while (text.StartsWith(Bom))
            text = text[Bom.Length..];
        return text;
    }

    private static ReadOnlySpan<byte> Start(ReadOnlySpan<byte> utf8, int most)
    {
        if (utf8.Length <= most)
            return utf8;
        while (most > 0 && (utf8[most] & 0xC0) == 0x80)
            most--;
        return utf8[..most];
    }
}
