namespace AsyncLog;

/// <summary>A deadline for <see cref="Monitor.Wait(object, int)"/> on any clock: the system clock counts down by itself, another one pulses the monitor.</summary>
internal struct DeadlineTimer : IDisposable
{
    private readonly TimeProvider? _timeProvider;
    private readonly long _start;
    private readonly TimeSpan _timeout;
    private ITimer? _timer;

    private DeadlineTimer(TimeProvider timeProvider, TimeSpan timeout, object gate)
    {
        _timeProvider = timeProvider;
        _timeout = timeout;
        _start = timeProvider.GetTimestamp();
        if (timeProvider != TimeProvider.System)
            _timer = timeProvider.CreateTimer(Pulse, gate, timeout, Timeout.InfiniteTimeSpan);
    }

    public readonly bool IsStarted => _timeProvider is not null;

    /// <summary>Whether the time is over; never without a deadline.</summary>
    public readonly bool IsOver => _timeProvider is not null && _timeProvider.GetElapsedTime(_start) >= _timeout;

    /// <summary>Milliseconds to wait for a pulse: at least 1, or -1 when only a pulse ends the wait.</summary>
    public readonly int Remaining
    {
        get
        {
            if (_timeProvider is null)
                return Timeout.Infinite;
            var left = _timeout - _timeProvider.GetElapsedTime(_start);
            if (_timer is not null)
            {
                // A timer may fire a little before the clock says so; the pulse of one that is spent would never come again.
                _timer.Change(left > TimeSpan.Zero ? left : new TimeSpan(1), Timeout.InfiniteTimeSpan);
                return Timeout.Infinite;
            }

            return (int)Math.Clamp(Math.Ceiling(left.TotalMilliseconds), 1, int.MaxValue);
        }
    }

    public static DeadlineTimer Start(TimeProvider timeProvider, TimeSpan timeout, object gate) => new(timeProvider, timeout, gate);

    public void Dispose()
    {
        _timer?.Dispose();
        _timer = null;
    }

    private static void Pulse(object? gate)
    {
        lock (gate!)
            Monitor.PulseAll(gate);
    }
}
