namespace AsyncLog.Tests;

/// <summary>A thread pool in which nothing runs any more, until it is disposed: each of its threads is blocked as soon as it is free, and none may be added.
/// Only in a collection that runs alone, and not awaited in: a continuation needs the pool.</summary>
internal sealed class StarvedPool : IDisposable
{
    private const int MoreThreads = 2;
    private readonly ManualResetEventSlim _release = new();
    private readonly (int Workers, int Ports) _minimum;
    private readonly (int Workers, int Ports) _maximum;
    private int _blocked;
    private int _ran;

    public StarvedPool()
    {
        ThreadPool.GetMinThreads(out _minimum.Workers, out _minimum.Ports);
        ThreadPool.GetMaxThreads(out _maximum.Workers, out _maximum.Ports);
        // Some more than there are: those may be in work of others for long. Up to its minimum the pool makes threads at once, beyond its maximum none.
        var threads = ThreadPool.ThreadCount + MoreThreads;
        try
        {
            Assert(ThreadPool.SetMinThreads(threads, _minimum.Ports) && ThreadPool.SetMaxThreads(threads, _maximum.Ports), "the pool cannot be bounded");

            // One for each thread: one that comes free later blocks too, before it reaches what is queued behind.
            for (var i = 0; i < threads; i++)
                ThreadPool.UnsafeQueueUserWorkItem(static pool => pool.Block(), this, preferLocal: false);
            Eventually.True(() => Volatile.Read(ref _blocked) >= MoreThreads);
        }
        catch (Exception)
        {
            Dispose();
            throw;
        }

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
