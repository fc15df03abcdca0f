using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The last ten minutes of one instance: a sample per second, and every loss with its time.</summary>
internal sealed class SinkHistory(DropLedger drops, TimeProvider timeProvider, SteadyAge ages)
{
    /// <summary>Time span of the history.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromMinutes(10);

    /// <summary>The time between two samples.</summary>
    public static readonly TimeSpan Grain = TimeSpan.FromSeconds(1);

    // Times here are times since it began: the wall clock may be set.
    private readonly long _began = timeProvider.GetTimestamp();

    // Protects all of it; inside the instance's lock or alone.
    private readonly Lock _gate = new();

    // A sample per second fits without growing.
    private readonly Queue<(TimeSpan At, SinkSample Sample)> _samples = new((int)(Length / Grain) + 2);
    private readonly Queue<Loss> _losses = new();
    private readonly DropCursor _counted = new(drops);
    private long _seenDrops;
    private TimeSpan _noted;
    private Loss? _newestLoss;
    private (TimeSpan At, SinkSample Sample) _newest;
    private SinkRates _rates;

    /// <summary>The rates between the two newest samples.</summary>
    public SinkRates Rates
    {
        get
        {
            lock (_gate)
                return _rates;
        }
    }

    private TimeSpan Now => timeProvider.GetElapsedTime(_began);

    /// <summary>Adds a sample.</summary>
    public void Add(SinkSample sample)
    {
        lock (_gate)
        {
            var now = Now;
            _rates = _samples.Count == 0 ? default : SinkRates.Between(_newest.Sample, sample, now - _newest.At);
            _newest = (now, sample);
            _samples.Enqueue(_newest);
            while (now - _samples.Peek().At > Length)
                _samples.Dequeue();
        }
    }

    /// <summary>Adds the losses since the last call.</summary>
    public void AddLosses()
    {
        lock (_gate)
        {
            var now = Now;
            if (drops.Total is var total && total != _seenDrops)
                AddNewLosses(now);
            _seenDrops = total;
            _noted = now;
            while (_losses.TryPeek(out var oldest) && now - oldest.Last > Length)
                _losses.Dequeue();
        }
    }

    /// <summary>Returns the losses in a time span that ends now, by reason and level; no longer than <see cref="Length"/>.</summary>
    public IReadOnlyList<DropCount> DropsWithin(TimeSpan time)
    {
        lock (_gate)
        {
            var now = Now;
            return [.. _losses.Where(loss => now - loss.Last < time)
                .SelectMany(static loss => loss.Counts)
                .GroupBy(static count => count.Key, static count => count.Value)
                .Select(static group => new DropCount(group.Key.Reason, group.Key.Level, group.Sum()))
                .OrderBy(static drop => drop.Reason).ThenBy(static drop => drop.Level)];
        }
    }

    /// <summary>The samples, oldest first.</summary>
    public SinkSample[] Samples()
    {
        lock (_gate)
            return [.. _samples.Select(static sample => sample.Sample)];
    }

    // At the time of the last loss of its reason, because the call may be late; but that is noted after the loss is counted.
    private void AddNewLosses(TimeSpan now)
    {
        foreach (var reason in DropReasons.All)
        {
            var grew = now - ages.Of(drops.GapGrewTicks(reason));
            var at = grew < _noted ? now : grew;
            var levels = _counted.Take(reason);
            for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                if (levels[(int)level] is > 0 and var count)
                    LossAt(at).Add(at, reason, level, count);
            }
        }
    }

    private Loss LossAt(TimeSpan at)
    {
        if (_newestLoss is { } newest && at >= newest.First && at - newest.First < Grain)
            return newest;
        _newestLoss = new Loss(at);
        _losses.Enqueue(_newestLoss);
        return _newestLoss;
    }

    // Losses within a second, however often it was read.
    private sealed class Loss(TimeSpan at)
    {
        public TimeSpan First { get; } = at;

        public TimeSpan Last { get; private set; } = at;

        public Dictionary<(DropReason Reason, LogLevel Level), long> Counts { get; } = [];

        public void Add(TimeSpan time, DropReason reason, LogLevel level, long count)
        {
            Last = time > Last ? time : Last;
            Counts[(reason, level)] = Counts.GetValueOrDefault((reason, level)) + count;
        }
    }
}
