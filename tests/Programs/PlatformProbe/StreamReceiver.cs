using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.PlatformProbe;

/// <summary>Receives streams over TCP or TLS.</summary>
internal sealed class StreamReceiver : IDisposable
{
    private readonly TcpListener _listener;
    private readonly Authority? _authority;
    private readonly Lock _gate = new();
    private readonly MemoryStream _bytes = new();
    private readonly List<TcpClient> _clients = [];

    /// <param name="port">The port; 0: a free one.</param>
    /// <param name="authority">Whose certificate it shows; null: no TLS.</param>
    public StreamReceiver(int port = 0, Authority? authority = null)
    {
        _authority = authority;
        _listener = new TcpListener(IPAddress.Loopback, port);
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        new Thread(Accept) { IsBackground = true, Name = "receiver" }.Start();
    }

    public int Port { get; }

    /// <summary>A port at which nothing listens.</summary>
    public static int ClosedPort
    {
        get
        {
            using var receiver = new StreamReceiver();
            return receiver.Port;
        }
    }

    /// <summary>Everything received, of all connections in their order.</summary>
    public byte[] Bytes
    {
        get
        {
            lock (_gate)
                return _bytes.ToArray();
        }
    }

    /// <summary>The whole frames with a length in front (RFC 6587, 3.4.1) that the bytes begin with.</summary>
    public IReadOnlyList<string> Frames
    {
        get
        {
            var frames = new List<string>();
            ReadOnlySpan<byte> rest = Bytes;
            while (rest.IndexOf((byte)' ') is > 0 and var space)
            {
                if (!int.TryParse(rest[..space], NumberStyles.None, CultureInfo.InvariantCulture, out var length))
                    throw new CheckException($"no length: {Encoding.UTF8.GetString(rest[..space])}");
                if (rest.Length < space + 1 + length)
                    break;
                frames.Add(Encoding.UTF8.GetString(rest.Slice(space + 1, length)));
                rest = rest[(space + 1 + length)..];
            }

            return frames;
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        lock (_gate)
        {
            foreach (var client in _clients)
            {
                // Reset: the port is free for the next receiver at once.
                client.LingerState = new LingerOption(enable: true, seconds: 0);
                client.Dispose();
            }
        }
    }

    private void Accept()
    {
        try
        {
            while (true)
            {
                var client = _listener.AcceptTcpClient();
                lock (_gate)
                    _clients.Add(client);
                new Thread(() => Receive(client)) { IsBackground = true, Name = "receiver connection" }.Start();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // Closed.
        }
    }

    private void Receive(TcpClient client)
    {
        var buffer = new byte[64 << 10];
        try
        {
            Stream stream = client.GetStream();
            if (_authority is not null)
            {
                var tls = new SslStream(stream);
                tls.AuthenticateAsServer(_authority.Server);
                stream = tls;
            }

            while (stream.Read(buffer) is > 0 and var count)
            {
                lock (_gate)
                    _bytes.Write(buffer.AsSpan(0, count));
            }
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException or InvalidOperationException or System.Security.Authentication.AuthenticationException)
        {
            // The connection ended, or the client refused the certificate.
        }
    }
}
