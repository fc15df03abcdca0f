namespace AsyncLog;

/// <summary>Writes one file set: opens, writes, rolls, and follows what others do to the file. One worker calls it.</summary>
/// <remarks>Whatever fails throws, and is tried again by the next call; only a roll that fails does not, because the old file goes on.</remarks>
internal sealed class FileSink : IScheduledLogSink, IOpenableLogSink
{
    private readonly IByteFiles _files;
    private readonly IFileVoice _voice;
    private readonly FileOpener _opener;
    private readonly FileRolls _rolls;
    private readonly FileCleaning _cleaning;
    private readonly PathWatch _watch;
    private readonly FileNameOwners _owners;
    private readonly TimeProvider _time;
    private readonly bool _isReload;

    // Worker only.
    private FileSinkSettings _settings;
    private ActiveFile? _active;
    private ActiveFile? _lost;
    private bool _failedToOpen;
    private bool _rolledForSystemLimit;

    /// <param name="settings">What the options say.</param>
    /// <param name="voice">Where trouble is told.</param>
    /// <param name="files">The file system.</param>
    /// <param name="owners">The other file sets of the provider.</param>
    /// <param name="isReload">Whether the application runs already, so that <see cref="FileStartup"/> plays no part.</param>
    /// <param name="background">Runs what must not hold up the worker.</param>
    public FileSink(
        FileSinkSettings settings, IFileVoice voice, IByteFiles files, FileNameOwners owners, bool isReload = false, Action<Action>? background = null)
    {
        _settings = settings;
        _voice = voice;
        _files = files;
        _owners = owners;
        _isReload = isReload;
        _time = voice.TimeProvider;
        _opener = new FileOpener(files, _time);
        _rolls = new FileRolls(new FileRoller(files, _opener, _time), voice, Counters);
        _cleaning = new FileCleaning(new RetentionPass(files, voice, Counters, owners, this), _time, background);
        _watch = new PathWatch(_time);
        owners.Set(this, settings);
        voice.SetTarget(settings.PathOf(settings.Names.ActiveName(settings.PeriodOf(_time.GetUtcNow(), _time).Start)));
        if (files.Limitation is { } limitation)
            voice.Report(SelfReportLevel.Info, "platform", limitation);
    }

    /// <summary>What happened to the files.</summary>
    public FileCounters Counters { get; } = new();

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => _active is null ? _rolls.RetryAt : Earlier(_rolls.NextDue(_active), _cleaning.NextDue);

    /// <inheritdoc/>
    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        EnsureOpen(_time.GetUtcNow());
        return default;
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (batch.Count == 0)
            return default;
        ActiveFile active = EnsureOpen(batch[0].Timestamp);
        active = Follow(active, batch[0].Timestamp, batch);
        while (batch.Count > 0)
        {
            FileCut cut = _rolls.Cut(batch, active, _settings);
            if (cut.Bytes > 0)
                Append(active, batch, cut.Bytes);
            if (cut.Reason is { } reason)
                Roll(active, reason, batch[0].Timestamp);
            active = _active!;
        }

