using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Drops records below Warning while the free space of the disk is below the minimum, so that there is room for the others. While nothing can be
/// written, all levels wait. Worker only.</summary>
internal sealed class LowDiskGuard(IFileSystem files, SinkContext context, FileMetrics metrics)
{
    private const string Condition = "disk_low";

    // The value of auto: 5 % of the file system, at most 100 MB.
    private const long LargestAutomatic = 100 << 20;
    private const int AutomaticPart = 20;
    private const long BytesBetweenChecks = 16 << 20;
    private static readonly TimeSpan TimeBetweenChecks = TimeSpan.FromSeconds(5);
    private readonly TimeProvider _time = context.TimeProvider;
    private long? _checkedAt;
    private long _written;
    private bool _isLow;

    // True if nothing is free, and if the last attempt to write failed.
    private bool _isFull;
    private bool _hasFailed;

    // Since the condition began.
    private long _refused;

    /// <summary>Time at which the free space is checked without a record; null: with the next record.</summary>
    public DateTimeOffset? NextDue =>
        _isLow && _checkedAt is { } at ? _time.GetUtcNow() + _time.GetRemaining(TimeBetweenChecks, at) : null;

    private bool IsBlocked => _isFull || _hasFailed;

    private bool IsDue => _checkedAt is not { } at || _written >= BytesBetweenChecks || _time.GetElapsedTime(at) >= TimeBetweenChecks;

    /// <summary>Lets the next record check the free space, whatever the time.</summary>
    public void Reset() => _checkedAt = null;

    /// <summary>Checks the free space if it is time.</summary>
    public void Check(LogFileSettings settings)
    {
        if (!IsDue)
            return;
        _checkedAt = _time.GetTimestamp();
        _written = 0;
        DiskSpace? space = settings.Options.MinFreeSpace == 0 && !_isLow ? null : files.SpaceOf(settings.Directory);
        long minimum = settings.Options.MinFreeSpace ?? Math.Min(LargestAutomatic, (space?.Total ?? 0) / AutomaticPart);
        if (space is { } known)
            metrics.AvailableIs(known.Available, minimum);

        // The condition ends a tenth above the limit, so that it does not change with every deleted file.
        bool isLow = minimum > 0 && space?.Available < (_isLow ? minimum + (minimum / 10) : minimum);
        _isFull = space?.Available == 0;
        if (isLow && !_isLow && !IsBlocked)
            Begin(settings, space!.Value.Available, minimum);
        else if (!isLow && _isLow)
            Recover(space?.Available);
    }

    /// <summary>An attempt to open or to write the file has ended.</summary>
    public void Attempted(bool hasFailed) => _hasFailed = hasFailed;

    /// <summary>Refuses the records of a batch below Warning while the disk is low; a record that is written in part stays.</summary>
    public void Refuse(LogFileSettings settings, LogBatch batch)
    {
        // Measures again, because there may be free space by now for records that waited while the disk was full.
        if (_isLow)
            Reset();
        Check(settings);
        _written += batch.Bytes.Length;
        if (!_isLow || IsBlocked)
            return;
        int kept = batch.FirstRecordBytesWritten > 0 ? 1 : 0;
        while (kept < batch.Count)
        {
            if (batch[kept].Level < LogLevel.Warning)
            {
                batch.Refuse(kept, DropReason.DiskLow);
                _refused++;
            }
            else
            {
                kept++;
            }
        }
    }

    /// <summary>Ends the condition with its sink.</summary>
    public void End()
    {
        if (_isLow)
            context.Restore(Condition);
    }

    private void Begin(LogFileSettings settings, long available, long minimum)
    {
        _isLow = true;
        _refused = 0;
        context.Degrade(Condition);
        context.Events.DiskLow(available, minimum);
        (string free, string limit) = (AsyncFileSummary.Size(available), AsyncFileSummary.Size(minimum));
        if (free == limit)
            (free, limit) = (AsyncFileSummary.Bytes(available), AsyncFileSummary.Bytes(minimum));
        context.Report(
            LogLevel.Warning, Condition,
            $"{free} are free for {settings.Directory}, less than MinFreeSpace ({limit}). Records below Warning are dropped: "
                + "free some space or set MinFreeSpace; 0 switches it off.");
    }

    private void Recover(long? available)
    {
        _isLow = false;
        context.Restore(Condition);
        if (available is { } free)
            context.Events.DiskRecovered(free);
        context.ReportRecovery(Condition, string.Create(
            CultureInfo.InvariantCulture, $"there is free space again; records of all levels are written. Records dropped meanwhile: {_refused}."));
    }
}
