using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Keeps the last free space of a disk for what matters: below the floor only warnings and worse are written. Worker only.</summary>
internal sealed class FreeSpaceFloor(IByteFiles files, IFileVoice voice, FileCounters counters)
{
    private const string Condition = "disk_low";

    // What the option means by auto: 5 % of the file system, at most 100 MB.
    private const long LargestAutomatic = 100 << 20;
    private const int AutomaticPart = 20;
    private const long BytesBetweenLooks = 16 << 20;
    private static readonly TimeSpan TimeBetweenLooks = TimeSpan.FromSeconds(5);
    private readonly TimeProvider _time = voice.TimeProvider;
    private long? _lookedAt;
    private long _written;
    private bool _isLow;

    /// <summary>When it is looked at without a record; null: with the next one.</summary>
    public DateTimeOffset? NextDue =>
        _isLow && _lookedAt is { } at ? _time.GetUtcNow() + TimeLeft.Of(TimeBetweenLooks, at, _time) : null;

    private bool IsDue => _lookedAt is not { } at || _written >= BytesBetweenLooks || _time.GetElapsedTime(at) >= TimeBetweenLooks;

    /// <summary>Looks with the next record, whatever the time.</summary>
    public void Forget() => _lookedAt = null;

    /// <summary>Looks if it is time.</summary>
    public void Look(FileSinkSettings settings)
    {
        if (!IsDue)
            return;
        _lookedAt = _time.GetTimestamp();
        _written = 0;
        DiskSpace? space = settings.MinimumFreeSpace == 0 && !_isLow ? null : files.SpaceOf(settings.Directory);
        if (space is { } known)
            counters.AvailableIs(known.Available);
        long floor = settings.MinimumFreeSpace ?? Math.Min(LargestAutomatic, (space?.Total ?? 0) / AutomaticPart);

        // A tenth more before it is over, so that it does not begin and end with every file deleted.
        bool isLow = floor > 0 && space?.Available < (_isLow ? floor + (floor / 10) : floor);
        if (isLow && !_isLow)
            Begin(settings, space!.Value.Available, floor);
        else if (!isLow && _isLow)
            End(space?.Available);
    }

    /// <summary>Takes records out of a batch that the free space is not for; a record begun stays.</summary>
    public void Refuse(LogBatch batch)
    {
        _written += batch.Bytes.Length;
        if (!_isLow)
            return;
        int kept = ActiveFile.BegunOf(batch) > 0 ? 1 : 0;
        while (kept < batch.Count)
        {
            if (batch[kept].Level < LogLevel.Warning)
                batch.Refuse(kept, DropReason.DiskLow);
            else
                kept++;
        }
    }

    /// <summary>The condition ends with its sink.</summary>
    public void Leave()
    {
        if (_isLow)
            voice.Restore(Condition);
    }

    private void Begin(FileSinkSettings settings, long available, long floor)
    {
        _isLow = true;
        voice.Degrade(Condition);
        voice.Events.DiskLow(available, floor);
        voice.Report(
            SelfReportLevel.Warning, Condition,
            $"{Megabytes(available)} are free for {settings.Directory}, less than MinimumFreeSpace ({Megabytes(floor)}). Records below Warning are dropped: "
                + "free some space or set MinimumFreeSpace; 0 switches it off.");
    }

    private static string Megabytes(long bytes) => (bytes / (double)(1 << 20)).ToString("0.##", CultureInfo.InvariantCulture) + " MB";

    private void End(long? available)
    {
        _isLow = false;
        voice.Restore(Condition);
        if (available is { } free)
            voice.Events.DiskRecovered(free);
        voice.Resolve(Condition, "there is free space again; all records are written.");
    }
}
