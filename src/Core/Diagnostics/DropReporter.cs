using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Reports losses of one instance: to the EventSource when they begin and end, to stderr, and in total at the end. One thread at a time.</summary>
/// <remarks>An event's episode ends when a second passed without a loss. On stderr it ends after ten seconds, and a new one begins no sooner than a minute
/// after the last line of its reason; losses in the meantime are in the next line, so the counts of the lines add up to all losses.</remarks>
internal sealed class DropReporter(string instance, SinkMetrics metrics, SelfReport selfReport, TimeProvider timeProvider, SteadyAge ages)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ReportQuiet = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ReportPause = TimeSpan.FromMinutes(1);
    private readonly DropLedger _drops = metrics.Drops;
    private readonly Episode[] _episodes = new Episode[DropReasons.Count];

    // The records in the totals that were printed.
    private readonly DropCursor _printed = new(metrics.Drops);
    private long _printedTotal;
    private bool _isOver;

    /// <summary>Reports what changed since the last call.</summary>
    /// <param name="isLast">True if this is the last call: what is open ends, and the total is reported.</param>
    /// <param name="outage">The reason why nothing is delivered; null: records are delivered.</param>
    public void Sample(bool isLast, string? outage = null)
    {
        if (_isOver)
            return;
        _isOver = isLast;
        SampleAll(isLast, outage);
        if (isLast)
            _drops.CountLateIn(new LateRecords(instance, selfReport), _printed.Taken(DropReason.AlreadyShutdown));
    }

    /// <summary>Reports everything that was lost until now, and the total: the process may end at any time. Later losses are reported as before.</summary>
    public void ReportAll(string? outage)
    {
        if (!_isOver)
            SampleAll(isLast: true, outage);
    }

    private void SampleAll(bool isLast, string? outage)
    {
        foreach (var reason in DropReasons.All)
            Sample(reason, ref _episodes[DropReasons.IndexOf(reason)], isLast, outage);
        if (isLast)
            ReportTotal();
    }

    private void Sample(DropReason reason, ref Episode episode, bool isLast, string? outage)
    {
        // The time is read before the count: a record counted in the meantime was lost later.
        var now = timeProvider.GetUtcNow().UtcTicks;
        var last = _drops.GapGrewTicks(reason) is > 0 and var grew ? grew : now;
        // The lines have the times of the records, like the notices in the log.
        var lastLogged = _drops.GapLastTicks(reason) is > 0 and var logged ? logged : last;
        var count = _drops.Of(reason);
        var printed = _printed.Taken(reason);
        if (count > episode.Seen)
        {
            var first = _drops.GapFirstTicks(reason) is > 0 and var firstLogged ? firstLogged : lastLogged;
            if (episode.Seen <= printed)
                episode.FirstUnprinted = first;
            if (!episode.IsOpen)
                Begin(reason, ref episode, first);
            episode.Seen = count;
        }

        if (episode.IsOpen && (isLast || ages.Of(last) >= Quiet))
            End(reason, ref episode, lastLogged);

        // At the end of the shutdown a separate line reports what was left.
        if (episode.Seen > printed && reason != DropReason.ShutdownTimeout)
            Report(reason, ref episode, lastLogged, isLast || ages.Of(last) >= ReportQuiet, isLast, outage);
    }

    private void Begin(DropReason reason, ref Episode episode, long first)
    {
        episode.IsOpen = true;
        episode.First = first;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Queue))
            Log.DropsStarted(instance, DropReasons.NameOf(reason));
    }

    private void End(DropReason reason, ref Episode episode, long last)
    {
        episode.IsOpen = false;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Queue))
            Log.DropsEnded(instance, DropReasons.NameOf(reason), episode.Seen - episode.Ended, Text(episode.First), Text(last));
        episode.Ended = episode.Seen;
    }

    private void Report(DropReason reason, ref Episode episode, long last, bool hasEnded, bool isLast, string? outage)
    {
        var isDue = episode.PrintedAt is not { } at || timeProvider.GetElapsedTime(at) >= ReportPause;
        if (!isLast && !isDue && !(hasEnded && episode.IsPrinted))
            return;
        episode.PrintedAt = timeProvider.GetTimestamp();
        episode.IsPrinted = !hasEnded && episode.IsPrinted;
        if (hasEnded)
        {
            var notice = new GapNotice(reason, _printed.Take(reason), episode.FirstUnprinted, last);
            Print($"{ControlText.Count(notice.Count, "record was", "records were")} dropped {notice.Details(timeProvider.LocalTimeZone)}.");
            return;
        }

        Print(episode.IsPrinted
            ? $"{ControlText.Count(episode.Seen - _printed.Taken(reason), "record was", "records were")} dropped so far ({DropReasons.NameOf(reason)})."
            : $"records are being dropped ({DropReasons.NameOf(reason)}){CauseOf(reason, outage)}.");
        episode.IsPrinted = true;
    }

    private void ReportTotal()
    {
        var reasons = new List<string>();
        var total = 0L;
        foreach (var reason in DropReasons.All)
        {
            var count = _drops.Of(reason);
            total += count;
            if (count > 0)
                reasons.Add(string.Create(CultureInfo.InvariantCulture, $"{DropReasons.NameOf(reason)} {count}"));
        }

        if (total == _printedTotal)
            return;
        _printedTotal = total;
        selfReport.WriteFinal(LogLevel.Warning, instance, $"{ControlText.Count(total, "record was", "records were")} lost in all: {string.Join(", ", reasons)}.");
    }

    private void Print(string message) => selfReport.Write(LogLevel.Warning, instance, message);

    // A larger queue is no cure for a destination that takes nothing.
    private string CauseOf(DropReason reason, string? outage) => reason switch
    {
        DropReason.QueueMemory when metrics.LacksMemory => ": the process has no memory for a larger queue",
        DropReason.QueueFull or DropReason.QueueMemory when outage is not null => $": the queue is full, because nothing is delivered ({outage})",
        DropReason.QueueFull => ": the queue holds as many records as MaxQueueLength and ReservedPercentage allow",
        DropReason.QueueMemory => ": the queue holds as many bytes as MaxQueueMemory and ReservedPercentage allow",
        DropReason.Evicted => ": the queue is full, and QueueFullMode is DropOldest",
        _ => "",
    };

    private static string Text(long ticks) => new DateTime(ticks, DateTimeKind.Utc).ToString("O", CultureInfo.InvariantCulture);

    private struct Episode
    {
        public bool IsOpen;
        public long First;

        // Records at the last sample, and at the last end of an episode.
        public long Seen;
        public long Ended;

        // Of the lines on stderr: whether one of this episode was printed, and when the last line was.
        public bool IsPrinted;
        public long FirstUnprinted;
        public long? PrintedAt;
    }
}
