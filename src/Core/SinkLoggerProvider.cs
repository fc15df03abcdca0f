using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The part of every AsyncLog provider that is independent of its options: loggers, flush, status, shutdown.</summary>
/// <remarks>One provider per sink type; it hosts the named instances. Disposing it drains all instances at once, each within its own
/// <see cref="SinkOptions.ShutdownTimeout"/>, and reports the records left on stderr. Sinks that hang then get a tenth of a second, all together, to end.</remarks>
internal abstract class SinkLoggerProvider : ILoggerProvider, ISupportExternalScope, IAsyncDisposable
{
    // The part of the budget of a dying process that is reserved for notices of losses.
    private static readonly TimeSpan ReportTime = TimeSpan.FromMilliseconds(200);
    private readonly ConcurrentDictionary<string, SinkLogger> _loggers = new(StringComparer.Ordinal);
    private readonly InstanceServices _services;
    private readonly InstanceSampler _sampler;
    private readonly LoggerShared _shared;
    private readonly LevelReport _levels;
    private readonly Lock _planning = new();
    private CrashFlush? _crashFlush;

    // Computed once for each status that is read, as it takes all rules for every category; replaced when loggers or rules change.
    private ConcurrentDictionary<SinkInstance, IReadOnlyDictionary<string, EffectiveLevel>>? _effectiveLevels;
    private readonly Lazy<bool> _shutdown;

    private protected SinkLoggerProvider(InstanceServices services, InstanceSampler sampler, ObjectSerializer objects)
    {
        _services = services;
        _sampler = sampler;
        _shared = new LoggerShared(services.TimeProvider, services.Categories, objects);
        _levels = new LevelReport(services.SelfReport);
        Sampled = new InstanceSampler.Source(() => Monitors, ReportLevels);
        // Runs once, on the first thread that requests it; the others wait for the same end.
        _shutdown = new Lazy<bool>(Shutdown);
    }

    /// <summary>All instances there have been, those switched off included: their totals stay.</summary>
    private protected abstract InstanceMonitor[] Monitors { get; }

    /// <summary>Source of the sampler, valid after the instances are started.</summary>
    private protected InstanceSampler.Source Sampled { get; }

