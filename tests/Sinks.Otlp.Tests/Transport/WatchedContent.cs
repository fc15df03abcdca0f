using System.Net;

namespace AsyncLog.Tests.Transport;

/// <summary>An answer's body that says how much of it was read.</summary>
internal sealed class WatchedContent : HttpContent
{
    private readonly HttpContent _inner;
    private readonly Action<long> _read;

    public WatchedContent(HttpContent inner, Action<long> read)
    {
        _inner = inner;
        _read = read;
        foreach (var (name, values) in inner.Headers)
            Headers.TryAddWithoutValidation(name, values);
    }

    protected override Stream CreateContentReadStream(CancellationToken cancellationToken) => new CountingStream(_inner.ReadAsStream(cancellationToken), _read);

    protected override async Task<Stream> CreateContentReadStreamAsync() => new CountingStream(await _inner.ReadAsStreamAsync(), _read);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        using Stream counted = await CreateContentReadStreamAsync();
        await counted.CopyToAsync(stream);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void Dispose(bool disposing)
    {
        _inner.Dispose();
        base.Dispose(disposing);
    }

    private sealed class CountingStream(Stream inner, Action<long> read) : Stream
    {
        private long _count;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => _count; set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count) => Note(inner.Read(buffer, offset, count));

        public override int Read(Span<byte> buffer) => Note(inner.Read(buffer));

        public override async Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => Note(await inner.ReadAsync(buffer.AsMemory(offset, count), cancellationToken));

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => Note(await inner.ReadAsync(buffer, cancellationToken));

        public override void Flush()
        {
            // nothing is written
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            inner.Dispose();
            base.Dispose(disposing);
        }

        private int Note(int bytes)
        {
            read(_count += bytes);
            return bytes;
        }
    }
}
