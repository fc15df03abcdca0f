namespace AsyncLog;

/// <summary>Writes one file set: opens, writes, rolls, and follows what others do to the file. One worker calls it.</summary>
/// <remarks>Whatever fails throws, and is tried again by the next call; only a roll that fails does not, because the old file goes on.</remarks>
internal sealed class FileSink : IScheduledLogSink, IOpenableLogSink, IFlushableLogSink
{
    private readonly IFileVoice _voice;
    private readonly FileRolls _rolls;
    private readonly FileCleaning _cleaning;
    private readonly FileHold _hold;
    private readonly FileSyncs _syncs;
    private readonly FreeSpaceFloor _floor;
    private readonly FileNameOwners _owners;
    private readonly TimeProvider _time;
    private readonly FileRequests _requests = new();
    private readonly IDisposable? _signal;

    // Worker only.
    private FileSinkSettings _settings;
    private bool _rolledForSystemLimit;

    /// <param name="settings">What the options say.</param>
    /// <param name="voice">Where trouble is told.</param>
    /// <param name="files">The file system.</param>
    /// <param name="owners">The other file sets of the provider.</param>
    /// <param name="isReload">Whether the application runs already, so that <see cref="FileStartup"/> plays no part.</param>
    /// <param name="background">Runs what must not hold up the worker; null: a thread of low priority.</param>
    public FileSink(
        FileSinkSettings settings, IFileVoice voice, IByteFiles files, FileNameOwners owners, bool isReload = false, Action<Action>? background = null)
    {
        _settings = settings;
        _voice = voice;
        _owners = owners;
        _time = voice.TimeProvider;
        Counters = new FileCounters(voice);
        var opener = new FileOpener(files, _time);
        _rolls = new FileRolls(new FileRoller(files, opener, _time), voice, Counters);
        _cleaning = new FileCleaning(files, voice, Counters, owners, this, background);
        _syncs = new FileSyncs(settings, files, voice);
        _floor = new FreeSpaceFloor(files, voice, Counters);
        _hold = new FileHold(files, voice, opener, _rolls, _cleaning, _syncs, Counters, isReload);
        owners.Set(this, settings);
        voice.SetTarget(settings.ActivePathAt(_time.GetUtcNow(), _time));
        if (files.Limitation is { } limitation)
            voice.Report(SelfReportLevel.Warning, "platform", limitation);
        if (AsyncFileRules.PathHint(settings) is { } hint)
            voice.Report(SelfReportLevel.Warning, "path", hint);
        if (settings.ReopensOnSignal)
            _signal = ReopenSignal.TryRegister(this, voice);
    }

    public TimeProvider TimeProvider => _time;

    /// <summary>Whether it was disposed. Any thread.</summary>
    public bool HasEnded => _requests.IsClosed;

    /// <summary>What happened to the files.</summary>
    public FileCounters Counters { get; }

    /// <inheritdoc/>
    public DateTimeOffset? NextDue =>
        _requests.IsAny ? _time.GetUtcNow()
        : _hold.Active is { } active ? Earlier(Earlier(_rolls.NextDue(active), _cleaning.NextDue), Earlier(_syncs.NextDue(active), _floor.NextDue))
        : _rolls.RetryAt;

    /// <summary>Any thread: asks the worker for something at the next record boundary.</summary>
    /// <returns>Whether it was done.</returns>
    public Task<bool> Ask(FileRequest request)
    {
        Task<bool> answer = _requests.Ask(request);
        _voice.Wake();
        return answer;
    }

    /// <inheritdoc/>
    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        _hold.Open(_settings, _time.GetUtcNow());
        return default;
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        _floor.Look(_settings);
        _floor.Refuse(batch);
        if (batch.Count == 0)
            return default;
        DateTimeOffset first = batch[0].Timestamp;
        ActiveFile active = _hold.Follow(_settings, _hold.Open(_settings, first), first, batch);
        if (ActiveFile.BegunOf(batch) == 0)
        {
            active = ReturnToPresent(active);
            if (_requests.IsAny)
                active = Serve(first);
        }

        _syncs.Begin(batch);
        try
        {
            WriteAll(active, batch);
            if (_syncs.IsDueAfterBatch(_hold.Active!))
                Sync(_hold.Active!);
        }
        finally
        {
            _syncs.End(_hold.Active);
        }