    private IEnumerable<SinkInstance> Instances => Monitors.Select(static monitor => monitor.Instance);

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName)
    {
        categoryName ??= "";
        return _loggers.TryGetValue(categoryName, out var existing) ? existing : AddLogger(categoryName);
    }

    /// <inheritdoc/>
    public void SetScopeProvider(IExternalScopeProvider scopeProvider) => _shared.Scopes = scopeProvider;

    /// <summary>Stops accepting records and drains accepted ones. May be called any number of times, from any thread. From inside a sink it returns
    /// at once, for the sink's worker would wait for itself; the drain continues without it.</summary>
    public void Dispose()
    {
        if (LoopGuard.Current.IsGuarded)
        {
            _ = DisposeApart();
            return;
        }

        _ = _shutdown.Value;
        // Last, because until now a crash has something to save; without it the process would keep the provider alive forever.
        _crashFlush?.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>The same as <see cref="Dispose"/>, without holding the calling thread.</summary>
    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        if (_shutdown.IsValueCreated)
            return default;
        var isInsideSink = LoopGuard.Current.IsGuarded;
        var ended = DisposeApart();
        return isInsideSink ? default : new ValueTask(ended);
    }

    /// <summary>The tasks of all instances, each of which completes when everything accepted before is delivered.</summary>
    /// <param name="givenUp">Set when they are not waited for any more.</param>
    internal IEnumerable<Task<bool>> Flush(CancellationToken givenUp = default)
        => Instances.SelectMany(instance => instance.Flush(givenUp));

    internal IEnumerable<SinkStatus> GetStatus() => Monitors.Select(monitor => monitor.Read(EffectiveLevels(monitor.Instance)));

    internal InstanceMonitor? Find(string name) => Array.Find(Monitors, monitor => string.Equals(monitor.Instance.State.Name, name, StringComparison.OrdinalIgnoreCase));

    /// <summary>The full paths of keys that mean nothing in the sections the provider reads.</summary>
    internal abstract IEnumerable<string> UnknownKeys { get; }

    /// <summary>Lines that announce the instances at start.</summary>
    internal abstract IEnumerable<(string Sink, Notice Line)> StartupLines();

    /// <summary>The host runs that has the provider from now on, and drains it on signals.</summary>
    internal void HostStarted() => _crashFlush?.LeaveSignals();

    /// <summary>Holds a dying process until everything is delivered, or for the budget.</summary>
    /// <param name="isLast">True if handlers that come later may log, and nothing holds the process for their records but their own calls.</param>
    internal void FlushWithin(TimeSpan budget, bool isLast = false)
    {
        if (isLast)
            AcknowledgeAll(budget);
        Task[] announced = [.. Instances.SelectMany(static instance => instance.Flushed).Select(static pipeline => pipeline.AnnounceDrops())];
        var isOver = false;
        try
        {
            isOver = !Task.WaitAll([.. Flush()], budget - ReportTime);
        }
        catch (AggregateException exception)
        {
            _services.SelfReport.Write(LogLevel.Error, "process exit", exception.Message);
        }

        // The time of the process is used up: what comes later is reported only.
        if (isLast && isOver)
            AcknowledgeAll(TimeSpan.Zero);
        Task.WaitAll(announced, ReportTime / 2);
        foreach (var monitor in Monitors)
            monitor.ReportExit();
        _services.SelfReport.Flush();
    }

    private void AcknowledgeAll(TimeSpan budget)
    {
        foreach (var monitor in Monitors)
            monitor.Instance.Pipeline?.Queue.AcknowledgeAll(budget, monitor.ReportExit);
    }

    /// <summary>Writes an unhandled exception into every instance.</summary>
    internal void RecordCrash(Exception? exception)
    {
        var logger = CreateLogger(Notice.Category);
        var notice = new Notice(LogLevel.Critical, new EventId(0), "Unhandled exception; the process ends.", []);
        try
        {
            logger.Log(notice.Level, notice.EventId, notice, exception, Notice.Formatter);
        }
        catch (LogDeliveryException)
        {
            // Counted; the process ends anyway.
        }
    }

    /// <summary>Starts to watch for the end of the process, after the instances run. A host drains on signals itself.</summary>
    private protected void WatchProcess(AsyncLogOptions process, bool hasHost)
        => _crashFlush = new CrashFlush(this, process.FlushOnCrash, process.FlushOnCrash && !hasHost);

    /// <summary>Gives every logger new routes; called after the instances or their levels changed.</summary>
    private protected void Replan()
    {
        lock (_planning)
        {
            foreach (var logger in _loggers.Values)
                logger.Plan = PlanFor(logger.Category.Name);
        }

        LevelsChanged();
    }

    /// <summary>Returns true if a logger was made whose category the key of a level covers.</summary>
    private protected bool HasLogger(string key) => _loggers.Keys.Any(category => CategoryPattern.Matches(key, category));

    /// <summary>The lowest level of a category that an instance takes.</summary>
    private protected abstract LogLevel MinimumLevel(SinkInstance instance, string category);

    /// <summary>The same with the rule that defines it.</summary>
    private protected abstract EffectiveLevel EffectiveLevel(SinkInstance instance, string category);

    /// <summary>Stops reload when the provider is disposed.</summary>
    private protected abstract void StopReload();

    // On its own thread: the pool may be blocked by the very requests that are being shut down.
    private Task DisposeApart()
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() =>
        {
            // An exception that leaves a thread ends the process.
            try
            {
                Dispose();
                ended.SetResult();
            }
            catch (Exception exception)
            {
                _services.SelfReport.Write(LogLevel.Error, "shutdown", $"{LogSinkException.TextOf(exception)} ({LogSinkException.TypeOf(exception)}).");
                ended.SetException(exception);
            }
        })
        { IsBackground = true, Name = "AsyncLog shutdown" };
        thread.UnsafeStart();
        return ended.Task;
    }

    private SinkLogger AddLogger(string category)
    {
        SinkLogger logger;
        lock (_planning)
            logger = _loggers.GetOrAdd(category, static (name, provider) => new SinkLogger(name, provider._shared) { Plan = provider.PlanFor(name) }, this);
        LevelsChanged();
        return logger;
    }

    private CategoryPlan PlanFor(string category)
    {
        var routes = new List<PlannedRoute>();
        foreach (var instance in Instances)
        {
            if (instance.Pipeline?.Route is { } route)
                routes.Add(new PlannedRoute(route, MinimumLevel(instance, category), instance.State.Options.MaxLevel ?? LogLevel.Critical));
        }

        return new CategoryPlan(routes);
    }

    private IReadOnlyDictionary<string, EffectiveLevel> EffectiveLevels(SinkInstance instance)
    {
        if (Volatile.Read(ref _effectiveLevels) is not { } table)
        {
            var empty = new ConcurrentDictionary<SinkInstance, IReadOnlyDictionary<string, EffectiveLevel>>();
            table = Interlocked.CompareExchange(ref _effectiveLevels, empty, null) ?? empty;
        }

        return table.GetOrAdd(
            instance,
            static (instance, provider) => provider._loggers.Keys
                .ToDictionary(static category => category, category => provider.EffectiveLevel(instance, category), StringComparer.Ordinal).AsReadOnly(),
            this);
    }

    // A value that a reader computes in the meantime goes into the old table.
    private void LevelsChanged()
    {
        Volatile.Write(ref _effectiveLevels, null);
        _levels.MarkChanged();
    }

    // After each sample: loggers are made by callers, who never wait for stderr.
    private void ReportLevels()
    {
        if (!_levels.TryTakeChanges())
            return;
        foreach (var instance in Instances.Where(static instance => instance.Pipeline is not null))
        {
            foreach (var (category, level) in EffectiveLevels(instance).OrderBy(static entry => entry.Key, StringComparer.Ordinal))
            {
                // Each line waits for the one before: no line is left out because too many wait.
                _services.SelfReport.Flush();
                _levels.Report(instance.State.Name, category, level);
            }
        }
    }

    // Steps: (1) stop reloads, (2) make every queue refuse records, (3) drain all instances in parallel, each within its budget, (4) count the remaining records,
    // (5) report them on stderr, (6) take the last sample.
    private bool Shutdown()
    {
        try
        {
            StopReload();
        }
        finally
        {
            // The configuration is foreign code: an exception of its disposal loses no record.
            Drain();
            _sampler.End(Sampled);
            _services.SelfReport.Flush();
        }

        return true;
    }

    /// <summary>Ends the parts that a constructor started before it failed: a container disposes only registered objects.</summary>
    private protected void EndStarted()
    {
        _crashFlush?.Dispose();
        Drain();
    }

    private void Drain()
    {
        var clock = _services.TimeProvider;
        var began = clock.GetTimestamp();
        // All workers drain from here on. Deadlines are kept in the order in which they come, so none waits for another one.
        var closing = Instances.Select(static instance => new Closing(instance, instance.State.Options.ShutdownTimeout, instance.Close(isForGood: true))).ToList();
        closing.Sort(static (left, right) => left.Budget.CompareTo(right.Budget));
        var saving = new Queue<Closing>();
        foreach (var one in closing)
        {
            // Hanging disks share one wait and do not delay later deadlines.
            while (saving.TryPeek(out var earlier) && earlier.Budget <= one.Budget - DiskWait.Max)
                saving.Dequeue().Finish(clock.GetElapsedTime(began));
            var isSaving = false;
            foreach (var pipeline in one.Pipelines)
                isSaving |= !pipeline.Drain(one.Budget - clock.GetElapsedTime(began));
            if (isSaving)
                saving.Enqueue(one);
            else
                one.Finish(clock.GetElapsedTime(began));
        }

        foreach (var one in saving)
            one.Finish(clock.GetElapsedTime(began));
        var cancelled = clock.GetTimestamp();
        foreach (var pipeline in closing.SelectMany(static one => one.Pipelines))
            pipeline.WaitForCancelled(SinkPipeline.AfterDeadline - clock.GetElapsedTime(cancelled));
        foreach (var one in closing)
            one.Instance.Spool?.Close();
        foreach (var one in closing)
        {
            one.Instance.State.ReportLost(one.Left, InstanceState.AtDeadline(one.Budget));
            one.Instance.State.ReportStopped(one.Time);
            one.Instance.ReleaseSurvival();
        }
    }

    // An instance while the provider drains: its records left at the deadline, and the time it took.
    private sealed class Closing(SinkInstance instance, TimeSpan budget, IReadOnlyList<SinkPipeline> pipelines)
    {
        public SinkInstance Instance => instance;

        public TimeSpan Budget => budget;

        public IReadOnlyList<SinkPipeline> Pipelines => pipelines;

        public long Left { get; private set; }

        public TimeSpan Time { get; private set; }

        public void Finish(TimeSpan time)
        {
            foreach (var pipeline in pipelines)
                Left += pipeline.Finish();
            instance.State.Health.Stopped();
            Time = time;
        }
    }
}
