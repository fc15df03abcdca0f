using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes protobuf fields into memory of the caller; once that is too small, all of them into a <see cref="ProtoOverflow"/>. A tag is one byte: all field
/// numbers of OTLP logs are below 16.</summary>
internal ref struct ProtoWriter
{
    private const int MaxVarintBytes = 10;
    private const int MaxLengthBytes = 5;
    private const int MaxBytesPerChar = 3;

    // Whatever the characters are, the lengths of text and field fit one byte each.
    private const int ShortText = (0x7F - 2) / MaxBytesPerChar;

    private readonly ProtoOverflow? _overflow;
    private Span<byte> _room;
    private int _position;

    /// <param name="overflow">Where the fields go when they outgrow the room; null: they never do.</param>
    public ProtoWriter(Span<byte> room, ProtoOverflow? overflow)
    {
        _overflow = overflow;
        _room = room;
    }

    /// <summary>True if the fields are in the overflow instead of the caller's memory.</summary>
    public bool HasMoved { get; private set; }

    /// <summary>Bytes written; setting it discards those behind.</summary>
    public int Position
    {
        readonly get => _position;
        set => _position = value;
    }

    public readonly Span<byte> Written => _room[.._position];

    /// <summary>The room behind the bytes written.</summary>
    public readonly Span<byte> Rest => _room[_position..];

    public static int SizeOf(uint value) => value < 1u << 7 ? 1 : value < 1u << 14 ? 2 : value < 1u << 21 ? 3 : value < 1u << 28 ? 4 : 5;

    /// <summary>The length of a field with so many bytes, tag and length included.</summary>
    public static int SizeOfField(int content) => 1 + SizeOf((uint)content) + content;

    /// <summary>Writes a varint; returns its length.</summary>
    public static int Put(Span<byte> place, ulong value)
    {
        var length = 0;
        for (; value > 0x7F; value >>= 7)
            place[length++] = (byte)(value | 0x80);
        place[length++] = (byte)value;
        return length;
    }

    public void Write(scoped ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_room[_position..]);
        _position += bytes.Length;
    }

    public void Write(PreencodedField fields)
    {
        Reserve(fields.Length + PreencodedField.Block);
        fields.CopyTo(_room[_position..]);
        _position += fields.Length;
    }

    public void WriteVarint(byte tag, ulong value)
    {
        Reserve(1 + MaxVarintBytes);
        _room[_position++] = tag;
        _position += Put(_room[_position..], value);
    }

    public void WriteFixed64(byte tag, ulong value)
    {
        Reserve(1 + sizeof(ulong));
        _room[_position] = tag;
        BinaryPrimitives.WriteUInt64LittleEndian(_room[(_position + 1)..], value);
        _position += 1 + sizeof(ulong);
    }

    public void WriteFixed32(byte tag, uint value)
    {
        Reserve(1 + sizeof(uint));
        _room[_position] = tag;
        BinaryPrimitives.WriteUInt32LittleEndian(_room[(_position + 1)..], value);
        _position += 1 + sizeof(uint);
    }

    /// <summary>Begins a field whose length is not known yet.</summary>
    /// <param name="expected">A guess of its length: the better it is, the less has to be moved in <see cref="Close"/>.</param>
    /// <returns>Start of its content; for <see cref="Close"/>.</returns>
    public int Open(byte tag, int expected = 0)
    {
        Reserve(1 + MaxLengthBytes);
        _room[_position] = tag;
        return _position += 1 + SizeOf((uint)expected);
    }

    /// <summary>Begins a field whose first bytes are encoded: its tag, one byte for its length, and the beginning of its content.</summary>
    /// <returns>Start of its content; for <see cref="Close"/>.</returns>
    public int Open(PreencodedField beginning)
    {
        var start = _position + 2;
        Write(beginning);
        return start;
    }

    /// <summary>Ends the field: puts the length of its content before it, in as few bytes as possible.</summary>
    public void Close(int start, int expected = 0)
    {
        var length = _position - start;
        if ((length | expected) <= 0x7F)
        {
            _room[start - 1] = (byte)length;
            return;
        }

        var reserved = SizeOf((uint)expected);
        var needed = SizeOf((uint)length);
        if (needed != reserved)
        {
            Reserve(MaxLengthBytes);
            _room.Slice(start, length).CopyTo(_room[(start - reserved + needed)..]);
            _position += needed - reserved;
        }

        Put(_room[(start - reserved)..], (uint)length);
    }

    /// <summary>Writes text as UTF-8; an unpaired surrogate becomes U+FFFD.</summary>
    public void WriteText(byte tag, scoped ReadOnlySpan<char> text)
    {
        Reserve(1 + MaxLengthBytes + (text.Length * MaxBytesPerChar));
        var start = Open(tag, text.Length);
        Utf8.FromUtf16(text, _room[start..], out _, out var written);
        _position = start + written;
        Close(start, text.Length);
    }

    public void WriteBytes(byte tag, scoped ReadOnlySpan<byte> bytes)
    {
        Reserve(1 + MaxLengthBytes + bytes.Length);
        _room[_position++] = tag;
        _position += Put(_room[_position..], (uint)bytes.Length);
        bytes.CopyTo(_room[_position..]);
        _position += bytes.Length;
    }

    /// <summary>Writes a field that holds one block of bytes.</summary>
    public void WriteNested(byte outer, byte inner, scoped ReadOnlySpan<byte> bytes)
    {
        Reserve(1 + MaxLengthBytes + 1 + MaxLengthBytes + bytes.Length);
        _room[_position++] = outer;
        _position += Put(_room[_position..], (uint)(1 + SizeOf((uint)bytes.Length) + bytes.Length));
        WriteBytes(inner, bytes);
    }

    /// <summary>Writes a field that holds one text.</summary>
    public void WriteNested(byte outer, byte inner, scoped ReadOnlySpan<char> text)
    {
        if (text.Length > ShortText)
        {
            var start = Open(outer, text.Length);
            WriteText(inner, text);
            Close(start, text.Length);
            return;
        }

        Reserve(4 + (text.Length * MaxBytesPerChar));
        var field = _room[_position..];
        Utf8.FromUtf16(text, field[4..], out _, out var written);
        field[0] = outer;
        field[1] = (byte)(2 + written);
        field[2] = inner;
        field[3] = (byte)written;
        _position += 4 + written;
    }

    /// <summary>Writes a field that holds one text which many records share.</summary>
    public void WriteNestedCached(byte outer, byte inner, string text)
    {
        if (Utf8Cache.Find(text) is { } utf8)
            WriteNested(outer, inner, utf8);
        else
            WriteNested(outer, inner, text);
    }

    /// <summary>Writes a field that holds one varint.</summary>
    public void WriteNestedVarint(byte outer, byte inner, ulong value)
    {
        Reserve(3 + MaxVarintBytes);
        var field = _room[_position..];
        var length = Put(field[3..], value);
        field[0] = outer;
        field[1] = (byte)(1 + length);
        field[2] = inner;
        _position += 3 + length;
    }

    /// <summary>Writes the text of a number or date, in the invariant culture, as a field; false, and nothing written, when it is longer than 64 bytes.</summary>
    public bool TryWriteValue<T>(byte tag, T value, ReadOnlySpan<char> format)
        where T : struct, IUtf8SpanFormattable
    {
        const int MaxBytes = 64;
        Reserve(2 + MaxBytes);
        if (!value.TryFormat(_room.Slice(_position + 2, MaxBytes), out var length, format, System.Globalization.CultureInfo.InvariantCulture))
            return false;
        _room[_position] = tag;
        _room[_position + 1] = (byte)length;
        _position += 2 + length;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Reserve(int bytes)
    {
        if (_room.Length - _position < bytes)
            Grow(_position + bytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int needed)
    {
        Debug.Assert(_overflow is not null, "The caller knows that the fields fit.");
        _room = _overflow.Grow(Written, needed);
        HasMoved = true;
    }
}

/// <summary>Memory for fields that outgrow the caller's.</summary>
internal sealed class ProtoOverflow
{
    private const int FirstBytes = 16 * 1024;
    private byte[] _room = [];

    /// <summary>Provides room for at least so many bytes, with the same beginning.</summary>
    public byte[] Grow(ReadOnlySpan<byte> written, int needed)
    {
        var room = _room.Length >= needed ? _room : new byte[Math.Max(Math.Max(needed, FirstBytes), _room.Length * 2)];
        written.CopyTo(room);
        return _room = room;
    }

    /// <summary>Releases the memory if it is larger than a limit.</summary>
    public void Trim(int maxBytes)
    {
        if (_room.Length > maxBytes)
            _room = [];
    }
}
