using System.Buffers.Text;
using System.Text;

namespace AsyncLog;

/// <summary>Truncates a rendered message again, for a path that does not carry it (RFC 5426 §3.2): the text first, then all structured data.</summary>
internal sealed class DatagramTruncation
{
    private const int SafeDatagram = 1180;
    private const int LongestEscape = 6;

    // Most bytes that a truncation at the limit leaves free: a character or an escape that did not fit, and the room of the number.
    private const int LongestUnit = 12;

    // Fields of the header that end with a space: PRI and version, time, HOSTNAME, APP-NAME, PROCID, MSGID.
    private const int HeaderFieldCount = 6;
    private const int BsdTimestampBytes = 15;

    private readonly SyslogLayout _layout;
    private readonly StructuredDataTruncation _data;
    private readonly byte[] _libraryId;
    private byte[] _buffer = [];

    public DatagramTruncation(SyslogLayout layout)
    {
        _layout = layout;
        _data = new StructuredDataTruncation(layout);
        _libraryId = Encoding.ASCII.GetBytes(layout.LibraryId + " ");
    }

    private static ReadOnlySpan<byte> NumberElement => "[meta sequenceId="u8;

    /// <summary>True for a message that was truncated before, which is not counted again: it ends with the mark, and is as long as it may be. A text that
    /// ends in dots of its own is shorter.</summary>
    public static bool IsTruncated(ReadOnlySpan<byte> message, int maxMessageBytes) =>
        message.EndsWith(Truncation.Mark) && message.Length + LongestUnit + RecordFraming.MaxNumberBytes > maxMessageBytes;

    /// <summary>The limit of the second truncation.</summary>
    public static int LimitFor(int maxMessageBytes) => Math.Min(maxMessageBytes / 2, SafeDatagram);

    /// <summary>Truncates a message that was refused.</summary>
    /// <returns>The shorter one, valid until the next call; empty when it cannot be truncated.</returns>
    public ReadOnlySpan<byte> Truncate(ReadOnlySpan<byte> message, int maxMessageBytes, out int droppedParameters)
    {
        var limit = LimitFor(maxMessageBytes);
        droppedParameters = 0;
        if (message.Length <= limit)
            return default;
        if (_buffer.Length < limit)
            _buffer = new byte[limit];
        return _buffer.AsSpan(0, Truncate(message, limit, _buffer, out droppedParameters));
    }

    /// <summary>Truncates a message to a limit.</summary>
    /// <param name="message">The message as it was sent: without framing, number included.</param>
    /// <param name="limit">The most bytes of the result.</param>
    /// <param name="destination">At least <paramref name="limit"/> bytes; does not overlap with the message.</param>
    /// <returns>The bytes written; 0 when not even header and structured data of the least size fit.</returns>
    public int Truncate(ReadOnlySpan<byte> message, int limit, Span<byte> destination, out int droppedParameters)
    {
        droppedParameters = 0;
        if (message.Length <= limit)
        {
            message.CopyTo(destination);
            return message.Length;
        }

        // The form stands in the record itself: one that was rendered before a reload may be of another form.
        if (!message[(message.IndexOf((byte)'>') + 1)..].StartsWith("1 "u8))
        {
            var bsdText = TextOfBsd(message);
            if (bsdText > limit)
                return 0;
            message[..bsdText].CopyTo(destination);
            return WriteText(message[bsdText..], limit, destination, bsdText, hasSpace: true);
        }

        var data = 0;
        for (var field = 0; field < HeaderFieldCount; field++)
            data += message[data..].IndexOf((byte)' ') + 1;
        var end = data + LengthOfData(message[data..]);
        var text = message[Math.Min(end + 1, message.Length)..];
        if (end <= limit)
            message[..end].CopyTo(destination);
        else
            end = WriteMinimalData(message, data, end, limit, destination, out droppedParameters);
        return end == 0 ? 0 : WriteText(text, limit, destination, end, hasSpace: false);
    }

