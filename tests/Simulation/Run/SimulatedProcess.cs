using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Run;

/// <summary>One life of the application: the real instance with its pipelines, and what its callers know of it.</summary>
internal sealed class SimulatedProcess
{
    /// <summary>Time without an answer of the destination from which the status says so.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private const int MaxRecordSize = 400;
    private readonly SimulationRun _run;
    private readonly Scene _scene;
    private readonly SinkInstance _instance;
    private readonly InstanceMonitor _monitor;
    private readonly InstanceContext _context;
    private readonly Queue<(SinkPipeline Pipeline, Action Run)> _workers = [];
    private readonly LogEvent _event = new();
    private readonly long[] _offered = new long[DropCounts.Levels];
    private readonly long[] _accepted = new long[DropCounts.Levels];
    private readonly List<PendingFlush> _flushes = [];
    private PipelineSettings _settings;
    private SinkPipeline? _starting;
    private SinkPipeline? _running;

    // When the spool's thread would do something, and whether it does.
    private long _spoolAt;
    private bool _isSpooling;

    // Accepted records in their order, and the first of them that a flush can still promise: after a flush that failed, the next one answers for later
    // records only.
    private readonly List<int> _ids = [];
    private int _promisesFrom;

    public SimulatedProcess(SimulationRun run, Scene scene, int number)
    {
        _run = run;
        _scene = scene;
        Number = number;
        var options = new SimulatedOptions { GapNotices = run.HasNotices, ShutdownTimeout = TimeSpan.FromSeconds(5) };
        scene.Configure(options);
        var services = new InstanceServices(
            run.Clock,
            new ApplicationInfo { ApplicationName = "Shop", EnvironmentName = "Test", ContentRootPath = SimulatedDisk.Root },
            new SelfReport(LogLevel.None, run.Clock, static () => TextWriter.Null),
            new CategoryTable(),
            new MeterHistograms())
        { StartWorker = body => _workers.Enqueue((_starting!, body)), Random = new Random(number) };
        _instance = new SinkInstance("simulated", "one", options, services, RenderNotice);
        _instance.State.Categories.Add("Simulated");
        _monitor = new InstanceMonitor(_instance);
        _context = new InstanceContext(_instance.State);
        _settings = NextSettings();
    }

    public int Number { get; }

    /// <summary>True if it was killed. Its remains unwind.</summary>
    public bool IsDead { get; private set; }

    /// <summary>True if the shutdown deadline passed.</summary>
    public bool IsFinal { get; private set; }

    /// <summary>The instance's lock, on which callers wait for room.</summary>
    public object Gate => _instance.State.Metrics.Gate;

    /// <summary>True if the worker was woken and has not seen it yet.</summary>
    public bool IsWoken => _running is { } running && IsSet(running.Queue.Signal);

    public SinkMetrics Metrics => _instance.State.Metrics;

    public CategoryTable Categories => _instance.State.Categories;

    public int PendingFlushes => _flushes.Count;

    public SinkPipeline Pipeline => _instance.Pipeline!;

    /// <summary>When the spool's thread has something to do; <see cref="long.MaxValue"/>: never.</summary>
    public long SpoolAt => _instance.Spool is null || IsDead || _isSpooling ? long.MaxValue
        : IsSet(_instance.Usage.SpoolSignal!) ? _run.Clock.Ticks : _spoolAt;

    private long Refused => Metrics.Drops.Total - Metrics.Drops.AfterAcceptance;

    /// <summary>Opens the spool and the destination.</summary>
    public void Begin()
    {
        var sink = _scene.Start(this, _context);
        if (_scene.OpenSpool(_instance) is { } spool)
        {
            _instance.Spool = spool;
            _spoolAt = _run.Clock.Ticks;
        }

        if (_scene.OpenCrashBuffer(_instance) is { } crashRegions)
        {
            _instance.CrashRegions = crashRegions;
            crashRegions.Recover(_settings.WireId, _instance.Spool);
            _scene.Recovered(this);
        }

        StartPipeline(new SinkPipeline(_instance, _settings, new InstalledSink(sink, _context, _settings.Backoff), predecessor: null), replaced: null);
    }

    /// <summary>Accepted records of a level, by the counters.</summary>
    public long EnqueuedOf(LogLevel level) => _monitor.Read().EnqueuedByLevel[level];

    /// <summary>One step of the spool's thread.</summary>
    public void StepSpool()
    {
        _isSpooling = true;
        IsSet(_instance.Usage.SpoolSignal!) = false;
        var left = _instance.Spool!.Step();
        _spoolAt = _run.Clock.Ticks + Math.Max(1, left.Ticks);
        _isSpooling = false;
    }

    /// <summary>The last step of a shutdown.</summary>
    public void End() => _instance.ReleaseSurvival();

