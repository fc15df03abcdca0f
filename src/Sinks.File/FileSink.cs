using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Writes one file set: opens, writes, rolls, and detects a renamed, deleted or truncated file. One worker calls it.</summary>
/// <remarks>
/// A failure throws, and the next call retries; a failed roll does not throw, because the old file stays open. In the order of this file: the interfaces of the
/// worker, then opening and following the path, writing, rolling, closing.
/// </remarks>
internal sealed class FileSink : IScheduledLogSink, IOpenableLogSink, IFlushableLogSink
{
    private const string RollCondition = "roll";
    private const int MaxReadAttempts = 3;

    /// <summary>Interval between comparisons of the open file with its path.</summary>
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(250);

    /// <summary>Interval between attempts to open or to roll.</summary>
    private static readonly TimeSpan RetryPause = TimeSpan.FromSeconds(1);

    /// <summary>Delay after the end of a period, so that records of its last moments are written first.</summary>
    private static readonly TimeSpan RollGrace = TimeSpan.FromSeconds(1);

    /// <summary>Time for which the clock must be behind the file's period before the period counts as a clock error.</summary>
    private static readonly TimeSpan ClockPatience = TimeSpan.FromMinutes(1);

    private readonly SinkContext _context;
    private readonly IFileSystem _files;
    private readonly LogFileRegistry _registry;
    private readonly FileMetrics _metrics;
    private readonly LogFileOpener _opener;
    private readonly FileSyncs _syncs;
    private readonly LowDiskGuard _disk;
    private readonly ArchiveKeeper _archives;
    private readonly TimeProvider _time;
    private readonly FileRequests _requests = new();
    private readonly IDisposable? _signal;
    private readonly ExistingFile _existingFile;
    private readonly bool _isReload;

    // Worker only: the options in force, and the open file; null before the first and after one was lost.
    private LogFileSettings _settings;
    private LogFile? _active;

    // Worker only: opening. _lost is the closed file whose path is opened again. _openFailedAt is null once it is open again.
    private LogFile? _lost;
    private long? _openFailedAt;
    private long _checkedAt;
    private bool _hasReportedLimitation;

    // Worker only: rolling. _hasProgress allows at most one roll per record written, whatever the clocks show. _behind: since when the clock has been behind the
    // period of the active file, as a time stamp and as the wall clock then.
    private RollReason? _requestedRoll;
    private long? _rollFailedAt;
    private bool _hasProgress = true;
    private bool _hasRolledForSystemLimit;
    private (long Since, DateTimeOffset Time)? _behind;

    /// <param name="background">Runs an action in the background; null: on threads of its own.</param>
    public FileSink(LogFileSettings settings, SinkContext context, IFileSystem files, LogFileRegistry registry, Action<Action>? background = null)
    {
        _settings = settings;
        _context = context;
        _files = files;
        _registry = registry;
        _time = context.TimeProvider;
        _existingFile = settings.Options.ExistingFile;
        _isReload = context.IsReload;
        _metrics = new FileMetrics(context);
        _opener = new LogFileOpener(files, _time);
        _syncs = new FileSyncs(files, context, _metrics);
        _disk = new LowDiskGuard(files, context, _metrics);
        _archives = new ArchiveKeeper(files, context, _metrics, registry, this, background);
        _checkedAt = _time.GetTimestamp();
        registry.Set(this, settings);
        context.SetTarget(settings.ActivePathAt(_time.GetUtcNow(), _time));
        if (files.Limitation is { } limitation)
            context.Report(LogLevel.Warning, "platform", limitation);
        if (AsyncFileRules.PathHint(settings) is { } hint)
            context.Report(LogLevel.Warning, "path", hint);
        if (settings.Options.ReopenSignal is { } signal)
            _signal = RegisterReopenSignal(signal);
    }

    public TimeProvider TimeProvider => _time;

    /// <summary>True if it was disposed. Any thread.</summary>
    public bool HasEnded => _requests.IsClosed;

    /// <inheritdoc/>
    public DateTimeOffset? NextDue =>
        _requests.IsAny ? _time.GetUtcNow()
        : _active is { } active ? Earlier(Earlier(NextRoll(active), _archives.NextDue), Earlier(_syncs.NextDue(_settings, active), _disk.NextDue))
        : _time.GetUtcNow() + (_openFailedAt is { } failed ? _time.GetRemaining(RetryPause, failed) : TimeSpan.Zero);

