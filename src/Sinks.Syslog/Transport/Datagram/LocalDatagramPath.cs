using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The way to a local datagram socket. Connected, because only then the system says when the receiver's queue has room.</summary>
internal sealed class LocalDatagramPath(TransportClock clock) : IDatagramPath
{
    private ConnectedDatagramSocket? _socket;

    /// <inheritdoc/>
    public DatagramRemedy RemedyFor(SocketError error) => DatagramErrors.ForLocal(error);

    /// <inheritdoc/>
    public bool IsReliable => true;

    /// <summary>Opens the socket.</summary>
    /// <returns>The error; <see cref="SocketError.ProtocolType"/> when the receiver's socket is a stream.</returns>
    public SocketError TryOpen(string path)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
        }
        catch (SocketException exception)
        {
            // Returned: whether it is a stream is for the caller to see.
            socket.Dispose();
            return exception.SocketErrorCode;
        }

        _socket = new ConnectedDatagramSocket(socket, clock);
        return SocketError.Success;
    }

    /// <inheritdoc/>
    public DateTimeOffset? NextDue(TransportSettings settings) => null;

    /// <inheritdoc/>
    public IDatagramSocket Ready(TransportSettings settings, CancellationToken cancellationToken)
    {
        if (_socket is null && TryOpen(settings.Path) is var error && error != SocketError.Success)
            throw SocketErrorClass.ToException(error, $"cannot open {settings.Target}");
        return _socket!;
    }

    /// <inheritdoc/>
    public void LookAgain()
    {
        // a path is not resolved
    }

    /// <inheritdoc/>
    public bool HidesRefusals(TransportSettings settings) => false;

    /// <inheritdoc/>
    public IDatagramSocket? AfterRefusal(TransportSettings settings, int refusals) => null;

    /// <inheritdoc/>
    public void Reopen()
    {
        _socket?.Dispose();
        _socket = null;
    }

    /// <inheritdoc/>
    public void Dispose() => Reopen();
}
