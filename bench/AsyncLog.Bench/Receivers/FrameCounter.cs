namespace AsyncLog.Bench;

/// <summary>Counts the frames of a stream with octet counting (RFC 6587 §3.4.1), whatever pieces it comes in.</summary>
internal sealed class FrameCounter
{
    private int _length;
    private int _left;

    /// <summary>Frames that have come whole.</summary>
    public long Count { get; private set; }

    /// <summary>Takes the next bytes.</summary>
    /// <exception cref="InvalidOperationException">They are no frames.</exception>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (_left > 0)
            {
                var taken = Math.Min(_left, bytes.Length);
                bytes = bytes[taken..];
                _left -= taken;
                Count += _left == 0 ? 1 : 0;
            }
            else
            {
                AddToLength(bytes[0]);
                bytes = bytes[1..];
            }
        }
    }

    private void AddToLength(byte value)
    {
        if (value is >= (byte)'0' and <= (byte)'9' && _length < 1_000_000)
        {
            _length = (_length * 10) + value - '0';
            return;
        }

        if (value != ' ' || _length == 0)
            throw new InvalidOperationException("what came is not framed");
        _left = _length;
        _length = 0;
    }
}
