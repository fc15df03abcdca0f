using System.Diagnostics.Tracing;
using System.Globalization;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>One instance with its typed options: makes its sink, queue and worker, and changes them on reload. Not for two threads at once.</summary>
internal sealed class InstanceHost<TOptions>
    where TOptions : SinkOptions, new()
{
    private readonly SinkDefinition<TOptions> _type;
    private readonly FormatterCache _formatters;
    private RunningRoute _running;

    // What runs is not what the settings say: a change could not be applied.
    private bool _isBehind;

    public InstanceHost(SinkDefinition<TOptions> type, InstanceSettings<TOptions> settings, InstanceServices services, FormatterCache formatters, bool isReload)
    {
        _type = type;
        _formatters = formatters;
        Settings = settings;
        Instance = new SinkInstance(type.Name, settings.Name, settings.Options, services);
        Monitor = new InstanceMonitor(Instance);
        _running = Start(settings, isReload);
        TellStarted();
    }

    public SinkInstance Instance { get; }

    /// <summary>Reads its status and keeps its history.</summary>
    public InstanceMonitor Monitor { get; }

    /// <summary>The settings in force.</summary>
    public InstanceSettings<TOptions> Settings { get; private set; }

    /// <summary>What the start-up line says of its bounds.</summary>
    public string Summary => _type.Summarize(Settings.Options) ?? Settings.Layout.Format.ToLowerInvariant();

    public bool Is(string name) => string.Equals(Settings.Name, name, StringComparison.OrdinalIgnoreCase);

    /// <summary>The start-up line.</summary>
    public Notice StartupNotice() => Notice.OfStart(Instance.Type, Instance.ShortName, Instance.Target, Summary);

    /// <summary>Writes the start-up line straight into the instance; for programs without a host.</summary>
    public void AnnounceStart() => _running.PostNotice(StartupNotice);

    /// <summary>Puts changed settings in force: live, with another queue before the same sink, or with another sink.</summary>
    public void Apply(InstanceChange<TOptions> change, SelfReport selfReport)
    {
        selfReport.TellNextStart(Instance.Name, change.NextStartKeys);
        if (Instance.Route is null)
            Restart(change.New);
        else if (change.RebuildsSink && TryRedirect(change))
            ApplyLive(change.New);
        else if (change.RebuildsSink || _isBehind)
            ReplaceSink(change.New, selfReport);
        else
            ApplyWithSink(change);
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Config))
            Log.ConfigurationApplied(Instance.Name, string.Join(", ", change.Keys));
    }

    /// <summary>Gives no logger a route any more; before <see cref="Stop"/>, so that no record is offered to a switched off instance and counted as refused.</summary>
    public void Retire() => Instance.Retire();

    /// <summary>Switches the instance off; what it accepted is drained, its totals stay.</summary>
    public void Stop()
    {
        foreach (var running in Instance.Close(isForGood: false))
            running.DrainBehind(Instance.Options.ShutdownTimeout, ReferenceEquals(running, _running) ? Instance.TellStopped : null);
        Instance.Health.Stopped();
    }

    /// <summary>Switches it on again; what it still drains comes first.</summary>
    public void Restart(InstanceSettings<TOptions> settings)
    {
        _running = Start(settings, isReload: true, _running);
        Use(settings);
        Instance.Recovered("the instance is switched on again.");
        Instance.Health.Started();
        TellStarted();
    }

    private void TellStarted()
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Lifecycle))
        {
            Log.SinkStarted(
                Instance.Name, Instance.Target, Settings.Layout.Format,
                string.Create(CultureInfo.InvariantCulture, $"{Settings.Options.MaxQueueLength} records, {Settings.Options.MaxQueueMemory} bytes"));
        }
    }

    // What waits for a destination that is away goes along instead of being lost with it.
    private bool TryRedirect(InstanceChange<TOptions> change)
        => !_isBehind && change.New.Layout == change.Old.Layout && BoundsOf(change.New.Options) == BoundsOf(change.Old.Options)
            && _type.TryRedirect(_running.Sink, change.New.Options);

    private void ApplyWithSink(InstanceChange<TOptions> change)
    {
        _isBehind = true;
        if (change.Reload == OptionReload.Rebuild || change.New.Layout != change.Old.Layout)
            ReplaceQueue(change.New, change.Reload == OptionReload.LiveNewFile || change.New.Layout.NewLine != change.Old.Layout.NewLine);
        else
            ApplyLive(change.New);
        _isBehind = false;
    }

    private void ApplyLive(InstanceSettings<TOptions> settings)
    {
        Use(settings);
        _running.Route.Queue.ApplyRules(QueueRules.From(settings.Options));
        _running.Use(_type.BackoffOf(settings.Options), _type.BatchDelayOf(settings.Options));
        _running.Post(sink => _type.Apply(sink, settings.Options));
    }

    // Nothing accepted is lost and the order per thread is kept: the new worker begins when the old one has drained, with the same sink.
    private void ReplaceQueue(InstanceSettings<TOptions> settings, bool isNewLayout)
    {
        var before = _running;
        var running = MakeRoute(settings, before.Sink, before.Context, isOpened: true, before);
        running.Post(sink =>
        {
            _type.Apply(sink, settings.Options);
            if (isNewLayout)
                _type.RollForNewLayout(sink);
        });
        if (!Instance.Start(running, before))
            return;
        before.Context.Queue = running.Route.Queue;
        _running = running;
        Use(settings);
    }

    // The new destination is opened first; if that fails the old one stays.
    private void ReplaceSink(InstanceSettings<TOptions> settings, SelfReport selfReport)
    {
        var before = _running;
        var target = Instance.Target;
        ILogSink? sink = null;
        var context = new InstanceContext(Instance) { IsReload = true };
        try
        {
            sink = _type.CreateSink(settings.Options, context);
            Open(sink);
            var running = MakeRoute(settings, sink, context, isOpened: true, predecessor: null);
            context.Queue = running.Route.Queue;
            if (!Instance.Start(running, before))
                return;
            _running = running;
        }
        catch (Exception exception)
        {
            _isBehind = true;
            Instance.Target = target;
            Instance.Metrics.CountError(LogSinkException.TypeOf(exception));
            selfReport.Tell(
                SelfReportLevel.Error, Instance.Name, $"the new destination cannot be opened: {LogSinkException.TextOf(exception)}. The old one stays in use.");
            Discard(sink);
            context.End();
            return;
        }

        _isBehind = false;
        Use(settings);
        before.DrainBehind(settings.Options.ShutdownTimeout);
        Instance.Recovered("another destination is in use.");
        if (Instance.Target != target)
            selfReport.Announce(Instance.Name, $"was changed from {target} to {Instance.Target}.");
    }

    private RunningRoute Start(InstanceSettings<TOptions> settings, bool isReload, RunningRoute? predecessor = null)
    {
        var context = new InstanceContext(Instance) { IsReload = isReload };
        var sink = _type.CreateSink(settings.Options, context);
        try
        {
            var opensNow = !isReload && settings.Options.FailFastOnStart;
            if (opensNow)
                Open(sink);
            var running = MakeRoute(settings, sink, context, opensNow, predecessor);
            context.Queue = running.Route.Queue;
            Instance.BatchDelay = _type.BatchDelayOf(settings.Options);
            Instance.Start(running);
            return running;
        }
        catch (Exception)
        {
            Discard(sink);
            context.End();
            throw;
        }
    }

    private void Use(InstanceSettings<TOptions> settings)
    {
        Settings = settings;
        Instance.Options = settings.Options;
        Instance.BatchDelay = _type.BatchDelayOf(settings.Options);
    }

    private static void Open(ILogSink sink)
    {
        if (sink is IOpenableLogSink openable)
            LoopGuard.Run(() => openable.OpenAsync(CancellationToken.None).AsTask().GetAwaiter().GetResult());
    }

    private void Discard(ILogSink? sink)
    {
        try
        {
            if (sink is not null)
                LoopGuard.Run(() => sink.DisposeAsync().AsTask().GetAwaiter().GetResult());
        }
        catch (Exception exception)
        {
            Instance.Metrics.CountError(LogSinkException.TypeOf(exception));
        }
    }

    private RunningRoute MakeRoute(InstanceSettings<TOptions> settings, ILogSink sink, InstanceContext context, bool isOpened, RunningRoute? predecessor)
    {
        var signal = new WorkerSignal(Instance.TimeProvider);
        var options = settings.Options;
        var queue = new SegmentQueue(BoundsOf(options), QueueRules.From(options), Instance.TimeProvider, signal, Instance.Metrics, Instance.Usage, sink is IFlushableLogSink);
        var route = new SinkRoute(Instance, queue, _formatters.For(settings.Layout), options.MaxRecordSize) { IsOpened = isOpened };
        return new RunningRoute(route, signal, sink, context, _type.BackoffOf(options), _type.BatchDelayOf(options), predecessor);
    }

    private QueueBounds BoundsOf(TOptions options)
        => QueueBounds.For(options.MaxRecordSize, _type.SegmentSizeOf(options), options.MaxQueueMemory, options.MaxQueueLength);
}