        return default;
    }

    /// <inheritdoc/>
    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset now = _time.GetUtcNow();
        ActiveFile active = EnsureOpen(now);
        if (_rolls.IsDue(active))
        {
            active = Follow(active, now, null);
            if (_rolls.DueReason(active) is { } reason)
                Roll(active, reason, now);
        }

        _cleaning.RunIfDue(_settings, _active!.Path);
        return default;
    }

    /// <summary>Puts changed options in force: limits and interval at once, modes and header with the next file.</summary>
    public void Apply(FileSinkSettings settings)
    {
        bool isOtherInterval = settings.Interval != _settings.Interval || settings.UsesUtc != _settings.UsesUtc;
        bool keepsMore = settings.CountLimit == _settings.CountLimit;
        _settings = settings;
        _owners.Set(this, settings);
        if (_active is null)
            return;
        _active.Use(settings);
        if (isOtherInterval)
            _active.Period = settings.PeriodOf(_time.GetUtcNow(), _time);
        if (!keepsMore)
            _cleaning.Ask(settings, _active.Path);
    }

    /// <summary>Begins a new file with the next record: one layout per file.</summary>
    public void RollForNewLayout() => _rolls.Ask(RollReason.Configuration);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _cleaning.Forget();
        _owners.Remove(this);
        _active?.Dispose();
        _active = null;
        return default;
    }

    private ActiveFile EnsureOpen(DateTimeOffset reference)
    {
        if (_active is not null)
            return _active;
        try
        {
            Take(_lost is not null ? _opener.Reopen(_settings, _lost, reference)
                : _isReload ? _opener.Open(_settings, reference)
                : OpenFirst(reference));
        }
        catch (LogSinkException)
        {
            _failedToOpen = true;
            _rolls.RetryLater();
            throw;
        }

        if (_failedToOpen)
            Counters.Reopened(ReopenReason.Error);
        _failedToOpen = false;
        _lost = null;
        _cleaning.Ask(_settings, _active!.Path);
        return _active;
    }

    private ActiveFile OpenFirst(DateTimeOffset reference)
    {
        if (NetworkFileSystem.NameOf(_settings.Directory) is { } name)
            _voice.Report(SelfReportLevel.Warning, "file_system", $"{_settings.Directory} is on {name}, where only one host may write a file.");
        ActiveFile found = _opener.Open(_settings, reference);
        if (found.Size > 0 && _settings.OnStartup == FileStartup.Truncate)
            return _opener.Empty(_settings, found);
        if (found.Size > 0 && _settings.OnStartup == FileStartup.Roll)
            _rolls.Ask(RollReason.Startup);
        return found;
    }

    /// <summary>Looks whether the path is still the open file, not too often, and opens what is there if not.</summary>
    private ActiveFile Follow(ActiveFile active, DateTimeOffset reference, LogBatch? batch)
    {
        bool isBegun = batch is not null && ActiveFile.BegunOf(batch) > 0;
        if (!_watch.IsDue() && !isBegun)
            return active;
        if (!_settings.ReopenWhenMoved)
        {
            active.Refresh();
            return active;
        }

        PathState state = active.Look(_files);
        if (state == PathState.Same)
            return active;
        if (state == PathState.Moved && isBegun)
            TryFinishRecord(active, batch!);
        return Reopen(active, state == PathState.Deleted ? ReopenReason.Deleted : ReopenReason.Moved, reference);
    }

    private void TryFinishRecord(ActiveFile active, LogBatch batch)
    {
        try
        {
            active.Append(batch, batch[0].Bytes.Length - ActiveFile.BegunOf(batch));
        }
        catch (LogSinkException)
        {
            // Then the record is written whole into the file that is opened now: test Fault_F12_A_record_begun_in_a_moved_file_is_whole_somewhere.
        }
    }

    private ActiveFile Reopen(ActiveFile before, ReopenReason reason, DateTimeOffset reference)
    {
        ActiveFile reopened;
        try
        {
            reopened = _opener.Reopen(_settings, before, reference);
        }
        catch (LogSinkException)
        {
            // What was renamed or deleted is not written any more, so that a record is never where nobody looks.
            before.Dispose();
            _active = null;
            _lost = before;
            _failedToOpen = true;
            _rolls.RetryLater();
            throw;
        }

        Counters.Reopened(reason);
        Take(reopened);
        return reopened;
    }

    private void Append(ActiveFile active, LogBatch batch, int bytes)
    {
        try
        {
            active.Append(batch, bytes);
            _rolledForSystemLimit = false;
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.FileTooLarge && !_rolledForSystemLimit && active.Size > 0)
        {
            _rolledForSystemLimit = true;
            _voice.CountError(exception.ErrorType);
            Roll(active, RollReason.Size, batch[0].Timestamp);
            if (ReferenceEquals(_active, active))
                throw;
        }
        finally
        {
            Counters.SizeIs(_active?.Size ?? 0);
        }
    }

    private void Roll(ActiveFile active, RollReason reason, DateTimeOffset reference)
    {
        PathState state = active.Look(_files);
        if (state != PathState.Same)
        {
            Reopen(active, state == PathState.Deleted ? ReopenReason.Deleted : ReopenReason.Moved, reference);
            return;
        }

        switch (_rolls.Roll(_settings, active, reason, reference))
        {
            case { Outcome: RollOutcome.Done, Next: { } next }:
                Take(next);
                _cleaning.Ask(_settings, next.Path);
                break;
            case { Outcome: RollOutcome.ByAnother }:
                Reopen(active, ReopenReason.Moved, reference);
                break;
        }
    }

    private void Take(ActiveFile next)
    {
        _active?.Dispose();
        _active = next;
        _watch.Looked();
        _voice.SetTarget(next.Path);
        Counters.SizeIs(next.Size);
    }

    private static DateTimeOffset? Earlier(DateTimeOffset? left, DateTimeOffset? right) => !(left <= right) ? right ?? left : left;
}