        return default;
    }

    /// <inheritdoc/>
    public ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
    {
        if (_hold.Active is { } active)
            Sync(active);
        return ValueTask.FromResult(_syncs.TakeResult());
    }

    /// <inheritdoc/>
    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset now = _time.GetUtcNow();
        _hold.Open(_settings, now);
        ActiveFile active = ReturnToPresent(Serve(now));
        if (_rolls.DueReason(active) is { } reason)
            Roll(active, reason, now);
        _floor.Look(_settings);
        if (_syncs.IsDue(_hold.Active!))
            Sync(_hold.Active!);
        _cleaning.RunIfDue(_settings, _hold.Active!.Path);
        return default;
    }

    /// <summary>Puts changed options in force: limits and interval at once, modes and header with the next file. What is for the start stays as it was.</summary>
    public void Apply(FileSinkSettings settings)
    {
        settings = settings with { OnStartup = _settings.OnStartup };
        bool isOtherInterval = settings.Interval != _settings.Interval || settings.UsesUtc != _settings.UsesUtc;
        bool cleansOtherwise = !settings.CleansAs(_settings);
        PutInForce(settings);
        if (_hold.Active is not { } active)
            return;
        active.Use(settings);
        if (isOtherInterval)
            active.Period = settings.PeriodOf(_time.GetUtcNow(), _time);
        if (cleansOtherwise)
            _cleaning.Ask(settings, active.Path);
    }

    /// <summary>Begins a new file with the next record: one layout per file.</summary>
    public void RollForNewLayout() => _rolls.Ask(RollReason.Configuration);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _signal?.Dispose();
        _requests.Close();
        _cleaning.Stop();
        _owners.Remove(this);
        _floor.Leave();
        _hold.Dispose();
        return default;
    }

    private void WriteAll(ActiveFile active, LogBatch batch)
    {
        while (batch.Count > 0)
        {
            FileCut cut = _rolls.Cut(batch, active, _settings);
            if (cut.Bytes > 0)
                Append(active, batch, cut.Bytes);
            if (cut.Reason is { } reason)
                Roll(active, reason, batch[0].Timestamp);
            active = _hold.Active!;
        }
    }

    private void Append(ActiveFile active, LogBatch batch, int bytes)
    {
        try
        {
            active.Append(batch, bytes);
            _rolledForSystemLimit = false;
        }
        catch (LogSinkException exception) when (Counters.Thrown(active, exception) || (exception.ErrorType == FileErrorClass.FileTooLarge && !_rolledForSystemLimit && active.Size > 0))
        {
            // A retry does not change the limit of the process, but another file does.
            _rolledForSystemLimit = true;
            _voice.CountError(exception.ErrorType);
            Roll(active, RollReason.Size, batch[0].Timestamp);
            if (ReferenceEquals(_hold.Active, active))
                throw;
        }
        finally
        {
            Counters.SizeIs(_hold.Active?.Size ?? 0);
        }
    }

    // A file whose period has not begun was named by a clock that was ahead.
    private ActiveFile ReturnToPresent(ActiveFile active)
    {
        if (_rolls.RightAgainSince(active) is not { } since)
            return active;
        if (_settings.Names.IsDated)
            Roll(active, RollReason.Interval, _time.GetUtcNow());
        else
            active.Period = _settings.PeriodOf(since, _time);
        return _hold.Active!;
    }

    private ActiveFile Serve(DateTimeOffset reference)
    {
        _requests.Serve(request =>
        {
            ActiveFile active = _hold.FollowNow(_settings, _hold.Open(_settings, reference), reference, ReopenReason.Signal);
            return request != FileRequest.Roll || active.Size == 0 || Roll(active, RollReason.Request, reference) != RollOutcome.Failed;
        });
        return _hold.Active!;
    }

    private RollOutcome Roll(ActiveFile active, RollReason reason, DateTimeOffset reference)
    {
        if (!ReferenceEquals(_hold.FollowNow(_settings, active, reference), active))
            return RollOutcome.ByAnother;
        RollResult result = _rolls.Roll(_settings, active, reason, reference);
        switch (result)
        {
            case { Outcome: RollOutcome.Done, Next: { } next }:
                _hold.Take(next);
                _cleaning.Ask(_settings, next.Path);
                break;
            case { Outcome: RollOutcome.ByAnother }:
                _hold.Reopen(_settings, active, ReopenReason.Moved, reference);

                // Each of several processes may have lost the race to another one, and then none has rolled for certain.
                _cleaning.Ask(_settings, _hold.Active!.Path);
                break;
        }

        return result.Outcome;
    }

    private void Sync(ActiveFile active)
    {
        if (_syncs.Sync(active))
            Roll(active, RollReason.Suspect, _time.GetUtcNow());
    }

    private void PutInForce(FileSinkSettings settings)
    {
        bool isOtherFloor = settings.MinimumFreeSpace != _settings.MinimumFreeSpace || settings.Directory != _settings.Directory;
        _settings = settings;
        _owners.Set(this, settings);
        _syncs.Use(settings);
        if (isOtherFloor)
            _floor.Forget();
    }

    private static DateTimeOffset? Earlier(DateTimeOffset? left, DateTimeOffset? right) => !(left <= right) ? right ?? left : left;
}
