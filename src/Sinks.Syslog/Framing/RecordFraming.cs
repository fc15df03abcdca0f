using System.Buffers.Binary;
using System.Globalization;

namespace AsyncLog;

/// <summary>Framing of records on the wire.</summary>
internal enum FrameKind
{
    /// <summary>The message alone: UDP and Unix sockets. On a Unix stream socket the transport appends the line feed.</summary>
    None,

    /// <summary>Length in decimal, a space, the message (RFC 6587 §3.4.1).</summary>
    OctetCounting,

    /// <summary>The message and a line feed (RFC 6587 §3.4.2).</summary>
    LineFeed,
}

/// <summary>Frames messages and inserts their numbers, <c>[meta sequenceId="n"]</c> (RFC 5424 §7.3.1). Pure.</summary>
/// <remarks>Without the option <c>SequenceId</c> the record in the queue is the wire form, framed by the formatter. With it the length is known only when
/// the record is handed to the transport: the record in the queue is then two bytes, little-endian, with the offset of the number in the message, and
/// the message without framing.</remarks>
internal static class RecordFraming
{
    /// <summary>The most bytes before a message: <c>65536 </c>.</summary>
    public const int MaxPrefixBytes = 6;

    /// <summary>The most bytes of a number: <c>[meta sequenceId="2147483647"]</c>.</summary>
    public const int MaxNumberBytes = 30;

    // Most messages have 100 to 999 bytes.
    private const int TypicalPrefixBytes = 4;

    // The offset before a message that waits for its number.
    private const int OffsetBytes = 2;

    private static ReadOnlySpan<byte> Opening => "[meta sequenceId=\""u8;

    private static ReadOnlySpan<byte> Closing => "\"]"u8;

    /// <summary>The most bytes that a record in the queue has besides its message.</summary>
    public static int OverheadOf(FrameKind frame, bool isNumbered) => isNumbered ? OffsetBytes : frame switch
    {
        FrameKind.OctetCounting => MaxPrefixBytes,
        FrameKind.LineFeed => 1,
        _ => 0,
    };

    /// <summary>The bytes to leave free before a message that is rendered.</summary>
    public static int RoomBefore(FrameKind frame, bool isNumbered) => isNumbered ? OffsetBytes : frame == FrameKind.OctetCounting ? TypicalPrefixBytes : 0;

    /// <summary>Makes the record for the queue of a rendered message.</summary>
    /// <param name="record"><see cref="RoomBefore"/> free bytes and the message.</param>
    /// <param name="isNumbered">True if the transport inserts a number.</param>
    public static void Close(RecordBuffer record, FrameKind frame, bool isNumbered, int numberAt)
    {
        if (isNumbered)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(record.Stored, (ushort)numberAt);
        }
        else if (frame == FrameKind.LineFeed)
        {
            record.Append("\n"u8);
        }
        else if (frame == FrameKind.OctetCounting)
        {
            Span<byte> prefix = stackalloc byte[MaxPrefixBytes];
            prefix = prefix[..WriteCount(prefix, record.Length - TypicalPrefixBytes)];
            if (prefix.Length < TypicalPrefixBytes)
                record.Remove(0, TypicalPrefixBytes - prefix.Length);
            else if (prefix.Length > TypicalPrefixBytes)
                record.Insert(0, prefix[TypicalPrefixBytes..]);
            prefix.CopyTo(record.Stored);
        }
    }

    /// <summary>The room that <see cref="WriteNumbered"/> needs.</summary>
    public static int RoomFor(int recordBytes) => recordBytes - OffsetBytes + MaxNumberBytes + MaxPrefixBytes;

    /// <summary>Writes a message with its number in its frame.</summary>
    /// <param name="destination">At least <see cref="RoomFor"/> bytes.</param>
    /// <returns>The bytes written; 0: the offset is not one of the message, and nothing was written.</returns>
    public static int WriteNumbered(ReadOnlySpan<byte> record, int sequenceId, FrameKind frame, Span<byte> destination)
    {
        if (!BinaryPrimitives.TryReadUInt16LittleEndian(record, out var offset) || record[OffsetBytes..] is var message && offset > message.Length)
            return 0;
        // The number replaces a lone nil value; before another element, or at the end of a record without text, it replaces nothing.
        var rest = message[(offset < message.Length && message[offset] == (byte)'-' ? offset + 1 : offset)..];
        Span<byte> digits = stackalloc byte[10];
        sequenceId.TryFormat(digits, out var digitCount, provider: CultureInfo.InvariantCulture);
        var at = frame == FrameKind.OctetCounting
            ? WriteCount(destination, offset + Opening.Length + digitCount + Closing.Length + rest.Length)
            : 0;
        at = Append(destination, at, message[..offset]);
        at = Append(destination, at, Opening);
        at = Append(destination, at, digits[..digitCount]);
        at = Append(destination, at, Closing);
        at = Append(destination, at, rest);
        if (frame == FrameKind.LineFeed)
            destination[at++] = (byte)'\n';
        return at;
    }

    private static int WriteCount(Span<byte> destination, int length)
    {
        length.TryFormat(destination, out var at, provider: CultureInfo.InvariantCulture);
        destination[at++] = (byte)' ';
        return at;
    }

    private static int Append(Span<byte> destination, int at, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(destination[at..]);
        return at + bytes.Length;
    }
}

/// <summary>The number of the next record of one sink (RFC 5424 §7.3.1). It advances when a record was handed to the transport, sent or not.</summary>
internal sealed class SequenceCounter(int first = 1)
{
    public int Next { get; private set; } = first;

    /// <summary>The number after this one: 1 follows 2147483647.</summary>
    public static int After(int sequenceId) => sequenceId == int.MaxValue ? 1 : sequenceId + 1;

    public void Advance(int records)
    {
        for (int i = 0; i < records; i++)
            Next = After(Next);
    }
}
