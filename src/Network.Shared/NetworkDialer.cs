using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Connects to TCP ports: resolves the name, tries its addresses in turn, all within one limit. Any thread.</summary>
/// <remarks>Needs no thread of the pool: the caller waits, and lookups and connects block threads of their own.</remarks>
/// <param name="resolve">Resolves a name; blocks. Null: the system's resolver.</param>
internal sealed class NetworkDialer(BoundedWait wait, Func<string, IPAddress[]>? resolve = null)
{
    private const int IpProtoTcp = 6;
    private const int TcpUserTimeout = 18;
    private const int KeepAliveProbes = 3;

    // An address that failed is tried last for this time, so that it delays one connection and not each. Later the resolver's order counts again: it
    // spreads the load.
    private static readonly TimeSpan TriedLast = TimeSpan.FromMinutes(10);

    private readonly ConcurrentDictionary<string, DnsResolver> _resolvers = new(StringComparer.OrdinalIgnoreCase);

    // The time of the failure, as a reading of the clock.
    private readonly ConcurrentDictionary<IPEndPoint, long> _failures = new();

    /// <summary>Connects.</summary>
    /// <param name="endPoint">The host, a name or an address, and the port.</param>
    /// <param name="limit">The limit of the lookup and all connects together.</param>
    /// <returns>A blocking socket without delay of small segments.</returns>
    /// <exception cref="LogSinkException">There is no connection, and the reason.</exception>
    public Socket Connect(DnsEndPoint endPoint, string target, TimeSpan limit, CancellationToken cancellationToken)
    {
        long began = wait.Now;
        IPEndPoint[] addresses = InOrder(Resolve(endPoint.Host, limit, cancellationToken), endPoint.Port);
        SocketError last = SocketError.HostNotFound;
        for (int i = 0; i < addresses.Length && !cancellationToken.IsCancellationRequested; i++)
        {
            // An address that does not respond leaves time for the others.
            TimeSpan share = (limit - wait.Since(began)) / (addresses.Length - i);
            if (TryConnect(addresses[i], share, cancellationToken, out last) is { } socket)
            {
                _failures.TryRemove(addresses[i], out _);
                return socket;
            }

            if (!cancellationToken.IsCancellationRequested)
                _failures[addresses[i]] = wait.Now;
        }

        throw SocketErrorClass.ToException(cancellationToken.IsCancellationRequested ? SocketError.TimedOut : last, $"cannot connect to {target}");
    }

    /// <summary>Sets the options of a socket that make a connection notice failures sooner, as far as the system lets it.</summary>
    /// <param name="keepAlive">The idle time before the first probe; null: no probes.</param>
    /// <param name="userTimeout">The longest time without an acknowledgement; null: the system's.</param>
    public static void Watch(Socket socket, TimeSpan? keepAlive, TimeSpan? userTimeout)
    {
        if (keepAlive is { } idle)
        {
            int seconds = (int)Math.Clamp(idle.TotalSeconds, 1, short.MaxValue);
            Try(socket, 1, static (target, value) => target.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, value));
            Try(socket, seconds, static (target, value) => target.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, value));
            Try(
                socket, Math.Max(1, seconds / KeepAliveProbes),
                static (target, value) => target.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, value));
            Try(socket, KeepAliveProbes, static (target, value) => target.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, value));
        }

        if (userTimeout is { } limit)
            TrySetLinux(socket, TcpUserTimeout, (int)Math.Min(limit.TotalMilliseconds, int.MaxValue));
    }

    /// <summary>Sets an option of TCP that only Linux has.</summary>
    public static void TrySetLinux(Socket socket, int option, int value)
    {
        if (OperatingSystem.IsLinux())
            Try(socket, value, (target, number) => SetNumber(target, option, number));
    }

    private IPAddress[] Resolve(string host, TimeSpan limit, CancellationToken cancellationToken)
    {
        DnsResolver resolver = _resolvers.GetOrAdd(host, name => new DnsResolver(name, wait, resolve));
        resolver.Begin();
        bool isFirst = resolver.Addresses.Length == 0;
        // A lookup that times out or fails leaves the addresses of last time.
        if (resolver.Wait(isFirst ? limit : limit / 2, cancellationToken) is { } failure && isFirst)
            throw failure;
        return resolver.Addresses;
    }

    private IPEndPoint[] InOrder(IPAddress[] addresses, int port)
    {
        foreach (var (address, failedAt) in _failures)
        {
            if (wait.Since(failedAt) > TriedLast)
                _failures.TryRemove(address, out _);
        }

        return [.. addresses.Select(address => new IPEndPoint(address, port)).OrderBy(_failures.ContainsKey)];
    }

    private Socket? TryConnect(IPEndPoint address, TimeSpan limit, CancellationToken cancellationToken, out SocketError error)
    {
        Socket? socket = null;
        try
        {
            socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            var attempt = new Attempt(socket, address);
            // Not UnsafeStart: the mark that drops records logged on behalf of a sink flows with the execution context.
            new Thread(attempt.Run) { IsBackground = true, Name = $"AsyncLog connect {address}" }.Start();
            error = wait.Wait(attempt.Ended, limit, cancellationToken) ? attempt.Error : SocketError.TimedOut;
        }
        catch (SocketException exception)
        {
            // Returned: the next address may work. This system may not have the address family.
            error = exception.SocketErrorCode;
        }

        if (error == SocketError.Success)
            return socket;
        // Ends a connect that still runs.
        socket?.Dispose();
        return null;
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
            // An_option_that_the_system_refuses_costs_nothing_but_itself.
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

    // Blocks a thread of its own: a socket that does not block reports a connect that has begun by an exception, which stops debuggers.
    private sealed class Attempt(Socket socket, IPEndPoint address)
    {
        public ManualResetEventSlim Ended { get; } = new();

        /// <summary>Valid after <see cref="Ended"/>.</summary>
        public SocketError Error { get; private set; }

        public void Run()
        {
            try
            {
                socket.Connect(address);
            }
            catch (SocketException exception)
            {
                // Returned.
                Error = exception.SocketErrorCode;
            }
            catch (ObjectDisposedException)
            {
                // The caller gave it up before it began, and reads no result.
                Error = SocketError.OperationAborted;
            }
            finally
            {
                Ended.Set();
            }
        }
    }
}
