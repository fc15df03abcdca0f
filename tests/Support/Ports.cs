using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests;

/// <summary>Ports for what cannot choose one itself: a program that is told where to listen, or an address at which nothing may listen.</summary>
internal static class Ports
{
    // Below the range from which the kernel takes ports for sockets that ask for none, and below that of tests/receivers: only this helper takes
    // them, so that a port that was free stays free until it is used.
    private const int First = 10_000;
    private const int End = 15_000;

    // Two tests that run side by side never get the same.
    private static readonly ConcurrentDictionary<int, bool> Taken = new();

    /// <summary>A port on loopback that no TCP or UDP socket has, and that this process has not given to another test.</summary>
    public static int Free()
    {
        while (true)
        {
            var port = Random.Shared.Next(First, End);
            if (Taken.TryAdd(port, true) && CanBind(SocketType.Stream, ProtocolType.Tcp, port) && CanBind(SocketType.Dgram, ProtocolType.Udp, port))
                return port;
        }
    }

    private static bool CanBind(SocketType type, ProtocolType protocol, int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, type, protocol);
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
            return true;
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
        {
            return false;
        }
    }
}
