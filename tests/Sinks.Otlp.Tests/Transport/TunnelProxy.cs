using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport;

/// <summary>A proxy for one name: a tunnel to a port of this machine.</summary>
internal sealed class TunnelProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ProxyFor _use;
    private readonly int _port;
    private int _tunnels;

    public TunnelProxy(string host, int port)
    {
        _port = port;
        _listener.Start();
        _use = new ProxyFor(host, ((IPEndPoint)_listener.LocalEndpoint).Port);
        _ = AcceptAsync();
    }

    /// <summary>The number of tunnels so far.</summary>
    public int Tunnels => Volatile.Read(ref _tunnels);

    public void Dispose()
    {
        _use.Dispose();
        _listener.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = TunnelAsync(await _listener.AcceptTcpClientAsync());
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the test is over
        }
    }

    private async Task TunnelAsync(TcpClient client)
    {
        using (client)
        using (var server = new TcpClient())
        {
            NetworkStream stream = client.GetStream();
            using (var question = new StreamReader(stream, leaveOpen: true))
            {
                while (await question.ReadLineAsync() is { Length: > 0 })
                {
                }
            }

            await server.ConnectAsync(IPAddress.Loopback, _port);
            Interlocked.Increment(ref _tunnels);
            await stream.WriteAsync("HTTP/1.1 200 OK\r\n\r\n"u8.ToArray());
            await Task.WhenAny(stream.CopyToAsync(server.GetStream()), server.GetStream().CopyToAsync(stream));
        }
    }
}
