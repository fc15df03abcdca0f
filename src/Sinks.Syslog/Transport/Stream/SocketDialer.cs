using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Opens connected TCP sockets: resolves the name, tries its addresses in turn, all within one limit.</summary>
internal sealed class SocketDialer(NameLookup lookup, TransportClock clock)
{
    private const int IpProtoTcp = 6;
    private const int TcpUserTimeout = 18;
    private const int TcpNotSentLowWater = 25;

    // What the own system holds unsent at most: it is what a slow reader delays, and what a broken connection takes along unseen.
    private const int NotSentBytes = 16 << 10;
    private const int KeepAliveProbes = 3;

    /// <exception cref="LogSinkException">No address could be connected to.</exception>
    public WireSocket Dial(TransportSettings settings, CancellationToken cancellationToken)
    {
        long began = clock.Now;
        Resolve(settings, cancellationToken);
        IPAddress[] addresses = lookup.Addresses;
        SocketError last = SocketError.HostNotFound;
        for (int i = 0; i < addresses.Length; i++)
        {
            // One that does not answer leaves time for the others.
            TimeSpan share = (settings.ConnectTimeout - clock.Since(began)) / (addresses.Length - i);
            Socket? socket = TryConnect(addresses[i], settings.Port, share, cancellationToken, out last);
            if (socket is not null)
                return Use(socket, settings);
        }

        throw SocketErrorClass.ToException(last, $"cannot connect to {settings.Target}");
    }

    /// <summary>Sets what makes a connection notice trouble sooner, as far as the system lets it.</summary>
    internal static void Configure(Socket socket, TransportSettings settings)
    {
        if (settings.KeepAlive is { } idle)
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
        if (settings.UserTimeout is { } limit)
            Try(socket, (int)Math.Min(limit.TotalMilliseconds, int.MaxValue), static (target, value) => SetNumber(target, TcpUserTimeout, value));
    }

    // An answer that does not come, or a failure, leaves the addresses of last time.
    private void Resolve(TransportSettings settings, CancellationToken cancellationToken)
    {
        lookup.Begin();
        bool isFirst = lookup.Addresses.Length == 0;
        if (lookup.Wait(isFirst ? settings.ConnectTimeout : settings.ConnectTimeout / 2, cancellationToken) is { } failure && isFirst)
            throw failure;
    }

    private Socket? TryConnect(IPAddress address, int port, TimeSpan limit, CancellationToken cancellationToken, out SocketError error)
    {
        Socket? socket = null;
        error = SocketError.Success;
        try
        {
            socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            socket.Blocking = false;
            socket.NoDelay = true;
            error = Begin(socket, new IPEndPoint(address, port));
            if (error == SocketError.Success && !clock.Wait(socket, SelectMode.SelectWrite, limit, cancellationToken))
                error = SocketError.TimedOut;
            if (error == SocketError.Success)
                error = (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        }
        catch (SocketException exception)
        {
            // Returned: the next address may do.
            error = exception.SocketErrorCode;
        }

        if (error == SocketError.Success)
            return socket;
        socket?.Dispose();
        return null;
    }

    private static SocketError Begin(Socket socket, IPEndPoint endPoint)
    {
        try
        {
            socket.Connect(endPoint);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            // A socket that does not block says so by throwing.
            return exception.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress ? SocketError.Success : exception.SocketErrorCode;
        }
    }

    private WireSocket Use(Socket socket, TransportSettings settings)
    {
        try
        {
            Configure(socket, settings);
            return new WireSocket(socket, clock);
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
            // An older system or a sandbox: records go out without it too, only trouble is noticed later; test
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
