using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Connects to a receiver of a stream: a Unix socket, or a TCP port, with TLS for <c>tls://</c>.</summary>
/// <param name="options">Resolved options; only the endpoint is taken from them.</param>
/// <param name="dialer">Connects to TCP ports; null: that of the system.</param>
internal sealed class StreamDialer(AsyncSyslogLoggerOptions options, BoundedWait wait, NetworkDialer? dialer = null)
{
    private const int TcpNotSentLowWater = 25;

    // Limit of unsent bytes in the local system: a slow reader delays them, a broken connection loses them unseen.
    private const int NotSentBytes = 16 << 10;

    private readonly SyslogEndpoint _endpoint = new(options.Endpoint!);
    private readonly NetworkDialer _dialer = dialer ?? new NetworkDialer(wait);

    /// <summary>Connects.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <exception cref="LogSinkException">There is no connection, and the reason.</exception>
    public IStreamConnection Connect(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken) => _endpoint.Scheme switch
    {
        SyslogEndpoint.Unix => ConnectUnix(),
        SyslogEndpoint.Tls => TlsConnection.Open(options, _endpoint, () => ConnectTcp(options, cancellationToken), wait, cancellationToken),
        _ => ConnectTcp(options, cancellationToken),
    };

    /// <summary>Sets the options of a socket that make a connection notice failures sooner, as far as the system lets it.</summary>
    internal static void Configure(Socket socket, AsyncSyslogLoggerOptions options)
    {
        NetworkDialer.Watch(socket, options.KeepAlive, options.UserTimeout);
        NetworkDialer.TrySetLinux(socket, TcpNotSentLowWater, NotSentBytes);
    }

    private SocketConnection ConnectUnix()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(_endpoint.Path));
            return new SocketConnection(socket, wait, _endpoint.ToString(), readUnread: UnixQueue.ReadUnread);
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot connect to {_endpoint}");
        }
    }

    private SocketConnection ConnectTcp(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken)
    {
        Socket socket = _dialer.Connect(new DnsEndPoint(_endpoint.Host, _endpoint.Port), _endpoint.ToString(), options.ConnectTimeout, cancellationToken);
        try
        {
            socket.Blocking = false;
            Configure(socket, options);
            return new SocketConnection(socket, wait, _endpoint.ToString());
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
