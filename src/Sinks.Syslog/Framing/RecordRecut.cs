using System.Text;

namespace AsyncLog;

/// <summary>Cuts a rendered message again, for a path that does not carry it (RFC 5426 §3.2): the text first, then all structured data.</summary>
internal sealed class RecordRecut
{
    private const int SafeDatagram = 1180;
    private const int LongestEscape = 6;

    private readonly SyslogLayout _layout;
    private readonly StructuredDataCut _cut;
    private readonly byte[] _libraryId;

    /// <param name="layout">What the messages are rendered with.</param>
    public RecordRecut(SyslogLayout layout)
    {
        _layout = layout;
        _cut = new StructuredDataCut(layout);
        _libraryId = Encoding.ASCII.GetBytes(layout.LibraryId + " ");
    }

    private static ReadOnlySpan<byte> Mark => "..."u8;

    private static ReadOnlySpan<byte> NumberElement => "[meta sequenceId="u8;

    /// <summary>The limit of the second cut.</summary>
    public static int LimitFor(int maxMessageBytes) => Math.Min(maxMessageBytes / 2, SafeDatagram);

    /// <summary>Cuts a message.</summary>
    /// <param name="message">The message as it was sent: without framing, number included.</param>
    /// <param name="limit">The most bytes of the result.</param>
    /// <param name="destination">At least <paramref name="limit"/> bytes; does not overlap with the message.</param>
    /// <param name="droppedParameters">Parameters that were left out by this cut.</param>
    /// <returns>The bytes written; 0 when not even header and structured data of the least size fit.</returns>
    public int Cut(ReadOnlySpan<byte> message, int limit, Span<byte> destination, out int droppedParameters)
    {
        droppedParameters = 0;
        if (message.Length <= limit)
        {
            message.CopyTo(destination);
            return message.Length;
        }

        var parts = MessageParts.Of(message, _layout.Form);
        int end;
        if (parts.DataEnd <= limit)
        {
            message[..parts.DataEnd].CopyTo(destination);
            end = parts.DataEnd;
        }
        else
        {
            end = WriteLeastData(message, parts, limit, destination, out droppedParameters);
            if (end == 0)
                return 0;
        }

        return WriteText(message[parts.TextStart..], limit, destination, end, isSpaceThere: parts.DataEnd == parts.TextStart);
    }

    private int WriteLeastData(ReadOnlySpan<byte> message, MessageParts parts, int limit, Span<byte> destination, out int dropped)
    {
        dropped = 0;
        var total = 0;
        ReadOnlySpan<byte> number = default;
        for (var at = parts.DataStart; at < parts.DataEnd;)
        {
            var length = MessageParts.LengthOfElement(message[at..parts.DataEnd], _libraryId, out var parameters, out var before);
            var element = message.Slice(at, length);
            at += length;
            // The number stays: without it the receiver would see a gap where nothing is missing.
            if (_layout.SequenceId && element.StartsWith(NumberElement))
            {
                number = element;
                continue;
            }

            total += parameters;
            dropped += parameters - before;
        }

        if (parts.DataStart + number.Length + _cut.LongestDropped > limit)
        {
            dropped = 0;
            return 0;
        }

        message[..parts.DataStart].CopyTo(destination);
        number.CopyTo(destination[parts.DataStart..]);
        var end = parts.DataStart + number.Length;
        return end + _cut.WriteDropped(destination[end..], total);
    }

    // Of the older forms the space before the text is part of what was copied.
    private int WriteText(ReadOnlySpan<byte> text, int limit, Span<byte> destination, int end, bool isSpaceThere)
    {
        var room = limit - end - (isSpaceThere ? 0 : 1);
        if (text.IsEmpty || room < Mark.Length)
            return isSpaceThere && !text.IsEmpty ? end - 1 : end;
        if (!isSpaceThere)
            destination[end++] = (byte)' ';
        var kept = text.Length <= room ? text : text[..EndBefore(text, room - Mark.Length)];
        kept.CopyTo(destination[end..]);
        end += kept.Length;
        if (kept.Length == text.Length)
            return end;
        Mark.CopyTo(destination[end..]);
        return end + Mark.Length;
    }

    /// <summary>The last place at or before <paramref name="end"/> where the text may end: not inside a character, nor what may be an escape.</summary>
    private int EndBefore(ReadOnlySpan<byte> text, int end)
    {
        while (end > 0 && (text[end] & 0xC0) == 0x80)
            end--;
        if (_layout.ControlCharacters != SyslogControlCharacters.Escape)
            return end;
        for (var at = end - 1; at >= 0 && at > end - LongestEscape; at--)
        {
            if (text[at] == (byte)'\\' && at + LengthOfEscape(text[(at + 1)..]) > end)
                end = at;
        }

        return end;
    }

    private static int LengthOfEscape(ReadOnlySpan<byte> behind) => behind.IsEmpty ? 1 : behind[0] switch
    {
        (byte)'u' => LongestEscape,
        (byte)'n' or (byte)'r' or (byte)'t' => 2,
        _ => 1,
    };
}
