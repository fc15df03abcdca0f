using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Bench;

/// <summary>A syslog receiver over TCP that behaves, or does not.</summary>
internal sealed class TcpReceiver : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly List<TcpReceiverConnection> _connections = [];
    private readonly Lock _lock = new();
    private readonly ReceiverKind _kind;

    public TcpReceiver(ReceiverKind kind)
    {
        _kind = kind;
        // A slow one shows at once, not when megabytes of buffers are full.
        if (kind is ReceiverKind.Slow or ReceiverKind.Stalled)
            _listener.ReceiveBufferSize = 16 << 10;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var host = kind == ReceiverKind.Unresolved ? "receiver.invalid" : "127.0.0.1";
        Endpoint = new Uri(string.Create(CultureInfo.InvariantCulture, $"tcp://{host}:{((IPEndPoint)_listener.LocalEndPoint!).Port}"));
        // An absent receiver keeps its port and does not listen: the system refuses connections.
        if (kind is ReceiverKind.Absent or ReceiverKind.Unresolved)
            return;
        _listener.Listen();
        new Thread(Accept) { IsBackground = true, Name = "receiver" }.Start();
    }

    /// <summary>Where it is.</summary>
    public Uri Endpoint { get; }

    /// <summary>Whether all that is sent comes in, and none twice.</summary>
    public bool TakesEverything => _kind is ReceiverKind.Healthy or ReceiverKind.Talking;

    /// <summary>Records that came whole.</summary>
    /// <exception cref="InvalidOperationException">What came is not framed.</exception>
    public long Records
    {
        get
        {
            lock (_lock)
                return _connections.Sum(static connection => connection.Records);
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        lock (_lock)
            _connections.ForEach(static connection => connection.Dispose());
    }

    private void Accept()
    {
        try
        {
            while (true)
            {
                var connection = new TcpReceiverConnection(_listener.Accept(), _kind);
                lock (_lock)
                    _connections.Add(connection);
                connection.Start();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the receiver was closed
        }
    }
}
