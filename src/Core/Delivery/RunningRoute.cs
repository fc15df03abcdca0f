using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>A route with what drains it: sink, worker, and the token that ends its retries.</summary>
[SuppressMessage("Design", "CA1001", Justification = "A sink that hangs and a successor may use them at any later time; none of them holds a handle.")]
internal sealed class RunningRoute
{
    /// <summary>What a sink that was cancelled gets to end.</summary>
    public static readonly TimeSpan AfterDeadline = TimeSpan.FromMilliseconds(100);

    private readonly BatchDelivery _delivery;
    private readonly SinkWorker _worker;
    private readonly CancellationTokenSource _deadline = new();
    private readonly ManualResetEventSlim _drained = new();
    private bool _isCancelled;

    /// <param name="route">Queue and formatter.</param>
    /// <param name="signal">What the worker sleeps on.</param>
    /// <param name="sink">Disposed by the worker, unless a successor goes on with it.</param>
    /// <param name="context">What the sink was made with.</param>
    /// <param name="backoff">Delays between attempts.</param>
    /// <param name="batchDelay">How long the worker leaves the current segment open.</param>
    /// <param name="predecessor">A route to the same destination. This one's worker waits for its end if it hands its sink over, else until it is
    /// drained or its time is over.</param>
    public RunningRoute(
        SinkRoute route, WorkerSignal signal, ILogSink sink, InstanceContext context, Backoff backoff, TimeSpan batchDelay, RunningRoute? predecessor)
    {
        Route = route;
        Sink = sink;
        Context = context;
        _delivery = new BatchDelivery(route, signal, sink, backoff, _deadline.Token);
        _worker = new SinkWorker(route, signal, _delivery, batchDelay, ReferenceEquals(predecessor?.Sink, sink) ? predecessor?._worker.Ended : predecessor?._drained);
    }

    public SinkRoute Route { get; }

    public ILogSink Sink { get; }

    /// <summary>What the sink was made with.</summary>
    public InstanceContext Context { get; }

    public bool IsEnded => _worker.Join(TimeSpan.Zero);

    public void Start() => _worker.Start();

    /// <summary>Lets the worker do something with the sink at the next batch boundary, before the next record.</summary>
    public void Post(Action<ILogSink> action)
    {
        _delivery.Post(action);
        Route.Queue.Wake();
    }

    /// <summary>Other delays, from the next batch on.</summary>
    /// <param name="backoff">Between attempts.</param>
    /// <param name="batchDelay">How long the worker leaves the current segment open.</param>
    public void Use(Backoff backoff, TimeSpan batchDelay)
    {
        _delivery.Use(backoff);
        _delivery.Post(_ => _worker.BatchDelay = batchDelay);
    }

    /// <summary>Waits for the end of the drain until the deadline, then counts what is left.</summary>
    /// <param name="left">How long there is.</param>
    /// <returns>How many records were left.</returns>
    public long Drain(TimeSpan left)
    {
        Route.Queue.Close();
        if (_worker.Join(left))
            return 0;
        var remaining = Route.Queue.Finish();
        _isCancelled = true;
        StartThread("cancel", Cancel);
        return remaining;
    }

    /// <summary>After <see cref="Drain"/>: waits for a sink that honours the cancellation; one that hangs is abandoned with its thread.</summary>
    /// <param name="left">How long there is.</param>
    public void End(TimeSpan left)
    {
        if (_isCancelled)
            _worker.Join(left);
        _drained.Set();
    }

    /// <summary>Lets the worker write a line of AsyncLog's own before the next record.</summary>
    public void PostNotice(Func<Notice> notice)
    {
        _delivery.PostNotice(notice);
        Route.Queue.Wake();
    }

    /// <summary>Drains on a thread of its own: a reload does not wait for it.</summary>
    /// <param name="budget">How long there is.</param>
    /// <param name="ended">Hears how long it took.</param>
    public void DrainBehind(TimeSpan budget, Action<TimeSpan>? ended = null) => StartThread("drain", () =>
    {
        var timeProvider = Route.Instance.TimeProvider;
        var began = timeProvider.GetTimestamp();
        var left = Drain(budget);
        End(AfterDeadline);
        Route.Instance.TellLost(left, budget);
        ended?.Invoke(timeProvider.GetElapsedTime(began));
    });

    // What a sink registered with the token runs in here, and may throw or hang: never on the thread that shuts down.
    private void Cancel()
    {
        try
        {
            LoopGuard.Run(_deadline.Cancel);
        }
        catch (AggregateException exception)
        {
            Route.Instance.Metrics.CountError(LogSinkException.TypeOf(exception.InnerExceptions[0]));
        }
    }

    private void StartThread(string purpose, ThreadStart body)
        => new Thread(body) { IsBackground = true, Name = $"AsyncLog {purpose} {Route.Instance.Name}" }.UnsafeStart();
}
