namespace AsyncLog;

/// <summary>The bytes of one request in pieces: short ranges are copied into chunks that are reused, long ones are referenced.</summary>
internal sealed class SegmentedBuffer
{
    // Small enough to stay out of the large object heap.
    private const int ChunkBytes = 64 << 10;

    // A piece is sent by a call of its own, which costs more than copying a shorter range.
    private const int MinReferenced = 32 << 10;
    private const int MaxHeaderBytes = 6;

    private readonly List<byte[]> _chunks = [];
    private readonly List<ReadOnlyMemory<byte>> _pieces = [];
    private int _used;

    // The open piece, in the last chunk in use.
    private int _begin;
    private int _end = ChunkBytes;

    public int Length { get; private set; }

    /// <summary>The pieces in order; valid until <see cref="Clear"/>.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Pieces => _pieces;

    public void Clear()
    {
        _pieces.Clear();
        _used = 0;
        _begin = _end = ChunkBytes;
        Length = 0;
    }

    /// <summary>Writes tag and length of a field.</summary>
    public void WriteHeader(byte tag, int content)
    {
        Span<byte> header = stackalloc byte[MaxHeaderBytes];
        header[0] = tag;
        Write(header[..(1 + ProtoWriter.Put(header[1..], (uint)content))]);
    }

    public void Write(ReadOnlySpan<byte> bytes)
    {
        Length += bytes.Length;
        while (!bytes.IsEmpty)
        {
            if (_end == ChunkBytes)
                Next();
            var part = Math.Min(bytes.Length, ChunkBytes - _end);
            bytes[..part].CopyTo(_chunks[_used - 1].AsSpan(_end));
            _end += part;
            bytes = bytes[part..];
        }
    }

    /// <summary>Adds bytes, by reference if they are many: they must not change until <see cref="Clear"/>.</summary>
    public void Add(ReadOnlyMemory<byte> bytes)
    {
        if (bytes.Length < MinReferenced)
        {
            Write(bytes.Span);
            return;
        }

        EndPiece();
        _pieces.Add(bytes);
        Length += bytes.Length;
    }

    /// <summary>Ends the open piece.</summary>
    public void EndPiece()
    {
        if (_end > _begin)
            _pieces.Add(_chunks[_used - 1].AsMemory(_begin, _end - _begin));
        _begin = _end;
    }

    private void Next()
    {
        EndPiece();
        if (_used == _chunks.Count)
            _chunks.Add(GC.AllocateUninitializedArray<byte>(ChunkBytes));
        _used++;
        _begin = _end = 0;
    }
}
