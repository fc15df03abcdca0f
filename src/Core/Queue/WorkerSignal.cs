namespace AsyncLog;

/// <summary>Signal on which the worker sleeps. It latches a wake-up: none is lost between the worker's last check and its sleep.</summary>
internal sealed class WorkerSignal(TimeProvider timeProvider)
{
    // Protects _isSet; taken by the threads that wake and by the worker. Nothing else runs under it.
    private readonly object _gate = new();
    private bool _isSet;

    public void Set()
    {
        // A caller has committed its record already: an interrupt must not cost the wake-up.
        var wasInterrupted = InterruptSafeLock.Enter(_gate);
        _isSet = true;
        Monitor.Pulse(_gate);
        InterruptSafeLock.Exit(_gate, wasInterrupted);
    }

    /// <summary>Sleeps until woken or until the time is over.</summary>
    /// <param name="timeout">More than zero, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <returns>True if it was woken.</returns>
    public bool Wait(TimeSpan timeout)
    {
        using var timer = timeout == Timeout.InfiniteTimeSpan ? default : DeadlineTimer.Start(timeProvider, timeout, _gate);
        lock (_gate)
        {
            while (!_isSet && !timer.IsOver)
                Monitor.Wait(_gate, timer.Remaining);
            var woken = _isSet;
            _isSet = false;
            return woken;
        }
    }
}

/// <summary>States of the worker, by the records that have to wake it. An int, for compare-and-swap.</summary>
internal static class WorkerStates
{
    /// <summary>Delivers, or was just woken: callers do not wake it.</summary>
    public const int Awake = 0;

    /// <summary>Naps at most a millisecond: only an urgent record wakes it.</summary>
    public const int ShortNap = 1;

    /// <summary>Naps longer: an urgent record wakes it, or a rotation when a quarter of the queue is used.</summary>
    public const int LongNap = 2;

    /// <summary>Waits until a batch delay is over: an urgent record or a full segment wakes it.</summary>
    public const int Holding = 3;

    /// <summary>Waits without end: any record wakes it.</summary>
    public const int Parked = 4;
}

/// <summary>A deadline for <see cref="Monitor.Wait(object, int)"/> on any clock: the system clock counts down by itself, another one pulses the monitor.</summary>
internal struct DeadlineTimer : IDisposable
{
    private readonly TimeProvider? _timeProvider;
    private readonly long _start;
    private readonly TimeSpan _timeout;
    private ITimer? _timer;

    private DeadlineTimer(TimeProvider timeProvider, TimeSpan timeout, object gate)
    {
        _timeProvider = InstanceClock.WaitsOf(timeProvider);
        _timeout = timeout;
        _start = _timeProvider.GetTimestamp();
        if (_timeProvider != TimeProvider.System)
            _timer = _timeProvider.CreateTimer(Pulse, gate, timeout, Timeout.InfiniteTimeSpan);
    }

    public readonly bool IsStarted => _timeProvider is not null;

    /// <summary>True if the time is over; never without a deadline.</summary>
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
                // A timer may fire slightly before the clock reaches its time; a spent timer never pulses again.
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

/// <summary>Locks of a caller's thread: an interrupt that the application sends to it neither loses a record nor gets lost.</summary>
internal static class InterruptSafeLock
{
    /// <summary>Enters a monitor.</summary>
    /// <returns>True if the thread was interrupted meanwhile; <see cref="Exit"/> interrupts it again.</returns>
    public static bool Enter(object gate)
    {
        var wasInterrupted = false;
        while (true)
        {
            try
            {
                Monitor.Enter(gate);
                return wasInterrupted;
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        }
    }

    /// <summary>Leaves it.</summary>
    public static void Exit(object gate, bool wasInterrupted)
    {
        Monitor.Exit(gate);
        if (wasInterrupted)
            Thread.CurrentThread.Interrupt();
    }
}
