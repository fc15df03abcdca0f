using System.Diagnostics;
using System.Diagnostics.Tracing;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>One configured destination (<c>file/errors</c>): its counters, its state, and its pipelines. Lives as long as its provider.</summary>
internal sealed class SinkInstance
{
    // Those that may still hold records, under the lock; the newest is, or was, in force.
    private readonly List<SinkPipeline> _pipelines = [];
    private SinkOptions _options;
    private SinkPipeline? _pipeline;
    private bool _isShutDown;

    public SinkInstance(string type, string shortName, SinkOptions options, InstanceServices services)
    {
        Type = type;
        ShortName = shortName;
        Name = $"{type}/{shortName}";
        _options = options;
        TimeProvider = services.TimeProvider;
        Application = services.Application;
        SelfReport = services.SelfReport;
        Categories = services.Categories;
        RenderNotice = services.RenderNotice;
        Histograms = services.Histograms;
        Health = new SinkHealth(Metrics.Drops, services.TimeProvider);
        Events = new InstanceEvents(Name, services.TimeProvider);
    }

    public string Type { get; }

    public string ShortName { get; }

    public string Name { get; }

    public TimeProvider TimeProvider { get; }

    public ApplicationInfo Application { get; }

    public SelfReport SelfReport { get; }

    public CategoryTable Categories { get; }

    public NoticeRenderer RenderNotice { get; }

    public SinkMetrics Metrics { get; } = new();

    /// <summary>What the queues hold together.</summary>
    public QueueUsage Usage { get; } = new();

    public SinkHealth Health { get; }

    public MeterHistograms Histograms { get; }

    public SinkEvents Events { get; }

    public SinkInstruments Instruments { get; } = new();

    public string Target { get; set; } = "";

    /// <summary>How long records are held back on purpose, so that a batch fills.</summary>
    public TimeSpan BatchDelay { get; set; }

    /// <summary>The server; null where there is none.</summary>
    public SinkServer? Server { get; set; }

    /// <summary>The error in the configuration because of which the last good settings stay in force, or null.</summary>
    public string? ConfigurationProblem { get; set; }

    /// <summary>The settings in force; one immutable value at a time.</summary>
    public SinkOptions Options
    {
        get => Volatile.Read(ref _options);
        set => Volatile.Write(ref _options, value);
    }

    /// <summary>The pipeline that takes records, or refuses them after the shutdown; null after the instance was switched off or removed.</summary>
    public SinkPipeline? Pipeline
    {
        get => Volatile.Read(ref _pipeline);
        private set => Volatile.Write(ref _pipeline, value);
    }

    /// <summary>Counts a call of the sink and its time.</summary>
    public void Wrote(TimeSpan time, int records, Exception? failure)
    {
        var errorType = failure is null ? null : LogSinkException.TypeOf(failure);
        Metrics.Wrote(time, records, errorType);
        if (!Histograms.IsEnabled)
            return;
        try
        {
            Histograms.Record(SinkTags.Of(Name, Type, Server?.Address, Server?.Port), time, records, errorType);
        }
        catch (Exception exception)
        {
            // Listeners of a meter are foreign code, and .NET passes their exceptions to the thread that records.
            var type = LogSinkException.TypeOf(exception);
            Metrics.CountError(type);
            SelfReport.Report(
                SelfReportLevel.Warning, Name, "metrics", $"a listener of the meter failed: {LogSinkException.TextOf(exception)} ({type}). Delivery goes on without it.");
        }
    }

    /// <summary>Counts a failed delivery, sets the state, and reports once per outage.</summary>
    /// <param name="exception">Why.</param>
    /// <param name="isBatchOver">Whether nothing is left of the batch: the sink refused what it did not write.</param>
    public void Failed(Exception exception, bool isBatchOver)
    {
        var errorType = LogSinkException.TypeOf(exception);
        var isPermanent = exception is LogSinkException { IsPermanent: true };
        var text = LogSinkException.TextOf(exception);
        Metrics.Failed(errorType, text, TimeProvider.GetUtcNow().UtcTicks);
        Health.Failed(errorType, isPermanent);
        var outlook = isBatchOver ? "Trying again with the next records." : "Records wait in the queue; retrying.";
        SelfReport.Report(isPermanent ? SelfReportLevel.Error : SelfReportLevel.Warning, Name, "delivery", $"{text} ({errorType}). {outlook}");
    }

    /// <summary>Counts a failed delivery to a destination that is not the instance's any more.</summary>
    public void CountFailure(Exception exception)
        => Metrics.Failed(LogSinkException.TypeOf(exception), LogSinkException.TextOf(exception), TimeProvider.GetUtcNow().UtcTicks);

    /// <summary>Counts a failure of <see cref="IScheduledLogSink.NextDue"/>, degrades the state for a minute, and reports at most once a minute.</summary>
    public void ScheduleFailed(Exception exception)
    {
        var errorType = LogSinkException.TypeOf(exception);
        var text = LogSinkException.TextOf(exception);
        Metrics.Failed(errorType, text, TimeProvider.GetUtcNow().UtcTicks);
        Health.AddTransientError(errorType);
        SelfReport.Report(SelfReportLevel.Warning, Name, "schedule", $"{nameof(IScheduledLogSink.NextDue)} failed: {text} ({errorType}). It is asked again; records are delivered.");
    }

    /// <summary>Ends an outage: a delivery succeeded after failures, or another destination is in force.</summary>
    public void Recovered(string message = "delivery works again.")
    {
        Health.Recovered();
        SelfReport.Resolve(Name, "delivery", message);
    }

