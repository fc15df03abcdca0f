namespace AsyncLog;

/// <summary>Cuts datagrams that the way to the receiver does not carry, into a buffer of its own.</summary>
internal sealed class RecordCutter(SyslogLayout layout)
{
    private readonly RecordRecut _recut = new(layout);
    private byte[] _buffer = [];

    // What a cut at the limit leaves free at most: a character or an escape that did not fit, and the room of the number.
    private const int LongestUnit = 12;

    /// <summary>Whether a record was cut before, which is not counted as truncated again: it bears the mark, and is as long as it may be. A text that
    /// ends in dots of its own is shorter.</summary>
    public static bool IsCut(ReadOnlySpan<byte> datagram, int maxMessageBytes)
        => datagram.EndsWith("..."u8) && datagram.Length + LongestUnit + SequenceIdInsertion.MaxElementBytes > maxMessageBytes;

    /// <summary>Cuts a datagram.</summary>
    /// <returns>The shorter one, valid until the next call; empty when it cannot be cut.</returns>
    public ReadOnlySpan<byte> Cut(ReadOnlySpan<byte> datagram, int maxMessageBytes, out int droppedParameters)
    {
        int limit = RecordRecut.LimitFor(maxMessageBytes);
        droppedParameters = 0;
        if (datagram.Length <= limit)
            return default;
        if (_buffer.Length < limit)
            _buffer = new byte[limit];
        return _buffer.AsSpan(0, _recut.Cut(datagram, limit, _buffer, out droppedParameters));
    }
}