    private bool IsRollPaused => _rollFailedAt is { } failed && _time.GetElapsedTime(failed) < RetryPause;

    /// <summary>Requests something from the worker at the next record boundary. Any thread.</summary>
    /// <returns>True if it was done.</returns>
    public Task<bool> RequestAsync(FileRequest request)
    {
        Task<bool> answer = _requests.Add(request);
        _context.Wake();
        return answer;
    }

    /// <inheritdoc/>
    public ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        Open(_time.GetUtcNow());
        return default;
    }

    /// <inheritdoc/>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (batch.InterruptedWrite is { } mark)
            Resume(FollowNow(Open(batch[0].Timestamp), batch[0].Timestamp), batch, mark);
        if (batch.Count > 0)
            Open(batch[0].Timestamp);
        _disk.Refuse(_settings, batch);
        if (batch.Count == 0)
            return default;
        DateTimeOffset first = batch[0].Timestamp;
        LogFile active = Follow(_active!, first, batch);
        if (batch.FirstRecordBytesWritten == 0)
        {
            active = ReturnToPresent(active);
            if (_requests.IsAny)
                active = Serve(first);
        }

        _syncs.Begin(_settings, batch);
        try
        {
            active = WriteAll(active, batch);
            if (_syncs.IsDueAfterBatch(_settings, active))
                Sync(active);
        }
        finally
        {
            _syncs.End(_settings, _active, batch);
        }

        return default;
    }

    /// <inheritdoc/>
    public ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
    {
        if (_active is { } active)
            Sync(active);
        return ValueTask.FromResult(_syncs.TakeResult());
    }

    /// <inheritdoc/>
    public ValueTask RunDueAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset now = _time.GetUtcNow();
        Open(now);
        LogFile active = ReturnToPresent(Serve(now));
        RollReason? due = IsRollPaused || active.Size == 0 ? null : _requestedRoll ?? (IsOver(active) ? RollReason.Interval : null);
        if (due is { } reason)
            TryRoll(active, reason, now);
        _disk.Check(_settings);
        if (_syncs.IsDue(_settings, _active!))
            Sync(_active!);
        _archives.RunIfDue(_settings, _active!.Path);
        return default;
    }

    /// <summary>Puts changed options in force: limits and interval at once, modes and header with the next file.</summary>
    public void Apply(LogFileSettings settings)
    {
        AsyncFileLoggerOptions before = _settings.Options;
        if (settings.Options.MinFreeSpace != before.MinFreeSpace || settings.Directory != _settings.Directory)
            _disk.Reset();
        if (settings.Names.IsDated && settings.Options.RollingInterval != before.RollingInterval && _opener.CountFormer(_settings, settings) is > 0 and var former)
        {
            _context.Report(
                LogLevel.Warning, "former_names",
                $"RollingInterval was changed from {before.RollingInterval} to {settings.Options.RollingInterval}, and with it the {{Date}} in the names: "
                    + $"{former} {(former == 1 ? "file" : "files")} with the old names in {settings.Directory} will not be counted or deleted any more. Delete them yourself.");
        }

        _settings = settings;
        _registry.Set(this, settings);
        if (_active is not { } active)
            return;
        active.ApplyOptions(settings);
        if (settings.Options.RollingInterval != before.RollingInterval || settings.Options.UseUtcTimestamp != before.UseUtcTimestamp)
            active.Period = settings.PeriodOf(_time.GetUtcNow(), _time);
        _archives.RequestIfChanged(before, settings, active.Path);
    }

    /// <summary>Begins a new file with the next record: one layout per file.</summary>
    public void RollForNewLayout() => _requestedRoll = RollReason.Configuration;

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _signal?.Dispose();
        _requests.Close();
        _archives.Stop();
        _registry.Remove(this);
        _disk.End();
        if (_active is { } active)
            Close(active);
        _active = null;
        return default;
    }

    // Advances over what a killed process wrote of the batch. The half record at the end of the file is continued, if that file is still written; elsewhere
    // the record is written whole.
    private void Resume(LogFile active, LogBatch batch, WriteMark mark)
    {
        if (ReadInterrupted(active, batch, mark) is not { } written)
            return;
        (int bytes, bool isAtEnd) = InterruptedWrites.Match(written.Span, batch);
        bool isActive = isAtEnd && active.Is(mark);
        batch.Advance(bytes);
        if (isActive && batch.FirstRecordBytesWritten is > 0 and var prefix)
            active.ContinueRecord(prefix);
    }

    // Null: the file is gone, or cannot be read, which is reported.
    private ReadOnlyMemory<byte>? ReadInterrupted(LogFile active, LogBatch batch, WriteMark mark)
    {
        // Again, if another program renames the file before it is read.
        for (int attempt = 0; attempt < MaxReadAttempts && InterruptedWrites.Find(_files, _settings, active.Path, mark) is { } path; attempt++)
        {
            try
            {
                if (InterruptedWrites.Read(_files, path, mark, batch) is { } written)
                    return written;
            }
            catch (LogSinkException exception)
            {
                _context.Report(LogLevel.Warning, "interrupted_write", $"{exception.Message}: records that a killed process was writing there may be in the log twice.");
                return null;
            }
        }

        return null;
    }

    // Opens the file unless it is open.
    private LogFile Open(DateTimeOffset reference)
    {
        Debug.Assert(_active is null || _lost is null, "A lost file is closed.");
        if (_active is not null)
            return _active;
        try
        {
            SwitchTo(_lost is not null ? _opener.Reopen(_settings, _lost, reference) : _isReload ? _opener.Open(_settings, reference) : OpenAtStart(reference));
        }
        catch (LogSinkException exception)
        {
            OnOpenFailed(_lost?.Path ?? _settings.ActivePathAt(reference, _time), exception);
            throw;
        }

        if (_openFailedAt is not null)
            _metrics.Reopened(ReopenReason.Error);
        _openFailedAt = null;
        _lost = null;
        _archives.Request(_settings, _active!.Path);
        return _active;
    }

    private LogFile OpenAtStart(DateTimeOffset reference)
    {
        if (Folders.NetworkFileSystemOf(_settings.Directory) is { } name)
            _context.Report(LogLevel.Warning, "file_system", $"{_settings.Directory} is on {name}, where only one host may write a file: with several hosts put {{MachineName}} into Path.");
        LogFile found = _opener.Open(_settings, reference);
        if (found.Size > 0 && _existingFile == ExistingFile.Truncate)
            return _opener.OpenEmpty(_settings, found);
        if (found.Size > 0 && _existingFile == ExistingFile.Roll)
            _requestedRoll = RollReason.Startup;
        return found;
    }

    // Compares the open file with its path at intervals, and opens the path if it is another file. A record that is written in part is finished in the
    // file with its first part.
    private LogFile Follow(LogFile active, DateTimeOffset reference, LogBatch batch)
    {
        bool hasPrefix = batch.FirstRecordBytesWritten > 0;
        bool isDue = _time.GetElapsedTime(_checkedAt) >= CheckInterval;
        if (isDue)
            _checkedAt = _time.GetTimestamp();
        else if (!hasPrefix)
            return active;
        if (!_settings.Options.ReopenWhenMoved)
            return active.TryRefresh() ? active : Reopen(active, ReopenReason.Error, reference);
        return FollowNow(active, reference, hasPrefix ? batch : null);
    }

    private LogFile FollowNow(LogFile active, DateTimeOffset reference, LogBatch? unfinished = null, ReopenReason? because = null)
    {
        PathState state = active.CheckIdentity(_files);
        if (state == PathState.Same)
            return active;
        if (state == PathState.Moved && unfinished is not null)
            TryFinishRecord(active, unfinished);
        return Reopen(active, because ?? ReasonOf(state), reference);
    }

    private static ReopenReason ReasonOf(PathState state) => state switch
    {
        PathState.Deleted => ReopenReason.Deleted,
        PathState.Lost => ReopenReason.Error,
        _ => ReopenReason.Moved,
    };

    private static void TryFinishRecord(LogFile active, LogBatch batch)
    {
        try
        {
            active.Append(batch, batch[0].Bytes.Length - batch.FirstRecordBytesWritten);
        }
        catch (LogSinkException)
        {
            // Then the record is written whole into the file that is opened now: test A_record_begun_in_a_moved_file_is_whole_in_one_file.
        }
    }

    private LogFile Reopen(LogFile before, ReopenReason reason, DateTimeOffset reference)
    {
        LogFile reopened;
        try
        {
            reopened = _opener.Reopen(_settings, before, reference);
        }
        catch (LogSinkException exception)
        {
            // A renamed or deleted file is no longer written: its records would not be found.
            SyncAndClose(before);
            _active = null;
            _lost = before;
            OnOpenFailed(before.Path, exception);
            throw;
        }

        _metrics.Reopened(reason);
        bool endsFailedRoll = _rollFailedAt is not null;
        SwitchTo(reopened);
        if (endsFailedRoll)
            _archives.Request(_settings, reopened.Path);
        return reopened;
    }

    private void OnOpenFailed(string path, LogSinkException exception)
    {
        _disk.Attempted(hasFailed: true);
        _metrics.Thrown("open", path, exception);
        _openFailedAt = _time.GetTimestamp();
    }

    private void SwitchTo(LogFile next)
    {
        if (_active is { } before)
            SyncAndClose(before);
        _active = next;
        _checkedAt = _time.GetTimestamp();
        _context.SetTarget(next.Path);
        (string? existingParent, string? limitation) = _opener.TakeCreated();
        _syncs.OnOpened(_settings, next, existingParent);
        if (limitation is not null && !_hasReportedLimitation)
        {
            _hasReportedLimitation = true;
            _context.Report(LogLevel.Warning, "mode", $"{limitation}. Logging continues; UnixCreateMode has no effect there.");
        }

        _metrics.Opened(next.Path, next.Size);
        if (_rollFailedAt is not null)
        {
            // Also after a failed roll that left the file under another name, or a roll by another process.
            _rollFailedAt = null;
            _context.ReportRecovery(RollCondition, "files roll again.");
        }
    }

    private LogFile WriteAll(LogFile active, LogBatch batch)
    {
        while (batch.Count > 0)
        {
            BatchSplit split = Split(active, batch);
            if (split.Bytes > 0)
                Append(active, batch, split.Bytes);
            if (split.Reason is { } reason)
                TryRoll(active, reason, batch[0].Timestamp);
            active = _active!;
        }

        return active;
    }

    private BatchSplit Split(LogFile active, LogBatch batch)
    {
        if (active.Size == 0)
            _requestedRoll = null;
        bool hasPrefix = batch.FirstRecordBytesWritten > 0;
        BatchSplit split = IsRollPaused ? new BatchSplit(batch.Bytes.Length, null)
            : _requestedRoll is not null && !hasPrefix && _hasProgress ? new BatchSplit(0, _requestedRoll)
            : RollPolicy.Split(batch, active, _settings.Options.FileSizeLimit, mustTakeFirst: hasPrefix || (!_hasProgress && active.Size > 0));
        _hasProgress |= split.Bytes > 0;
        return split;
    }

    private void Append(LogFile active, LogBatch batch, int bytes)
    {
        try
        {
            active.Append(batch, bytes);
            _hasRolledForSystemLimit = false;
            _disk.Attempted(hasFailed: false);
        }
        catch (LogSinkException exception)
        {
            _disk.Attempted(hasFailed: true);
            _metrics.Thrown("write", active.Path, exception);
            // What is due between batches does not run while one fails, and the retention may be what makes room.
            _archives.RunIfDue(_settings, active.Path);
            if (exception.ErrorType != FileErrorClass.FileTooLarge || _hasRolledForSystemLimit || active.Size == 0)
                throw;

            // A retry does not change the limit of the process, but another file does.
            _hasRolledForSystemLimit = true;
            _context.CountError(exception.ErrorType);
            TryRoll(active, RollReason.Size, batch[0].Timestamp);
            if (ReferenceEquals(_active, active))
                throw;
        }
        finally
        {
            _metrics.SizeIs(_active?.Size ?? 0);
        }
    }

    private void Sync(LogFile active)
    {
        if (_syncs.Sync(_settings, active))
            TryRoll(active, RollReason.Suspect, _time.GetUtcNow());
    }

    // Finishes the active file and opens the next one. False when that failed, which is counted and reported: the old file stays open. Throws when the path of the
    // file is another file, which cannot be opened.
    private bool TryRoll(LogFile active, RollReason reason, DateTimeOffset reference)
    {
        Debug.Assert(ReferenceEquals(active, _active), "Only the active file is rolled.");
        if (!ReferenceEquals(FollowNow(active, reference), active))
            return true;
        _hasProgress = false;
        LogFile? next;
        string finished;
        try
        {
            if (active.Size == 0 && (reason == RollReason.Interval || !_settings.Names.IsDated) && TryRedate(active, reference))
                return true;
            next = _opener.OpenNext(_settings, active, reason, reference, out finished);
        }
        catch (LogSinkException exception)
        {
            _rollFailedAt = _time.GetTimestamp();
            _metrics.Failed("roll", active.Path, exception);
            _context.Report(LogLevel.Warning, RollCondition, $"cannot begin a new file: {exception.Message}. The old file stays in use; trying again every second.");
            return false;
        }

        _requestedRoll = null;
        if (next is not null)
        {
            _metrics.Rolled(reason, finished, next.Path);
            SwitchTo(next);
        }
        else
        {
            // Another process rolled first. Each of several may have lost the race to another one, so each requests a pass over the archives.
            Reopen(active, ReopenReason.Moved, reference);
        }

        _archives.Request(_settings, _active!.Path);
        return true;
    }

    // An empty file is not finished: it belongs to the period of its first record.
    private bool TryRedate(LogFile active, DateTimeOffset reference)
    {
        string before = active.Path;
        if (!_opener.TryRedate(_settings, active, reference))
            return false;
        if (active.Path == before)
            return true;
        _context.SetTarget(active.Path);
        _syncs.OnOpened(_settings, active, existingParent: null);
        _metrics.Opened(active.Path, 0);
        _archives.Request(_settings, active.Path);
        return true;
    }

    // Time at which a file has to be rolled without a record.
    private DateTimeOffset? NextRoll(LogFile active)
    {
        if (active.Size == 0)
            return null;
        DateTimeOffset now = _time.GetUtcNow();
        bool isAhead = active.Period.IsAheadOf(now);
        if (_rollFailedAt is { } failed && (_requestedRoll is not null || isAhead || IsOver(active)))
            return now + _time.GetRemaining(RetryPause, failed);
        if (_requestedRoll is not null)
            return now;
        if (isAhead)
            return now + (_behind is { } behind ? _time.GetRemaining(ClockPatience, behind.Since) : TimeSpan.Zero);
        return active.Period.End > DateTimeOffset.MaxValue - RollGrace ? null : active.Period.End + RollGrace;
    }

    private bool IsOver(LogFile active) => _time.GetUtcNow().UtcTicks - RollGrace.Ticks >= active.Period.EndTicks;

    // A period in the future comes from a clock that was ahead. When the clock has been behind it for a minute, the file gets the present period.
    private LogFile ReturnToPresent(LogFile active)
    {
        DateTimeOffset now = _time.GetUtcNow();
        if (!active.Period.IsAheadOf(now))
            _behind = null;
        else if (_behind is not { } behind || now < behind.Time)
            _behind = (_time.GetTimestamp(), now);
        else if (!IsRollPaused && _time.GetRemaining(ClockPatience, behind.Since) == TimeSpan.Zero)
        {
            if (_settings.Names.IsDated)
                TryRoll(active, RollReason.Interval, now);
            else
                active.Period = _settings.PeriodOf(behind.Time, _time);
        }

        return _active!;
    }

    private LogFile Serve(DateTimeOffset reference)
    {
        _requests.Serve(request =>
        {
            LogFile active = FollowNow(Open(reference), reference, because: ReopenReason.Signal);
            return request != FileRequest.Roll || active.Size == 0 || TryRoll(active, RollReason.Request, reference);
        });
        return _active!;
    }

    private PosixSignalRegistration? RegisterReopenSignal(PosixSignal signal)
    {
        if (OperatingSystem.IsWindows())
        {
            _context.Report(LogLevel.Warning, "reopen_signal", "ReopenSignal is ignored: Windows has no such signal.");
            return null;
        }

        // Other handlers of the signal still run; the process does not end.
        return PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            _ = RequestAsync(FileRequest.Reopen);
        });
    }

    private void SyncAndClose(LogFile file)
    {
        _syncs.OnClosing(_settings, file);
        Close(file);
    }

    private void Close(LogFile file)
    {
        try
        {
            file.Close();
        }
        catch (LogSinkException exception)
        {
            _syncs.OnCloseFailed();
            _metrics.Failed("close", file.Path, exception);
            _context.Report(LogLevel.Error, "close", $"{exception.Message}. The last data that was written to it may be lost.");
        }
    }

    private static DateTimeOffset? Earlier(DateTimeOffset? left, DateTimeOffset? right) => !(left <= right) ? right ?? left : left;
}
