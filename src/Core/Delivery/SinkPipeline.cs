using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>Path of an instance's records to its destination, from formatter to sink: queue, worker, and the token that ends retries.</summary>
/// <remarks>An instance has one pipeline in force. A reload that needs another queue, formatter or sink starts a new one; this one drains behind it.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "A sink that hangs and a successor may use them at any later time; none of them holds a handle.")]
internal sealed class SinkPipeline : RecordRoute
{
    /// <summary>Time that a sink has to end after it was cancelled.</summary>
    public static readonly TimeSpan AfterDeadline = TimeSpan.FromMilliseconds(100);

    private readonly BatchDelivery _delivery;
    private readonly SinkWorker _worker;
    private readonly CancellationTokenSource _deadline = new();
    private readonly ManualResetEventSlim _drained = new();
    private bool _isCancelled;
    private Action? _saved;
    private bool _isLeft;

    /// <param name="instance">Owning instance.</param>
    /// <param name="settings">Bounds, rules, layout and delays.</param>
    /// <param name="sink">Disposed by the worker, unless a successor keeps it.</param>
    /// <param name="context">Context that the sink was created with.</param>
    /// <param name="predecessor">A pipeline to the same destination. This one's worker waits for its end if both have the same sink, else until it is
    /// drained or its time is over.</param>
    public SinkPipeline(SinkInstance instance, PipelineSettings settings, ILogSink sink, InstanceContext context, SinkPipeline? predecessor)
        : this(instance, settings, sink, context, predecessor, instance.CrashRegions?.NewRegion(settings.Bounds, settings.WireId))
    {
    }

    private SinkPipeline(SinkInstance instance, PipelineSettings settings, ILogSink sink, InstanceContext context, SinkPipeline? predecessor, CrashRegion? region)
        : base(
            instance.Name,
            new SegmentQueue(
                settings.Bounds, settings.Rules, instance.TimeProvider, instance.Metrics, instance.Usage, sink is IFlushableLogSink, region is null ? null : region.Block)
            { WireId = settings.WireId },
            settings.Formatter,
            settings.MaxRecordSize,
            instance.Metrics,
            instance.TimeProvider)
    {
        Instance = instance;
        Settings = settings;
        Sink = sink;
        Context = context;
        Region = region;
        context.Queue ??= Queue;
        _delivery = new BatchDelivery(this, settings.Backoff, _deadline.Token);
        var after = ReferenceEquals(predecessor?.Sink, sink) ? predecessor?._worker.Ended : predecessor?._drained;
        _worker = new SinkWorker(instance, Queue, _delivery, settings.BatchDelay, after, instance.RemoveEnded);
    }

    public SinkInstance Instance { get; }

    /// <summary>The settings it was made with; its rules and delays may have changed.</summary>
    public PipelineSettings Settings { get; }

    public ILogSink Sink { get; }

    /// <summary>Context that the sink was created with.</summary>
    public InstanceContext Context { get; }

    /// <summary>The memory of the queue that outlives the process; null: it ends with it.</summary>
    public CrashRegion? Region { get; }

    /// <summary>True if the sink was opened before the worker started, or is taken over.</summary>
    public bool IsOpened { get; init; }

    /// <summary>True if the successor keeps the sink. Set before the queue is closed.</summary>
    public bool HandsOverSink { get; set; }

    /// <summary>True if the instance has another destination: failures here are counted, but do not set the instance's state.</summary>
    public bool IsLeft
    {
        get => Volatile.Read(ref _isLeft);
        set => Volatile.Write(ref _isLeft, value);
    }

    /// <summary>True if the worker has ended.</summary>
    public bool IsEnded => _worker.Join(TimeSpan.Zero);

    public void Start() => _worker.Start();

    /// <summary>Closes the queue in favour of another pipeline. Under the instance's lock, in this order: a caller that the closed queue refuses finds the
    /// successor.</summary>
    public void Replace(SinkPipeline successor)
    {
        HandsOverSink = ReferenceEquals(successor.Sink, Sink);
        Successor = successor;
        Queue.Close();
    }

