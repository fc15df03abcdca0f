using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Reads the status of one sink instance and keeps its history; reports when its state, its queue or its losses change.</summary>
internal sealed class InstanceMonitor(SinkInstance instance)
{
    // The fill below which QueueHighWater can be reported again; lower than SinkHealth.NearlyFull, so that a fill near the limit is not reported each second.
    private const double Rearm = 0.7;
    private const string Unaccounted = "unaccounted";
    private static readonly Dictionary<string, EffectiveLevel> NoLevels = [];
    private readonly InstanceState _instanceState = instance.State;
    private readonly SinkHistory _history = new(instance.State.Metrics.Drops, instance.State.TimeProvider, instance.State.Ages);
    private readonly DropReporter _drops = new(instance.State.Name, instance.State.Metrics, instance.State.SelfReport, instance.State.TimeProvider, instance.State.Ages);

    // Protects the fields below and the reporter; taken by those who sample.
    private readonly Lock _sampling = new();
    private readonly QueueSnapshot _queue = new();
    private SinkState _state;
    private bool _isHigh;
    private bool _isSilent;
    private TimeSpan _callerWait;
    private long _unaccounted;

    // The records left in the last line of ReportExit.
    private long _reportedLeft;

    public SinkInstance Instance => instance;

    /// <summary>The samples of the last ten minutes, oldest first.</summary>
    public SinkSample[] History => _history.Samples();

    /// <summary>Adds a sample to the history, and reports changes since the previous one. Allocates nothing while nothing changes.</summary>
    /// <param name="isLast">True if no further sample follows: open episodes end.</param>
    public void Sample(bool isLast = false)
    {
        lock (_sampling)
        {
            InstanceSample sample;
            _queue.Clear();
            lock (_instanceState.Metrics.Gate)
                sample = Take(_queue);
            _history.Add(sample.Values);
            _history.AddLosses();
            ReportState(sample);
            ReportSilence(sample.SilentFor);
            ReportQueue(sample.Fill);
            ReportUnaccounted(sample);
            _drops.Sample(isLast, _instanceState.Health.Outage);
        }
    }

    /// <summary>Reports every loss until now, and what still waits, of a process that is about to end without draining.</summary>
    public void ReportExit()
    {
        lock (_sampling)
        {
            _drops.ReportAll(_instanceState.Health.Outage);
            _queue.Clear();
            lock (_instanceState.Metrics.Gate)
                instance.AddWithoutCrashBufferTo(_queue);
            var left = _queue.Waiting + _queue.InFlight;
            // A process may end in more than one way at once: by a signal and by an exception.
            if (left > 0 && left != _reportedLeft)
                _instanceState.SelfReport.WriteFinal(LogLevel.Warning, _instanceState.Name, $"{ControlText.Count(left, "record was", "records were")} left when the process ended, and {(left == 1 ? "is" : "are")} lost.");
            _reportedLeft = left;
        }
    }

    /// <summary>Reads the status at this instant.</summary>
    /// <param name="effectiveLevels">The lowest level accepted, by category; null: none is read.</param>
    public SinkStatus Read(IReadOnlyDictionary<string, EffectiveLevel>? effectiveLevels = null)
    {
        var queue = new QueueSnapshot();
        SinkStatus status;
        lock (_instanceState.Metrics.Gate)
            status = StatusOf(Take(queue), queue, effectiveLevels ?? NoLevels);
        // Values that need not be of the same instant are read outside the lock, because callers of a logger may wait for it.
        status.Rates = _history.Rates;
        status.RecentDrops = DropsWithin(SinkHistory.Length);
        status.Measurements = _instanceState.Instruments.Read();
        status.Histograms = _instanceState.Metrics.Histograms.Read();
        return status;
    }

    /// <summary>Returns the losses in a time span that ends now, by reason and level; no longer than <see cref="SinkHistory.Length"/>.</summary>
    public IReadOnlyList<DropCount> DropsWithin(TimeSpan time)
    {
        _history.AddLosses();
        return _history.DropsWithin(time);
    }

    // Under the instance's lock.
    private InstanceSample Take(QueueSnapshot queue)
    {
        instance.AddTo(queue);
        var metrics = _instanceState.Metrics;
        // Before the first success its time is 0: older than any record.
        TimeSpan? unservedFor = queue.OldestUnsettledTicks == long.MaxValue ? null
            : Shorter(_instanceState.Ages.Of(queue.OldestUnsettledTicks), _instanceState.Ages.Of(metrics.LastSuccessTicks));
        var fill = SinkStatus.Fill(queue.Waiting, queue.Capacity, queue.WaitingBytes, queue.MemoryLimit);
        // A record that is held back on purpose is not unserved until its batch is due.
        var (state, reason, since) = _instanceState.Health.Evaluate(fill, unservedFor - _instanceState.BatchDelay, instance.CalledAt, _instanceState.HasProblem);
        var enqueued = 0L;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            enqueued += Enqueued(queue, level);
        return new InstanceSample(state, reason, since, _instanceState.Health.SilentFor, fill, unservedFor ?? TimeSpan.Zero, metrics.Accepted, metrics.Settled, instance.Unaccounted(queue), new SinkSample
        {
            At = _instanceState.TimeProvider.GetUtcNow(),
            QueueFill = fill,
            QueueSize = queue.Waiting,
            QueueBytes = queue.WaitingBytes,
            InFlight = queue.InFlight,
            OldestAge = AgeOf(queue.OldestTicks),
            Enqueued = enqueued,
            Written = metrics.Written,
            Dropped = metrics.Drops.Total,
            OutputBytes = metrics.OutputBytes,
            Batches = metrics.Batches,
            WriteTime = metrics.WriteTime,
        });
    }

