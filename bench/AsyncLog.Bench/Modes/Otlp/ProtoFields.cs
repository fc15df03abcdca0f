namespace AsyncLog.Bench;

/// <summary>The fields of a protobuf message, one after the other.</summary>
internal ref struct ProtoFields(ReadOnlySpan<byte> message)
{
    private const int VarintType = 0;
    private const int Fixed64Type = 1;
    private const int BytesType = 2;
    private const int Fixed32Type = 5;

    private ReadOnlySpan<byte> _rest = message;

    public int Number { get; private set; }

    public ulong Varint { get; private set; }

    /// <summary>What a string, bytes or a message holds.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <exception cref="FormatException">The message is broken.</exception>
    public bool Next()
    {
        if (_rest.IsEmpty)
            return false;
        var tag = ReadVarint();
        Number = (int)(tag >> 3);
        switch ((int)tag & 7)
        {
            case VarintType: Varint = ReadVarint(); break;
            case Fixed64Type: Take(sizeof(ulong)); break;
            case Fixed32Type: Take(sizeof(uint)); break;
            case BytesType: Bytes = Take(ReadVarint()); break;
            default: throw new FormatException("no such wire type");
        }

        return true;
    }

    private ReadOnlySpan<byte> Take(ulong length)
    {
        if (length > (ulong)_rest.Length)
            throw new FormatException("a field ends behind its message");
        var taken = _rest[..(int)length];
        _rest = _rest[(int)length..];
        return taken;
    }

    private ulong ReadVarint()
    {
        var value = 0UL;
        for (var shift = 0; shift < 64 && !_rest.IsEmpty; shift += 7)
        {
            var next = _rest[0];
            _rest = _rest[1..];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }

        throw new FormatException("a varint has no end");
    }
}
