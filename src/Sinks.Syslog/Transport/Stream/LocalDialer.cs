using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Connects to a local stream socket.</summary>
internal sealed class LocalDialer(TransportClock clock) : IStreamDialer
{
    /// <inheritdoc/>
    public IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(settings.Path));
            return new PlainConnection(new WireSocket(socket, clock), settings.Target);
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot connect to {settings.Target}");
        }
    }
}
