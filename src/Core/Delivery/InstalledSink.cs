using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>The sink of an instance, and the changes that wait for it. The pipelines that deliver to one sink in turn share it, so that a change reaches the worker
/// that has the sink, also while that worker retries.</summary>
internal sealed class InstalledSink
{
    private readonly ConcurrentQueue<Change> _changes = new();
    private long _posted;

    public InstalledSink(ILogSink sink, InstanceContext context, Backoff backoff)
    {
        Sink = sink;
        Context = context;
        Backoff = backoff;
    }

    /// <summary>The sink in use. Only the worker that has it calls it.</summary>
    public ILogSink Sink { get; private set; }

    /// <summary>The context that the sink was created with.</summary>
    public InstanceContext Context { get; private set; }

    /// <summary>The delays between attempts. Written by the worker that has the sink.</summary>
    public Backoff Backoff { get; set; }

    /// <summary>True if changes wait.</summary>
    public bool HasChanges => !_changes.IsEmpty;

    /// <summary>The thread of the reload: lets the worker call the sink between two batches, or between two attempts at one.</summary>
    /// <param name="backoff">Other delays between attempts; null: the same.</param>
    public void Post(Action<ILogSink> apply, Backoff? backoff = null) => _changes.Enqueue(new Change(++_posted, apply, backoff, Replacement: null));

    /// <summary>The thread of the reload: lets the worker go on with another sink. A batch that the one before did not take is the first that it gets.</summary>
    public void Post(SinkReplacement replacement) => _changes.Enqueue(new Change(replacement.Number = ++_posted, Apply: null, Backoff: null, replacement));

    /// <summary>Worker: takes the next change.</summary>
    public bool TryTake(out Change change) => _changes.TryDequeue(out change);

    /// <summary>Takes a change that was posted before another sink, which makes it obsolete, or that sink itself.</summary>
    public bool TryTakeUpTo(SinkReplacement replacement, out Change change)
    {
        change = default;
        return _changes.TryPeek(out var next) && next.Number <= replacement.Number && _changes.TryDequeue(out change);
    }

    /// <summary>Puts another sink in force; ends the conditions of the one before. Under the instance's lock, by the worker that has the sink or the thread that takes the
    /// sink away from it.</summary>
    public void Use(SinkReplacement replacement)
    {
        replacement.Context.Queue = Context.Queue;
        Context.ClearConditions();
        (Sink, Context, Backoff) = (replacement.Sink, replacement.Context, replacement.Backoff);
    }

    /// <summary>A change for the worker that has the sink.</summary>
    /// <param name="Number">Changes are numbered in the order of the reloads.</param>
    /// <param name="Apply">A call of the sink; null: there is none.</param>
    /// <param name="Backoff">Other delays between attempts; null: the same.</param>
    /// <param name="Replacement">Another sink; null: the same.</param>
    internal readonly record struct Change(long Number, Action<ILogSink>? Apply, Backoff? Backoff, SinkReplacement? Replacement);
}

/// <summary>A sink that takes the place of another one.</summary>
/// <param name="sink">The new sink, open if it can be opened.</param>
[SuppressMessage("Design", "CA1001", Justification = "Two threads wait for it at any later time; it holds no handle.")]
internal sealed class SinkReplacement(ILogSink sink, InstanceContext context, Backoff backoff)
{
    private readonly ManualResetEventSlim _done = new();
    private int _isClaimed;

    public ILogSink Sink => sink;

    public InstanceContext Context => context;

    public Backoff Backoff => backoff;

    /// <summary>The number of the change.</summary>
    public long Number { get; set; }

    /// <summary>Any thread, once: true for the thread that puts the sink in force.</summary>
    public bool TryClaim() => Interlocked.Exchange(ref _isClaimed, 1) == 0;

    /// <summary>True if a thread puts the sink in force, or has.</summary>
    public bool IsClaimed => Volatile.Read(ref _isClaimed) != 0;

    /// <summary>The sink is in force, or never will be.</summary>
    public void End() => _done.Set();

    /// <summary>Waits for <see cref="End"/>.</summary>
    public bool Wait(TimeSpan timeout) => _done.Wait(timeout);
}
