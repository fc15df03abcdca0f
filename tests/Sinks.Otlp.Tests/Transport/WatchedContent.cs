using System.Net;

namespace AsyncLog.Tests.Transport;

/// <summary>An answer's body that says when nobody reads it any more.</summary>
internal sealed class WatchedContent : HttpContent
{
    private readonly HttpContent _inner;
    private Action? _ended;

    public WatchedContent(HttpContent inner, Action ended)
    {
        _inner = inner;
        _ended = ended;
        foreach (var (name, values) in inner.Headers)
            Headers.TryAddWithoutValidation(name, values);
    }

    protected override Stream CreateContentReadStream(CancellationToken cancellationToken) => _inner.ReadAsStream(cancellationToken);

    protected override Task<Stream> CreateContentReadStreamAsync() => _inner.ReadAsStreamAsync();

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => _inner.CopyToAsync(stream);

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void Dispose(bool disposing)
    {
        _inner.Dispose();
        Interlocked.Exchange(ref _ended, null)?.Invoke();
        base.Dispose(disposing);
    }
}
