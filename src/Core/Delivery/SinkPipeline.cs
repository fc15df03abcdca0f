using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Path of an instance's records to its destination, from formatter to sink: queue, worker, and the token that ends retries.</summary>
/// <remarks>An instance has one pipeline in force. A reload that needs another queue, formatter or sink starts a new one; this one drains behind it.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "A sink that hangs and a successor may use them at any later time; none of them holds a handle.")]
internal sealed class SinkPipeline
{
    /// <summary>Time that a sink has to end after it was cancelled.</summary>
    public static readonly TimeSpan AfterDeadline = TimeSpan.FromMilliseconds(100);

    private readonly ManualResetEventSlim _ended = new();
    private readonly ManualResetEventSlim _drained = new();
    private readonly ManualResetEventSlim? _after;

    // Sinks that were replaced and are being disposed.
    private readonly ConcurrentQueue<Thread> _disposing = new();

    // Replaced, under the instance's lock, when the worker hangs in a sink that is replaced.
    private BatchDelivery _delivery;
    private SinkWorker _worker;
    private bool _isCancelled;
    private Action? _saved;
    private bool _isDetached;

    /// <param name="instance">Owning instance.</param>
    /// <param name="installed">The sink, disposed by the worker, unless a successor keeps it.</param>
    /// <param name="predecessor">A pipeline to the same destination. This one's worker waits for its end if both have the same sink, else until it is
    /// drained or its time is over.</param>
    public SinkPipeline(SinkInstance instance, PipelineSettings settings, InstalledSink installed, SinkPipeline? predecessor)
    {
        Instance = instance;
        Settings = settings;
        Installed = installed;
        Region = instance.CrashRegions?.NewRegion(settings.Bounds, settings.WireId);
        Queue = new SegmentQueue(
            settings.Bounds, settings.Rules, State.TimeProvider, State.Metrics, instance.Usage, installed.Sink is IFlushableLogSink, Region is null ? null : Region.Block)
        { WireId = settings.WireId };
        Route = new RecordRoute(State.Name, Queue, settings.Formatter, settings.MaxRecordSize, State.Metrics, State.TimeProvider);
        installed.Context.Queue ??= Queue;
        _after = ReferenceEquals(predecessor?.Installed, installed) ? predecessor?._ended : predecessor?._drained;
        _delivery = new BatchDelivery(this, before: null);
        _worker = NewWorker(_delivery, settings.BatchDelay);
    }

    public SinkInstance Instance { get; }

    /// <summary>What callers see of it.</summary>
    public RecordRoute Route { get; }

    public SegmentQueue Queue { get; }

    /// <summary>The settings it was made with; its rules and delays may have changed.</summary>
    public PipelineSettings Settings { get; }

    /// <summary>The sink. A successor with another queue shares it.</summary>
    public InstalledSink Installed { get; }

    /// <summary>The memory of the queue that outlives the process; null: it ends with it.</summary>
    public CrashRegion? Region { get; }

    /// <summary>True if the sink was opened before the worker started, or is taken over.</summary>
    public bool IsOpened { get; set; }

    /// <summary>True if the successor keeps the sink. Set before the queue is closed.</summary>
    public bool SuccessorKeepsSink { get; set; }

    /// <summary>True if the instance has another destination: failures here are counted, but do not set the instance's state.</summary>
    public bool IsDetached
    {
        get => Volatile.Read(ref _isDetached);
        set => Volatile.Write(ref _isDetached, value);
    }

    /// <summary>True if the worker has ended.</summary>
    public bool IsEnded => _ended.IsSet;

    /// <summary>See <see cref="BatchDelivery.CalledAt"/>. Under the instance's lock.</summary>
    public long CalledAt => _delivery.CalledAt;

    private InstanceState State => Instance.State;

    public void Start() => _worker.Start();

