namespace AsyncLog;

/// <summary>Bytes in pieces that are kept and filled again, small enough to stay out of the large object heap.</summary>
internal sealed class RequestChunks
{
    private const int ChunkBytes = 64 << 10;
    private const int MostHeader = 6;

    private readonly List<byte[]> _chunks = [];

    public int Length { get; private set; }

    /// <summary>Pieces in use.</summary>
    public int Count => (Length + ChunkBytes - 1) / ChunkBytes;

    public ReadOnlyMemory<byte> this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return _chunks[index].AsMemory(0, Math.Min(ChunkBytes, Length - (index * ChunkBytes)));
        }
    }

    /// <summary>The size of a field with so many bytes: tag and length included.</summary>
    public static int SizeOf(int content) => 1 + ProtoWriter.SizeOf((uint)content) + content;

    public void Clear() => Length = 0;

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
            var (index, offset) = Math.DivRem(Length, ChunkBytes);
            if (index == _chunks.Count)
                _chunks.Add(GC.AllocateUninitializedArray<byte>(ChunkBytes));
            var part = Math.Min(bytes.Length, ChunkBytes - offset);
            bytes[..part].CopyTo(_chunks[index].AsSpan(offset));
            Length += part;
            bytes = bytes[part..];
        }
    }
}
