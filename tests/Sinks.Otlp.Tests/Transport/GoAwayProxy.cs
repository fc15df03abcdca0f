using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport;

/// <summary>Ends its first HTTP/2 connection with GOAWAY as soon as a request comes (RFC 9113, 6.8), and hands all later ones to a real server.</summary>
internal sealed class GoAwayProxy : IDisposable
{
    private const int PrefaceBytes = 24;
    private const int FrameHeaderBytes = 9;
    private const byte HeadersFrame = 1;
    private static readonly byte[] EmptySettings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly byte[] _goAway;
    private readonly int _realPort;
    private readonly Thread _thread;

    /// <param name="realPort">Where later connections go.</param>
    /// <param name="lastStream">The last stream that the server says it may have processed.</param>
    /// <param name="error">The error code.</param>
    public GoAwayProxy(int realPort, byte lastStream, byte error)
    {
        _realPort = realPort;
        _goAway = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, lastStream, 0, 0, 0, error];
        _listener.Start();
        Address = new Uri(FormattableString.Invariant($"http://localhost:{((IPEndPoint)_listener.LocalEndpoint).Port}"));
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    public Uri Address { get; }

    /// <summary>Whether a request met its GOAWAY.</summary>
    public bool HasSent { get; private set; }

    public void Dispose()
    {
        _listener.Stop();
        _thread.Join();
    }

    private void Run()
    {
        try
        {
            using (TcpClient first = _listener.AcceptTcpClient())
                SendAway(first.GetStream());
            while (true)
                _ = ForwardAsync(_listener.AcceptTcpClient());
        }
        catch (SocketException)
        {
            // Stopped.
        }
    }

    private void SendAway(NetworkStream stream)
    {
        stream.ReadExactly(new byte[PrefaceBytes]);
        stream.Write(EmptySettings);
        var header = new byte[FrameHeaderBytes];
        do
        {
            stream.ReadExactly(header);
            stream.ReadExactly(new byte[BinaryPrimitives.ReadInt32BigEndian([0, .. header.AsSpan(0, 3)])]);
        }
        while (header[3] != HeadersFrame);
        stream.Write(_goAway);
        HasSent = true;
        // Its own end, so that the frame is not lost to a reset.
        stream.Socket.Shutdown(SocketShutdown.Send);
        stream.CopyTo(Stream.Null);
    }

    private async Task ForwardAsync(TcpClient client)
    {
        using (client)
        using (var server = new TcpClient())
        {
            await server.ConnectAsync(IPAddress.Loopback, _realPort);
            await Task.WhenAny(client.GetStream().CopyToAsync(server.GetStream()), server.GetStream().CopyToAsync(client.GetStream()));
        }
    }
}