    /// <summary>Closes the queue in favour of another pipeline. Under the instance's lock, in this order: a caller that the closed queue refuses finds the
    /// successor.</summary>
    public void Replace(SinkPipeline successor)
    {
        SuccessorKeepsSink = ReferenceEquals(successor.Installed, Installed);
        Route.Successor = successor.Route;
        Queue.Close();
    }

    /// <summary>Lets this pipeline's worker call the sink before its first record.</summary>
    public void PostToSink(Action<ILogSink> action)
    {
        _delivery.PostToSink(action);
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

    /// <summary>Lets the worker write a record of AsyncLog's own before the next record. It is kept until the sink accepts it.</summary>
    public void PostNotice(Func<Notice> notice)
    {
        State.Notices.Add(new PostedNotice(notice, State.TimeProvider.GetUtcNow()));
        Queue.Wake();
    }

    /// <summary>Puts the rules at once, and the batch delay from the next batch on in force. Bounds and layout stay.</summary>
    public void Apply(PipelineSettings settings)
    {
        Queue.ApplyRules(settings.Rules);
        _delivery.Post(_ => _worker.BatchDelay = settings.BatchDelay);
        Queue.Wake();
    }

    /// <summary>On its own thread: when the worker does not take a new sink in time, because it hangs in the old one, another worker goes on with the queue and
    /// the new sink. What the old one has in hand is counted as lost.</summary>
    public void TakeOverBehind(SinkReplacement replacement, TimeSpan budget) => StartThread("replace", () =>
    {
        try
        {
            if (replacement.Wait(budget))
                return;
            // The worker that has the sink: of several pipelines that share it the first one's.
            var holder = Instance.Sharing(Installed).FirstOrDefault();
            // A sink that honors the cancellation gives its batch back.
            holder?.CancelFor(replacement);
            if (replacement.Wait(AfterDeadline) || !replacement.TryClaim())
                return;
            if (holder is null || !holder.TryTakeOver(replacement, budget))
            {
                // A shutdown was first.
                replacement.Context.ClearConditions();
                replacement.End();
                DisposeBehind(replacement.Sink);
            }
        }
        catch (Exception exception)
        {
            // An exception that leaves a thread ends the process.
            State.CountFailure(exception);
        }
    });

    private void CancelFor(SinkReplacement replacement)
    {
        var hung = _delivery;
        StartThread("cancel", () => Cancel(() => hung.Cancel(replacement)));
    }

    // False when the queue has ended.
    private bool TryTakeOver(SinkReplacement replacement, TimeSpan budget)
    {
        // What may throw comes before anything is changed.
        var now = State.TimeProvider.GetUtcNow().UtcTicks;
        var obsolete = new List<SinkReplacement>();
        long lost;
        Action? delete = null;
        BatchDelivery hung;
        lock (State.Metrics.Gate)
        {
            if (Queue.IsFinal || IsEnded)
                return false;
            hung = _delivery;
            var delivery = new BatchDelivery(this, hung);
            IsOpened = true;
            hung.Detach();
            Queue.RenewSignal();
            var worker = NewWorker(delivery, _worker.BatchDelay);
            while (Installed.TryTakeUpTo(replacement, out var change))
            {
                if (change.Replacement is { } other && other != replacement && other.TryClaim())
                    obsolete.Add(other);
            }

            // Records in the old sink may not be flushed, and no flush has reported that.
            if (Installed.Sink is IFlushableLogSink)
                Queue.Flushes.ReportSinkLoss();
            Queue.Flushes.Use(replacement.Sink is IFlushableLogSink);
            Queue.Flushes.UseGone(false);
            Installed.Use(replacement);
            if (IsDetached)
                replacement.Context.ClearConditions();
            lost = Queue.AbandonInHand(now) + (Instance.CrashRegions?.LoseUnsettled(Queue, now, out delete) ?? 0);
            Instance.Spool?.Release(Queue);
            (_delivery, _worker) = (delivery, worker);
            worker.Start();
        }

        replacement.End();
        StartThread("cancel", () => Cancel(hung.Cancel));
        delete?.Invoke();
        foreach (var other in obsolete)
        {
            other.Context.ClearConditions();
            other.End();
            DisposeBehind(other.Sink);
        }

        if (!IsDetached)
            State.Recovered("another destination is in use.");
        if (lost > 0)
        {
            State.SelfReport.Write(
                LogLevel.Error, State.Name,
                $"the old destination did not answer within {TimeText.Show(budget)}: {ControlText.Count(lost, "record", "records")} that it held {(lost == 1 ? "is" : "are")} lost.");
        }

        return true;
    }

    /// <summary>Disposes a sink that was replaced, on its own thread: it may hang.</summary>
    public void DisposeBehind(ILogSink sink)
    {
        // A simulation has one thread.
        if (State.StartWorker is null)
            _disposing.Enqueue(StartThread("dispose", () => Dispose(sink)));
        else
            Dispose(sink);
    }

    /// <summary>Closes the queue and waits for the end of the drain until the deadline, then begins to save the rest.</summary>
    /// <returns>False while <see cref="Finish"/> has to wait for the disk.</returns>
    public bool Drain(TimeSpan left)
    {
        var began = State.TimeProvider.GetTimestamp();
        Queue.Close();
        if (_ended.Wait(NotNegative(left)))
        {
            while (_disposing.TryDequeue(out var thread))
                thread.Join(NotNegative(left - State.TimeProvider.GetElapsedTime(began)));
            return true;
        }

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
        StartThread("cancel", () => Cancel(() => _delivery.Cancel()));
        return remaining;
    }

    /// <summary>After <see cref="Finish"/>: waits for a sink that honors the cancellation; one that hangs is abandoned with its thread.</summary>
    public void WaitForCancelled(TimeSpan left)
    {
        if (_isCancelled)
            _ended.Wait(NotNegative(left));
        _drained.Set();
    }

    /// <summary>Drains on its own thread: a reload does not wait for it.</summary>
    public void DrainBehind(TimeSpan budget, Action<TimeSpan>? ended = null) => StartThread("drain", () =>
    {
        var timeProvider = State.TimeProvider;
        var began = timeProvider.GetTimestamp();
        Drain(budget);
        var left = Finish();
        WaitForCancelled(AfterDeadline);
        State.ReportLost(left, InstanceState.AtDeadline(budget));
        ended?.Invoke(timeProvider.GetElapsedTime(began));
    });

    private void Dispose(ILogSink sink)
    {
        try
        {
            LoopGuard.Run(() => sink.DisposeAsync().AsTask().GetAwaiter().GetResult());
        }
        catch (Exception exception)
        {
            State.CountFailure(exception);
        }
    }

    private static TimeSpan NotNegative(TimeSpan time) => time > TimeSpan.Zero ? time : TimeSpan.Zero;

    private SinkWorker NewWorker(BatchDelivery delivery, TimeSpan batchDelay) => new(State, Queue, delivery, batchDelay, _after, () =>
    {
        if (!delivery.IsDetached)
            _ended.Set();
        Instance.RemoveEnded();
    });

    // Callbacks that a sink registered with the token run here and may throw or hang: never on the thread that shuts down.
    private void Cancel(Action cancel)
    {
        try
        {
            LoopGuard.Run(cancel);
        }
        catch (AggregateException exception)
        {
            State.Metrics.CountError(LogSinkException.TypeOf(exception.InnerExceptions[0]));
        }
    }

    private Thread StartThread(string purpose, ThreadStart body)
    {
        var thread = new Thread(body) { IsBackground = true, Name = $"AsyncLog {purpose} {State.Name}" };
        thread.UnsafeStart();
        return thread;
    }
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

    /// <summary>Identifies the wire format of the records, as a number.</summary>
    public ulong WireId { get; init; }
}
