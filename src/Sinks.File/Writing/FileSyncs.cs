using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Syncs files and their directories to the disk as the options define, and begins a new file after a failed sync. Worker only.</summary>
/// <remarks>A sync that failed is never repeated on the same file: the kernel may have dropped the pages it could not write, and report success.</remarks>
internal sealed class FileSyncs(IFileSystem files, SinkContext context, FileMetrics metrics)
{
    private const string Condition = "sync";
    private static readonly TimeSpan Slow = TimeSpan.FromSeconds(1);

    // Interval between syncs for the level of a record: at most ten a second.
    private static readonly TimeSpan LevelPause = TimeSpan.FromMilliseconds(100);

    // Interval between new files after failed syncs: with a broken disk, new files must not push out the retained ones.
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(10);

    private readonly TimeProvider _time = context.TimeProvider;

    // Time at which written data is synced.
    private long? _syncedAt;
    private long? _unsyncedSince;
    private bool _isUrgent;
    private bool _isBatchUrgent;

    // Start of the last new file after a failed sync, and the delay of the next one.
    private long? _begunAt;
    private TimeSpan _pause;

    // Records of the batch in hand that callers wait for until they are on the disk, and true if a sync failed since the batch was offered first.
    private int _awaited;
    private bool _hasLostAwaited;

    private string? _unsyncedDirectory;
    private string? _existingParent;
    private bool _hasLost;
    private bool _isFailing;

    private TimeSpan LeftToBegin => _begunAt is { } at ? _time.GetRemaining(_pause, at) : TimeSpan.Zero;

    /// <summary>Time at which a file has to be synced, or a new one has to begin, without a record.</summary>
    public DateTimeOffset? NextDue(LogFileSettings settings, LogFile active) => Left(settings, active) is { } left ? _time.GetUtcNow() + left : null;

    /// <summary>Returns true if that time has come.</summary>
    public bool IsDue(LogFileSettings settings, LogFile active) => Left(settings, active) == TimeSpan.Zero;

    /// <summary>Begins a batch, before it is written.</summary>
    public void Begin(LogFileSettings settings, LogBatch batch)
    {
        if (!settings.IsSynced)
            return;
        _isBatchUrgent = settings.Options.FlushToDiskLevel != LogLevel.None && Count(batch, settings.Options.FlushToDiskLevel) > 0;
        _hasLostAwaited &= _awaited > 0;
        // More than zero already: a part of the batch was written by an attempt before.
        if (settings.AcknowledgedOnDiskFrom != LogLevel.None)
            _awaited = Math.Max(_awaited, Count(batch, settings.AcknowledgedOnDiskFrom));
    }

    /// <summary>Returns true if it is time to sync what was written of the batch.</summary>
    public bool IsDueAfterBatch(LogFileSettings settings, LogFile active)
    {
        MarkUnsynced(settings, active);
        return settings.IsSynced && LeftToSync(settings.Options) == TimeSpan.Zero;
    }

    /// <summary>Ends a batch, also when writing it failed.</summary>
    public void End(LogFileSettings settings, LogFile? active, LogBatch batch)
    {
        MarkUnsynced(settings, active);
        if (_awaited > 0 && batch.Count == 0)
            EndAwaited();
    }

