using System.Diagnostics;

namespace AsyncLog;

/// <summary>One configured destination (<c>file/errors</c>) and its pipelines: one in force, and those that still drain behind it.</summary>
internal sealed class SinkInstance
{
    // Pipelines that may still hold records, under the lock; the newest is, or was, in force.
    private readonly List<SinkPipeline> _pipelines = [];
    private SinkPipeline? _pipeline;
    private bool _isShutDown;

    public SinkInstance(string type, string shortName, SinkOptions options, InstanceServices services, NoticeRenderer renderNotice)
    {
        State = new InstanceState(type, shortName, options, services);
        RenderNotice = renderNotice;
        Usage.IsAccountedFor = () => Unaccounted(Snapshot()) == 0;
    }

    /// <summary>Counters, reports and settings of the instance.</summary>
    public InstanceState State { get; }

    public NoticeRenderer RenderNotice { get; }

    /// <summary>Combined memory and record use of the instance's queues.</summary>
    public InstanceQueueState Usage { get; } = new();

    /// <summary>The records on the disk; null without <see cref="SinkOptions.SpoolPath"/>. Set before the first pipeline.</summary>
    public Spool? Spool { get; set; }

    /// <summary>The memory that outlives the process; null without <see cref="SinkOptions.CrashBuffer"/>. Set before the first pipeline.</summary>
    public CrashRegions? CrashRegions { get; set; }

    /// <summary>The queues that may hold records, oldest first.</summary>
    public IReadOnlyList<SegmentQueue> Queues
    {
        get
        {
            lock (State.Metrics.Gate)
                return [.. _pipelines.Select(static pipeline => pipeline.Queue)];
        }
    }

    /// <summary>The pipeline that takes records, or refuses them after the shutdown; null after the instance was switched off or removed.</summary>
    public SinkPipeline? Pipeline
    {
        get => Volatile.Read(ref _pipeline);
        private set => Volatile.Write(ref _pipeline, value);
    }

    /// <summary>Starts the worker of a pipeline and puts it in force; the pipeline before drains behind it.</summary>
    /// <param name="replaced">The one in force; null when there is none.</param>
    /// <returns>False if the instance was shut down in the meantime; then the new pipeline ends at once.</returns>
    public bool Start(SinkPipeline pipeline, SinkPipeline? replaced = null)
    {
        var keepsSink = ReferenceEquals(replaced?.Installed, pipeline.Installed);
        lock (State.Metrics.Gate)
        {
            if (_isShutDown)
            {
                // Its worker disposes a sink of its own, and does not touch one that the pipeline before disposes.
                pipeline.SuccessorKeepsSink = keepsSink;
                pipeline.Queue.Finish();
                pipeline.Start();
                return false;
            }

            // First: a thread that cannot be started changes no state.
            pipeline.Start();
            pipeline.Installed.Context.Queue = pipeline.Queue;

            // Atomic for every caller: a caller refused by the old queue finds the new pipeline, and none finds it before, through any
            // logger. Otherwise a thread's later records could precede its earlier ones.
            replaced?.Replace(pipeline);
            if (!keepsSink)
                DetachPipelines();
            _pipelines.Add(pipeline);
            Usage.InForce = pipeline.Queue;
            Pipeline = pipeline;
            return true;
        }
    }

    /// <summary>Hides the pipeline from every logger that reads it from now on; a logger that has it may still use it.</summary>
    public void Retire()
    {
        lock (State.Metrics.Gate)
            Pipeline = null;
    }

    /// <summary>Stops accepting records; accepted ones are drained.</summary>
    /// <param name="isForGood">True if the provider ends. The pipeline stays then: it refuses, and counts, later records.</param>
    /// <returns>The pipelines that still drain.</returns>
    public IReadOnlyList<SinkPipeline> Close(bool isForGood)
    {
        SinkPipeline[] closing;
        lock (State.Metrics.Gate)
        {
            _isShutDown |= isForGood;
            closing = [.. _pipelines];
            if (!isForGood)
            {
                Pipeline = null;
                DetachPipelines();
            }
        }

        foreach (var pipeline in closing)
            pipeline.Queue.Close();
        return closing;
    }

    /// <summary>Removes the pipelines whose workers have ended, with their memory; the newest stays and represents the instance.</summary>
    public void RemoveEnded()
    {
        SinkPipeline[] ended;
        lock (State.Metrics.Gate)
        {
            ended = [.. _pipelines.Where(static pipeline => pipeline.IsEnded)];
            for (var i = _pipelines.Count - 2; i >= 0; i--)
            {
                if (_pipelines[i].IsEnded)
                    _pipelines.RemoveAt(i);
            }

            Usage.ForgetFlushed();
            CheckUsage();
        }

        foreach (var pipeline in ended)
        {
            if (pipeline.Region is { } region)
                CrashRegions?.Release(region);
        }
    }

