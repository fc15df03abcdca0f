using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Syncs files and their directories to the disk as the options ask for, and knows what a failed sync leaves behind. Worker only.</summary>
/// <remarks>A sync that failed is never repeated on the same file: the system may have forgotten what it could not write, and say that all is well.</remarks>
internal sealed class FileSyncs(FileSinkSettings settings, IByteFiles files, IFileVoice voice)
{
    private const string Condition = "sync";
    private static readonly TimeSpan Slow = TimeSpan.FromSeconds(1);
    private readonly TimeProvider _time = voice.TimeProvider;
    private readonly SyncSchedule _schedule = new(voice.TimeProvider);
    private readonly RecordsInHand _inHand = new();
    private FileSinkSettings _settings = settings;
    private string? _unsyncedDirectory;
    private string? _existingParent;
    private bool _mustWriteAgain;
    private bool _hasLost;
    private bool _isUrgent;
    private bool _isFailing;

    /// <summary>Puts changed options in force.</summary>
    public void Use(FileSinkSettings settings) => _settings = settings;

    /// <summary>When something has to be synced, or a new file begun, without a record.</summary>
    public DateTimeOffset? NextDue(ActiveFile active) => Left(active) is { } left ? _time.GetUtcNow() + left : null;

    /// <summary>Whether that time has come.</summary>
    public bool IsDue(ActiveFile active) => Left(active) == TimeSpan.Zero;

    /// <summary>A batch is about to be written.</summary>
    public void Begin(LogBatch batch)
    {
        if (!_settings.IsSynced)
            return;
        _inHand.Take(batch);
        _isUrgent = _settings.SyncLevel != LogLevel.None && HasLevel(batch, _settings.SyncLevel);
    }

    /// <summary>Whether it is time to sync what was written.</summary>
    public bool IsDueAfterBatch(ActiveFile active)
    {
        NoteWritten(active);
        return _settings.IsSynced && _schedule.LeftToSync(_settings) == TimeSpan.Zero;
    }

    /// <summary>The batch is written, or its writing failed.</summary>
    public void End(ActiveFile? active)
    {
        NoteWritten(active);
        _inHand.Release();
    }

    /// <summary>Syncs the active file and what was created, renamed or rolled beside it.</summary>
    /// <returns>True when a new file has to be begun now, because this one cannot be trusted any more.</returns>
    public bool Sync(ActiveFile active)
    {
        if (!_settings.IsSynced)
            return false;
        SyncFile(active);
        SyncDirectory();
        if (!active.IsSuspect || !_schedule.MayBegin)
            return false;
        _schedule.Began();
        return true;
    }

    /// <summary>The active file is about to be left for another one.</summary>
    public void Leave(ActiveFile active)
    {
        if (_settings.IsSynced)
            SyncFile(active);
    }

    /// <summary>Another file is the active one.</summary>
    /// <param name="active">It.</param>
    /// <param name="existingParent">The directory that existed and in which directories were created for it; null: none were.</param>
    public void Enter(ActiveFile active, string? existingParent)
    {
        _unsyncedDirectory = Path.GetDirectoryName(active.Path);
        _existingParent = existingParent ?? _existingParent;
        if (!_settings.IsSynced)
            return;
        SyncDirectory();
        WriteAgain(active);
    }

    /// <summary>A file could not be closed: what was written to it may not have arrived.</summary>
    public void FailedToClose() => _hasLost = true;

    /// <summary>Whether everything since the last question is on the disk.</summary>
    public bool TakeResult()
    {
        bool isSafe = !_hasLost;
        _hasLost = false;
        return isSafe;
    }

    private TimeSpan? Left(ActiveFile active) =>
        !_settings.IsSynced ? null : active.IsSuspect ? _schedule.LeftToBegin : _schedule.LeftToSync(_settings);

    private void NoteWritten(ActiveFile? active)
    {
        if (_settings.IsSynced && active is { IsUnsynced: true })
            _schedule.Wrote(_isUrgent);
    }

    private void SyncFile(ActiveFile active)
    {
        if (!active.IsUnsynced)
        {
            _schedule.Synced();
            return;
        }

        if (active.IsSuspect)
        {
            _hasLost = true;
            _schedule.Synced();
            return;
        }

        long began = _time.GetTimestamp();
        try
        {
            active.Sync();
            _inHand.Synced();
            if (_isFailing)
                voice.Resolve(Condition, "files can be synced again.");
            _isFailing = false;
        }
        catch (LogSinkException exception)
        {
            _hasLost = true;
            _mustWriteAgain = true;
            _isFailing = true;
            voice.Failed("sync", active.Path, exception);
            voice.Report(SelfReportLevel.Error, Condition, $"{exception.Message}. What was written to it since the last sync may be lost; a new file begins.");
        }

        _schedule.Synced();
        TellIfSlow(active, _time.GetElapsedTime(began));
    }

    private void SyncDirectory()
    {
        if (_unsyncedDirectory is not { } directory)
            return;
        try
        {
            files.SyncDirectory(directory);
            SyncAbove(directory);
            _unsyncedDirectory = null;
            _existingParent = null;
        }
        catch (LogSinkException exception)
        {
            _hasLost = true;
            voice.Failed("sync", directory, exception);
            voice.Report(SelfReportLevel.Warning, Condition, $"{exception.Message}. A new name may be lost with the power; trying again with the next sync.");
        }
    }

    // A directory that was created is a name in the one above.
    private void SyncAbove(string directory)
    {
        try
        {
            while (directory.Length > _existingParent?.Length && Path.GetDirectoryName(directory) is { } above)
                files.SyncDirectory(directory = above);
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.Permission)
        {
            // It may be passed through and written, not opened: test FI_114_A_directory_above_that_may_not_be_opened_is_no_trouble.
        }
    }

    // What the batch in hand had in the file that is not trusted goes to the new one, ahead of the rest of the batch.
    private void WriteAgain(ActiveFile active)
    {
        ReadOnlyMemory<byte> records = _inHand.Unsynced;
        bool must = _mustWriteAgain;
        _mustWriteAgain = false;
        if (!must || records.IsEmpty)
            return;
        try
        {
            active.WriteAgain(records.Span);
            voice.Report(SelfReportLevel.Warning, "written_again", string.Create(
                CultureInfo.InvariantCulture, $"{records.Length} bytes that may be lost were written again to {active.Path}. Records may be there twice."));
            SyncFile(active);
        }
        catch (LogSinkException exception)
        {
            voice.Failed("write", active.Path, exception);
            voice.Report(SelfReportLevel.Error, Condition, $"{exception.Message}. Records written since the last sync could not be written again and may be lost.");
        }
    }

    private void TellIfSlow(ActiveFile active, TimeSpan time)
    {
        if (time >= Slow)
        {
            voice.Report(SelfReportLevel.Warning, "slow_sync", string.Create(
                CultureInfo.InvariantCulture, $"the sync of {active.Path} took {time.TotalSeconds:0.0} s. Records waited in the queue meanwhile."));
        }
    }

    private static bool HasLevel(LogBatch batch, LogLevel level)
    {
        for (int i = 0; i < batch.Count; i++)
        {
            if (batch[i].Level >= level)
                return true;
        }

        return false;
    }
}
