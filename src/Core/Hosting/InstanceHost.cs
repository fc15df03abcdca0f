using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>One instance with its typed options: makes its sink, queue and worker, and changes them on reload. Not for two threads at once.</summary>
internal sealed class InstanceHost<TOptions>
    where TOptions : SinkOptions, new()
{
    // The condition that a changed destination cannot be opened.
    private const string Destination = "destination";

    // How long the start waits with FailFastOnStart, and a reload at most.
    private static readonly TimeSpan MaxOpening = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan MinOpening = TimeSpan.FromSeconds(1);

    private readonly SinkDefinition<TOptions> _type;
    private readonly SinkConfiguration<TOptions> _configuration;
    private readonly FormatterCache _formatters;
    private SinkPipeline _pipeline;

    // Settings whose destination is not open yet, and how often it was tried again.
    private InstanceSettings<TOptions>? _pending;
    private int _attempts;

    // Since when the loggers offer it nothing, because it is switched off or removed; null: they do.
    private DateTimeOffset? _offSince;

    // Their sink, and the settings it was created with; null between two attempts. A shutdown takes it away.
    private SinkOpening? _opening;
    private InstanceSettings<TOptions>? _openingSettings;

    public InstanceHost(
        SinkDefinition<TOptions> type, SinkConfiguration<TOptions> configuration, InstanceSettings<TOptions> settings, InstanceServices services, FormatterCache formatters,
        SurvivalFiles files, bool isReload)
    {
        _type = type;
        _configuration = configuration;
        _formatters = formatters;
        Settings = settings;
        Instance = new SinkInstance(type.Name, settings.Name, settings.Options, services, RecordRenderer.RenderNotice);
        Monitor = new InstanceMonitor(Instance);
        if (settings.Options.SpoolPath is { } spool && type.WireFormat is not null)
            Instance.Spool = new Spool(State, Instance.Usage, () => Instance.Queues, spool, files.Spool);
        if (settings.Options.CrashBuffer)
            Instance.CrashRegions = new CrashRegions(State, Instance.Usage, files.CrashDirectory, files.Crash);
        try
        {
            Instance.CrashRegions?.Recover(WireIdOf(settings), Instance.Spool);
            _pipeline = Start(settings, isReload);
        }
        catch (Exception)
        {
            Instance.ReleaseSurvival();
            throw;
        }

        Instance.Spool?.Start();
        ReportStarted();
    }

    public SinkInstance Instance { get; }

    private InstanceState State => Instance.State;

    /// <summary>Reads status and history of the instance.</summary>
    public InstanceMonitor Monitor { get; }

    /// <summary>The settings in force.</summary>
    public InstanceSettings<TOptions> Settings { get; private set; }

    /// <summary>Bounds of the instance, as shown in the start-up line.</summary>
    public string Summary => _type.Summarize(Settings.Options) ?? Settings.Layout.Format.ToLowerInvariant();

    public bool Is(string name) => string.Equals(Settings.Name, name, StringComparison.OrdinalIgnoreCase);

    /// <summary>The start-up line.</summary>
    public Notice StartupNotice() => Notice.OfStart(State.Type, State.ShortName, State.Target, Summary);

    /// <summary>Writes the start-up line straight into the instance; for programs without a host.</summary>
    public void AnnounceStart() => _pipeline.PostNotice(StartupNotice);

    /// <summary>The delay after which <see cref="TryAgain"/> is to be called; null: all settings are in force.</summary>
    public TimeSpan? RetryDelay => _pending is null ? null
        : Volatile.Read(ref _opening) is not null ? MinOpening
        : TimeSpan.FromSeconds(Math.Min(1 << Math.Min(_attempts, 6), 60));

    /// <summary>Puts changed settings in force: on the running sink, with another sink, with another queue, or with both.</summary>
    public void Apply(InstanceChange<TOptions> change, SelfReport selfReport)
    {
        selfReport.WriteRestartRequired(State.Name, change.NextStartKeys);
        _attempts = 0;
        if (Instance.Pipeline is null)
            Restart(change.New);
        else
            Move(change.New, selfReport);
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Config))
            Log.ConfigurationApplied(State.Name, string.Join(", ", change.Keys));
    }

    /// <summary>Tries once more to open a destination that could not be opened when the settings changed.</summary>
    public void TryAgain(SelfReport selfReport)
    {
        if (_pending is not { } settings || Instance.Pipeline is null)
            return;
        _attempts++;
        TryReplaceSink(settings, selfReport);
    }

    /// <summary>Gives up a sink that is being opened. Any thread may call it.</summary>
    public void AbandonOpening() => Interlocked.Exchange(ref _opening, null)?.Abandon();

    /// <summary>Takes the pipeline from the loggers; before <see cref="Stop"/>, so that no record is offered to a switched off instance and counted as refused.</summary>
    public void Retire()
    {
        Instance.Retire();
        _offSince = State.TimeProvider.GetUtcNow();
        State.SelfReport.Announce(State.Name, "was switched off: it takes no records.");
    }

    /// <summary>Switches the instance off; accepted records are drained, its totals stay.</summary>
    public void Stop()
    {
        foreach (var pipeline in Instance.Close(isForGood: false))
            pipeline.DrainBehind(State.Options.ShutdownTimeout, ReferenceEquals(pipeline, _pipeline) ? State.ReportStopped : null);
        State.Health.Stopped();
        State.SelfReport.Resolve(State.Name, Destination, null);
        AbandonOpening();
        SetPending(null, null);
    }

    /// <summary>Switches it on again; records still draining come first.</summary>
    public void Restart(InstanceSettings<TOptions> settings)
    {
        _pipeline = Start(settings, isReload: true, _pipeline);
        Use(settings);
        SetPending(null, null);
        State.Recovered(message: null);
        State.Health.Started();
        ReportStarted();
        ReportPause();
    }

    // Nobody counts the records of the pause: the log itself says that they are missing.
    private void ReportPause()
    {
        if (_offSince is not { } since)
            return;
        _offSince = null;
        var zone = State.Options.UseUtcTimestamp ? TimeZoneInfo.Utc : State.TimeProvider.LocalTimeZone;
        var (first, last) = (TimeZoneInfo.ConvertTime(since, zone), TimeZoneInfo.ConvertTime(State.TimeProvider.GetUtcNow(), zone));
        if (State.Options.GapNotices)
            _pipeline.PostNotice(() => Notice.OfPause(first, last));
        State.SelfReport.Announce(State.Name, $"was switched on again: {Notice.TextOfPause(first, last)}.");
    }

    private void ReportStarted()
    {
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Lifecycle))
        {
            Log.SinkStarted(
                State.Name, State.Target, Settings.Layout.Format,
                string.Create(CultureInfo.InvariantCulture, $"{Settings.Options.MaxQueueLength} records, {Settings.Options.MaxQueueMemory} bytes"));
        }
    }

    private void ApplyToSink(InstanceChange<TOptions> change)
    {
        if (change.Reload == OptionReload.Rebuild || change.New.Layout != change.Old.Layout)
        {
            ReplaceQueue(change.New, change.BeginsNewFile);
            return;
        }

        Use(change.New);
        // The sink first: a file must know what to sync before a caller waits for it.
        PostToSink(change.New);
        _pipeline.Apply(SettingsOf(change.New));
    }

    // Also reaches a failing sink: its worker checks for changes between two attempts.
    private void PostToSink(InstanceSettings<TOptions> settings)
    {
        _pipeline.Installed.Post(sink => _type.Apply(sink, settings.Options), _type.BackoffOf(settings.Options));
        WakeWorkers();
    }

    private void WakeWorkers()
    {
        foreach (var pipeline in Instance.Sharing(_pipeline.Installed))
            pipeline.Queue.Wake();
    }

    // Nothing accepted is lost and the order per thread is kept: the new worker begins when the old one has drained, with the same sink.
    private void ReplaceQueue(InstanceSettings<TOptions> settings, bool isNewLayout)
    {
        var before = _pipeline;
        var pipeline = new SinkPipeline(Instance, SettingsOf(settings), before.Installed, before) { IsOpened = true };
        if (isNewLayout)
            pipeline.PostToSink(_type.RollForNewLayout);
        if (!Instance.Start(pipeline, before))
            return;
        _pipeline = pipeline;
        Use(settings);
        PostToSink(settings);
    }

    // Another destination is opened first. Until it is open, the old one stays with everything else that changed.
    private void Move(InstanceSettings<TOptions> settings, SelfReport selfReport)
    {
        // From the settings in force, which are not those of the last edit while an earlier destination is not open.
        var change = _configuration.Compare(Settings, settings);
        if (change is not { RebuildsSink: true })
        {
            AbandonOpening();
            SetPending(null, null);
            if (change is null)
                Use(settings);
            else
                ApplyToSink(change);
        }
        else if (!TryReplaceSink(settings, selfReport)
            && _configuration.ReadWithDestinationOf(Settings) is { } rest && _configuration.Compare(Settings, rest) is { RebuildsSink: false } possible)
        {
            ApplyToSink(possible);
        }
    }

    private bool TryReplaceSink(InstanceSettings<TOptions> settings, SelfReport selfReport)
    {
        var target = State.Target;
        SinkOpening? opening = null;
        SinkPipeline? pipeline;
        try
        {
            opening = Open(settings, out var waits);
            if (!opening.Wait(waits ? TimeSpan.Zero : OpeningLimit))
            {
                SetPending(settings, $"the new destination was not opened within {TimeText.Show(OpeningLimit)}, because it does not answer. The old one stays in use; waiting.", "timeout");
                return false;
            }

            if (!opening.TryTake())
                return false;
            Interlocked.CompareExchange(ref _opening, null, opening);
            pipeline = CanExchange(settings) ? null
                : new SinkPipeline(Instance, SettingsOf(settings), new InstalledSink(opening.Sink, opening.Context, _type.BackoffOf(settings.Options)), predecessor: null) { IsOpened = true };
            if (pipeline is not null && !Instance.Start(pipeline, _pipeline))
                return true;
        }
        catch (Exception exception)
        {
            AbandonOpening();
            opening?.Discard();
            var errorType = LogSinkException.TypeOf(exception);
            State.Metrics.CountError(errorType);
            SetPending(settings, $"the new destination cannot be opened: {LogSinkException.TextOf(exception)}. The old one stays in use; retrying.", errorType);
            return false;
        }

        opening.Context.PutInForce();
        if (pipeline is null)
            ReplaceSink(settings, opening.Sink, opening.Context);
        else
            LeaveSink(settings, pipeline);
        // The sink has the options of its opening.
        if (_openingSettings != settings)
            PostToSink(settings);
        SetPending(null, null);
        if (State.Target != target)
            selfReport.Announce(State.Name, $"was changed from {target} to {State.Target}.");
        return true;
    }

    private TimeSpan OpeningLimit => State.Options.ShutdownTimeout < MinOpening ? MinOpening : State.Options.ShutdownTimeout > MaxOpening ? MaxOpening : State.Options.ShutdownTimeout;

    // An opening that hangs is waited for, unless the settings have yet another destination.
    private SinkOpening Open(InstanceSettings<TOptions> settings, out bool waits)
    {
        waits = false;
        if (Volatile.Read(ref _opening) is { } opening && _configuration.Compare(_openingSettings!, settings) is not { RebuildsSink: true })
        {
            waits = true;
            return opening;
        }

        AbandonOpening();
        var context = new InstanceContext(State) { IsReload = true, IsInForce = false };
        opening = new SinkOpening(_type.CreateSink(settings.Options, context), context, State);
        _openingSettings = settings;
        Interlocked.Exchange(ref _opening, opening);
        return opening;
    }

    // Whether the records that wait can be read by another sink.
    private bool CanExchange(InstanceSettings<TOptions> settings)
    {
        var wireId = WireIdOf(settings);
        return settings.Layout == Settings.Layout && Array.TrueForAll(Instance.Sharing(_pipeline.Installed), pipeline => pipeline.Settings.WireId == wireId);
    }

    // The new sink takes over queue, batch in hand, spool and crash buffer.
    private void ReplaceSink(InstanceSettings<TOptions> settings, ILogSink sink, InstanceContext context)
    {
        var before = _pipeline;
        var next = SettingsOf(settings);
        Use(settings);
        Exchange(before, new SinkReplacement(sink, context, next.Backoff));
        if (next.Bounds == before.Settings.Bounds && next.MaxRecordSize == before.Settings.MaxRecordSize)
            before.Apply(next);
        else
            ReplaceQueue(settings, isNewLayout: false);
    }

    // The records that wait stay with the old sink.
    private void LeaveSink(InstanceSettings<TOptions> settings, SinkPipeline pipeline)
    {
        var left = Instance.Sharing(_pipeline.Installed);
        _pipeline = pipeline;
        Use(settings);
        foreach (var old in left)
            old.DrainBehind(settings.Options.ShutdownTimeout);
        State.Recovered("another destination is in use.");
    }

    // A worker that does not come back from its sink is replaced within the time that a drain would have had.
    private void Exchange(SinkPipeline pipeline, SinkReplacement replacement)
    {
        pipeline.Installed.Post(replacement);
        WakeWorkers();
        if (!replacement.Wait(SinkPipeline.AfterDeadline))
            pipeline.TakeOverBehind(replacement, Settings.Options.ShutdownTimeout);
    }

    private void SetPending(InstanceSettings<TOptions>? settings, string? problem, string errorType = "")
    {
        (_pending, State.DestinationProblem) = (settings, problem);
        if (problem is null)
            State.SelfReport.Resolve(State.Name, Destination, "all changes to the destination are in effect.");
        else
            State.SelfReport.Report(LogLevel.Error, State.Name, Destination, problem, errorType);
    }

    private SinkPipeline Start(InstanceSettings<TOptions> settings, bool isReload, SinkPipeline? predecessor = null)
    {
        var context = new InstanceContext(State) { IsReload = isReload };
        var sink = _type.CreateSink(settings.Options, context);
        var opening = !isReload && settings.Options.FailFastOnStart ? new SinkOpening(sink, context, State) : null;
        try
        {
            if (opening?.Wait(MaxOpening) == false)
                throw new LogSinkException("timeout", $"{State.Target} was not opened within {TimeText.Show(MaxOpening)}, because it does not answer");
            opening?.TryTake();
            var next = SettingsOf(settings);
            var pipeline = new SinkPipeline(Instance, next, new InstalledSink(sink, context, next.Backoff), predecessor) { IsOpened = opening is not null };
            State.BatchDelay = pipeline.Settings.BatchDelay;
            Instance.Start(pipeline);
            return pipeline;
        }
        catch (Exception)
        {
            if (opening is null)
                SinkOpening.Dispose(sink, State);
            else
                opening.Discard();
            context.ClearConditions();
            throw;
        }
    }

    private void Use(InstanceSettings<TOptions> settings)
    {
        Settings = settings;
        State.Options = settings.Options;
        State.BatchDelay = _type.BatchDelayOf(settings.Options);
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
            WireId = WireIdOf(settings),
        };
    }

    private ulong WireIdOf(InstanceSettings<TOptions> settings) => Fnv1a.Of($"{_type.Name} {settings.Layout.Format} {_type.WireFormat?.Invoke(settings.Options)}");
}

/// <summary>Access to the files of spools and of crash buffers. <paramref name="CrashDirectory"/> is null for the default directory.</summary>
internal sealed record SurvivalFiles(ISpoolFiles Spool, ICrashFiles Crash, string? CrashDirectory);
