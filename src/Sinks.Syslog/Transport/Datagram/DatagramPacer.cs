namespace AsyncLog;

/// <summary>Spreads datagrams evenly: at most so many in a second, in bursts of a few milliseconds. Pure.</summary>
internal struct DatagramPacer
{
    // Shorter than the receive buffers of common receivers last, longer than the shortest nap of a thread.
    private static readonly TimeSpan Burst = TimeSpan.FromMilliseconds(5);

    private TimeSpan _nextDue;

    /// <summary>Takes the place of one datagram.</summary>
    /// <param name="now">The time since some fixed instant.</param>
    /// <param name="perSecond">The most datagrams in a second.</param>
    /// <returns>How long to wait before it is sent.</returns>
    public TimeSpan Take(TimeSpan now, int perSecond)
    {
        TimeSpan wait = _nextDue - now > Burst ? _nextDue - now : TimeSpan.Zero;
        _nextDue = (_nextDue > now ? _nextDue : now) + (TimeSpan.FromSeconds(1) / perSecond);
        return wait;
    }
}
