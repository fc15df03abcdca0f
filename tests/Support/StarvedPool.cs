namespace AsyncLog;

/// <summary>A thread pool in which nothing runs any more, until it is disposed: as few threads as the runtime allows, all of them blocked, and none may be added.
/// Only in a collection that runs alone, and not awaited in: a continuation needs the pool.</summary>
internal sealed class StarvedPool : IDisposable
{
    private readonly ManualResetEventSlim _release = new();
    private readonly (int Workers, int Ports) _minimum;
    private readonly (int Workers, int Ports) _maximum;
    private int _blocked;
    private int _ran;

    public StarvedPool()
    {
        // Fewer than processors is refused.
        var threads = Environment.ProcessorCount;
        ThreadPool.GetMinThreads(out _minimum.Workers, out _minimum.Ports);
        ThreadPool.GetMaxThreads(out _maximum.Workers, out _maximum.Ports);
        Assert(ThreadPool.SetMinThreads(threads, _minimum.Ports) && ThreadPool.SetMaxThreads(threads, _maximum.Ports), "the pool cannot be made small");

        // One for each thread it may have and for each it had before; those that find none wait in front of all that comes later.
        var blockers = threads + ThreadPool.ThreadCount;
        for (var i = 0; i < blockers; i++)
            ThreadPool.UnsafeQueueUserWorkItem(static pool => pool.Block(), this, preferLocal: false);
        // The thread of the test may be one of the pool.
        Eventually.True(() => Volatile.Read(ref _blocked) >= threads - 1);
        ThreadPool.UnsafeQueueUserWorkItem(static pool => Interlocked.Increment(ref pool._ran), this, preferLocal: false);
    }

    /// <summary>Throws when something of the pool has run since it is blocked.</summary>
    public void RequireStarved() => Assert(Volatile.Read(ref _ran) == 0, "the pool runs: nothing is proved");

    public void Dispose()
    {
        _release.Set();
        ThreadPool.SetMaxThreads(_maximum.Workers, _maximum.Ports);
        ThreadPool.SetMinThreads(_minimum.Workers, _minimum.Ports);
    }

    private static void Assert(bool holds, string problem)
    {
        if (!holds)
            throw new InvalidOperationException(problem);
    }

    private void Block()
    {
        Interlocked.Increment(ref _blocked);
        _release.Wait();
    }
}
