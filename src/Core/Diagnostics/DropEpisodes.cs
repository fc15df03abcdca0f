using System.Diagnostics.Tracing;
using System.Globalization;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>Tells when an instance begins to lose records for a reason, and how many it were when a second passed without. Publisher only.</summary>
internal sealed class DropEpisodes(SinkInstance instance)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private readonly Episode[] _episodes = new Episode[DropReasons.Count];

    /// <param name="isLast">Whether nobody looks any more: what is going on ends.</param>
    public void Look(bool isLast)
    {
        for (var reason = DropReason.QueueFull; reason <= DropReason.ShutdownTimeout; reason++)
            Look(reason, ref _episodes[(int)reason], isLast);
    }

    private void Look(DropReason reason, ref Episode episode, bool isLast)
    {
        // The time before the count: what is counted meanwhile was lost later.
        var now = instance.TimeProvider.GetUtcNow().UtcTicks;
        var last = instance.Metrics.GapGrewTicks(reason) is > 0 and var grew ? grew : now;
        var count = instance.Metrics.Dropped(reason);
        if (count > episode.Seen)
        {
            if (!episode.IsOpen)
                Begin(reason, ref episode, last);
            episode.Seen = count;
        }

        if (episode.IsOpen && (isLast || now - last >= Quiet.Ticks))
            End(reason, ref episode, last);
    }

    private void Begin(DropReason reason, ref Episode episode, long last)
    {
        var began = instance.Metrics.GapBeganTicks(reason);
        episode.IsOpen = true;
        episode.First = began > 0 ? began : last;
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

    private static string Text(long ticks) => new DateTime(ticks, DateTimeKind.Utc).ToString("O", CultureInfo.InvariantCulture);

    private struct Episode
    {
        public bool IsOpen;
        public long Seen;
        public long Told;
        public long First;
    }
}
