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
    private SinkPipeline _pipeline;

    // The running state differs from the settings: a change could not be applied.
    private bool _isBehind;

    public InstanceHost(SinkDefinition<TOptions> type, InstanceSettings<TOptions> settings, InstanceServices services, FormatterCache formatters, SurvivalFiles files, bool isReload)
    {
        _type = type;
        _formatters = formatters;
        Settings = settings;
        Instance = new SinkInstance(type.Name, settings.Name, settings.Options, services, RecordRenderer.RenderNotice);
        Monitor = new InstanceMonitor(Instance);
        if (settings.Options.SpoolPath is { } spool && type.WireFormat is not null)
            Instance.Spool = new Spool(Instance, Instance.Usage, () => Instance.Queues, spool, files.Spool);
        if (settings.Options.CrashBuffer)
            Instance.CrashRegions = new CrashRegions(Instance, Instance.Usage, files.CrashDirectory, files.Crash);
        try
        {
            Instance.CrashRegions?.Recover(SettingsOf(settings).WireId, Instance.Spool);
            _pipeline = Start(settings, isReload);
        }
        catch (Exception)
        {
            Instance.End();
            throw;
        }

        Instance.Spool?.Start();
        ReportStarted();
    }

    public SinkInstance Instance { get; }

    /// <summary>Reads status and history of the instance.</summary>
    public InstanceMonitor Monitor { get; }

    /// <summary>The settings in force.</summary>
    public InstanceSettings<TOptions> Settings { get; private set; }

    /// <summary>Bounds of the instance, as shown in the start-up line.</summary>
    public string Summary => _type.Summarize(Settings.Options) ?? Settings.Layout.Format.ToLowerInvariant();

    public bool Is(string name) => string.Equals(Settings.Name, name, StringComparison.OrdinalIgnoreCase);

    /// <summary>The start-up line.</summary>
    public Notice StartupNotice() => Notice.OfStart(Instance.Type, Instance.ShortName, Instance.Target, Summary);

    /// <summary>Writes the start-up line straight into the instance; for programs without a host.</summary>
    public void AnnounceStart() => _pipeline.PostNotice(StartupNotice);

    /// <summary>Puts changed settings in force: live, with another queue before the same sink, or with another sink.</summary>
    public void Apply(InstanceChange<TOptions> change, SelfReport selfReport)
    {
        selfReport.WriteRestartRequired(Instance.Name, change.NextStartKeys);
        if (Instance.Pipeline is null)
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

    /// <summary>Takes the pipeline from the loggers; before <see cref="Stop"/>, so that no record is offered to a switched off instance and counted as refused.</summary>
    public void Retire() => Instance.Retire();

    /// <summary>Switches the instance off; accepted records are drained, its totals stay.</summary>
    public void Stop()
    {
        foreach (var pipeline in Instance.Close(isForGood: false))
            pipeline.DrainBehind(Instance.Options.ShutdownTimeout, ReferenceEquals(pipeline, _pipeline) ? Instance.ReportStopped : null);
        Instance.Health.Stopped();
    }

    /// <summary>Switches it on again; records still draining come first.</summary>
    public void Restart(InstanceSettings<TOptions> settings)
    {
        _pipeline = Start(settings, isReload: true, _pipeline);
        Use(settings);
        Instance.Recovered("the instance is switched on again.");
        Instance.Health.Started();
        ReportStarted();
    }

    private void ReportStarted()
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Lifecycle))
        {
            Log.SinkStarted(
                Instance.Name, Instance.Target, Settings.Layout.Format,
                string.Create(CultureInfo.InvariantCulture, $"{Settings.Options.MaxQueueLength} records, {Settings.Options.MaxQueueMemory} bytes"));
        }
    }

    // Records that wait for an unreachable destination move to the new one.
    private bool TryRedirect(InstanceChange<TOptions> change)
        => !_isBehind && change.New.Layout == change.Old.Layout && SettingsOf(change.New) is var settings && settings.Bounds == _pipeline.Settings.Bounds
            && settings.MaxRecordSize == _pipeline.MaxRecordSize
            && _type.TryRedirect(_pipeline.Sink, change.New.Options);

    private void ApplyWithSink(InstanceChange<TOptions> change)
    {
        _isBehind = true;
        if (change.Reload == OptionReload.Rebuild || change.New.Layout != change.Old.Layout)
            ReplaceQueue(change.New, change.BeginsNewFile);
        else
            ApplyLive(change.New);
        _isBehind = false;
    }

    private void ApplyLive(InstanceSettings<TOptions> settings)
    {
        Use(settings);
        // First: a file knows what to sync before a caller is told to wait for it.
        _pipeline.Post(sink => _type.Apply(sink, settings.Options));
        _pipeline.Apply(SettingsOf(settings));
    }

    // Nothing accepted is lost and the order per thread is kept: the new worker begins when the old one has drained, with the same sink.
    private void ReplaceQueue(InstanceSettings<TOptions> settings, bool isNewLayout)
    {
        var before = _pipeline;
        var pipeline = new SinkPipeline(Instance, SettingsOf(settings), before.Sink, before.Context, before) { IsOpened = true };
        pipeline.Post(sink =>
        {
            _type.Apply(sink, settings.Options);
            if (isNewLayout)
                _type.RollForNewLayout(sink);
        });
        if (!Instance.Start(pipeline, before))
            return;
        _pipeline = pipeline;
        Use(settings);
    }

    // The new destination is opened first; if that fails the old one stays.
    private void ReplaceSink(InstanceSettings<TOptions> settings, SelfReport selfReport)
    {
        var before = _pipeline;
        var target = Instance.Target;
        ILogSink? sink = null;
        var context = new InstanceContext(Instance) { IsReload = true };
        try
        {
            sink = _type.CreateSink(settings.Options, context);
            Open(sink);
            var pipeline = new SinkPipeline(Instance, SettingsOf(settings), sink, context, predecessor: null) { IsOpened = true };
            if (!Instance.Start(pipeline, before))
                return;
            _pipeline = pipeline;
        }
        catch (Exception exception)
        {
            _isBehind = true;
            Instance.Target = target;
            Instance.Metrics.CountError(LogSinkException.TypeOf(exception));
            selfReport.Write(
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

    private SinkPipeline Start(InstanceSettings<TOptions> settings, bool isReload, SinkPipeline? predecessor = null)
    {
        var context = new InstanceContext(Instance) { IsReload = isReload };
        var sink = _type.CreateSink(settings.Options, context);
        try
        {
            var opensNow = !isReload && settings.Options.FailFastOnStart;
            if (opensNow)
                Open(sink);
            var pipeline = new SinkPipeline(Instance, SettingsOf(settings), sink, context, predecessor) { IsOpened = opensNow };
            Instance.BatchDelay = pipeline.Settings.BatchDelay;
            Instance.Start(pipeline);
            return pipeline;
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
        Instance.BatchDelay = SettingsOf(settings).BatchDelay;
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

    private PipelineSettings SettingsOf(InstanceSettings<TOptions> settings)
    {
        var options = settings.Options;
        return new PipelineSettings
        {
            Bounds = QueueBounds.For(options.MaxRecordSize, _type.SegmentSizeOf(options), options.MaxQueueMemory, options.MaxQueueLength),
            Rules = QueueRules.From(options),
            Formatter = _formatters.For(settings.Layout),
            MaxRecordSize = options.MaxRecordSize,
            Backoff = _type.BackoffOf(options),
            BatchDelay = _type.BatchDelayOf(options),
            WireId = Fnv1a.Of($"{_type.Name} {settings.Layout.Format} {_type.WireFormat?.Invoke(options)}"),
        };
    }
}

/// <summary>The files with which records survive the end of the process.</summary>
/// <param name="Spool">The files of spools.</param>
/// <param name="Crash">The files of crash buffers.</param>
/// <param name="CrashDirectory">The directory of the latter; null: the default.</param>
internal sealed record SurvivalFiles(ISpoolFiles Spool, ICrashFiles Crash, string? CrashDirectory);
