using System.Buffers.Binary;
using System.IO.Compression;

namespace AsyncLog;

/// <summary>Compresses and frames one request after the other. Worker only.</summary>
internal sealed class RequestEncoding : IDisposable
{
    private const int PrefixBytes = 5;
    private const int KeptBytes = 1 << 20;
    private readonly byte[] _prefix = new byte[PrefixBytes];
    private MemoryStream _compressed = new();

    /// <summary>What goes over the wire for a request; valid until the next call.</summary>
    public ExportContent Encode(OtlpRequest request, bool isGrpc, bool isCompressed)
    {
        var pieces = isCompressed ? [Compress(request)] : request.Pieces;
        if (!isGrpc)
            return new ExportContent(default, pieces);
        _prefix[0] = isCompressed ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt32BigEndian(_prefix.AsSpan(1), (uint)(isCompressed ? pieces[0].Length : request.Length));
        return new ExportContent(_prefix, pieces);
    }

    public void Dispose() => _compressed.Dispose();

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
            foreach (var piece in request.Pieces)
                gzip.Write(piece.Span);
        }

        return _compressed.GetBuffer().AsMemory(0, (int)_compressed.Length);
    }
}
