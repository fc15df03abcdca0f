namespace AsyncLog;

/// <summary>A timer on a thread of its own, for the system's clock.</summary>
/// <remarks>One tick of the runtime's timer wakes the timer's thread, the pool's gate and workers that spin for more work: four times the processor
/// time of this, in a process that is idle.</remarks>
internal sealed class PeriodicThread : IDisposable
{
    private const int StackBytes = 256 << 10;
    private readonly WorkerSignal _ended = new(TimeProvider.System);

    private PeriodicThread()
    {
    }

    /// <summary>Begins to call, first after one period.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="period">From the end of a call to the next.</param>
    /// <param name="call">Must not throw.</param>
    public static PeriodicThread Start(string name, TimeSpan period, Action call)
    {
        var timer = new PeriodicThread();
        new Thread(() => timer.Run(period, call), StackBytes) { IsBackground = true, Name = name }.UnsafeStart();
        return timer;
    }

    /// <summary>Ends it; a call that runs comes to its end.</summary>
    public void Dispose() => _ended.Set();

    private void Run(TimeSpan period, Action call)
    {
        while (!_ended.Wait(period))
            call();
    }
}