    /// <summary>Runs the workers, one after the other, until all have ended.</summary>
    public void RunWorkers()
    {
        while (!IsDead && _workers.TryDequeue(out var worker))
        {
            _running = worker.Pipeline;
            worker.Run();
        }

        _running = null;
    }

    /// <summary>A caller logs a record, as a dispatch does it: admission, the route, and its successor.</summary>
    public void Offer(int caller, int number, LogLevel level, int length)
    {
        var record = new OfferedRecord(Number, caller, number, level, length);
        var id = _run.Records.Add(record);
        _offered[(int)level]++;
        var refused = Refused;
        RecordRoute? route = _instance.Pipeline!.Route;
        AwaitedRecord? awaited = null;
        if (route!.Admits(level, ref awaited))
        {
            var bytes = _run.Records.BytesOf(id);
            while (!route!.Write(bytes, level, _run.Clock.GetUtcNow().UtcTicks, 0, _event, ref awaited))
                route = route.Successor;
        }

        record.IsAccepted = Refused == refused;
        if (record.IsAccepted)
        {
            if (_run.Mutant == Mutant.RecordVanished && level == LogLevel.Error)
            {
                lock (Gate)
                    Metrics.Accept(1);
            }

            _accepted[(int)level]++;
            _ids.Add(id);
        }

        if (_run.IsTraced)
            _run.Say($"caller {caller} logs #{id:000000} {level} of {length} bytes: {(record.IsAccepted ? "accepted" : "refused")}");
    }

    /// <summary>A caller flushes.</summary>
    public void Flush(bool givesUp)
    {
        var cancellation = givesUp ? new CancellationTokenSource() : null;
        var lost = Metrics.Drops.AfterAcceptance;
        var tasks = _instance.Flush(cancellation?.Token ?? default);
        if (_run.Mutant == Mutant.FlushAnsweredAtOnce)
            tasks = [Task.FromResult(true)];
        _flushes.Add(new PendingFlush(tasks, _ids.Count, lost, cancellation));
        _run.Say("a flush begins");
        ReadFlushes();
    }

    /// <summary>The oldest flush that may be given up is given up.</summary>
    public void GiveUpFlush()
    {
        if (_flushes.Find(static flush => flush.Cancellation is { IsCancellationRequested: false }) is { } flush)
            flush.Cancellation!.Cancel();
        ReadFlushes();
    }

    /// <summary>Looks which flushes have ended, and holds each to what it says.</summary>
    public void ReadFlushes()
    {
        for (var i = 0; i < _flushes.Count; i++)
        {
            var flush = _flushes[i];
            if (!Array.TrueForAll(flush.Tasks, static task => task.IsCompleted))
                continue;
            _flushes.RemoveAt(i--);
            var isFlushed = Array.TrueForAll(flush.Tasks, static task => task.Result);
            _run.Say($"a flush ends: {isFlushed}");
            if (isFlushed)
                Promise(flush);
            else
                _promisesFrom = _ids.Count;
        }
    }

    /// <summary>Checks that the counters add up at this instant.</summary>
    public void CheckCounters()
    {
        var status = _monitor.Read();
        var drops = status.Drops.Where(drop => _run.Mutant != Mutant.ReasonForgotten || drop.Reason != DropReason.QueueFull).ToList();
        var inFlight = _run.Mutant == Mutant.InFlightForgotten ? 0 : status.InFlight;
        var spooled = _run.Mutant == Mutant.SpooledForgotten ? 0 : status.Spooled;
        // Inside an operation on the disk nothing can be said of what an earlier process left there: it is just counted.
        var found = _scene.FoundOnDisk();
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            var refused = drops.Where(drop => drop.IsBeforeAcceptance && drop.Level == level).Sum(static drop => drop.Count);
            var enqueued = _run.Mutant == Mutant.LevelForgotten && level == LogLevel.Error ? 0 : status.EnqueuedByLevel[level];
            if (found is null)
                continue;
            var carried = found[(int)level];
            if (_accepted[(int)level] + carried != enqueued)
                _run.Fail($"{_accepted[(int)level]} records of level {level} were accepted, {carried} were found, and the counters say {enqueued}");
            if (_offered[(int)level] + carried != enqueued + refused)
                _run.Fail($"{_offered[(int)level]} records of level {level} were offered, {carried} were found, and the counters say {enqueued} accepted and {refused} refused");
        }

        var lost = drops.Where(static drop => !drop.IsBeforeAcceptance).Sum(static drop => drop.Count);
        var accepted = found is null ? status.Enqueued : _accepted.Sum() + found.Sum();
        if (accepted != status.Written + lost + status.QueueSize + inFlight + spooled)
        {
            _run.Fail($"{accepted} records were accepted, and the counters say {status.Written} written, {lost} lost, {status.QueueSize} waiting, {inFlight} in flight, "
                + $"{spooled} spooled");
        }