    private static int LengthOfData(ReadOnlySpan<byte> data)
    {
        if (data[0] == (byte)'-')
            return 1;
        var length = 0;
        while (length < data.Length && data[length] == (byte)'[')
            length += LengthOfElement(data[length..], default, out _, out _);
        return length;
    }

    /// <summary>The length of the element at the beginning, and how many parameters are missing without it.</summary>
    /// <param name="libraryId">The element in which <c>dropped</c> is no parameter but a number of them.</param>
    private static int LengthOfElement(ReadOnlySpan<byte> data, ReadOnlySpan<byte> libraryId, out int parameters, out int before)
    {
        parameters = 0;
        before = 0;
        var isLibrary = !libraryId.IsEmpty && data[1..].StartsWith(libraryId);
        var at = 1;
        while (data[at] != (byte)']')
        {
            if (data[at++] != (byte)'=')
                continue;
            var value = data[(at + 1)..];
            if (isLibrary && data[..(at - 1)].EndsWith(" dropped"u8) && Utf8Parser.TryParse(value, out int count, out _))
                before += count;
            else
                parameters++;
            at += 1 + LengthOfValue(value) + 1;
        }

        return at + 1;
    }

    private static int LengthOfValue(ReadOnlySpan<byte> text)
    {
        var at = 0;
        while (text[at] != (byte)'"')
            at += text[at] == (byte)'\\' ? 2 : 1;
        return at;
    }

    // The time has spaces of its own and a fixed length; host and tag have none.
    private int TextOfBsd(ReadOnlySpan<byte> message)
    {
        var at = message.IndexOf((byte)'>') + 1 + BsdTimestampBytes + 1;
        if (_layout.Form == SyslogForm.Rfc3164)
            at += message[at..].IndexOf((byte)' ') + 1;
        var space = message[at..].IndexOf((byte)' ');
        return space < 0 ? message.Length : at + space + 1;
    }

    private int WriteMinimalData(ReadOnlySpan<byte> message, int data, int end, int limit, Span<byte> destination, out int dropped)
    {
        dropped = 0;
        var droppedBefore = 0;
        ReadOnlySpan<byte> number = default;
        // Nil has no element.
        for (var at = data; at < end && message[at] == (byte)'[';)
        {
            var length = LengthOfElement(message[at..end], _libraryId, out var parameters, out var before);
            var element = message.Slice(at, length);
            at += length;
            // The number stays: without it the receiver would see a gap where nothing is missing.
            if (_layout.SequenceId && element.StartsWith(NumberElement))
            {
                number = element;
                continue;
            }

            dropped += parameters;
            droppedBefore += before;
        }

        if (data + number.Length + _data.LongestDropped > limit)
        {
            dropped = 0;
            return 0;
        }

        message[..data].CopyTo(destination);
        number.CopyTo(destination[data..]);
        end = data + number.Length;
        return end + _data.WriteDropped(destination[end..], dropped + droppedBefore);
    }

    // In the older forms the copied part includes the space before the text.
    private static int WriteText(ReadOnlySpan<byte> text, int limit, Span<byte> destination, int end, bool hasSpace)
    {
        var room = limit - end - (hasSpace ? 0 : 1);
        if (text.IsEmpty || room < Truncation.Mark.Length)
            return hasSpace && !text.IsEmpty ? end - 1 : end;
        if (!hasSpace)
            destination[end++] = (byte)' ';
        var kept = text.Length <= room ? text : text[..EndBefore(text, room - Truncation.Mark.Length)];
        kept.CopyTo(destination[end..]);
        end += kept.Length;
        if (kept.Length == text.Length)
            return end;
        Truncation.Mark.CopyTo(destination[end..]);
        return end + Truncation.Mark.Length;
    }

    /// <summary>The last place at or before <paramref name="end"/> where the text may end: neither inside a character nor inside what may be an escape.</summary>
    private static int EndBefore(ReadOnlySpan<byte> text, int end)
    {
        end = Truncation.WholeRunes(text, end);
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
