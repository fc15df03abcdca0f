using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>One configured destination (<c>file/errors</c>): its books, its state, and the route that is in force. Lives as long as the process's provider.</summary>
internal sealed class SinkInstance
{
    private readonly List<RunningRoute> _running = [];
    private SinkOptions _options;
    private SinkRoute? _route;

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
        OwnCategory = services.OwnCategory;
        Health = new SinkHealth(services.TimeProvider);
    }

    public string Type { get; }

    public string ShortName { get; }

    public string Name { get; }

    public TimeProvider TimeProvider { get; }

    public ApplicationInfo Application { get; }

    public SelfReport SelfReport { get; }

    public CategoryTable Categories { get; }

    /// <summary>The number of the category of AsyncLog's own records.</summary>
    public int OwnCategory { get; }

    public SinkMetrics Metrics { get; } = new();

    public AnnouncedDrops Announced { get; } = new();

    public SinkHealth Health { get; }

    public string Target { get; set; } = "";

    /// <summary>What is wrong with the configuration and kept out by the last good settings.</summary>
    public string? ConfigurationProblem { get; set; }

    /// <summary>The settings in force; one immutable value at a time.</summary>
    public SinkOptions Options
    {
        get => Volatile.Read(ref _options);
        set => Volatile.Write(ref _options, value);
    }

    /// <summary>The route that takes records; null after it was switched off or removed.</summary>
    public SinkRoute? Route
    {
        get => Volatile.Read(ref _route);
        private set => Volatile.Write(ref _route, value);
    }

    /// <summary>Counts a record that is not accepted.</summary>
    public void Drop(DropReason reason, LogLevel level) => Metrics.DroppedBefore(reason, level, TimeProvider.GetUtcNow().UtcTicks);

    /// <summary>A delivery failed: counts, sets the state, reports once per episode.</summary>
    public void Failed(Exception exception)
    {
        var errorType = LogSinkException.TypeOf(exception);
        var isPermanent = exception is LogSinkException { IsPermanent: true };
        Metrics.Failed(errorType, exception.Message, TimeProvider.GetUtcNow().UtcTicks);
        Health.Failed(errorType, isPermanent);
        SelfReport.Report(
            isPermanent ? SelfReportLevel.Error : SelfReportLevel.Warning, Name, "delivery", $"{exception.Message} ({errorType}). Records wait in the queue; retrying.");
    }

    /// <summary>A delivery worked after failures.</summary>
    public void Recovered()
    {
        Health.Recovered();
        SelfReport.Resolve(Name, "delivery", "delivery works again.");
    }

    /// <summary>Puts a route in force and starts its worker; the route before drains behind it.</summary>
    public void Start(RunningRoute running)
    {
        lock (Metrics.Gate)
        {
            _running.RemoveAll(static old => old.IsEnded);
            _running.Add(running);
            Route = running.Route;
        }

        running.Start();
    }

    /// <summary>Takes no records any more; what is accepted is drained.</summary>
    /// <returns>What still drains.</returns>
    public IReadOnlyList<RunningRoute> Close()
    {
        RunningRoute[] running;
        lock (Metrics.Gate)
        {
            running = [.. _running];
            Route = null;
        }

        foreach (var route in running)
            route.Route.Queue.Close();
        return running;
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

    /// <summary>Reads everything at one instant.</summary>
    /// <param name="effectiveLevels">The lowest level taken, by category.</param>
    public SinkStatus GetStatus(IReadOnlyDictionary<string, LogLevel> effectiveLevels)
    {
        lock (Metrics.Gate)
        {
            var snapshot = new QueueSnapshot();
            foreach (var running in _running)
                running.Route.Queue.AddTo(snapshot);
            return SinkStatusReader.Read(this, snapshot, effectiveLevels);
        }
    }
}
