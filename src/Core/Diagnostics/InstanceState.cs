using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Counters, self-reports and status of one configured destination (<c>file/errors</c>). Lives as long as its provider.</summary>
internal sealed class InstanceState
{
    private const string DeliveryWorks = "delivery works again.";
    private readonly InstanceServices _services;
    private SinkOptions _options;

    public InstanceState(string type, string shortName, SinkOptions options, InstanceServices services)
    {
        _services = services;
        _options = options;
        Type = type;
        ShortName = shortName;
        Name = $"{type}/{shortName}";
        Ages = new SteadyAge(services.TimeProvider);
        Health = new SinkHealth(Metrics.Drops, services.TimeProvider, Ages);
        Events = new InstanceEvents(Name, services.TimeProvider);
    }

    public string Type { get; }

    public string ShortName { get; }

    public string Name { get; }

    public TimeProvider TimeProvider => _services.TimeProvider;

    /// <summary>Spreads delays, so that many processes do not come back at once.</summary>
    public Random Random => _services.Random;

    public ApplicationInfo Application => _services.Application;

    public SelfReport SelfReport => _services.SelfReport;

    public CategoryTable Categories => _services.Categories;

    /// <summary>See <see cref="InstanceServices.StartWorker"/>.</summary>
    public Action<Action>? StartWorker => _services.StartWorker;

    public SinkMetrics Metrics { get; } = new();

    /// <summary>Notices that wait for the worker of the route in force.</summary>
    public PostedNotices Notices { get; } = new();

    public SteadyAge Ages { get; }

    public SinkHealth Health { get; }

    public SinkEvents Events { get; }

    public SinkInstruments Instruments { get; } = new();

    public string Target { get; set; } = "";

    /// <summary>Intended delay of records, so that a batch fills.</summary>
    public TimeSpan BatchDelay { get; set; }

    /// <summary>The server; null if there is none.</summary>
    public ServerAddress? Server { get; set; }

    /// <summary>The configuration error that keeps the last good settings in effect, or null.</summary>
    public string? ConfigurationProblem { get; set; }

    /// <summary>The reason for which a changed destination is not in use, or null.</summary>
    public string? DestinationProblem { get; set; }

    /// <summary>Returns the cure if this destination is perhaps not meant, as a sentence, or null. Asked at each failed delivery.</summary>
    public Func<string?> Advice { get; set; } = static () => null;

    /// <summary>What is wrong with the configuration, or null.</summary>
    public string? Problem => HasProblem ? string.Join("; ", new[] { ConfigurationProblem, DestinationProblem }.OfType<string>()) : null;

    /// <summary>True if something is wrong with the configuration.</summary>
    public bool HasProblem => (ConfigurationProblem ?? DestinationProblem) is not null;

    /// <summary>The settings in force; one immutable value at a time.</summary>
    public SinkOptions Options
    {
        get => Volatile.Read(ref _options);
        set => Volatile.Write(ref _options, value);
    }

    /// <summary>Counts a call of the sink and its time.</summary>
    public void Wrote(TimeSpan time, int records, Exception? failure)
    {
        var errorType = failure is null ? null : Metrics.ClassOf(LogSinkException.TypeOf(failure));
        Metrics.Wrote(time, records, errorType);
        if (!_services.Histograms.IsEnabled)
            return;
        try
        {
            _services.Histograms.Record(SinkTags.Of(Name, Type, Server?.Address, Server?.Port), time, records, errorType);
        }
        catch (Exception exception)
        {
            // Listeners of a meter are foreign code, and .NET passes their exceptions to the thread that records.
            var type = LogSinkException.TypeOf(exception);
            Metrics.CountError(type);
            SelfReport.Report(
                LogLevel.Warning, Name, "metrics", $"a listener of the meter failed: {LogSinkException.TextOf(exception)} ({type}). Delivery continues without it.");
        }
    }

