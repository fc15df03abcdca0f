using System.Buffers.Binary;
using System.IO.Compression;

namespace AsyncLog;

/// <summary>Compresses and frames one request after the other. Worker only.</summary>
internal sealed class RequestEncoding : IDisposable
{
    private const int PrefixBytes = 5;
    private const int KeptBytes = 4 << 20;
    private const int Granule = 64 << 10;
    private MemoryStream _buffer = new();

    /// <summary>Makes what goes over the wire for a request; valid until the next call.</summary>
    /// <param name="request">The request.</param>
    /// <param name="isGrpc">Whether a gRPC prefix comes first.</param>
    /// <param name="isCompressed">Whether it is compressed.</param>
    /// <param name="isCopied">Whether the bytes are copied out of the batch, because they may be read after the worker has gone on: see <see cref="LeaveBuffer"/>.</param>
    public ExportContent Encode(OtlpRequest request, bool isGrpc, bool isCompressed, bool isCopied)
    {
        if (!isCopied && !isGrpc && !isCompressed)
            return new ExportContent(request.Pieces);
        if (_buffer.Capacity > KeptBytes)
            LeaveBuffer();
        _buffer.SetLength(0);
        Span<byte> prefix = stackalloc byte[PrefixBytes];
        if (isGrpc)
            _buffer.Write(prefix);
        if (isCompressed)
        {
            using var gzip = new GZipStream(_buffer, CompressionLevel.Fastest, leaveOpen: true);
            Write(request, gzip);
        }
        else
        {
            int needed = (int)_buffer.Length + request.Length;
            if (_buffer.Capacity < needed)
                _buffer.Capacity = (needed + Granule - 1) / Granule * Granule;
            Write(request, _buffer);
        }

        if (isGrpc)
        {
            prefix[0] = isCompressed ? (byte)1 : (byte)0;
            BinaryPrimitives.WriteUInt32BigEndian(prefix[1..], (uint)_buffer.Length - PrefixBytes);
            prefix.CopyTo(_buffer.GetBuffer());
        }

        return new ExportContent([_buffer.GetBuffer().AsMemory(0, (int)_buffer.Length)]);
    }

    /// <summary>Gives up the buffer of the last request, which a left attempt may still read; the next request gets a new one.</summary>
    public void LeaveBuffer() => _buffer = new MemoryStream();

    public void Dispose() => _buffer.Dispose();

    private static void Write(OtlpRequest request, Stream stream)
    {
        foreach (ReadOnlyMemory<byte> piece in request.Pieces)
            stream.Write(piece.Span);
    }
}
