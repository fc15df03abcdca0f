using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What has been announced of the drops of one instance. One writer: the worker of its current route.</summary>
internal sealed class AnnouncedDrops
{
    private readonly long[] _announced = new long[DropReasons.Count * DropCounts.Levels];

    /// <summary>All announced drops; differs from <see cref="SinkMetrics.Drops"/> while something is left to announce.</summary>
    public long Drops { get; private set; }

    /// <summary>What is not announced of one reason; null for nothing.</summary>
    public GapNotice? Collect(SinkMetrics metrics, DropReason reason)
    {
        var levels = new long[DropCounts.Levels];
        for (var level = 0; level < levels.Length; level++)
            levels[level] = metrics.Dropped(reason, (LogLevel)level) - _announced[((int)reason * DropCounts.Levels) + level];
        return levels.Sum() == 0 ? null : new GapNotice(reason, levels, metrics.FirstDropTicks(reason), metrics.LastDropTicks(reason));
    }

    /// <summary>The notice is written.</summary>
    public void Commit(SinkMetrics metrics, DropReason reason, GapNotice? notice)
    {
        if (notice is not null)
        {
            for (var level = 0; level < notice.Levels.Length; level++)
                _announced[((int)reason * DropCounts.Levels) + level] += notice.Levels[level];
            Drops += notice.Count;
        }

        metrics.BeginGap(reason);
        // A drop between collecting and now may have found the old gap still open: it opens the next one.
        if (Collect(metrics, reason) is not null)
            metrics.NoteDrop(reason, metrics.LastDropTicks(reason));
    }
}
