using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Scratch space of one thread for one text: grows, is reused, stores at most <see cref="Limit"/> bytes and only counts the rest.</summary>
/// <remarks>So a formatter may write 100 MB: memory stays bounded, and the exact length is known.</remarks>
internal sealed class RecordBuffer : IBufferWriter<byte>
{
    private const int FirstSize = 1024;

    // Room behind the limit, where what is only counted is written.
    private const int Ahead = 4096;

    private byte[] _bytes = new byte[FirstSize];
    private int _stored;
    private long _total;

    /// <summary>The most bytes that are stored.</summary>
    public int Limit { get; private set; } = int.MaxValue;

    /// <summary>Bytes written, those beyond the limit included.</summary>
    public long Total => _total;

    /// <summary>Whether bytes were written beyond the limit.</summary>
    public bool IsCut
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _total > _stored;
    }

    /// <summary>Bytes stored.</summary>
    public int Length => _stored;

    /// <summary>What is stored.</summary>
    public ReadOnlySpan<byte> WrittenSpan => _bytes.AsSpan(0, _stored);

    /// <summary>What is stored, without a character that the limit split.</summary>
    public ReadOnlySpan<byte> WrittenRunes => IsCut ? WrittenSpan[..Utf8Boundary.WholeRunes(WrittenSpan)] : WrittenSpan;

    /// <summary>What is stored, for changes in place.</summary>
    public Span<byte> Stored => _bytes.AsSpan(0, _stored);

    /// <summary>What is stored since a position, and <paramref name="ahead"/> bytes that were written behind it and not advanced yet.</summary>
    public ReadOnlySpan<byte> StoredSince(int position, int ahead) => _bytes.AsSpan(position, _stored - position + ahead);

    public void Reset(int limit)
    {
        _stored = 0;
        _total = 0;
        Limit = limit;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        // Negative too; a formatter that goes beyond what it was given gets its placeholder.
        if ((uint)count > (uint)(_bytes.Length - _stored))
            ThrowBeyond(count);
        // Once a byte was lost nothing may follow it, or the stored text would have a hole.
        if (_total == _stored)
            _stored = (int)Math.Min(_total + count, Limit);
        _total += count;
    }

    /// <summary>Counts bytes that are not written, for the limit is reached.</summary>
    public void Skip(int count)
    {
        Debug.Assert(count == 0 || _total >= Limit, "Bytes within the limit have to be written.");
        _total += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        var offset = Reserve(sizeHint);
        return _bytes.AsMemory(offset);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        if (_bytes.Length - _stored < Math.Max(sizeHint, 1))
            Reserve(sizeHint);
        return _bytes.AsSpan(_stored);
    }

    /// <summary>Takes back the last bytes that were stored.</summary>
    public void Rewind(int length)
    {
        _stored = length;
        _total = length;
    }

    public void Append(scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        Advance(bytes.Length);
    }

    /// <summary>Puts bytes before others that are stored; only while nothing is cut.</summary>
    public void Insert(int at, scoped ReadOnlySpan<byte> bytes)
    {
        var tail = _stored - at;
        Reserve(bytes.Length);
        _bytes.AsSpan(at, tail).CopyTo(_bytes.AsSpan(at + bytes.Length));
        bytes.CopyTo(_bytes.AsSpan(at));
        Advance(bytes.Length);
    }

    /// <summary>Takes bytes out of the middle; only while nothing is cut.</summary>
    public void Remove(int at, int count)
    {
        _bytes.AsSpan(at + count, _stored - at - count).CopyTo(_bytes.AsSpan(at));
        Rewind(_stored - count);
    }

    private static void ThrowBeyond(int count)
        => throw new ArgumentOutOfRangeException(nameof(count), count, "Less than zero, or more than the span that was given holds.");

    private int Reserve(int sizeHint)
    {
        var needed = _stored + Math.Max(sizeHint, 1);
        if (needed > _bytes.Length)
            Array.Resize(ref _bytes, (int)Math.Max(needed, Math.Min(_bytes.Length * 2L, Math.Min((long)Limit + Ahead, Array.MaxLength))));
        return _stored;
    }

    /// <summary>Gives memory back after a record that was far larger than usual.</summary>
    /// <param name="keep">The largest array that is kept.</param>
    public void Trim(int keep)
    {
        if (_bytes.Length > keep)
            _bytes = new byte[FirstSize];
    }
}
