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
    IDatagramSocket Open(IPAddress address, int port);
}

/// <summary>The system's UDP sockets.</summary>
internal sealed class UdpSockets(BoundedWait wait) : IUdpSockets
{
    public IPAddress? FirstReachable(IReadOnlyList<IPAddress> addresses, int port) => addresses.FirstOrDefault(address => HasRoute(address, port));

    public IDatagramSocket Open(IPAddress address, int port)
    {
        var receiver = new IPEndPoint(address, port);
        try
        {
            var socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
            return new DatagramSocket(socket, wait, receiver);
        }
        catch (SocketException exception)
        {
            throw SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot open a socket to {receiver}");
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

/// <summary>A datagram socket of the system, UDP or Unix. It is connected: the system looks up the route once, and a failed send is no exception.</summary>
/// <param name="socket">Non-blocking; owned.</param>
/// <param name="receiver">Connected to with the first send. Null: the socket is connected.</param>
internal sealed class DatagramSocket(Socket socket, BoundedWait wait, EndPoint? receiver = null) : IDatagramSocket
{
    // An attempt to connect without a route costs an exception: as much as many records.
    private static readonly TimeSpan ConnectPause = TimeSpan.FromMilliseconds(10);

    // Each earlier datagram may be answered, and the answers arrive one by one.
    private const int Repeats = 3;

    private EndPoint? _unconnected = receiver;
    private SocketError _failure;
    private long _failedAt;

    // True if the datagram before this one was not refused at once.
    private bool _isAccepted;

    /// <inheritdoc/>
    /// <remarks>The system reports an ICMP answer to an earlier datagram with the next call, which then sends nothing. A refusal by this machine is known at
    /// once, so the first send, and the first after a refusal, queries it: the record is not lost to an address without a listener.</remarks>
    public SocketError Send(ReadOnlySpan<byte> datagram)
    {
        if (_unconnected is { } endPoint && Connect(endPoint) is var failure && failure != SocketError.Success)
            return failure;
        socket.Send(datagram, SocketFlags.None, out SocketError error);
        for (int repeats = 0; repeats < Repeats && MayBeOfEarlier(error); repeats++)
            socket.Send(datagram, SocketFlags.None, out error);
        if (error == SocketError.ConnectionRefused)
            _isAccepted = false;
        if (error != SocketError.Success || _isAccepted)
            return error;
        _isAccepted = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)! != SocketError.ConnectionRefused;
        return _isAccepted ? SocketError.Success : SocketError.ConnectionRefused;
    }

    public bool WaitWritable(TimeSpan time, CancellationToken cancellationToken) => wait.Wait(socket, SelectMode.SelectWrite, time, cancellationToken);

    public void Dispose() => socket.Dispose();

    // The call that returned it has cleared it; an error of the datagram itself comes again.
    private static bool MayBeOfEarlier(SocketError error) => error switch
    {
        SocketError.Success or SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable or SocketError.ConnectionRefused => false,
        _ => true,
    };

    private SocketError Connect(EndPoint endPoint)
    {
        if (_failure != SocketError.Success && wait.Since(_failedAt) < ConnectPause)
            return _failure;
        try
        {
            socket.Connect(endPoint);
            (_unconnected, _failure) = (null, SocketError.Success);
        }
        catch (SocketException exception)
        {
            // Returned: the transport decides by it.
            (_failure, _failedAt) = (exception.SocketErrorCode, wait.Now);
        }

        return _failure;
    }
}
