using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>One configured destination (<c>file/errors</c>): its books, its state, and the route that is in force. Lives as long as the process's provider.</summary>
internal sealed class SinkInstance
{
    private readonly List<RunningRoute> _running = [];
    private SinkOptions _options;
    private SinkRoute? _route;
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
    public ServerName? Server { get; set; }

    /// <summary>What is wrong with the configuration and kept out by the last good settings.</summary>
    public string? ConfigurationProblem { get; set; }

    /// <summary>The settings in force; one immutable value at a time.</summary>
    public SinkOptions Options
    {
        get => Volatile.Read(ref _options);
        set => Volatile.Write(ref _options, value);
    }

    /// <summary>The route that takes records, or at the end refuses them; null after it was switched off or removed.</summary>
    public SinkRoute? Route
    {
        get => Volatile.Read(ref _route);
        private set => Volatile.Write(ref _route, value);
    }

    /// <summary>A call of the sink has ended: counts it and its time.</summary>
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

    /// <summary>A delivery failed: counts, sets the state, reports once per episode.</summary>
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

    /// <summary>A delivery to a destination that was left failed: counts it.</summary>
    public void FailedBehind(Exception exception)
        => Metrics.Failed(LogSinkException.TypeOf(exception), LogSinkException.TextOf(exception), TimeProvider.GetUtcNow().UtcTicks);

    /// <summary>What says when a sink has something to do failed: counts, degrades the state for a minute, reports at most once a minute.</summary>
    public void ScheduleFailed(Exception exception)
    {
        var errorType = LogSinkException.TypeOf(exception);
        var text = LogSinkException.TextOf(exception);
        Metrics.Failed(errorType, text, TimeProvider.GetUtcNow().UtcTicks);
        Health.GotOver(errorType);
        SelfReport.Report(SelfReportLevel.Warning, Name, "schedule", $"{nameof(IScheduledLogSink.NextDue)} failed: {text} ({errorType}). It is asked again; records are delivered.");
    }

    /// <summary>A delivery worked after failures, or another destination is in force.</summary>
    public void Recovered(string message = "delivery works again.")
    {
        Health.Recovered();
        SelfReport.Resolve(Name, "delivery", message);
    }

    /// <summary>Says what was left when a route had to be drained within a time.</summary>
    public void TellLost(long left, TimeSpan budget)
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

    /// <summary>Says that it takes no records any more, and what became of all of them.</summary>
    public void TellStopped(TimeSpan drain)
    {
        if (!Log.IsEnabled(EventLevel.Informational, Keywords.Lifecycle))
            return;
        long written, dropped;
        lock (Metrics.Gate)
            (written, dropped) = (Metrics.Written, Metrics.Drops.Total);
        Log.SinkStopped(Name, written, dropped, (long)drain.TotalMilliseconds);
    }

    /// <summary>Starts the worker of a route and puts it in force; the route before drains behind it.</summary>
    /// <param name="running">The new route.</param>
    /// <param name="replaced">The route it takes the place of; null when none was in force.</param>
    /// <returns>False when the instance was shut down meanwhile: then the new route ends at once.</returns>
    public bool Start(RunningRoute running, RunningRoute? replaced = null)
    {
        var keepsSink = replaced is not null && ReferenceEquals(replaced.Sink, running.Sink);
        lock (Metrics.Gate)
        {
            if (_isShutDown)
            {
                // Its worker disposes a sink of its own, and does not touch one that the route before disposes.
                running.Route.HandsOverSink = keepsSink;
                running.Route.Queue.Finish();
                running.Start();
                return false;
            }

            // First: a thread that cannot be started leaves everything as it was.
            running.Start();

            // One step for every caller: one that the old queue refuses finds the new route, and none finds it before, through any
            // logger. Else a thread's later records could come before its earlier ones.
            replaced?.Route.Replace(running.Route, keepsSink);

            if (!keepsSink)
                Leave();
            _running.Add(running);
            Usage.InForce = running.Route.Queue;
            Route = running.Route;
            return true;
        }
    }

    /// <summary>Gives no logger a route any more; who has one may still use it.</summary>
    public void Retire()
    {
        lock (Metrics.Gate)
            Route = null;
    }

    /// <summary>Takes no records any more; what is accepted is drained.</summary>
    /// <param name="isForGood">Whether the provider ends. The route stays then: it refuses, and counts, whatever comes later.</param>
    /// <returns>What still drains.</returns>
    public IReadOnlyList<RunningRoute> Close(bool isForGood)
    {
        RunningRoute[] running;
        lock (Metrics.Gate)
        {
            _isShutDown |= isForGood;
            running = [.. _running];
            if (!isForGood)
            {
                Route = null;
                Leave();
            }
        }

        foreach (var route in running)
            route.Route.Queue.Close();
        return running;
    }

    /// <summary>Forgets the routes whose workers have ended, with their memory; the newest stays and answers for the instance.</summary>
    public void RemoveEnded()
    {
        lock (Metrics.Gate)
        {
            for (var i = _running.Count - 2; i >= 0; i--)
            {
                if (_running[i].IsEnded)
                    _running.RemoveAt(i);
            }
        }
    }

    /// <summary>Every route that may still hold records.</summary>
    public RunningRoute[] Running
    {
        get
        {
            lock (Metrics.Gate)
                return [.. _running];
        }
    }

    /// <summary>Adds what waits and is in flight on all routes. Under the lock.</summary>
    public void AddTo(QueueSnapshot snapshot)
    {
        foreach (var running in _running)
            running.Route.Queue.AddTo(snapshot, isInForce: ReferenceEquals(running, _running[^1]));
    }

    private void Leave()
    {
        foreach (var running in _running)
        {
            running.Route.IsLeft = true;
            running.Context.End();
        }
    }
}