        if (found is not null && _scene.CompareDisk(this, status) is { } fault)
            _run.Fail(fault);
        if (Counters.FaultOf(status) is { } disagreement)
            _run.Fail(disagreement);
        foreach (var errorType in status.Errors.Keys)
        {
            if (!_scene.ErrorTypes.Contains(errorType))
                _run.Fail($"an error of class {errorType} was counted, which nothing caused: {status.LastError?.Message}");
        }
    }

    /// <summary>What the sampler does once a second.</summary>
    public void Sample() => _monitor.Sample();

    /// <summary>Checks that a destination that does not answer is reported.</summary>
    public void CheckSilence()
    {
        var status = _monitor.Read();
        var isReported = status.State is SinkState.Degraded or SinkState.Failed && (status.Reason == "timeout" || _instance.State.Health.IsFailing);
        if (!isReported || _run.Mutant == Mutant.SilenceUnnoticed)
            _run.Fail($"the destination does not answer, and the status says {status.State} {status.Reason}");
    }

    /// <summary>Checks that everything is delivered and every flush answered.</summary>
    public void CheckProgress()
    {
        var status = _monitor.Read();
        if (status.QueueSize + status.InFlight + status.Spooled > 0)
        {
            _run.Fail($"{status.QueueSize} records wait, {status.InFlight} are in flight and {status.Spooled} on the disk long after all trouble ended; "
                + $"state {status.State} {status.Reason}");
        }

        if (_flushes.Count > 0)
            _run.Fail($"{_flushes.Count} flushes are not answered long after all trouble ended");
        if (_instance.State.Health.Outage is { } outage)
            _run.Fail($"nothing is delivered ({outage}) long after all trouble ended");
    }

    /// <summary>Checks that the losses so far are announced.</summary>
    public void CheckNotices(Arrivals arrivals, IReadOnlyDictionary<string, long> before, bool mayRepeat)
    {
        foreach (var reason in DropReasons.All)
        {
            var name = DropReasons.NameOf(reason);
            var announced = arrivals.Announced.GetValueOrDefault(name) - before.GetValueOrDefault(name);
            var lost = Metrics.Drops.Of(reason);
            if (announced != lost && !(mayRepeat && announced > lost))
                _run.Fail($"{lost} records were lost as {name}, and {announced} were announced");
        }
    }

    /// <summary>Checks the outcome of an orderly end: nothing is left, and what is written is there, by level.</summary>
    public void CheckEnd(Arrivals arrivals)
    {
        ReadFlushes();
        CheckCounters();
        var status = _monitor.Read();
        if (status.QueueSize > 0 || (status.InFlight > 0 && !_scene.HoldsUndelivered))
            _run.Fail($"{status.QueueSize} records wait and {status.InFlight} are in flight after the end");
        if (_flushes.Count > 0)
            _run.Fail($"{_flushes.Count} flushes are not answered after the end");
        var there = new long[DropCounts.Levels];
        var uncertain = new long[DropCounts.Levels];
        foreach (var id in _ids.Concat(_scene.FoundRecords))
        {
            there[(int)_run.Records[id].Level] += Math.Min(_scene.CopiesInThisLife(arrivals, id), _scene.TimesFound(id));
            uncertain[(int)_run.Records[id].Level] += _scene.MayBeThereUntold(id) || _scene.IsSavedToo(id) ? _scene.TimesFound(id) : 0;
        }

        var left = _scene.WholeButLeft;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            // A record that was under way at the deadline may have arrived, and one that a peer took without a word may have been refused later.
            var lost = DropReasons.All.Where(static reason => !DropReasons.IsBefore(reason)).Sum(reason => Metrics.Drops[reason, level]);
            var written = Metrics.SettledOf(level) - lost;
            var most = written + Metrics.Drops[DropReason.ShutdownTimeout, level] + uncertain[(int)level];
            var mostWithLeft = most + Math.Min(left, Metrics.Drops[DropReason.DiskLow, level]);
            left -= Math.Max(0, there[(int)level] - most);
            if (there[(int)level] < written || there[(int)level] > mostWithLeft)
                _run.Fail($"{written} records of level {level} are written according to the counters, and {there[(int)level]} are there");
        }

        if (_scene.Compare(this) is { } fault)
            _run.Fail(fault);
    }

    /// <summary>Puts other rules of the queue in force.</summary>
    public void ReloadRules()
    {
        _settings = _settings with { Rules = NextRules() };
        Pipeline.Apply(_settings);
        _run.Say($"rules: {_settings.Rules}");
    }

    /// <summary>Puts another queue before the same sink, as a reload of its bounds does.</summary>
    public void ReplaceQueue()
    {
        _settings = NextSettings();
        _run.Say($"another queue: {_settings.Bounds}");
        var before = Pipeline;
        StartPipeline(new SinkPipeline(_instance, _settings, before.Installed, before) { IsOpened = true }, before);
    }

    /// <summary>Puts another sink in the place of the one in use, as a reload of the destination does.</summary>
    public void ReplaceSink()
    {
        var context = new InstanceContext(_instance.State) { IsReload = true, Queue = Pipeline.Queue };
        Pipeline.Installed.Post(new SinkReplacement(_scene.Replace(this, context), context, _settings.Backoff));
        WakeWorkers();
        _run.Say("another sink");
    }

    /// <summary>Gives the sink other options.</summary>
    public void Apply(Action<ILogSink> apply)
    {
        Pipeline.Installed.Post(apply);
        WakeWorkers();
    }

    /// <summary>Stops accepting records.</summary>
    public void Close() => _instance.Close(isForGood: true);

    /// <summary>The shutdown deadline.</summary>
    public void Finish()
    {
        IsFinal = true;
        foreach (var pipeline in _instance.Pipelines)
        {
            if (!IsDead)
            {
                pipeline.Queue.Stop();
                _instance.Spool?.Save(pipeline.Queue);
            }

            pipeline.Queue.Finish();
            DeliveryOf(pipeline).Cancel();
        }
    }

    /// <summary>SIGKILL: nothing of it happens any more.</summary>
    public void Kill()
    {
        if (IsDead)
            return;
        IsDead = true;
        _scene.ProcessDied();
        Finish();
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_isSet")]
    private static extern ref bool IsSet(WorkerSignal signal);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_delivery")]
    private static extern ref BatchDelivery DeliveryOf(SinkPipeline pipeline);

    private void WakeWorkers()
    {
        foreach (var pipeline in _instance.Sharing(Pipeline.Installed))
            pipeline.Queue.Wake();
    }

    private void StartPipeline(SinkPipeline pipeline, SinkPipeline? replaced)
    {
        _starting = pipeline;
        _instance.Start(pipeline, replaced);
    }

    private void Promise(PendingFlush flush)
    {
        var arrivals = _run.ReadArrivals();
        var missing = 0;
        var first = -1;
        for (var i = _promisesFrom; i < flush.Accepted; i++)
        {
            if (arrivals.CopiesOf(_ids[i]) > 0)
            {
                _run.Records[_ids[i]].IsPromised = true;
                continue;
            }

            first = missing++ == 0 ? _ids[i] : first;
        }

        // What was lost before the flush began is none of its business.
        if (missing > flush.LostBefore)
            _run.Fail($"a flush ended well, and {missing} records accepted before are not there, of which {flush.LostBefore} were lost before; the first is {first}");
    }

    private byte[] RenderNotice(RecordRoute route, Notice notice, long utcTicks)
    {
        var properties = notice.ToDictionary(static pair => pair.Key, static pair => pair.Value, StringComparer.Ordinal);
        var count = Convert.ToInt64(properties["Count"], CultureInfo.InvariantCulture) - (_run.Mutant == Mutant.NoticeForgotten ? 1 : 0);
        return Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"!{properties.GetValueOrDefault("Reason", "recovered")} {count};\n"));
    }

    private PipelineSettings NextSettings()
    {
        var choices = _run.Choices;
        var segmentBytes = choices.Of(MaxRecordSize, 600, 1000, 4096);
        return new PipelineSettings
        {
            Bounds = new QueueBounds(choices.Between(4, 10), choices.Of(8, 20, 60, 1000), segmentBytes),
            Rules = NextRules(),
            Formatter = NoFormatter.Instance,
            MaxRecordSize = MaxRecordSize,
            Backoff = _scene.Backoff,
            BatchDelay = _scene.BatchDelay,
        };
    }

    private QueueRules NextRules() => new()
    {
        FullMode = (QueueFullMode)_run.Choices.Weighted([4, 3, 1]),
        WaitTimeout = TimeSpan.FromMilliseconds(_run.Choices.Of(1, 50)),
        ReservedPercentage = _run.Choices.Of(1, 1, 0) * _run.Choices.Of(10, 30),
    };

    private sealed record PendingFlush(Task<bool>[] Tasks, int Accepted, long LostBefore, CancellationTokenSource? Cancellation);

    private sealed class SimulatedOptions : SinkOptions;

    // Callers of the simulation bring finished bytes.
    private sealed class NoFormatter : ILogFormatter
    {
        public static readonly NoFormatter Instance = new();

        public void Format(LogEvent logEvent, System.Buffers.IBufferWriter<byte> output) => throw new NotSupportedException();
    }
}
