namespace AsyncLog;

/// <summary>Holds the active file: opens it, notices what others do to it, and changes over to the next one. Worker only.</summary>
internal sealed class FileHold(
    IByteFiles files, IFileVoice voice, FileOpener opener, FileRolls rolls, FileCleaning cleaning, FileSyncs syncs, FileCounters counters, bool isReload)
    : IDisposable
{
    private readonly PathWatch _watch = new(voice.TimeProvider);
    private ActiveFile? _lost;
    private bool _failedToOpen;

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
        {
            active.Refresh();
            return active;
        }

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
        return Reopen(settings, active, state == PathState.Deleted ? ReopenReason.Deleted : ReopenReason.Moved, reference);
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
            syncs.Leave(before);
            before.Dispose();
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
        {
            syncs.Leave(before);
            before.Dispose();
        }

        Active = next;
        _watch.Looked();
        voice.SetTarget(next.Path);
        syncs.Enter(next);
        counters.Opened(next.Path, next.Size);
        counters.SizeIs(next.Size);
    }

    public void Dispose()
    {
        Active?.Dispose();
        Active = null;
    }

    private void FailedToOpen(string path, LogSinkException exception)
    {
        counters.Thrown("open", path, exception);
        _failedToOpen = true;
        rolls.RetryLater();
    }

    private ActiveFile OpenFirst(FileSinkSettings settings, DateTimeOffset reference)
    {
        if (NetworkFileSystem.NameOf(settings.Directory) is { } name)
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
