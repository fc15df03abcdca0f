namespace AsyncLog;

/// <summary>Makes plain TCP connections.</summary>
internal sealed class TcpDialer(SocketDialer sockets) : IStreamDialer
{
    /// <inheritdoc/>
    public IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken)
        => new PlainConnection(sockets.Dial(settings, cancellationToken), settings.Target);
}
