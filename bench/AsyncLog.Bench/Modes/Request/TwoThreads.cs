using System.Runtime.CompilerServices;

namespace AsyncLog.Bench;

/// <summary>Two threads of which one runs: whoever awaits the object goes on on the other one, in the same context and with nothing allocated.</summary>
internal sealed class TwoThreads : ICriticalNotifyCompletion, IDisposable
{
    private readonly SemaphoreSlim[] _turns = [new(0), new(0)];
    private readonly Thread[] _threads;
    private Action? _next;
    private int _running;

    private TwoThreads()
    {
        _threads = [new Thread(() => Run(_turns[0])), new Thread(() => Run(_turns[1]))];
        foreach (var thread in _threads)
            thread.Start();
    }

    /// <summary>Always false: every await is a change of thread.</summary>
    public bool IsCompleted => false;

    /// <summary>Runs work on the two threads, to its end.</summary>
    public static T Run<T>(Func<TwoThreads, Task<T>> work)
    {
        using var threads = new TwoThreads();
        return Start().GetAwaiter().GetResult();

        async Task<T> Start()
        {
            await threads;
            return await work(threads).ConfigureAwait(false);
        }
    }

    public TwoThreads GetAwaiter() => this;

    public void GetResult()
    {
        // nothing to give
    }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        _next = continuation;
        _running ^= 1;
        _turns[_running].Release();
    }

    public void Dispose()
    {
        _next = null;
        foreach (var turn in _turns)
            turn.Release();
        foreach (var thread in _threads)
            thread.Join();
        foreach (var turn in _turns)
            turn.Dispose();
    }

    private void Run(SemaphoreSlim turn)
    {
        for (turn.Wait(); _next is { } next; turn.Wait())
            next();
    }
}
