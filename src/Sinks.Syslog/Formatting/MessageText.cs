using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>The text of a record (RFC 5424 §6.4): the message, then the exception, as UTF-8 before it is escaped.</summary>
internal static class MessageText
{
    private const int MostBytesPerChar = 3;

    private static ReadOnlySpan<byte> Bom => [0xEF, 0xBB, 0xBF];

    /// <summary>Puts the text together; what is far longer than <paramref name="most"/> bytes is not looked at.</summary>
    /// <returns>The text; valid as long as the event and the scratch's text.</returns>
    public static ReadOnlySpan<byte> Of(LogEvent logEvent, int most, SyslogScratch scratch)
    {
        var message = WithoutBom(logEvent.Message).TrimEnd("\r\n"u8);
        if (logEvent.ExceptionText is not { } exception)
            return message;
        // Every character is a byte at least, also when it is a space afterwards.
        message = Start(message, most * MostBytesPerChar);
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
    /// <param name="keepsControls">Whether control characters beyond ASCII stay.</param>
    public static bool IsBeyondAscii(LogEvent logEvent, bool keepsControls)
    {
        var message = WithoutBom(logEvent.Message).TrimEnd("\r\n"u8);
        var exception = logEvent.ExceptionText.AsSpan();
        // An exception behind an empty message begins the text.
        if (message.IsEmpty)
            exception = exception.TrimStart('\uFEFF');
        for (var at = message.IndexOfAnyExceptInRange((byte)0, (byte)0x7F); at >= 0; at = message.IndexOfAnyExceptInRange((byte)0, (byte)0x7F))
        {
            Rune.DecodeFromUtf8(message[at..], out var rune, out var length);
            if (keepsControls || !WireText.IsControl(rune.Value))
                return true;
            message = message[(at + length)..];
        }

        foreach (var rune in exception.EnumerateRunes())
        {
            if (!rune.IsAscii && (keepsControls || !WireText.IsControl(rune.Value)))
                return true;
        }

        return false;
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
