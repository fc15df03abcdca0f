using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>A reusable buffer for one text. It grows, stores at most <see cref="Limit"/> bytes, and counts the rest.</summary>
/// <remarks>If a formatter writes 100 MB, memory stays bounded and the exact length is known. For one thread at a time.</remarks>
internal sealed class RecordBuffer : IBufferWriter<byte>
{
    private const int FirstSize = 1024;

    // Bytes beyond the limit are written there and only counted.
    private const int Ahead = 4096;

    private readonly CleanMark? _mark;
    private byte[] _bytes = [];
    private int _stored;
    private long _total;

    /// <summary>Initializes a buffer without memory; it gets some with its first byte.</summary>
    public RecordBuffer()
    {
    }

    /// <param name="mark">Is marked when the buffer grows beyond what is kept.</param>
    internal RecordBuffer(CleanMark mark) => _mark = mark;

    /// <summary>Gets the maximum number of bytes that are stored.</summary>
    public int Limit { get; private set; } = int.MaxValue;

    /// <summary>Gets the bytes written, those beyond the limit included.</summary>
    public long Total => _total;

    /// <summary>Gets whether bytes were written beyond the limit.</summary>
    public bool IsTruncated
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _total > _stored;
    }

    /// <summary>Gets the number of bytes stored.</summary>
    public int Length => _stored;

    /// <summary>Gets the bytes stored.</summary>
    public ReadOnlySpan<byte> WrittenSpan => _bytes.AsSpan(0, _stored);

    /// <summary>Gets the bytes stored, without an incomplete character at the limit.</summary>
    public ReadOnlySpan<byte> WrittenRunes => IsTruncated ? WrittenSpan[..Truncation.WholeRunes(WrittenSpan)] : WrittenSpan;

    /// <summary>Gets the bytes stored, for changes in place.</summary>
    public Span<byte> Stored => _bytes.AsSpan(0, _stored);

    /// <summary>Gets the bytes stored since a position, and <paramref name="ahead"/> bytes after them that are not advanced yet.</summary>
    internal Span<byte> StoredSince(int position, int ahead) => _bytes.AsSpan(position, _stored - position + ahead);

    /// <summary>Empties the buffer.</summary>
    /// <param name="limit">The maximum number of bytes that it stores from now on.</param>
    public void Reset(int limit)
    {
        _stored = 0;
        _total = 0;
        Limit = limit;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        // Also for a negative count. If a formatter advances too far, an error record is written instead.
        if ((uint)count > (uint)(_bytes.Length - _stored))
            ThrowBeyond(count);
        // After the first byte that was not stored, no byte is stored. Otherwise the stored text would have a gap.
        if (_total == _stored)
            _stored = (int)Math.Min(_total + count, Limit);
        _total += count;
    }

    /// <summary>Counts bytes that need not be written, because the limit is reached.</summary>
    internal void Skip(int count)
    {
        Debug.Assert(count == 0 || _total >= Limit, "Bytes within the limit have to be written.");
        _total += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        var offset = Reserve(sizeHint);
        return _bytes.AsMemory(offset);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        if (_bytes.Length - _stored < Math.Max(sizeHint, 1))
            Reserve(sizeHint);
        return _bytes.AsSpan(_stored);
    }

    /// <summary>Removes everything after the first <paramref name="length"/> bytes.</summary>
    /// <param name="length">At most <see cref="Length"/>.</param>
    public void Rewind(int length)
    {
        Debug.Assert((uint)length <= (uint)_stored, "Only stored bytes can be kept.");
        _stored = length;
        _total = length;
    }

    /// <summary>Appends bytes.</summary>
    /// <param name="bytes">The bytes.</param>
    public void Append(scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        Advance(bytes.Length);
    }

    /// <summary>Inserts bytes before others; only while nothing is truncated.</summary>
    /// <param name="at">Where, at most <see cref="Length"/>.</param>
    /// <param name="bytes">The bytes.</param>
    public void Insert(int at, scoped ReadOnlySpan<byte> bytes)
    {
        Debug.Assert(!IsTruncated, "The bytes after the limit are not known.");
        var tail = _stored - at;
        Reserve(bytes.Length);
        _bytes.AsSpan(at, tail).CopyTo(_bytes.AsSpan(at + bytes.Length));
        bytes.CopyTo(_bytes.AsSpan(at));
        Advance(bytes.Length);
    }

    /// <summary>Removes bytes; only while nothing is truncated.</summary>
    /// <param name="at">The first of them.</param>
    /// <param name="count">Number of bytes.</param>
    public void Remove(int at, int count)
    {
        Debug.Assert(!IsTruncated, "The bytes after the limit are not known.");
        _bytes.AsSpan(at + count, _stored - at - count).CopyTo(_bytes.AsSpan(at));
        Rewind(_stored - count);
    }

    private static void ThrowBeyond(int count)
        => throw new ArgumentOutOfRangeException(nameof(count), count, "Must be at least zero and at most the length of the last span.");

    private int Reserve(int sizeHint)
    {
        var needed = _stored + Math.Max(sizeHint, 1);
        if (needed <= _bytes.Length)
            return _stored;
        Array.Resize(ref _bytes, (int)Math.Max(Math.Max(needed, FirstSize), Math.Min(_bytes.Length * 2L, Math.Min((long)Limit + Ahead, Array.MaxLength))));
        if (_mark is not null && _bytes.Length > CleanMark.Keep)
            _mark.IsSet = true;
        return _stored;
    }

    /// <summary>Releases memory after a record that was far larger than usual; reset the buffer before its next use. Allocates nothing.</summary>
    /// <param name="keep">The largest array that is kept.</param>
    public void Trim(int keep)
    {
        if (_bytes.Length <= keep)
            return;
        _bytes = [];
        _stored = 0;
        _total = 0;
    }
}

/// <summary>Marks that an event has something to release at its end, so that most events need one comparison.</summary>
internal sealed class CleanMark
{
    /// <summary>A larger buffer is released after the record, because each thread that logs keeps its own: 32 KB.</summary>
    public const int Keep = 32 << 10;

    /// <summary>True if a buffer grew beyond <see cref="Keep"/>, or an object is held, since the last event.</summary>
    public bool IsSet { get; set; }
}
