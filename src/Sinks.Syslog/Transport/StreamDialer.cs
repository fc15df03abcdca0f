using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Connects to a receiver of a stream: a Unix socket, or a TCP port, with TLS for <c>tls://</c>. Resolves the name, tries its addresses in turn,
/// all within one limit.</summary>
/// <param name="options">Resolved options; only the endpoint is taken from them.</param>
/// <param name="clock">Bounds the waits.</param>
/// <param name="resolver">Resolves the receiver's name; null: made for the endpoint.</param>
internal sealed class StreamDialer(AsyncSyslogOptions options, TransportClock clock, DnsResolver? resolver = null)
{
    private const int IpProtoTcp = 6;
    private const int TcpUserTimeout = 18;
    private const int TcpNotSentLowWater = 25;

    // Limit of unsent bytes in the local system: a slow reader delays them, a broken connection loses them unseen.
    private const int NotSentBytes = 16 << 10;
    private const int KeepAliveProbes = 3;

    private readonly SyslogEndpoint _endpoint = SyslogEndpoint.Of(options);
    private readonly DnsResolver _resolver = resolver ?? new DnsResolver(SyslogEndpoint.Of(options).Host, clock);

    /// <summary>Connects.</summary>
    /// <param name="options">The options in force.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <exception cref="LogSinkException">There is no connection, and the reason.</exception>
    public IStreamConnection Connect(AsyncSyslogOptions options, CancellationToken cancellationToken) => _endpoint.Scheme switch
    {
        SyslogEndpoint.Unix => ConnectUnix(),
        SyslogEndpoint.Tls => TlsConnection.Open(options, _endpoint, () => ConnectTcp(options, cancellationToken), clock, cancellationToken),
        _ => ConnectTcp(options, cancellationToken),
    };

    /// <summary>Sets the options of a socket that make a connection notice failures sooner, as far as the system lets it.</summary>
    internal static void Configure(Socket socket, AsyncSyslogOptions options)
    {
        if (options.KeepAlive is { } idle)
        {
            int seconds = (int)Math.Clamp(idle.TotalSeconds, 1, short.MaxValue);
            Try(socket, 1, static (target, value) => target.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, value));
            Try(socket, seconds, static (target, value) => target.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, value));
            Try(
                socket, Math.Max(1, seconds / KeepAliveProbes),
                static (target, value) => target.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, value));
            Try(socket, KeepAliveProbes, static (target, value) => target.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, value));
        }

        if (!OperatingSystem.IsLinux())
            return;
        Try(socket, NotSentBytes, static (target, value) => SetNumber(target, TcpNotSentLowWater, value));
        if (options.UserTimeout is { } limit)
            Try(socket, (int)Math.Min(limit.TotalMilliseconds, int.MaxValue), static (target, value) => SetNumber(target, TcpUserTimeout, value));
    }

    private SocketConnection ConnectUnix()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(_endpoint.Path));
            return new SocketConnection(socket, clock, _endpoint.ToString());
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw SocketErrorClass.ToException(exception.SocketErrorCode, $"cannot connect to {_endpoint}");
        }
    }

    private SocketConnection ConnectTcp(AsyncSyslogOptions options, CancellationToken cancellationToken)
    {
        long began = clock.Now;
        Resolve(options.ConnectTimeout, cancellationToken);
        IPAddress[] addresses = _resolver.Addresses;
        SocketError last = SocketError.HostNotFound;
        for (int i = 0; i < addresses.Length; i++)
        {
            // An address that does not respond leaves time for the others.
            TimeSpan share = (options.ConnectTimeout - clock.Since(began)) / (addresses.Length - i);
            if (TryConnect(addresses[i], share, cancellationToken, out last) is { } socket)
                return Use(socket, options);
        }

        throw SocketErrorClass.ToException(last, $"cannot connect to {_endpoint}");
    }

    // A lookup that times out or fails leaves the addresses of last time.
    private void Resolve(TimeSpan connectTimeout, CancellationToken cancellationToken)
    {
        _resolver.Begin();
        bool isFirst = _resolver.Addresses.Length == 0;
        if (_resolver.Wait(isFirst ? connectTimeout : connectTimeout / 2, cancellationToken) is { } failure && isFirst)
            throw failure;
    }

    private Socket? TryConnect(IPAddress address, TimeSpan limit, CancellationToken cancellationToken, out SocketError error)
    {
        Socket? socket = null;
        error = SocketError.Success;
        try
        {
            socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            socket.Blocking = false;
            socket.NoDelay = true;
            error = BeginConnect(socket, new IPEndPoint(address, _endpoint.Port));
            if (error == SocketError.Success && !clock.Wait(socket, SelectMode.SelectWrite, limit, cancellationToken))
                error = SocketError.TimedOut;
            if (error == SocketError.Success)
                error = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        }
        catch (SocketException exception)
        {
            // Returned: the next address may work.
            error = exception.SocketErrorCode;
        }

        if (error == SocketError.Success)
            return socket;
        socket?.Dispose();
        return null;
    }

    private static SocketError BeginConnect(Socket socket, IPEndPoint endPoint)
    {
        try
        {
            socket.Connect(endPoint);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            // A non-blocking socket reports it by an exception.
            return exception.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress ? SocketError.Success : exception.SocketErrorCode;
        }
    }

    private SocketConnection Use(Socket socket, AsyncSyslogOptions options)
    {
        try
        {
            Configure(socket, options);
            return new SocketConnection(socket, clock, _endpoint.ToString());
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void Try(Socket socket, int value, Action<Socket, int> set)
    {
        try
        {
            set(socket, value);
        }
        catch (SocketException)
        {
            // An older system or a sandbox: records go out without it too, only failures are noticed later; test
            // SY_55_SY_56_An_option_that_the_system_refuses_costs_nothing_but_itself.
        }
    }

    private static void SetNumber(Socket socket, int option, int value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        if (BitConverter.IsLittleEndian)
            BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        else
            BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        socket.SetRawSocketOption(IpProtoTcp, option, bytes);
    }
}
