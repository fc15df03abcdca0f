namespace AsyncLog;

/// <summary>The callers that wait for space in <see cref="QueueFullMode.Wait"/>: they sleep on the instance's lock. Under that lock, except for the count.</summary>
/// <param name="gate">The instance's lock.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class WaitingCallers(object gate, TimeProvider timeProvider, SinkMetrics metrics)
{
    private int _count;

    // Waiting callers still to be released for the space there is.
    private int _releases;

    /// <summary>Callers that wait now. Read by any thread.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Starts the deadline of a caller with its first wait.</summary>
    /// <returns>False when the time is over.</returns>
    public bool MayWait(ref DeadlineTimer deadline, TimeSpan timeout)
    {
        if (!deadline.IsStarted)
            deadline = DeadlineTimer.Start(timeProvider, timeout, gate);
        return !deadline.IsOver;
    }

    /// <summary>Sleeps until the caller is released or its time is over.</summary>
    /// <returns>False when the thread was interrupted: the record is refused and counted, and the thread stays interrupted.</returns>
    public bool Wait(ref DeadlineTimer deadline)
    {
        var began = timeProvider.GetTimestamp();
        _count++;
        try
        {
            Monitor.Wait(gate, deadline.Remaining);
            return true;
        }
        catch (ThreadInterruptedException)
        {
            Thread.CurrentThread.Interrupt();
            return false;
        }
        finally
        {
            _count--;
            metrics.AddCallerWait(timeProvider.GetElapsedTime(began));
        }
    }

    /// <summary>Begins to release all that wait.</summary>
    /// <param name="hasSpace">True if a record finds space.</param>
    public void Release(bool hasSpace)
    {
        _releases = _count;
        ReleaseNext(hasSpace);
    }

    /// <summary>Releases one. Each caller that wakes releases the next: a wake-up takes microseconds under the lock, so the worker pays for one, and no more callers
    /// wake than find space. While there is none, all segments are in use, and the settling of one begins again.</summary>
    /// <param name="hasSpace">True if a record finds space.</param>
    public void ReleaseNext(bool hasSpace)
    {
        if (_releases == 0 || !hasSpace)
            return;
        _releases--;
        Monitor.Pulse(gate);
    }
}