    /// <summary>Syncs the active file and the files created, renamed or rolled beside it.</summary>
    /// <returns>True when a new file has to begin now, because a sync of this one failed.</returns>
    public bool Sync(LogFileSettings settings, LogFile active)
    {
        if (!settings.IsSynced)
            return false;
        SyncFile(active);
        SyncDirectory();
        if (!active.IsSuspect || LeftToBegin > TimeSpan.Zero)
            return false;
        bool isAgain = _begunAt is { } at && _time.GetElapsedTime(at) < _pause * 4;
        _pause = isAgain ? TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, LongestPause.Ticks)) : FirstPause;
        _begunAt = _time.GetTimestamp();
        return true;
    }

    /// <summary>Syncs the active file before it is closed.</summary>
    public void OnClosing(LogFileSettings settings, LogFile active)
    {
        if (settings.IsSynced)
            SyncFile(active);
    }

    /// <summary>Syncs the directory of an opened file.</summary>
    /// <param name="existingParent">The directory that existed and in which directories were created for it; null: none were.</param>
    public void OnOpened(LogFileSettings settings, LogFile active, string? existingParent)
    {
        _unsyncedDirectory = Path.GetDirectoryName(active.Path);
        _existingParent = existingParent ?? _existingParent;
        if (settings.IsSynced)
            SyncDirectory();
    }

    /// <summary>Records that a file could not be closed: its last writes may not have arrived.</summary>
    public void OnCloseFailed() => Lose();

    /// <summary>Returns true if everything since the last call is on the disk.</summary>
    public bool TakeResult()
    {
        bool isSafe = !_hasLost;
        _hasLost = false;
        return isSafe;
    }

    private void Lose(bool isLost = true)
    {
        _hasLost |= isLost;
        _hasLostAwaited |= isLost;
    }

    // The batch is written, and settled next: where its records are not known to be on the disk, they must not be acknowledged.
    private void EndAwaited()
    {
        if (_hasLostAwaited || _unsyncedSince is not null)
            context.CountUncertain(_awaited);
        _awaited = 0;
    }

    private TimeSpan? Left(LogFileSettings settings, LogFile active) => !settings.IsSynced ? null : active.IsSuspect ? LeftToBegin : LeftToSync(settings.Options);

    // Time until written data is synced; null: never.
    private TimeSpan? LeftToSync(AsyncFileLoggerOptions options)
    {
        if (_unsyncedSince is not { } since)
            return null;
        if (options.Durability == WriteDurability.FlushToDisk || _awaited > 0)
            return TimeSpan.Zero;
        TimeSpan? left = options.FlushToDiskInterval is { } interval ? _time.GetRemaining(interval, since) : null;
        TimeSpan? forLevel = !_isUrgent ? null : _syncedAt is { } at ? _time.GetRemaining(LevelPause, at) : TimeSpan.Zero;
        return !(left <= forLevel) ? forLevel ?? left : left;
    }

    private void MarkUnsynced(LogFileSettings settings, LogFile? active)
    {
        if (!settings.IsSynced || active is not { IsUnsynced: true })
            return;
        _unsyncedSince ??= _time.GetTimestamp();
        _isUrgent |= _isBatchUrgent;
    }

    private void SyncFile(LogFile active)
    {
        if (active is { IsUnsynced: true, IsSuspect: false })
            TrySync(active);
        else
            Lose(active is { IsUnsynced: true, IsSuspect: true });
        _syncedAt = _time.GetTimestamp();
        _unsyncedSince = null;
        _isUrgent = false;
    }

    private void TrySync(LogFile active)
    {
        long began = _time.GetTimestamp();
        try
        {
            active.Sync();
            if (_isFailing)
                context.ReportRecovery(Condition, "files can be synced again.");
            _isFailing = false;
        }
        catch (LogSinkException exception)
        {
            Lose();
            _isFailing = true;
            metrics.Failed("sync", active.Path, exception);
            context.Report(LogLevel.Error, Condition, $"{exception.Message}. What was written to it since the last sync may be lost; a new file begins.");
        }

        TimeSpan time = _time.GetElapsedTime(began);
        if (time >= Slow)
        {
            context.Report(LogLevel.Warning, "slow_sync", string.Create(
                CultureInfo.InvariantCulture, $"the sync of {active.Path} took {time.TotalSeconds:0.0} s. Records waited in the queue meanwhile: use a faster disk or sync less often."));
        }
    }

    private void SyncDirectory()
    {
        if (_unsyncedDirectory is not { } directory)
            return;
        try
        {
            files.SyncDirectory(directory);
            SyncParents(directory);
            _unsyncedDirectory = null;
            _existingParent = null;
        }
        catch (LogSinkException exception)
        {
            Lose();
            metrics.Failed("sync", directory, exception);
            context.Report(LogLevel.Warning, Condition, $"{exception.Message}. A power loss may lose the name of a new file; trying again with the next sync.");
        }
    }

    // A directory that was created is a name in its parent.
    private void SyncParents(string directory)
    {
        try
        {
            while (directory.Length > _existingParent?.Length && Path.GetDirectoryName(directory) is { } parent)
                files.SyncDirectory(directory = parent);
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.Permission)
        {
            // It may be searched and written, not opened: test A_directory_above_that_may_not_be_opened_is_no_trouble.
        }
    }

    private static int Count(LogBatch batch, LogLevel from)
    {
        int count = 0;
        for (int i = 0; i < batch.Count; i++)
        {
            if (batch[i].Level >= from)
                count++;
        }

        return count;
    }
}
