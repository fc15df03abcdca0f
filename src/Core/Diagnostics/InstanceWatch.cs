using System.Diagnostics.Tracing;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>What the publisher does with one instance each time it looks: adds a sample to the history, and tells the EventSource what changed.</summary>
internal sealed class InstanceWatch(SinkInstance instance)
{
    // Below it the next rise to the high water is told again.
    private const double Ebb = 0.7;
    private static readonly Dictionary<string, EffectiveLevel> NoLevels = [];

    // Only those who look take it.
    private readonly Lock _gate = new();
    private readonly DropEpisodes _drops = new(instance);
    private SinkState _state;
    private bool _isHigh;
    private TimeSpan _callerWait;

    /// <summary>Takes a snapshot and tells what changed.</summary>
    /// <param name="isLast">Whether nobody looks any more: what is going on ends.</param>
    public void Look(bool isLast = false)
    {
        lock (_gate)
        {
            var status = instance.ReadBooks(NoLevels);
            var now = instance.TimeProvider.GetUtcNow();
            instance.History.Add(SampleOf(status, now));
            instance.History.NoteDrops(instance.Metrics, now);
            TellState(status);
            TellQueue(status);
            _drops.Look(isLast);
        }
    }

    /// <summary>The status at this instant, without the levels.</summary>
    public SinkStatus Read() => Read(NoLevels);

    /// <summary>The status at this instant.</summary>
    /// <param name="effectiveLevels">The lowest level taken, by category.</param>
    public SinkStatus Read(IReadOnlyDictionary<string, EffectiveLevel> effectiveLevels) => SinkStatusReader.Complete(instance, instance.ReadBooks(effectiveLevels));

    private void TellState(SinkStatus status)
    {
        if (status.State == _state)
            return;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Lifecycle))
            Log.SinkStateChanged(instance.Name, SinkStates.NameOf(_state), SinkStates.NameOf(status.State), status.Reason ?? "");
        _state = status.State;
    }

    private void TellQueue(SinkStatus status)
    {
        if (status.QueueFill >= SinkHealth.NearlyFull && !_isHigh)
        {
            _isHigh = true;
            if (Log.IsEnabled(EventLevel.Informational, Keywords.Queue))
                Log.QueueHighWater(instance.Name, (int)(status.QueueFill * 100));
        }

        _isHigh &= status.QueueFill >= Ebb;
        if (status.CallerWait > _callerWait && Log.IsEnabled(EventLevel.Verbose, Keywords.Queue))
            Log.CallerBlocked(instance.Name, (long)(status.CallerWait - _callerWait).TotalMilliseconds);
        _callerWait = status.CallerWait;
    }

    private static SinkSample SampleOf(SinkStatus status, DateTimeOffset now) => new(
        now, status.QueueSize, status.QueueBytes, status.OldestAge, status.Enqueued, status.Written, status.Dropped, status.OutputBytes, status.Batches, status.WriteTime);
}
