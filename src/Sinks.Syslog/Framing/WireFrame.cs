using System.Buffers.Binary;
using System.Globalization;

namespace AsyncLog;

/// <summary>Puts the frame around a rendered message.</summary>
internal static class WireFrame
{
    /// <summary>Closes the frame.</summary>
    /// <param name="writer">Room for the frame, and the message up to the end.</param>
    /// <param name="start">Where the message begins; at least <see cref="SequenceIdInsertion.MaxFramingBytes"/>.</param>
    /// <param name="numberAt">Where the numbering element belongs, from the message's beginning.</param>
    /// <param name="layout">How messages are framed.</param>
    /// <returns>The record as it goes into the queue.</returns>
    public static ReadOnlySpan<byte> Close(ref WireWriter writer, int start, int numberAt, SyslogLayout layout)
    {
        if (layout.SequenceId)
        {
            // The length is known only with the number: the worker frames.
            start -= SequenceIdInsertion.OffsetBytes;
            BinaryPrimitives.WriteUInt16LittleEndian(writer.Written[start..], (ushort)numberAt);
        }
        else if (layout.Framing == FrameKind.LineFeed)
        {
            writer.Write((byte)'\n');
        }
        else if (layout.Framing == FrameKind.OctetCounting)
        {
            var length = writer.Position - start;
            Span<byte> count = stackalloc byte[SequenceIdInsertion.MaxFramingBytes];
            length.TryFormat(count, out var digits, provider: CultureInfo.InvariantCulture);
            count[digits++] = (byte)' ';
            start -= digits;
            count[..digits].CopyTo(writer.Written[start..]);
        }

        return writer.Written[start..];
    }
}
