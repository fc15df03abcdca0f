using System.Buffers.Binary;
using System.Globalization;

namespace AsyncLog;

/// <summary>Puts <c>[meta sequenceId="n"]</c> into a record when it is handed to the transport (RFC 5424 §7.3.1), and frames it.</summary>
/// <remarks>With the option <c>SequenceId</c> the formatter's record is not yet the wire form: it is two bytes, little-endian, with the
/// offset of the element in the message, and then the message without framing. Without the option the record is the wire form.</remarks>
internal static class SequenceIdInsertion
{
    /// <summary>The bytes before the message in a record that waits for its number.</summary>
    public const int OffsetBytes = 2;

    /// <summary>The most bytes the element takes: <c>[meta sequenceId="2147483647"]</c>.</summary>
    public const int MaxElementBytes = 30;

    /// <summary>The most bytes of framing: <c>65536 </c>.</summary>
    public const int MaxFramingBytes = 6;

    private static ReadOnlySpan<byte> Opening => "[meta sequenceId=\""u8;

    private static ReadOnlySpan<byte> Closing => "\"]"u8;

    /// <summary>The number after this one: 1 follows 2147483647.</summary>
    public static int Next(int sequenceId) => sequenceId == int.MaxValue ? 1 : sequenceId + 1;

    /// <summary>The room that <see cref="Write"/> needs.</summary>
    public static int RoomFor(int recordBytes) => recordBytes - OffsetBytes + MaxElementBytes + MaxFramingBytes;

    /// <summary>Writes the numbered message in its frame.</summary>
    /// <param name="record">The formatter's record, offset first.</param>
    /// <param name="sequenceId">The number, from 1.</param>
    /// <param name="framing">The frame.</param>
    /// <param name="destination">At least <see cref="RoomFor"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int Write(ReadOnlySpan<byte> record, int sequenceId, FrameKind framing, Span<byte> destination)
    {
        var offset = BinaryPrimitives.ReadUInt16LittleEndian(record);
        var message = record[OffsetBytes..];
        // A lone nil value gives way; before another element, or at the end of a record without text, there is nothing to take away.
        var rest = message[(offset < message.Length && message[offset] == (byte)'-' ? offset + 1 : offset)..];
        Span<byte> digits = stackalloc byte[10];
        sequenceId.TryFormat(digits, out var digitCount, provider: CultureInfo.InvariantCulture);
        digits = digits[..digitCount];
        var length = offset + Opening.Length + digitCount + Closing.Length + rest.Length;
        var at = 0;
        if (framing == FrameKind.OctetCounting)
        {
            length.TryFormat(destination, out at, provider: CultureInfo.InvariantCulture);
            destination[at++] = (byte)' ';
        }

        at = Append(destination, at, message[..offset]);
        at = Append(destination, at, Opening);
        at = Append(destination, at, digits);
        at = Append(destination, at, Closing);
        at = Append(destination, at, rest);
        if (framing == FrameKind.LineFeed)
            destination[at++] = (byte)'\n';
        return at;
    }

    private static int Append(Span<byte> destination, int at, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(destination[at..]);
        return at + bytes.Length;
    }
}
