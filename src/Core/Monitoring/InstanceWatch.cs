using System.Diagnostics.Tracing;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>What the publisher does with one instance each time it looks: adds a sample to the history, and tells the EventSource what changed.</summary>
internal sealed class InstanceWatch(SinkInstance instance)
{
    // The fill below which QueueHighWater is armed again; under SinkHealth.NearlyFull, so that a fill near the limit is not told each second.
    private const double Ebb = 0.7;
    private static readonly Dictionary<string, EffectiveLevel> NoLevels = [];

    private readonly SinkHistory _history = new();

    // Only those who look take it.
    private readonly Lock _gate = new();
    private readonly DropEpisodes _drops = new(instance);
    private readonly QueueSnapshot _queue = new();
    private SinkState _state;
    private bool _isHigh;
    private TimeSpan _callerWait;

    public SinkInstance Instance => instance;

    /// <summary>Takes a snapshot and tells what changed.</summary>
    /// <param name="isLast">Whether no further look follows: open episodes end.</param>
    public void Look(bool isLast = false)
    {
        lock (_gate)
        {
            var look = ReadLook();
            _history.Add(look.Sample);
            _history.NoteDrops(instance.Metrics, look.Sample.At);
            TellState(look);
            TellQueue(look.Fill);
            _drops.Look(isLast);
        }
    }

    /// <summary>The samples of the history, oldest first.</summary>
    public SinkSample[] Samples() => _history.Samples();

    /// <summary>What was lost in a time that ends now, by reason and level.</summary>
    public IReadOnlyList<DropCount> DropsWithin(TimeSpan time)
    {
        var now = instance.TimeProvider.GetUtcNow();
        _history.NoteDrops(instance.Metrics, now);
        return _history.DropsWithin(time, now);
    }

    /// <summary>The status at this instant, without the levels.</summary>
    public SinkStatus Read() => Read(NoLevels);

    /// <summary>The status at this instant.</summary>
    /// <param name="effectiveLevels">The lowest level taken, by category.</param>
    public SinkStatus Read(IReadOnlyDictionary<string, EffectiveLevel> effectiveLevels)
    {
        var queue = new QueueSnapshot();
        SinkStatus status;
        lock (instance.Metrics.Gate)
        {
            instance.AddTo(queue);
            status = SinkStatusReader.Read(instance, queue, effectiveLevels);
        }

        return SinkStatusReader.Complete(instance, _history, status);
    }

    private InstanceLook ReadLook()
    {
        _queue.Clear();
        lock (instance.Metrics.Gate)
        {
            instance.AddTo(_queue);
            return SinkStatusReader.Look(instance, _queue);
        }
    }

    private void TellState(InstanceLook look)
    {
        if (look.State == _state)
            return;
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Lifecycle))
            Log.SinkStateChanged(instance.Name, SinkStates.NameOf(_state), SinkStates.NameOf(look.State), look.Reason ?? "");
        _state = look.State;
    }

    private void TellQueue(double fill)
    {
        if (fill >= SinkHealth.NearlyFull && !_isHigh)
        {
            _isHigh = true;
            if (Log.IsEnabled(EventLevel.Informational, Keywords.Queue))
                Log.QueueHighWater(instance.Name, (int)(fill * 100));
        }

        _isHigh &= fill >= Ebb;
        var callerWait = instance.Metrics.CallerWait;
        if (callerWait > _callerWait && Log.IsEnabled(EventLevel.Verbose, Keywords.Queue))
            Log.CallerBlocked(instance.Name, (long)(callerWait - _callerWait).TotalMilliseconds);
        _callerWait = callerWait;
    }
}