    /// <summary>Reports how many records were left when the time of a drain was over.</summary>
    public void ReportLost(long left, TimeSpan budget)
    {
        if (left > 0)
        {
            if (Log.IsEnabled(EventLevel.Warning, Keywords.Lifecycle))
                Log.ShutdownTimedOut(Name, left);
            SelfReport.Tell(
                SelfReportLevel.Error, Name,
                $"{ControlText.Count(left, "record was", "records were")} left when the ShutdownTimeout of {TimeText.Show(budget)} was used up, and {(left == 1 ? "is" : "are")} lost.");
        }
    }

    /// <summary>Reports that it takes no records any more, and how many were written and dropped.</summary>
    public void ReportStopped(TimeSpan drain)
    {
        if (!Log.IsEnabled(EventLevel.Informational, Keywords.Lifecycle))
            return;
        long written;
        lock (Metrics.Gate)
            written = Metrics.Written;
        Log.SinkStopped(Name, written, Metrics.Drops.Total, (long)drain.TotalMilliseconds);
    }

    /// <summary>Starts the worker of a pipeline and puts it in force; the pipeline before drains behind it.</summary>
    /// <param name="pipeline">The new one.</param>
    /// <param name="replaced">The one in force; null when there is none.</param>
    /// <returns>False when the instance was shut down meanwhile: then the new pipeline ends at once.</returns>
    public bool Start(SinkPipeline pipeline, SinkPipeline? replaced = null)
    {
        var keepsSink = ReferenceEquals(replaced?.Sink, pipeline.Sink);
        lock (Metrics.Gate)
        {
            if (_isShutDown)
            {
                // Its worker disposes a sink of its own, and does not touch one that the pipeline before disposes.
                pipeline.HandsOverSink = keepsSink;
                pipeline.Queue.Finish();
                pipeline.Start();
                return false;
            }

            // First: a thread that cannot be started leaves everything as it was.
            pipeline.Start();
            pipeline.Context.Queue = pipeline.Queue;

            // One step for every caller: one that the old queue refuses finds the new pipeline, and none finds it before, through any
            // logger. Else a thread's later records could come before its earlier ones.
            replaced?.Replace(pipeline);
            if (!keepsSink)
                Leave();
            _pipelines.Add(pipeline);
            Usage.InForce = pipeline.Queue;
            Pipeline = pipeline;
            return true;
        }
    }

    /// <summary>Takes the pipeline from every logger that asks for it from now on; a logger that has it may still use it.</summary>
    public void Retire()
    {
        lock (Metrics.Gate)
            Pipeline = null;
    }

    /// <summary>Takes no records any more; what is accepted is drained.</summary>
    /// <param name="isForGood">Whether the provider ends. The pipeline stays then: it refuses, and counts, later records.</param>
    /// <returns>What still drains.</returns>
    public IReadOnlyList<SinkPipeline> Close(bool isForGood)
    {
        SinkPipeline[] closing;
        lock (Metrics.Gate)
        {
            _isShutDown |= isForGood;
            closing = [.. _pipelines];
            if (!isForGood)
            {
                Pipeline = null;
                Leave();
            }
        }

        foreach (var pipeline in closing)
            pipeline.Queue.Close();
        return closing;
    }

    /// <summary>Removes the pipelines whose workers have ended, with their memory; the newest stays and answers for the instance.</summary>
    public void RemoveEnded()
    {
        lock (Metrics.Gate)
        {
            for (var i = _pipelines.Count - 2; i >= 0; i--)
            {
                if (_pipelines[i].IsEnded)
                    _pipelines.RemoveAt(i);
            }

            CheckUsage();
        }
    }

    /// <summary>Every pipeline that may still hold records.</summary>
    public SinkPipeline[] Pipelines
    {
        get
        {
            lock (Metrics.Gate)
                return [.. _pipelines];
        }
    }

    /// <summary>Adds what waits and is in flight in all pipelines. Under the lock.</summary>
    public void AddTo(QueueSnapshot snapshot)
    {
        foreach (var pipeline in _pipelines)
            pipeline.Queue.AddTo(snapshot, isInForce: ReferenceEquals(pipeline, _pipelines[^1]));
        CheckUsage();
    }

    // What the queues hold together is what each of them holds; a pipeline that is removed holds nothing. Under the lock.
    [Conditional("DEBUG")]
    private void CheckUsage()
    {
        var held = (Bytes: 0L, Records: 0);
        foreach (var pipeline in _pipelines)
        {
            var (bytes, records) = pipeline.Queue.Held;
            held = (held.Bytes + bytes, held.Records + records);
        }

        Debug.Assert(held == (Usage.Bytes, Usage.SealedRecords), "The bound of the instance counts something else than its queues hold.");
    }

    private void Leave()
    {
        foreach (var pipeline in _pipelines)
        {
            pipeline.IsLeft = true;
            pipeline.Context.End();
        }
    }
}

/// <summary>What all instances of one provider share.</summary>
/// <param name="TimeProvider">The clock.</param>
/// <param name="Application">Names and folders.</param>
/// <param name="SelfReport">Reports on stderr.</param>
/// <param name="Categories">Numbers of category names.</param>
/// <param name="Histograms">What is measured batch by batch.</param>
/// <param name="RenderNotice">Renders a notice in a route's layout.</param>
internal sealed record InstanceServices(
    TimeProvider TimeProvider, ApplicationInfo Application, SelfReport SelfReport, CategoryTable Categories, MeterHistograms Histograms,
    NoticeRenderer RenderNotice);

/// <summary>Renders a notice in a route's layout.</summary>
/// <param name="route">The route.</param>
/// <param name="notice">The notice.</param>
/// <param name="utcTicks">Its time.</param>
/// <returns>The bytes; empty when it cannot be rendered.</returns>
internal delegate byte[] NoticeRenderer(RecordRoute route, Notice notice, long utcTicks);
