namespace AsyncLog;

/// <summary>Bytes in pieces that are kept and filled again, small enough to stay out of the large object heap.</summary>
internal sealed class RequestChunks
{
    private const int ChunkBytes = 64 << 10;
    private const int MostHeader = 6;

    private readonly List<byte[]> _chunks = [];

    // What is free at the end of the last piece in use.
    private int _room;

    public int Length => (Count * ChunkBytes) - _room;

    /// <summary>Pieces in use.</summary>
    public int Count { get; private set; }

    public ReadOnlyMemory<byte> this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return _chunks[index].AsMemory(0, index == Count - 1 ? ChunkBytes - _room : ChunkBytes);
        }
    }

    /// <summary>The size of a field with so many bytes: tag and length included.</summary>
    public static int SizeOf(int content) => 1 + ProtoWriter.SizeOf((uint)content) + content;

    public void Clear()
    {
        Count = 0;
        _room = 0;
    }

    /// <summary>Writes tag and length of a field.</summary>
    public void WriteHeader(byte tag, int content)
    {
        Span<byte> header = stackalloc byte[MostHeader];
        header[0] = tag;
        Write(header[..(1 + ProtoWriter.Put(header[1..], (uint)content))]);
    }

    public void Write(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (_room == 0)
                Next();
            var part = Math.Min(bytes.Length, _room);
            bytes[..part].CopyTo(_chunks[Count - 1].AsSpan(ChunkBytes - _room));
            _room -= part;
            bytes = bytes[part..];
        }
    }

    private void Next()
    {
        if (Count == _chunks.Count)
            _chunks.Add(GC.AllocateUninitializedArray<byte>(ChunkBytes));
        Count++;
        _room = ChunkBytes;
    }
}
