namespace AsyncLog;

/// <summary>Decides when the active file is synced to the disk, and when a new one begins after a sync that failed. Worker only.</summary>
internal sealed class SyncSchedule(TimeProvider timeProvider)
{
    /// <summary>Between syncs for the level of a record: at most ten a second.</summary>
    private static readonly TimeSpan LevelPause = TimeSpan.FromMilliseconds(100);

    /// <summary>Between new files after failed syncs: a disk that is broken for good must not push what is retained out with new files.</summary>
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(10);

    private long? _syncedAt;
    private long? _unsyncedSince;
    private bool _isUrgent;
    private long? _begunAt;
    private TimeSpan _pause;

    /// <summary>Whether a new file may begin now because of a failed sync.</summary>
    public bool MayBegin => LeftToBegin == TimeSpan.Zero;

    /// <summary>How long until one may.</summary>
    public TimeSpan LeftToBegin => _begunAt is { } at ? Left(at, _pause) : TimeSpan.Zero;

    /// <summary>Says that a batch was written.</summary>
    public void Wrote(bool isUrgent)
    {
        _unsyncedSince ??= timeProvider.GetTimestamp();
        _isUrgent |= isUrgent;
    }

    /// <summary>How long until what was written is synced; null: never.</summary>
    public TimeSpan? LeftToSync(FileSinkSettings settings)
    {
        if (_unsyncedSince is not { } since)
            return null;
        if (settings.Durability == FileDurability.FlushToDisk)
            return TimeSpan.Zero;
        TimeSpan? left = settings.SyncInterval is { } interval ? Left(since, interval) : null;
        TimeSpan? forLevel = !_isUrgent ? null : _syncedAt is { } at ? Left(at, LevelPause) : TimeSpan.Zero;
        return !(left <= forLevel) ? forLevel ?? left : left;
    }

    /// <summary>Nothing is unsynced any more.</summary>
    public void Synced()
    {
        _syncedAt = timeProvider.GetTimestamp();
        _unsyncedSince = null;
        _isUrgent = false;
    }

    /// <summary>A new file begins because of a failed sync.</summary>
    public void Began()
    {
        bool isAgain = _begunAt is { } at && timeProvider.GetElapsedTime(at) < _pause * 4;
        _pause = isAgain ? TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, LongestPause.Ticks)) : FirstPause;
        _begunAt = timeProvider.GetTimestamp();
    }

    private TimeSpan Left(long since, TimeSpan pause) => TimeLeft.Of(pause, since, timeProvider);
}
