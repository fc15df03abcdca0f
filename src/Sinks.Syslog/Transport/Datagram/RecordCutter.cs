namespace AsyncLog;

/// <summary>Cuts datagrams that the way to the receiver does not carry, into a buffer of its own.</summary>
internal sealed class RecordCutter(SyslogLayout layout)
{
    private readonly RecordRecut _recut = new(layout);
    private byte[] _buffer = [];

    /// <summary>Whether a record bears the mark of a cut. One that was cut before is not counted as truncated again.</summary>
    public static bool IsCut(ReadOnlySpan<byte> datagram) => datagram.EndsWith("..."u8);

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
