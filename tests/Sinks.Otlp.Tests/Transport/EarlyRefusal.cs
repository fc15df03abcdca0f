using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Tests.Transport;

/// <summary>A gateway at the far end of a slow connection. It answers a request that is too large with 413 before it has read it, and resets the connection
/// while the client still sends.</summary>
internal sealed class EarlyRefusal : IDisposable
{
    private const int TcpMaxSegment = 2;
    private const int EthernetSegment = 1460;
    private const int SmallBuffer = 4096;
    private const int SlowReads = 8;
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly int _maxBytes;
    private readonly List<StubRequest> _requests = [];
    private readonly Lock _lock = new();
    private int _refusals;

    public EarlyRefusal(int maxBytes)
    {
        _maxBytes = maxBytes;
        // Those of accepted connections too: the client's system takes little more than the gateway reads. The segments of loopback would let it take
        // the whole request.
        _listener.Server.ReceiveBufferSize = SmallBuffer;
        NetworkDialer.TrySetLinux(_listener.Server, TcpMaxSegment, EthernetSegment);
        _listener.Start();
        Address = new Uri(FormattableString.Invariant($"http://localhost:{((IPEndPoint)_listener.LocalEndpoint).Port}/v1/logs"));
        new Thread(Accept) { IsBackground = true, Name = "early refusal" }.Start();
    }

    public Uri Address { get; }

    public int Refusals => Volatile.Read(ref _refusals);

    public int RecordCount
    {
        get
        {
            lock (_lock)
                return _requests.Sum(static request => request.RecordCount);
        }
    }

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                Socket socket = _listener.AcceptSocket();
                new Thread(() => Serve(socket)) { IsBackground = true, Name = "early refusal connection" }.Start();
            }
        }
        catch (Exception exception) when (exception is SocketException or InvalidOperationException)
        {
            // the listener was closed
        }
    }

    private void Serve(Socket socket)
    {
        try
        {
            using var stream = new NetworkStream(socket, ownsSocket: true);
            while (ReadHeader(stream) is { } length)
            {
                if (length > _maxBytes)
                {
                    Refuse(socket);
                    return;
                }

                byte[] body = new byte[length];
                stream.ReadExactly(body);
                lock (_lock)
                    _requests.Add(new StubRequest("POST", "/v1/logs", "HTTP/1.1", new Dictionary<string, string>(StringComparer.Ordinal), body, body));
                stream.Write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"u8);
            }
        }
        catch (IOException)
        {
            // the client closed the connection
        }
    }

    private void Refuse(Socket socket)
    {
        socket.Send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"u8);
        byte[] buffer = new byte[SmallBuffer / 4];
        for (int i = 0; i < SlowReads; i++)
        {
            Thread.Sleep(1);
            socket.Receive(buffer);
        }

        Interlocked.Increment(ref _refusals);
        socket.LingerState = new LingerOption(enable: true, seconds: 0);
    }

    // The length of the body; null: the client sends nothing more.
    private static int? ReadHeader(NetworkStream stream)
    {
        var header = new List<byte>();
        while (!header.TakeLast(4).SequenceEqual("\r\n\r\n"u8.ToArray()))
        {
            int value = stream.ReadByte();
            if (value < 0)
                return null;
            header.Add((byte)value);
        }

        string line = Encoding.ASCII.GetString([.. header]).Split("\r\n").Single(static text => text.StartsWith("Content-Length: ", StringComparison.OrdinalIgnoreCase));
        return int.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture);
    }
}