    /// <summary>Lets the worker call the sink at the next batch boundary, before the next record.</summary>
    public void Post(Action<ILogSink> action)
    {
        _delivery.Post(action);
        Queue.Wake();
    }

    /// <summary>Lets the worker announce losses now, however young they are: the process is about to end.</summary>
    /// <returns>Completes when all are announced.</returns>
    public Task AnnounceDrops()
    {
        var announced = _delivery.AnnounceDrops();
        Queue.Wake();
        return announced;
    }

    /// <summary>Lets the worker write a record of AsyncLog's own before the next record.</summary>
    /// <param name="notice">Creates it, on the worker.</param>
    public void PostNotice(Func<Notice> notice)
    {
        _delivery.PostNotice(notice);
        Queue.Wake();
    }

    /// <summary>Puts the rules at once and the delays of other settings in force from the next batch on. Bounds and layout stay.</summary>
    public void Apply(PipelineSettings settings)
    {
        Queue.ApplyRules(settings.Rules);
        _delivery.Apply(settings.Backoff);
        _delivery.Post(_ => _worker.BatchDelay = settings.BatchDelay);
    }

    /// <summary>Closes the queue and waits for the end of the drain until the deadline, then begins to save the rest.</summary>
    /// <param name="left">Time left.</param>
    /// <returns>False while <see cref="Finish"/> has to wait for the disk.</returns>
    public bool Drain(TimeSpan left)
    {
        Queue.Close();
        if (_worker.Join(left))
            return true;
        Queue.Stop();
        _isCancelled = true;
        _saved = Instance.Spool?.BeginSave(Queue);
        return _saved is null;
    }

    /// <summary>After <see cref="Drain"/>: counts what is neither delivered nor saved.</summary>
    /// <returns>Number of records left.</returns>
    public long Finish()
    {
        if (!_isCancelled)
            return 0;
        _saved?.Invoke();
        var remaining = Queue.Finish();
        StartThread("cancel", Cancel);
        return remaining;
    }

    /// <summary>After <see cref="Finish"/>: waits for a sink that honours the cancellation; one that hangs is abandoned with its thread.</summary>
    /// <param name="left">Time left.</param>
    public void End(TimeSpan left)
    {
        if (_isCancelled)
            _worker.Join(left);
        _drained.Set();
    }

    /// <summary>Drains on a thread of its own: a reload does not wait for it.</summary>
    /// <param name="budget">Time for the drain.</param>
    /// <param name="ended">Called with the time that it took.</param>
    public void DrainBehind(TimeSpan budget, Action<TimeSpan>? ended = null) => StartThread("drain", () =>
    {
        var timeProvider = Instance.TimeProvider;
        var began = timeProvider.GetTimestamp();
        Drain(budget);
        var left = Finish();
        End(AfterDeadline);
        Instance.ReportLost(left, budget);
        ended?.Invoke(timeProvider.GetElapsedTime(began));
    });

    // Callbacks that a sink registered with the token run here and may throw or hang: never on the thread that shuts down.
    private void Cancel()
    {
        try
        {
            LoopGuard.Run(_deadline.Cancel);
        }
        catch (AggregateException exception)
        {
            Instance.Metrics.CountError(LogSinkException.TypeOf(exception.InnerExceptions[0]));
        }
    }

    private void StartThread(string purpose, ThreadStart body)
        => new Thread(body) { IsBackground = true, Name = $"AsyncLog {purpose} {Instance.Name}" }.UnsafeStart();
}

/// <summary>Settings of a pipeline, apart from its sink.</summary>
internal sealed record PipelineSettings
{
    public required QueueBounds Bounds { get; init; }

    public required QueueRules Rules { get; init; }

    public required ILogFormatter Formatter { get; init; }

    /// <summary>The bound of a whole record, in bytes.</summary>
    public required int MaxRecordSize { get; init; }

    /// <summary>Delays between attempts.</summary>
    public required Backoff Backoff { get; init; }

    /// <summary>Time for which the worker leaves the current segment open.</summary>
    public TimeSpan BatchDelay { get; init; }

    /// <summary>What decides the meaning of the records' bytes, as a number.</summary>
    public ulong WireId { get; init; }
}
