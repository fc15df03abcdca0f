namespace AsyncLog;

/// <summary>The bytes of one request in pieces: what is written is copied into memory that is kept and filled again, long stretches stay where they lie.</summary>
internal sealed class RequestPieces
{
    // Small enough to stay out of the large object heap.
    private const int ChunkBytes = 64 << 10;

    // A piece is sent by a call of its own, which a shorter stretch is not worth.
    private const int LeastBorrowed = 32 << 10;
    private const int MostHeader = 6;

    private readonly List<byte[]> _chunks = [];
    private readonly List<ReadOnlyMemory<byte>> _pieces = [];
    private int _used;

    // The last chunk in use: where the piece in the making begins, and where it ends so far.
    private int _begin;
    private int _end = ChunkBytes;

    public int Length { get; private set; }

    /// <summary>All of them, in order; valid until <see cref="Clear"/>.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> All => _pieces;

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
        Span<byte> header = stackalloc byte[MostHeader];
        header[0] = tag;
        Write(header[..(1 + ProtoWriter.Put(header[1..], (uint)content))]);
    }

    /// <summary>Copies bytes.</summary>
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

    /// <summary>Takes bytes as they lie if they are many; they stay as they are until <see cref="Clear"/>.</summary>
    public void Add(ReadOnlyMemory<byte> bytes)
    {
        if (bytes.Length < LeastBorrowed)
        {
            Write(bytes.Span);
            return;
        }

        Cut();
        _pieces.Add(bytes);
        Length += bytes.Length;
    }

    /// <summary>Ends the piece in the making.</summary>
    public void Cut()
    {
        if (_end > _begin)
            _pieces.Add(_chunks[_used - 1].AsMemory(_begin, _end - _begin));
        _begin = _end;
    }

    private void Next()
    {
        Cut();
        if (_used == _chunks.Count)
            _chunks.Add(GC.AllocateUninitializedArray<byte>(ChunkBytes));
        _used++;
        _begin = _end = 0;
    }
}
