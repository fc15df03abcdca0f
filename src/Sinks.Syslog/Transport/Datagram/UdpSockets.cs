using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The system's UDP sockets.</summary>
internal sealed class UdpSockets(TransportClock clock) : IUdpSockets
{
    /// <inheritdoc/>
    public IPAddress? FirstReachable(IReadOnlyList<IPAddress> addresses, int port)
    {
        foreach (IPAddress address in addresses)
        {
            if (HasRoute(address, port))
                return address;
        }

        return null;
    }

    /// <inheritdoc/>
    public IDatagramSocket Open(IPAddress address, int port, bool isConnected)
    {
        var endPoint = new IPEndPoint(address, port);
        Socket? socket = null;
        try
        {
            socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
            if (!isConnected)
                return new UnconnectedUdpSocket(socket, endPoint.Serialize(), clock);
            socket.Connect(endPoint);
            return new ConnectedDatagramSocket(socket, clock);
        }
        catch (SocketException exception)
        {
            socket?.Dispose();
            throw SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot open a socket to {endPoint}");
        }
    }

    // Connecting a datagram socket sends nothing; the system only looks for a route.
    private static bool HasRoute(IPAddress address, int port)
    {
        try
        {
            using var probe = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            probe.Connect(new IPEndPoint(address, port));
            return true;
        }
        catch (SocketException)
        {
            // The answer is the point; when no address has a route, that is reported.
            return false;
        }
    }
}
