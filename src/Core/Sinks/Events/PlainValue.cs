namespace AsyncLog;

/// <summary>Writes the values that most messages are made of, where their text is short and printable ASCII. Answers -1 where it is not.</summary>
internal static class PlainValue
{
    /// <summary>What <c>TryWrite</c> answers for a value that has to be written in another way; what lies in the room then means nothing.</summary>
    public const int NotPlain = -1;

    /// <summary>The room that every value needs, in bytes.</summary>
    public const int Room = 64;

    /// <summary>Writes a string.</summary>
    /// <returns>Bytes written, or -1.</returns>
    public static int TryWrite(string? text, Span<byte> room)
        => text is not null && text.Length <= AsciiText.Longest && AsciiText.TryWrite(text, room) ? text.Length : NotPlain;

    /// <summary>Writes an integer, where the hole has no format.</summary>
    /// <returns>Bytes written, or -1.</returns>
    public static int TryWrite(long value, Span<byte> room, in MessagePart part)
        => part.Format is null ? Digits.Write(value, room) : NotPlain;

    /// <summary>Writes a <see cref="double"/>, where the hole's format has a fixed number of decimals.</summary>
    /// <returns>Bytes written, or -1.</returns>
    public static int TryWrite(double value, Span<byte> room, in MessagePart part)
        => part.FixedDigits >= 0 && FixedPoint.TryFormat(value, part.FixedDigits, room, out var written) ? written : NotPlain;
}
