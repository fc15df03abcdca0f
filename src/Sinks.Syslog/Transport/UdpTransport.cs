using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Sends datagrams to a UDP receiver: resolves its name at start, from time to time and after unreachable errors. A failed lookup keeps the last
/// addresses.</summary>
/// <remarks>Of several addresses the first with a route is used until its system refuses a datagram (<c>localhost</c> may be <c>::1</c>, where a
/// receiver on 127.0.0.1 does not listen); then the next one is. This machine refuses a datagram at once; another machine's refusal is about an earlier
/// one, which counts as written.</remarks>
internal sealed class UdpTransport(
    AsyncSyslogLoggerOptions options, DnsResolver resolver, IUdpSockets sockets, SequenceCounter sequence, BoundedWait wait, SinkContext context)
    : DatagramTransport(options, sequence, wait, context)
{
    // A receiver that moved is found soon, and name servers hardly notice.
    private static readonly TimeSpan RefreshTime = TimeSpan.FromMinutes(1);

    // A burst of errors resolves once.
    private static readonly TimeSpan ShortestRefresh = TimeSpan.FromSeconds(1);

    // The system chooses a socket's own address when it connects; a route that changed since then may want another one.
    private static readonly TimeSpan SocketLife = TimeSpan.FromMinutes(5);

    private IDatagramSocket? _socket;
    private long _openedAt;
    private IPAddress? _address;
    private long? _resolvedAgainAt;
    private bool _hasNoRoute;

    public override DateTimeOffset? NextDue
    {
        get
        {
            // Without a socket, the next record resolves the name and may wait for it. While nothing is sent, nothing is resolved.
            if (_socket is null || resolver.BegunAt is not { } begun)
                return null;
            DateTimeOffset now = Clock.UtcNow;
            TimeSpan left = RefreshTime - Clock.Since(begun);
            return left > TimeSpan.Zero ? now + left : now;
        }
    }

    protected override bool IsLocal => Array.TrueForAll(resolver.Addresses, IPAddress.IsLoopback);

    private bool MayResolveAgain => _resolvedAgainAt is not { } last || Clock.Since(last) >= ShortestRefresh;

    protected override SendErrorAction ActionFor(SocketError error) => error switch
    {
        SocketError.WouldBlock => SendErrorAction.WaitForRoom,
        SocketError.NoBufferSpaceAvailable => SendErrorAction.WaitBriefly,
        SocketError.ConnectionRefused => SendErrorAction.SendAgain,
        SocketError.MessageSize => SendErrorAction.Truncate,
        SocketError.NetworkUnreachable or SocketError.HostUnreachable or SocketError.NetworkDown or SocketError.AddressNotAvailable
            => SendErrorAction.DropAndResolve,
        SocketError.AccessDenied => SendErrorAction.Drop,
        _ => SendErrorAction.DropAndReopen,
    };

    protected override IDatagramSocket Ready(CancellationToken cancellationToken)
    {
        Refresh();
        if (_socket is not null)
            return _socket;
        try
        {
            OpenSocket(FindAddress(cancellationToken));
        }
        catch (LogSinkException exception)
        {
            Connections.Failed(Endpoint.ToString(), exception);
            throw;
        }

        Connections.Connected(Endpoint.ToString(), tlsProtocol: "");
        return _socket!;
    }

    protected override IDatagramSocket? NextAddressAfterRefusal(int refusals)
    {
        IPAddress[] addresses = resolver.Addresses;
        if (addresses.Length < 2)
            return refusals == 1 && !IsLocal ? _socket : null;
        if (refusals >= addresses.Length)
            return null;
        int current = Array.IndexOf(addresses, _address);
        if (sockets.FirstReachable([.. addresses[(current + 1)..], .. addresses[..Math.Max(current, 0)]], Endpoint.Port) is not { } next)
            return null;
        CloseSocket();
        OpenSocket(next);
        return _socket;
    }

    protected override void ResolveAgain()
    {
        if (!MayResolveAgain)
            return;
        _hasNoRoute = true;
        _resolvedAgainAt = Clock.Now;
        resolver.Begin();
    }

    protected override void CloseSocket()
    {
        _socket?.Dispose();
        _socket = null;
    }

    private void OpenSocket(IPAddress address)
    {
        _socket = sockets.Open(address, Endpoint.Port);
        _address = address;
        _openedAt = Clock.Now;
    }

    private IPAddress FindAddress(CancellationToken cancellationToken)
    {
        if (resolver.Addresses.Length == 0)
        {
            resolver.Begin();
            if (resolver.Wait(Options.ConnectTimeout, cancellationToken) is { } failure)
                throw failure;
        }

        IPAddress? reachable = sockets.FirstReachable(resolver.Addresses, Endpoint.Port);
        _hasNoRoute = reachable is null;
        // Without a route each send fails, before and after the first success.
        return reachable ?? Array.Find(resolver.Addresses, static address => address.AddressFamily == AddressFamily.InterNetwork) ?? resolver.Addresses[0];
    }

    // Takes the answer of a lookup in the background, and begins the next one when it is due.
    private void Refresh()
    {
        IPAddress[] before = resolver.Addresses;
        // After a failure records go to the last address.
        if (resolver.Collect() is { } failure)
            Context.CountError(failure.ErrorType);
        bool isNew = !ReferenceEquals(resolver.Addresses, before);
        if (isNew || (_hasNoRoute && _resolvedAgainAt is not null && MayResolveAgain))
            FollowRoute();
        if (resolver.BegunAt is not { } begun || Clock.Since(begun) >= RefreshTime)
            resolver.Begin();
        if (_socket is not null && Clock.Since(_openedAt) >= SocketLife)
        {
            CloseSocket();
            OpenSocket(_address!);
        }
    }

    // An address that works stays as long as the name has it.
    private void FollowRoute()
    {
        bool isFit = !_hasNoRoute && Array.IndexOf(resolver.Addresses, _address) >= 0;
        if (isFit || sockets.FirstReachable(resolver.Addresses, Endpoint.Port) is null)
            return;
        _hasNoRoute = false;
        CloseSocket();
    }
}
