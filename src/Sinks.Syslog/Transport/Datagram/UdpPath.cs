using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The way to a UDP receiver: resolves its name at start, from time to time and after unreachable errors. A failed lookup keeps the last address.</summary>
/// <remarks>Of several addresses the first with a route is used until its system refuses a datagram (<c>localhost</c> may be <c>::1</c>, where a
/// receiver on 127.0.0.1 does not listen); then the next one is. The system reports refusals to a connected socket only.</remarks>
internal sealed class UdpPath(NameLookup lookup, IUdpSockets sockets, TransportClock clock, ITransportVoice voice) : IDatagramPath
{
    // A burst of errors asks once.
    private static readonly TimeSpan ShortestRefresh = TimeSpan.FromSeconds(1);
    private IDatagramSocket? _socket;
    private IPAddress? _address;
    private long _lookedAgainAt;
    private bool _hasLookedAgain;
    private bool _hasNoRoute;
    private bool _isConnected;

    /// <inheritdoc/>
    public DatagramRemedy RemedyFor(SocketError error) => DatagramErrors.ForUdp(error);

    /// <inheritdoc/>
    public bool IsReliable => false;

    /// <inheritdoc/>
    public DateTimeOffset? NextDue(TransportSettings settings)
    {
        // Without a socket the next record asks for the name, and may have to wait for it: that is not done in silence.
        if (_socket is null || lookup.BegunAt is not { } begun)
            return null;
        DateTimeOffset now = clock.UtcNow;
        TimeSpan left = settings.DnsRefresh - clock.Since(begun);
        // No instant can be said for what lies behind the end of the calendar.
        return left >= DateTimeOffset.MaxValue - now ? null : left > TimeSpan.Zero ? now + left : now;
    }

    /// <inheritdoc/>
    public IDatagramSocket Ready(TransportSettings settings, CancellationToken cancellationToken)
    {
        Follow(settings);
        if (_socket is not null)
            return _socket;
        try
        {
            _address = FindAddress(settings, cancellationToken);
            _socket = Open(settings, _address);
        }
        catch (LogSinkException exception)
        {
            voice.ConnectFailed(settings.Target, exception);
            throw;
        }

        voice.Connected(settings.Target, tlsProtocol: "");
        return _socket;
    }

    /// <inheritdoc/>
    public IDatagramSocket? AfterRefusal(TransportSettings settings, int refusals)
    {
        IPAddress[] addresses = lookup.Addresses;
        if (addresses.Length < 2)
            return refusals == 1 ? _socket : null;
        if (refusals >= addresses.Length)
            return null;
        int current = Array.IndexOf(addresses, _address);
        if (sockets.FirstReachable([.. addresses[(current + 1)..], .. addresses[..Math.Max(current, 0)]], settings.Port) is not { } next)
            return null;
        Reopen();
        _socket = Open(settings, next);
        _address = next;
        return _socket;
    }

    /// <inheritdoc/>
    public bool HidesRefusals(TransportSettings settings) => !settings.IsConnected && lookup.Addresses.Length > 1;

    /// <inheritdoc/>
    public void LookAgain()
    {
        if (_hasLookedAgain && clock.Since(_lookedAgainAt) < ShortestRefresh)
            return;
        _hasLookedAgain = true;
        _hasNoRoute = true;
        _lookedAgainAt = clock.Now;
        lookup.Begin();
    }

    /// <inheritdoc/>
    public void Reopen()
    {
        _socket?.Dispose();
        _socket = null;
    }

    /// <inheritdoc/>
    public void Dispose() => Reopen();

    private IDatagramSocket Open(TransportSettings settings, IPAddress address)
    {
        _isConnected = !_hasNoRoute && WantsConnected(settings);
        return sockets.Open(address, settings.Port, _isConnected);
    }

    private bool WantsConnected(TransportSettings settings) => settings.IsConnected || lookup.Addresses.Length > 1;

    private IPAddress FindAddress(TransportSettings settings, CancellationToken cancellationToken)
    {
        if (lookup.Addresses.Length == 0)
        {
            lookup.Begin();
            if (lookup.Wait(settings.ConnectTimeout, cancellationToken) is { } failure)
                throw failure;
        }

        IPAddress? reachable = sockets.FirstReachable(lookup.Addresses, settings.Port);
        _hasNoRoute = reachable is null;
        // Without a route each send fails, before the first success as after it: one rule for both.
        return reachable ?? Array.Find(lookup.Addresses, static address => address.AddressFamily == AddressFamily.InterNetwork) ?? lookup.Addresses[0];
    }

    // In the background.
    private void Follow(TransportSettings settings)
    {
        IPAddress[] before = lookup.Addresses;
        // Records go to the last address meanwhile.
        if (lookup.Collect() is { } failure)
            voice.CountError(failure.ErrorType);
        bool isNew = !ReferenceEquals(lookup.Addresses, before);
        if (isNew || (_hasNoRoute && _hasLookedAgain && clock.Since(_lookedAgainAt) >= ShortestRefresh))
            FollowRoute(settings);
        if (lookup.BegunAt is not { } begun || clock.Since(begun) >= settings.DnsRefresh)
            lookup.Begin();
    }

    // An address that works stays as long as the name has it.
    private void FollowRoute(TransportSettings settings)
    {
        bool isFit = !_hasNoRoute && _isConnected == WantsConnected(settings) && Array.IndexOf(lookup.Addresses, _address) >= 0;
        if (isFit || sockets.FirstReachable(lookup.Addresses, settings.Port) is null)
            return;
        _hasNoRoute = false;
        Reopen();
    }
}
