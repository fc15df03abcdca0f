namespace AsyncLog;

/// <summary>The rest before a new socket, so that one that always fails is not hammered: longer with each failure, short again after a datagram that
/// was taken. Used by the worker only.</summary>
internal sealed class SocketRest(TransportClock clock, Func<double> random)
{
    private int _failures;
    private long _since;
    private TimeSpan _time;

    /// <summary>How long the next socket has to wait still.</summary>
    public TimeSpan Left => _time > TimeSpan.Zero && _time - clock.Since(_since) is var left && left > TimeSpan.Zero ? left : TimeSpan.Zero;

    /// <summary>A socket was given up.</summary>
    public void Begin(TransportSettings settings)
    {
        var backoff = new Backoff(settings.ReconnectDelay, settings.MaxReconnectDelay, HasJitter: true);
        _time = backoff.DelayOf(_failures++, random());
        _since = clock.Now;
    }

    /// <summary>A datagram was taken.</summary>
    public void Reset() => _failures = 0;
}
