using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.PlatformProbe;

/// <summary>Receives datagrams, over UDP or at a path.</summary>
internal sealed class DatagramReceiver : IDisposable
{
    private readonly Socket _socket;
    private readonly ConcurrentQueue<string> _datagrams = new();

    /// <param name="path">The path of the socket; null: UDP on loopback.</param>
    public DatagramReceiver(string? path = null)
    {
        _socket = path is null ? new Socket(SocketType.Dgram, ProtocolType.Udp) : new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        _socket.ReceiveBufferSize = 1 << 20;
        _socket.Bind(path is null ? new IPEndPoint(IPAddress.IPv6Loopback, 0) : new UnixDomainSocketEndPoint(path));
        new Thread(Receive) { IsBackground = true, Name = "receiver" }.Start();
    }

    public string Endpoint => $"udp://[::1]:{((IPEndPoint)_socket.LocalEndPoint!).Port}";

    public IReadOnlyCollection<string> Datagrams => _datagrams;

    public void Dispose() => _socket.Dispose();

    private void Receive()
    {
        var datagram = new byte[64 << 10];
        try
        {
            while (true)
                _datagrams.Enqueue(Encoding.UTF8.GetString(datagram, 0, _socket.Receive(datagram)));
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // Closed.
        }
    }
}
