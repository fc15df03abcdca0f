namespace AsyncLog;

/// <summary>Holds the active file: opens it, notices what others do to it, and changes over to the next one. Worker only.</summary>
internal sealed class FileHold(
    IByteFiles files, IFileVoice voice, FileOpener opener, FileRolls rolls, FileCleaning cleaning, FileSyncs syncs, FileCounters counters, bool isReload)
    : IDisposable
{
    private readonly PathWatch _watch = new(voice.TimeProvider);
    private ActiveFile? _lost;
    private bool _failedToOpen;
    private bool _hasReportedLimitation;

    /// <summary>The open file; null before the first and after one was lost.</summary>
    public ActiveFile? Active { get; private set; }

    /// <summary>Opens the file unless it is open.</summary>
    /// <param name="settings">The settings in force.</param>
    /// <param name="reference">The time of the record that comes next, or now.</param>
    public ActiveFile Open(FileSinkSettings settings, DateTimeOffset reference)
    {
        if (Active is not null)
            return Active;
        try
        {
            Take(_lost is not null ? opener.Reopen(settings, _lost, reference)
                : isReload ? opener.Open(settings, reference)
                : OpenFirst(settings, reference));
        }
        catch (LogSinkException exception)
        {
            FailedToOpen(_lost?.Path ?? settings.ActivePathAt(reference, voice.TimeProvider), exception);
            throw;
        }

        if (_failedToOpen)
            counters.Reopened(ReopenReason.Error);
        _failedToOpen = false;
        _lost = null;
        cleaning.Ask(settings, Active!.Path);
        return Active;
    }

    /// <summary>Looks whether the path is still the open file, not too often, and opens what is there if not.</summary>
    /// <param name="settings">The settings in force.</param>
    /// <param name="active">The open file.</param>
    /// <param name="reference">The time of the record that comes next, or now.</param>
    /// <param name="batch">What is about to be written; a record of it that was begun is finished where it was begun.</param>
    public ActiveFile Follow(FileSinkSettings settings, ActiveFile active, DateTimeOffset reference, LogBatch? batch)
    {
        bool isBegun = batch is not null && ActiveFile.BegunOf(batch) > 0;
        if (!_watch.IsDue() && !isBegun)
            return active;
        if (!settings.ReopenWhenMoved)
            return active.TryRefresh() ? active : Reopen(settings, active, ReopenReason.Error, reference);
        return FollowNow(settings, active, reference, isBegun ? batch : null);
    }

    /// <summary>The same at once, because somebody says so.</summary>
    public ActiveFile FollowNow(FileSinkSettings settings, ActiveFile active, DateTimeOffset reference, ReopenReason reason) =>
        active.Look(files) == PathState.Same ? active : Reopen(settings, active, reason, reference);

    /// <summary>The same at once.</summary>
    public ActiveFile FollowNow(FileSinkSettings settings, ActiveFile active, DateTimeOffset reference, LogBatch? begun = null)
    {
        PathState state = active.Look(files);
        if (state == PathState.Same)
            return active;
        if (state == PathState.Moved && begun is not null)
            TryFinishRecord(active, begun);
        ReopenReason reason = state switch
        {
            PathState.Deleted => ReopenReason.Deleted,
            PathState.Lost => ReopenReason.Error,
            _ => ReopenReason.Moved,
        };
        return Reopen(settings, active, reason, reference);
    }

    /// <summary>Opens what is at the path now.</summary>
    public ActiveFile Reopen(FileSinkSettings settings, ActiveFile before, ReopenReason reason, DateTimeOffset reference)
    {
        ActiveFile reopened;
        try
        {
            reopened = opener.Reopen(settings, before, reference);
        }
        catch (LogSinkException exception)
        {
            // What was renamed or deleted is not written any more, so that no record goes where nobody looks.
            Leave(before);
            Active = null;
            _lost = before;
            FailedToOpen(before.Path, exception);
            throw;
        }

        counters.Reopened(reason);
        Take(reopened);
        return reopened;
    }

    /// <summary>Changes over to another file.</summary>
    public void Take(ActiveFile next)
    {
        if (Active is { } before)
            Leave(before);
        Active = next;
        _watch.Looked();
        voice.SetTarget(next.Path);
        syncs.Enter(next, opener.TakeExistingParent());
        if (opener.TakeLimitation() is { } limitation && !_hasReportedLimitation)
        {
            _hasReportedLimitation = true;
            voice.Report(SelfReportLevel.Warning, "mode", $"{limitation}. Logging goes on; UnixFileMode and UnixDirectoryMode have no effect there.");
        }

        counters.Opened(next.Path, next.Size);
        counters.SizeIs(next.Size);
    }

    public void Dispose()
    {
        if (Active is { } active)
            Close(active);
        Active = null;
    }

    private void Leave(ActiveFile before)
    {
        syncs.Leave(before);
        Close(before);
    }

    private void Close(ActiveFile file)
    {
        try
        {
            file.Close();
        }
        catch (LogSinkException exception)
        {
            syncs.FailedToClose();
            voice.Failed("close", file.Path, exception);
            voice.Report(SelfReportLevel.Error, "close", $"{exception.Message}. What was written to it last may be lost.");
        }
    }

    private void FailedToOpen(string path, LogSinkException exception)
    {
        counters.Thrown("open", path, exception);
        _failedToOpen = true;
        rolls.RetryLater();
    }

    private ActiveFile OpenFirst(FileSinkSettings settings, DateTimeOffset reference)
    {
        if (Folders.NetworkFileSystemOf(settings.Directory) is { } name)
            voice.Report(SelfReportLevel.Warning, "file_system", $"{settings.Directory} is on {name}, where only one host may write a file.");
        ActiveFile found = opener.Open(settings, reference);
        if (found.Size > 0 && settings.OnStartup == FileStartup.Truncate)
            return opener.Empty(settings, found);
        if (found.Size > 0 && settings.OnStartup == FileStartup.Roll)
            rolls.Ask(RollReason.Startup);
        return found;
    }

    private static void TryFinishRecord(ActiveFile active, LogBatch batch)
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
}
