namespace AsyncLog;

/// <summary>What the worker sleeps on: remembers a wake-up, so that none is lost between the last look and the sleep.</summary>
internal sealed class WorkerSignal(TimeProvider timeProvider)
{
    // Protects _isSet; taken by the threads that wake and by the worker. Nothing else runs under it.
    private readonly object _gate = new();
    private bool _isSet;

    public void Set()
    {
        // A caller has committed its record already: an interrupt must not cost the wake-up.
        var wasInterrupted = Uninterrupted.Enter(_gate);
        _isSet = true;
        Monitor.Pulse(_gate);
        Uninterrupted.Exit(_gate, wasInterrupted);
    }

    /// <summary>Sleeps until woken or until the time is over.</summary>
    /// <param name="timeout">More than zero, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <returns>Whether it was woken.</returns>
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