    /// <summary>Counts a failed delivery, sets the state, and reports once per outage.</summary>
    /// <param name="isBatchOver">True if nothing is left of the batch: the sink refused what it did not write.</param>
    public void Failed(Exception exception, bool isBatchOver)
    {
        var errorType = LogSinkException.TypeOf(exception);
        var isPermanent = exception is LogSinkException { IsPermanent: true };
        var text = LogSinkException.TextOf(exception);
        Metrics.Failed(errorType, text, TimeProvider.GetUtcNow().UtcTicks);
        Health.Failed(errorType, isPermanent);
        var outlook = isBatchOver ? "Trying again with the next records." : "Records wait in the queue; retrying.";
        var advice = Advice() is { } sentence ? $" {sentence}" : "";
        SelfReport.Report(isPermanent ? LogLevel.Error : LogLevel.Warning, Name, "delivery", $"{text} ({errorType}). {outlook}{advice}", errorType);
    }

    /// <summary>Counts and reports that the destination does not answer: a call of the sink has not returned.</summary>
    public void FellSilent(TimeSpan time)
    {
        var text = string.Create(CultureInfo.InvariantCulture, $"{(Target.Length > 0 ? Target : "the destination")} has not answered for {(int)time.TotalSeconds} s");
        Metrics.Failed(SinkHealth.Timeout, text, TimeProvider.GetUtcNow().UtcTicks);
        SelfReport.Report(LogLevel.Warning, Name, "delivery", $"{text} ({SinkHealth.Timeout}). Records wait in the queue.", SinkHealth.Timeout);
    }

    /// <summary>Reports that the call of the sink has returned. If it failed, that is reported, and the outage goes on.</summary>
    public void Answered()
    {
        if (!Health.IsFailing)
            SelfReport.Resolve(Name, "delivery", DeliveryWorks);
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
        SelfReport.Report(LogLevel.Warning, Name, "schedule", $"{nameof(IScheduledLogSink.NextDue)} failed: {text} ({errorType}). It will be read again; records are still delivered.", errorType);
    }

    /// <summary>Ends an outage: a delivery succeeded after failures, or another destination is in force.</summary>
    public void Recovered(string? message = DeliveryWorks)
    {
        Health.Recovered();
        SelfReport.Resolve(Name, "delivery", message);
    }

    /// <summary>Why records are left at the end of a drain.</summary>
    public static string AtDeadline(TimeSpan budget) => $"when the {nameof(SinkOptions.ShutdownTimeout)} of {TimeText.Show(budget)} expired";

    /// <summary>Reports how many records were left at the end of a drain.</summary>
    /// <param name="why">The rest of the sentence "records were left".</param>
    public void ReportLost(long left, string why)
    {
        if (left > 0)
        {
            if (Log.IsEnabled(EventLevel.Warning, Keywords.Lifecycle))
                Log.ShutdownTimedOut(Name, left);
            SelfReport.Write(
                LogLevel.Error, Name,
                $"{ControlText.Count(left, "record was", "records were")} left {why}, and {(left == 1 ? "is" : "are")} lost.");
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
}

/// <summary>Services shared by all instances of one provider.</summary>
internal sealed record InstanceServices(
    TimeProvider TimeProvider, ApplicationInfo Application, SelfReport SelfReport, CategoryTable Categories, MeterHistograms Histograms)
{
    /// <summary>Runs the loop of a worker; null: on its own thread. For a simulation, which runs it on its own thread.</summary>
    public Action<Action>? StartWorker { get; init; }

    /// <summary>The key under which a test registers the <see cref="System.Random"/> of the instances.</summary>
    public const string RandomKey = "AsyncLog.Random";

    /// <summary>See <see cref="InstanceState.Random"/>. Used by all workers at once.</summary>
    public Random Random { get; init; } = Random.Shared;
}

/// <summary>The server of an instance, as configured.</summary>
/// <param name="Port">The port; null if there is none.</param>
internal sealed record ServerAddress(string Address, int? Port);
