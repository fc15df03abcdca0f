using System.Net;

namespace AsyncLog;

/// <summary>The bytes of one request, sent where they lie.</summary>
/// <param name="prefix">What comes first; may be empty.</param>
/// <param name="body">The rest, in pieces. Used again as soon as <see cref="Released"/> has ended.</param>
internal sealed class ExportContent(ReadOnlyMemory<byte> prefix, IReadOnlyList<ReadOnlyMemory<byte>> body) : HttpContent
{
    private Task _sending = Task.CompletedTask;

    /// <summary>Ends when nobody reads the body any more: over HTTP/2 an answer may come before the request was sent to its end.</summary>
    public Task Released => Volatile.Read(ref _sending);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Task sending = SendAsync(stream, cancellationToken);
        Volatile.Write(ref _sending, sending);
        return sending;
    }

    protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        stream.Write(prefix.Span);
        foreach (ReadOnlyMemory<byte> piece in body)
            stream.Write(piece.Span);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = prefix.Length;
        foreach (ReadOnlyMemory<byte> piece in body)
            length += piece.Length;
        return true;
    }

    private async Task SendAsync(Stream stream, CancellationToken cancellationToken)
    {
        if (!prefix.IsEmpty)
            await stream.WriteAsync(prefix, cancellationToken).ConfigureAwait(false);
        foreach (ReadOnlyMemory<byte> piece in body)
            await stream.WriteAsync(piece, cancellationToken).ConfigureAwait(false);
    }
}
