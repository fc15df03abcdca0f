using System.Buffers.Binary;
using System.IO.Compression;
using System.Net;

namespace AsyncLog;

/// <summary>Compresses and frames one request after the other into a buffer that is reused. Worker only.</summary>
internal sealed class RequestEncoder : IDisposable
{
    private const int PrefixBytes = 5;
    private const int KeptBytes = 4 << 20;
    private const int Granule = 64 << 10;
    private MemoryStream _buffer = new();

    /// <summary>Encodes a request; the content is valid until the next call.</summary>
    /// <param name="isCopied">True if the bytes are copied out of the batch: asynchronous sending may read them after the worker's call ended, see <see cref="AbandonBuffer"/>.</param>
    public RequestContent Encode(OtlpRequest request, AsyncOtlpLoggerOptions options, bool isCopied)
    {
        bool isCompressed = options.Compression == CompressionMethod.Gzip;
        if (!isCopied && !options.IsGrpc && !isCompressed)
            return new RequestContent(request.Pieces);
        if (_buffer.Capacity > KeptBytes)
            AbandonBuffer();
        _buffer.SetLength(0);
        Span<byte> prefix = stackalloc byte[PrefixBytes];
        if (options.IsGrpc)
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

        if (options.IsGrpc)
        {
            prefix[0] = isCompressed ? (byte)1 : (byte)0;
            BinaryPrimitives.WriteUInt32BigEndian(prefix[1..], (uint)_buffer.Length - PrefixBytes);
            prefix.CopyTo(_buffer.GetBuffer());
        }

        return new RequestContent([_buffer.GetBuffer().AsMemory(0, (int)_buffer.Length)]);
    }

    /// <summary>Leaves the buffer to an abandoned attempt that may still read it; the next request gets a new one.</summary>
    public void AbandonBuffer() => _buffer = new MemoryStream();

    public void Dispose() => _buffer.Dispose();

    private static void Write(OtlpRequest request, Stream stream)
    {
        foreach (ReadOnlyMemory<byte> piece in request.Pieces)
            stream.Write(piece.Span);
    }
}

/// <summary>The encoded bytes of one request.</summary>
/// <param name="pieces">The bytes; not copied.</param>
internal sealed class RequestContent(IReadOnlyList<ReadOnlyMemory<byte>> pieces) : HttpContent
{
    private Task _sending = Task.CompletedTask;

    /// <summary>True if the bytes are no longer read: over HTTP/2 a response may come before the request was sent to its end.</summary>
    public bool IsReleased => Volatile.Read(ref _sending).IsCompleted;

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Task sending = SendAsync(stream, cancellationToken);
        Volatile.Write(ref _sending, sending);
        return sending;
    }

    protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> piece in pieces)
            stream.Write(piece.Span);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = pieces.Sum(static piece => (long)piece.Length);
        return true;
    }

    private async Task SendAsync(Stream stream, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> piece in pieces)
            await stream.WriteAsync(piece, cancellationToken).ConfigureAwait(false);
    }
}