    // Under the instance's lock.
    private SinkStatus StatusOf(InstanceSample sample, QueueSnapshot queue, IReadOnlyDictionary<string, EffectiveLevel> effectiveLevels)
    {
        var metrics = _instanceState.Metrics;
        var (troubleEnded, healthyAt) = _instanceState.Health.Recovery;
        var enqueued = new Dictionary<LogLevel, long>();
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            enqueued[level] = Enqueued(queue, level);
        return new SinkStatus
        {
            Name = _instanceState.Name,
            Type = _instanceState.Type,
            Target = _instanceState.Target,
            ServerAddress = _instanceState.Server?.Address,
            ServerPort = _instanceState.Server?.Port,
            State = sample.State,
            Reason = sample.Reason,
            ReasonSince = sample.Since,
            TroubleEndedAt = troubleEnded,
            HealthyAt = healthyAt,
            QueueSize = sample.Values.QueueSize,
            QueueCapacity = queue.Capacity,
            QueueBytes = sample.Values.QueueBytes,
            QueueBytesLimit = queue.MemoryLimit,
            OldestAge = sample.Values.OldestAge,
            InFlight = sample.Values.InFlight,
            Spooled = queue.Spooled,
            SpooledBytes = queue.SpooledBytes,
            SpoolBytesLimit = instance.Spool is null ? 0 : _instanceState.Options.SpoolSizeLimit,
            SpooledAge = AgeOf(queue.OldestSpooledTicks),
            TimeWithoutDelivery = sample.TimeWithoutDelivery,
            EnqueuedByLevel = enqueued,
            Unaccounted = sample.Unaccounted,
            Written = sample.Values.Written,
            // A sink that is cancelled at the shutdown deadline reports what it had sent of a batch whose records are counted as lost.
            Uncertain = Math.Min(metrics.Uncertain, metrics.Written),
            Unacknowledged = metrics.Unacknowledged,
            Recovered = metrics.Recovered,
            Drops = metrics.Drops.Counts(),
            Truncated = metrics.Truncated,
            PropertiesLeftOut = metrics.PropertiesLeftOut,
            RenderErrors = metrics.RenderErrors,
            OutputBytes = sample.Values.OutputBytes,
            Batches = sample.Values.Batches,
            WriteTime = sample.Values.WriteTime,
            Errors = new Dictionary<string, long>(metrics.Errors, StringComparer.Ordinal),
            Retries = metrics.Retries,
            CallerWait = metrics.CallerWait,
            LastSuccess = metrics.LastSuccessTicks == 0 ? null : new DateTimeOffset(metrics.LastSuccessTicks, TimeSpan.Zero),
            LastError = metrics.LastError,
            ConfigurationProblem = _instanceState.Problem,
            EffectiveLevels = effectiveLevels,
            BatchDelay = _instanceState.BatchDelay,
        };
    }

    private TimeSpan AgeOf(long ticks) => ticks == long.MaxValue ? TimeSpan.Zero : _instanceState.Ages.Of(ticks);

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private long Enqueued(QueueSnapshot queue, LogLevel level) => _instanceState.Metrics.SettledOf(level) + queue.Levels[(int)level];

    private void ReportState(InstanceSample sample)
    {
        if (sample.State == _state)
            return;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Lifecycle))
            Log.SinkStateChanged(_instanceState.Name, SinkStates.NameOf(_state), SinkStates.NameOf(sample.State), sample.Reason ?? "");
        _state = sample.State;
    }

    private void ReportSilence(TimeSpan? time)
    {
        if (time is not null == _isSilent)
            return;
        _isSilent = !_isSilent;
        if (time is { } silence)
            _instanceState.FellSilent(silence);
        else
            _instanceState.Answered();
    }

    private void ReportQueue(double fill)
    {
        if (fill >= SinkHealth.NearlyFull && !_isHigh)
        {
            _isHigh = true;
            if (Log.IsEnabled(EventLevel.Informational, Keywords.Queue))
                Log.QueueHighWater(_instanceState.Name, (int)(fill * 100));
        }

        _isHigh &= fill >= Rearm;
        var callerWait = _instanceState.Metrics.CallerWait;
        if (callerWait > _callerWait && Log.IsEnabled(EventLevel.Verbose, Keywords.Queue))
            Log.CallerBlocked(_instanceState.Name, (long)(callerWait - _callerWait).TotalMilliseconds);
        _callerWait = callerWait;
    }

    private void ReportUnaccounted(InstanceSample sample)
    {
        if (sample.Unaccounted == _unaccounted)
            return;
        _unaccounted = sample.Unaccounted;
        if (_unaccounted == 0)
        {
            _instanceState.SelfReport.Resolve(_instanceState.Name, Unaccounted, "the counters add up again.");
            return;
        }

        _instanceState.SelfReport.Report(
            LogLevel.Error, _instanceState.Name, Unaccounted,
            string.Create(CultureInfo.InvariantCulture, $"the counters do not add up: {sample.Accepted} records were accepted, {sample.Settled} have an outcome and {sample.Accepted - sample.Settled - sample.Unaccounted} wait, so {sample.Unaccounted} are unaccounted for. This is a defect of AsyncLog: please report it with this line."));
    }

    // Values read at one instant. A struct, unlike SinkStatus: the sample of each second allocates nothing.
    private readonly record struct InstanceSample(SinkState State, string? Reason, DateTimeOffset Since, TimeSpan? SilentFor, double Fill, TimeSpan TimeWithoutDelivery, long Accepted, long Settled, long Unaccounted, SinkSample Values);
}
