using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A connection without encryption: TCP or a local stream socket.</summary>
internal sealed class PlainConnection(WireSocket wire, string target) : IStreamConnection
{
    // A peer that talks without end does not keep the worker from sending.
    private const int ReadsAtOnce = 16;
    private readonly byte[] _ignored = new byte[4096];

    /// <inheritdoc/>
    public int WriteLimit => 64 << 10;

    /// <inheritdoc/>
    public bool IsTransparent => true;

    /// <inheritdoc/>
    public bool IsOver { get; private set; }

    /// <inheritdoc/>
    public LogSinkException? Failure { get; private set; }

    /// <inheritdoc/>
    public long WireBytes => wire.WireBytes;

    /// <inheritdoc/>
    public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
    {
        int sent = wire.Send(frames, stallLimit, cancellationToken, out SocketError error);
        if (sent < frames.Length)
            Break(error);
        return sent;
    }

    /// <inheritdoc/>
    public void Look()
    {
        for (int reads = 0; reads < ReadsAtOnce && !IsOver; reads++)
        {
            int received = wire.Receive(_ignored, out SocketError error);
            if (error == SocketError.WouldBlock)
                return;
            if (error != SocketError.Success)
                Break(error);
            else if (received == 0)
                IsOver = true;
        }
    }

    /// <inheritdoc/>
    public void WaitAndLook(TimeSpan time, CancellationToken cancellationToken)
    {
        if (wire.WaitReadable(time, cancellationToken))
            Look();
    }

    /// <inheritdoc/>
    public bool TryReadAcknowledged(out long acknowledged, out long window) => wire.TryReadAcknowledged(out acknowledged, out window);

    /// <inheritdoc/>
    public void Finish(TimeSpan time, CancellationToken cancellationToken)
    {
        if (!IsOver && wire.FinishSending() is var error && error != SocketError.Success)
            Break(error);
    }

    /// <inheritdoc/>
    public void Dispose() => wire.Dispose();

    private void Break(SocketError error)
    {
        IsOver = true;
        Failure = SocketErrorClass.ToException(error, $"the connection to {target} broke");
    }
}
