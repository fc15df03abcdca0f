using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Reports when an instance begins to lose records for a reason, and how many it lost. Publisher only.</summary>
/// <remarks>An event's episode ends when a second passed without a loss. On stderr it ends after ten seconds, and a new one begins no sooner than a minute
/// after the last line of its reason; what is lost meanwhile is in the next line, so the counts of the lines add up to all losses.</remarks>
internal sealed class DropEpisodes(SinkInstance instance)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ReportQuiet = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ReportPause = TimeSpan.FromMinutes(1);
    private readonly Episode[] _episodes = new Episode[DropReasons.Count];
    private bool _isOver;

    /// <param name="isLast">Whether no further look follows: what is open ends, and the total is reported.</param>
    public void Look(bool isLast)
    {
        if (_isOver)
            return;
        _isOver = isLast;
        for (var reason = DropReason.QueueFull; reason <= DropReason.ShutdownTimeout; reason++)
            Look(reason, ref _episodes[(int)reason], isLast);
        if (isLast)
            ReportTotal();
    }

    private void Look(DropReason reason, ref Episode episode, bool isLast)
    {
        // The time before the count: what is counted meanwhile was lost later.
        var now = instance.TimeProvider.GetUtcNow().UtcTicks;
        var last = instance.Metrics.GapGrewTicks(reason) is > 0 and var grew ? grew : now;
        var count = instance.Metrics.Dropped(reason);
        if (count > episode.Seen)
        {
            var first = instance.Metrics.GapBeganTicks(reason) is > 0 and var began ? began : last;
            if (episode.Seen <= episode.Reported)
                episode.FirstUnreported = first;
            if (!episode.IsOpen)
                Begin(reason, ref episode, first);
            episode.Seen = count;
        }

        if (episode.IsOpen && (isLast || HasPassed(Quiet, now - last)))
            End(reason, ref episode, last);

        // At the end of the shutdown its own line says what was left.
        if (episode.Seen > episode.Reported && reason != DropReason.ShutdownTimeout)
            Report(reason, ref episode, last, isLast || HasPassed(ReportQuiet, now - last), isLast);
    }

    private void Begin(DropReason reason, ref Episode episode, long first)
    {
        episode.IsOpen = true;
        episode.First = first;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Queue))
            Log.DropsStarted(instance.Name, DropReasons.NameOf(reason));
    }

    private void End(DropReason reason, ref Episode episode, long last)
    {
        episode.IsOpen = false;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Queue))
            Log.DropsEnded(instance.Name, DropReasons.NameOf(reason), episode.Seen - episode.Told, Text(episode.First), Text(last));
        episode.Told = episode.Seen;
    }

    private void Report(DropReason reason, ref Episode episode, long last, bool hasEnded, bool isLast)
    {
        var isDue = episode.ReportedAt is not { } at || instance.TimeProvider.GetElapsedTime(at) >= ReportPause;
        if (!isLast && !isDue && !(hasEnded && episode.IsReported))
            return;
        episode.ReportedAt = instance.TimeProvider.GetTimestamp();
        if (!hasEnded)
        {
            Tell(episode.IsReported
                ? $"{ControlText.Count(episode.Seen - episode.Reported, "record was", "records were")} dropped so far ({DropReasons.NameOf(reason)})."
                : $"records are being dropped ({DropReasons.NameOf(reason)}){CauseOf(reason)}.");
            episode.IsReported = true;
            return;
        }

        var notice = TakeNotice(reason, ref episode, last);
        Tell($"{ControlText.Count(notice.Count, "record was", "records were")} dropped {notice.Details(instance.TimeProvider.LocalTimeZone)}.");
        episode.IsReported = false;
        episode.Reported += notice.Count;
    }

    private GapNotice TakeNotice(DropReason reason, ref Episode episode, long last)
    {
        var reported = episode.ReportedLevels ??= new long[DropCounts.Levels];
        var levels = new long[DropCounts.Levels];
        for (var level = 0; level < levels.Length; level++)
        {
            levels[level] = instance.Metrics.Dropped(reason, (LogLevel)level) - reported[level];
            reported[level] += levels[level];
        }

        return new GapNotice(reason, levels, episode.FirstUnreported, last);
    }

    private void ReportTotal()
    {
        var counts = Enum.GetValues<DropReason>().Select(reason => (Reason: reason, Count: instance.Metrics.Dropped(reason))).Where(static drops => drops.Count > 0).ToList();
        if (counts.Count > 0)
        {
            var reasons = string.Join(", ", counts.Select(static drops => string.Create(CultureInfo.InvariantCulture, $"{DropReasons.NameOf(drops.Reason)} {drops.Count}")));
            instance.SelfReport.TellLast(
                SelfReportLevel.Warning, instance.Name, $"{ControlText.Count(counts.Sum(static drops => drops.Count), "record was", "records were")} lost in all: {reasons}.");
        }
    }

    private void Tell(string message) => instance.SelfReport.Tell(SelfReportLevel.Warning, instance.Name, message);

    private static string CauseOf(DropReason reason) => reason switch
    {
        DropReason.QueueFull => ": as many records wait as MaxQueueLength and ReserveShare allow",
        DropReason.QueueMemory => ": as many bytes wait as MaxQueueMemory and ReserveShare allow",
        DropReason.Evicted => ": the queue is full, and QueueFullMode is DropOldest",
        _ => "",
    };

    // A clock that was set back does not show the time since; the episode ends instead of lasting until the clock is there again.
    private static bool HasPassed(TimeSpan quiet, long ticks) => Math.Abs(ticks) >= quiet.Ticks;

    private static string Text(long ticks) => new DateTime(ticks, DateTimeKind.Utc).ToString("O", CultureInfo.InvariantCulture);

    private struct Episode
    {
        public bool IsOpen;
        public long Seen;
        public long Told;
        public long First;

        // Of the lines on stderr: whether one of this episode was printed, how many records are in printed totals, and when the last line was printed.
        public bool IsReported;
        public long Reported;
        public long FirstUnreported;
        public long? ReportedAt;
        public long[]? ReportedLevels;
    }
}
