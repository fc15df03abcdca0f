using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests;

/// <summary>A port that answers no connection: its queue of connections is full and nobody takes one.</summary>
internal sealed class FullBacklog : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly List<Socket> _waiting = [];

    public FullBacklog()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(0);
        for (int i = 0; i < 3; i++)
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
            Record.Exception(() => socket.Connect(_listener.LocalEndPoint!));
            _waiting.Add(socket);
        }
    }

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    public void Dispose()
    {
        foreach (Socket socket in _waiting)
            socket.Dispose();
        _listener.Dispose();
    }
}
