using System.Buffers.Binary;
using System.IO.Compression;

namespace AsyncLog;

/// <summary>Compresses and frames one request after the other. Worker only.</summary>
internal sealed class RequestEncoding : IDisposable
{
    private const int PrefixBytes = 5;
    private const int KeptBytes = 1 << 20;
    private readonly byte[] _prefix = new byte[PrefixBytes];
    private readonly List<ReadOnlyMemory<byte>> _pieces = [];
    private MemoryStream _compressed = new();

    /// <summary>What goes over the wire for a request; valid until the next call.</summary>
    public ExportContent Encode(OtlpRequest request, bool isGrpc, bool isCompressed)
    {
        _pieces.Clear();
        if (isCompressed)
            _pieces.Add(Compress(request));
        else
            AddTo(_pieces, request);
        if (!isGrpc)
            return new ExportContent(default, _pieces);
        _prefix[0] = isCompressed ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt32BigEndian(_prefix.AsSpan(1), (uint)(isCompressed ? _pieces[0].Length : request.Length));
        return new ExportContent(_prefix, _pieces);
    }

    public void Dispose() => _compressed.Dispose();

    private static void AddTo(List<ReadOnlyMemory<byte>> pieces, OtlpRequest request)
    {
        for (int i = 0; i < request.ChunkCount; i++)
            pieces.Add(request.GetChunk(i));
    }

    private ReadOnlyMemory<byte> Compress(OtlpRequest request)
    {
        if (_compressed.Capacity > KeptBytes)
        {
            _compressed.Dispose();
            _compressed = new MemoryStream();
        }

        _compressed.SetLength(0);
        using (var gzip = new GZipStream(_compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            for (int i = 0; i < request.ChunkCount; i++)
                gzip.Write(request.GetChunk(i).Span);
        }

        return _compressed.GetBuffer().AsMemory(0, (int)_compressed.Length);
    }
}
