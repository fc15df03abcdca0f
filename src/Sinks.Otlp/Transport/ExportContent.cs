using System.Net;

namespace AsyncLog;

/// <summary>The bytes of one request, sent where they lie.</summary>
/// <param name="body">The bytes, in pieces.</param>
internal sealed class ExportContent(IReadOnlyList<ReadOnlyMemory<byte>> body) : HttpContent
{
    private Task _sending = Task.CompletedTask;

    /// <summary>Whether the bytes are read no more: over HTTP/2 an answer may come before the request was sent to its end.</summary>
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
        foreach (ReadOnlyMemory<byte> piece in body)
            stream.Write(piece.Span);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        foreach (ReadOnlyMemory<byte> piece in body)
            length += piece.Length;
        return true;
    }

    private async Task SendAsync(Stream stream, CancellationToken cancellationToken)
    {
        foreach (ReadOnlyMemory<byte> piece in body)
            await stream.WriteAsync(piece, cancellationToken).ConfigureAwait(false);
    }
}
