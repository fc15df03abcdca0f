using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A socket that sends datagrams to one receiver and never receives. A seam: tests answer each send with an error of their choice.</summary>
internal interface IDatagramSocket : IDisposable
{
    /// <summary>Hands one datagram to the system, without waiting.</summary>
    SocketError Send(ReadOnlySpan<byte> datagram);

    /// <summary>Waits until the system takes datagrams again.</summary>
    /// <returns>False when the time elapsed first.</returns>
    bool WaitWritable(TimeSpan time, CancellationToken cancellationToken);
}

/// <summary>Opens UDP sockets; part of the same seam.</summary>
internal interface IUdpSockets
{
    /// <summary>The first address that this machine has a route to; null when there is none.</summary>
    IPAddress? FirstReachable(IReadOnlyList<IPAddress> addresses, int port);

    /// <summary>Opens a socket to one receiver.</summary>
    /// <exception cref="LogSinkException">It cannot be opened.</exception>
    IDatagramSocket Open(IPAddress address, int port, bool isConnected);
}

/// <summary>The system's UDP sockets.</summary>
internal sealed class UdpSockets(TransportClock clock) : IUdpSockets
{
    public IPAddress? FirstReachable(IReadOnlyList<IPAddress> addresses, int port) => addresses.FirstOrDefault(address => HasRoute(address, port));

    public IDatagramSocket Open(IPAddress address, int port, bool isConnected)
    {
        var endPoint = new IPEndPoint(address, port);
        Socket? socket = null;
        try
        {
            socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
            if (!isConnected)
                return new DatagramSocket(socket, clock, endPoint.Serialize());
            socket.Connect(endPoint);
            return new DatagramSocket(socket, clock);
        }
        catch (SocketException exception)
        {
            socket?.Dispose();
            throw SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot open a socket to {endPoint}");
        }
    }

    // Connecting a datagram socket sends nothing; the system only resolves a route.
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
            // The result is the answer; when no address has a route, that is reported.
            return false;
        }
    }
}

/// <summary>A datagram socket of the system, UDP or Unix.</summary>
/// <param name="socket">Non-blocking; owned.</param>
/// <param name="clock">Bounds the waits.</param>
/// <param name="address">The receiver of an unconnected socket. Null: the socket is connected, and the system reports refusals to it.</param>
internal sealed class DatagramSocket(Socket socket, TransportClock clock, SocketAddress? address = null) : IDatagramSocket
{
    private bool _hasSent;

    /// <inheritdoc/>
    /// <remarks>To a connected socket the system reports a refusal with the next call. A refusal by this machine is known at once, so the first send
    /// queries it: the first record is not lost to an address without a listener.</remarks>
    public SocketError Send(ReadOnlySpan<byte> datagram)
    {
        if (address is not null)
            return SendTo(datagram, address);
        socket.Send(datagram, SocketFlags.None, out SocketError error);
        if (_hasSent || error != SocketError.Success)
            return error;
        _hasSent = true;
        return (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
    }

    public bool WaitWritable(TimeSpan time, CancellationToken cancellationToken) => clock.Wait(socket, SelectMode.SelectWrite, time, cancellationToken);

    public void Dispose() => socket.Dispose();

    private SocketError SendTo(ReadOnlySpan<byte> datagram, SocketAddress receiver)
    {
        try
        {
            socket.SendTo(datagram, SocketFlags.None, receiver);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            // This call has no overload that returns the error; the transport decides by it.
            return exception.SocketErrorCode;
        }
    }
}