    /// <summary>Releases the spool and the crash buffer to the next process and answers the flushes that wait for them; called after the workers ended.</summary>
    public void ReleaseSurvival()
    {
        Spool?.Dispose();
        CrashRegions?.Dispose();
        lock (State.Metrics.Gate)
            Usage.EndFlushes();
    }

    /// <summary>Every pipeline that may still hold records.</summary>
    public SinkPipeline[] Pipelines
    {
        get
        {
            lock (State.Metrics.Gate)
                return [.. _pipelines];
        }
    }

    /// <summary>The pipelines that a flush asks: the one in force, and those that still drain. The losses of others were reported when they happened. After the
    /// shutdown all of them, because no later flush could tell.</summary>
    public SinkPipeline[] Flushed
    {
        get
        {
            lock (State.Metrics.Gate)
                return [.. _pipelines.Where(pipeline => _isShutDown || ReferenceEquals(pipeline, _pipeline) || !(pipeline.IsEnded || pipeline.Queue.IsFinal))];
        }
    }

    /// <summary>One task per pipeline that completes when everything accepted before is delivered.</summary>
    /// <param name="givenUp">Set when they are not waited for any more.</param>
    public Task<bool>[] Flush(CancellationToken givenUp) => Array.ConvertAll(Flushed, pipeline => pipeline.Queue.Flush(givenUp));

    /// <summary>The pipelines that share a sink, oldest first: the first one's worker has it.</summary>
    public SinkPipeline[] Sharing(InstalledSink installed) => [.. Pipelines.Where(pipeline => ReferenceEquals(pipeline.Installed, installed) && !pipeline.IsEnded)];

    /// <summary>Adds waiting and in-flight records of all pipelines. Under the lock.</summary>
    public void AddTo(QueueSnapshot snapshot)
    {
        foreach (var pipeline in _pipelines)
            pipeline.Queue.AddTo(snapshot, isInForce: ReferenceEquals(pipeline, _pipelines[^1]));
        Spool?.AddTo(snapshot);
        CrashRegions?.AddTo(snapshot);
        CheckUsage();
    }

    /// <summary>When the oldest call of its sink began that has not returned, as a time stamp; 0: there is none. Under the lock.</summary>
    public long CalledAt
    {
        get
        {
            var oldest = 0L;
            foreach (var pipeline in _pipelines)
            {
                if (!pipeline.IsDetached && pipeline.CalledAt is var at and not 0 && (oldest == 0 || at < oldest))
                    oldest = at;
            }

            return oldest;
        }
    }

    /// <summary>Accepted records that are nowhere and have no outcome; below zero, records that have more than one. Under the lock.</summary>
    /// <param name="snapshot">What <see cref="AddTo"/> counted in the same step.</param>
    public long Unaccounted(QueueSnapshot snapshot) => State.Metrics.Accepted - State.Metrics.Settled - snapshot.Unsettled;

    private QueueSnapshot Snapshot()
    {
        var snapshot = new QueueSnapshot();
        AddTo(snapshot);
        return snapshot;
    }

    /// <summary>Adds the records that end with the process: those in queues without a crash buffer. Under the lock.</summary>
    public void AddWithoutCrashBufferTo(QueueSnapshot snapshot)
    {
        foreach (var pipeline in _pipelines)
        {
            if (pipeline.Region is null)
                pipeline.Queue.AddTo(snapshot, isInForce: true);
        }
    }

    // The combined use is the sum of the queues; a pipeline that is removed holds nothing. Under the lock.
    [Conditional("DEBUG")]
    private void CheckUsage()
    {
        var held = (Bytes: 0L, Records: 0);
        foreach (var pipeline in _pipelines)
        {
            var (bytes, records) = pipeline.Queue.Held;
            held = (held.Bytes + bytes, held.Records + records);
        }

        Debug.Assert(held == (Usage.Memory.Bytes, Usage.Memory.SealedRecords), "The bound of the instance counts something else than its queues hold.");
    }

    private void DetachPipelines()
    {
        foreach (var pipeline in _pipelines)
        {
            pipeline.IsDetached = true;
            pipeline.Installed.Context.ClearConditions();
        }
    }
}
