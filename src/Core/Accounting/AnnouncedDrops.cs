using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What has been announced of the drops of one instance. A worker takes a gap before it writes the notice, so that the worker of a route
/// which drains behind and that of the route in force never announce the same one.</summary>
internal sealed class AnnouncedDrops
{
    // Protects all of it; taken by workers only.
    private readonly Lock _gate = new();
    private readonly long[] _announced = new long[DropReasons.Count * DropCounts.Levels];
    private long _drops;

    /// <summary>All announced drops; differs from <see cref="SinkMetrics.Drops"/> while something is left to announce.</summary>
    public long Drops => Volatile.Read(ref _drops);

    /// <summary>Takes what is not announced of one reason; null for nothing.</summary>
    public GapNotice? Take(SinkMetrics metrics, DropReason reason)
    {
        lock (_gate)
        {
            if (metrics.GapBeganTicks(reason) == 0)
                return null;
            var (first, last) = metrics.EndGap(reason);
            var levels = new long[DropCounts.Levels];
            for (var level = 0; level < levels.Length; level++)
                levels[level] = metrics.Dropped(reason, (LogLevel)level) - _announced[((int)reason * DropCounts.Levels) + level];
            var notice = new GapNotice(reason, levels, first, last);
            if (notice.Count == 0)
                return null;
            Add(notice, 1);
            return notice;
        }
    }

    /// <summary>The notice was not written: it is announced again, with what comes till then.</summary>
    public void GiveBack(SinkMetrics metrics, GapNotice notice)
    {
        lock (_gate)
        {
            Add(notice, -1);
            metrics.ReopenGap(notice.Reason, notice.FirstTicks);
        }
    }

    private void Add(GapNotice notice, int sign)
    {
        for (var level = 0; level < notice.Levels.Length; level++)
            _announced[((int)notice.Reason * DropCounts.Levels) + level] += sign * notice.Levels[level];
        Volatile.Write(ref _drops, _drops + (sign * notice.Count));
    }
}
