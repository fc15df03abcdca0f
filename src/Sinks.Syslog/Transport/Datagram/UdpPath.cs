using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The way to a UDP receiver: resolves its name at start, from time to time and after unreachable errors. A failed lookup keeps the last address.</summary>
internal sealed class UdpPath(NameLookup lookup, IUdpSockets sockets, TransportClock clock, ITransportVoice voice) : IDatagramPath
{
    // A burst of errors asks once.
    private static readonly TimeSpan ShortestRefresh = TimeSpan.FromSeconds(1);
    private IDatagramSocket? _socket;
    private IPAddress? _address;
    private long _lookedAgainAt;
    private bool _hasLookedAgain;

    /// <inheritdoc/>
    public DatagramRemedy RemedyFor(SocketError error) => DatagramErrors.ForUdp(error);

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
            _socket = sockets.Open(_address, settings.Port, settings.IsConnected);
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
    public void LookAgain()
    {
        if (_hasLookedAgain && clock.Since(_lookedAgainAt) < ShortestRefresh)
            return;
        _hasLookedAgain = true;
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

    private IPAddress FindAddress(TransportSettings settings, CancellationToken cancellationToken)
    {
        if (lookup.Addresses.Length == 0)
        {
            lookup.Begin();
            if (lookup.Wait(settings.ConnectTimeout, cancellationToken) is { } failure)
                throw failure;
        }

        if (sockets.FirstReachable(lookup.Addresses, settings.Port) is { } address)
            return address;
        LookAgain();
        throw new LogSinkException(SocketErrorClass.Unreachable, $"no route to {settings.Target}");
    }

    // In the background.
    private void Follow(TransportSettings settings)
    {
        IPAddress[] before = lookup.Addresses;
        // Records go to the last address meanwhile.
        if (lookup.Collect() is { } failure)
            voice.CountError(failure.ErrorType);
        if (!ReferenceEquals(lookup.Addresses, before)
            && sockets.FirstReachable(lookup.Addresses, settings.Port) is { } reachable && !reachable.Equals(_address))
            Reopen();
        if (lookup.BegunAt is not { } begun || clock.Since(begun) >= settings.DnsRefresh)
            lookup.Begin();
    }
}
