using System.Buffers.Binary;

namespace AsyncLog;

/// <summary>Reads the fields of one protobuf message from a peer that is not trusted: never throws, never allocates.</summary>
internal ref struct ProtoReader(ReadOnlySpan<byte> message)
{
    private const int Varint = 0;
    private const int Fixed64 = 1;
    private const int Bytes = 2;
    private const int Fixed32 = 5;
    private ReadOnlySpan<byte> _rest = message;

    /// <summary>True if the message cannot be read further.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>The number of the current field.</summary>
    public int Field { get; private set; }

    /// <summary>The value of a varint or fixed field; 0 for others.</summary>
    public ulong Number { get; private set; }

    /// <summary>The value of a length-delimited field; empty for others.</summary>
    public ReadOnlySpan<byte> Content { get; private set; }

    /// <summary>Moves to the next field.</summary>
    /// <returns>False at the end, or where the message is broken.</returns>
    public bool Read()
    {
        Number = 0;
        Content = default;
        if (_rest.IsEmpty || IsBroken)
            return false;
        if (TryReadVarint(out ulong tag) && tag >> 3 is > 0 and <= int.MaxValue)
        {
            Field = (int)(tag >> 3);
            IsBroken = !TryReadValue((int)(tag & 7));
        }
        else
        {
            IsBroken = true;
        }

        return !IsBroken;
    }

    private bool TryReadValue(int wireType)
    {
        switch (wireType)
        {
            case Varint when TryReadVarint(out ulong number):
                Number = number;
                return true;
            case Bytes when TryReadVarint(out ulong length) && length <= (ulong)_rest.Length:
                Content = _rest[..(int)length];
                _rest = _rest[(int)length..];
                return true;
            case Fixed64 when _rest.Length >= sizeof(ulong):
                Number = BinaryPrimitives.ReadUInt64LittleEndian(_rest);
                _rest = _rest[sizeof(ulong)..];
                return true;
            case Fixed32 when _rest.Length >= sizeof(uint):
                Number = BinaryPrimitives.ReadUInt32LittleEndian(_rest);
                _rest = _rest[sizeof(uint)..];
                return true;
            default:
                return false;
        }
    }

    private bool TryReadVarint(out ulong value)
    {
        value = 0;
        for (int i = 0; i < 10 && i < _rest.Length; i++)
        {
            value |= (ulong)(_rest[i] & 0x7F) << (7 * i);
            if (_rest[i] < 0x80)
            {
                _rest = _rest[(i + 1)..];
                return true;
            }
        }

        return false;
    }
}
