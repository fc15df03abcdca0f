using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The last ten minutes of one instance: a sample per second, and every loss with its time.</summary>
internal sealed class SinkHistory(DropLedger drops)
{
    /// <summary>Time span of the history.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromMinutes(10);

    private static readonly TimeSpan Grain = TimeSpan.FromSeconds(1);

    // Protects all of it; inside the instance's lock or alone.
    private readonly Lock _gate = new();

    // A sample per second fits without growing.
    private readonly Queue<SinkSample> _samples = new((int)(Length / Grain) + 2);
    private readonly Queue<Loss> _losses = new();
    private readonly DropCursor _counted = new(drops);
    private long _seenDrops;
    private DateTimeOffset _noted;
    private Loss? _newestLoss;
    private SinkSample _newest;
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

    /// <summary>Adds a sample.</summary>
    public void Add(SinkSample sample)
    {
        lock (_gate)
        {
            _rates = _samples.Count == 0 ? default : SinkRates.Between(_newest, sample);
            _newest = sample;
            _samples.Enqueue(sample);
            while (sample.At - _samples.Peek().At > Length)
                _samples.Dequeue();
        }
    }

    /// <summary>Adds the losses since the last call.</summary>
    public void AddLosses(DateTimeOffset now)
    {
        lock (_gate)
        {
            if (drops.Total is var total && total != _seenDrops)
                AddNewLosses(now);
            _seenDrops = total;
            _noted = now;
            while (_losses.TryPeek(out var oldest) && now - oldest.Last > Length)
                _losses.Dequeue();
        }
    }

    /// <summary>Returns the losses in a time span that ends now, by reason and level; no longer than <see cref="Length"/>.</summary>
    public IReadOnlyList<DropCount> DropsWithin(TimeSpan time, DateTimeOffset now)
    {
        lock (_gate)
        {
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
            return [.. _samples];
    }

    // At the time of the last loss of its reason, because the call may be late; but that is noted after the loss is counted.
    private void AddNewLosses(DateTimeOffset now)
    {
        foreach (var reason in DropReasons.All)
        {
            var grew = new DateTimeOffset(drops.GapGrewTicks(reason), TimeSpan.Zero);
            var at = grew < _noted || grew > now ? now : grew;
            var levels = _counted.Take(reason);
            for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                if (levels[(int)level] is > 0 and var count)
                    LossAt(at).Add(at, reason, level, count);
            }
        }
    }

    private Loss LossAt(DateTimeOffset at)
    {
        if (_newestLoss is { } newest && at >= newest.First && at - newest.First < Grain)
            return newest;
        _newestLoss = new Loss(at);
        _losses.Enqueue(_newestLoss);
        return _newestLoss;
    }

    // Losses within a second, however often it was read.
    private sealed class Loss(DateTimeOffset at)
    {
        public DateTimeOffset First { get; } = at;

        public DateTimeOffset Last { get; private set; } = at;

        public Dictionary<(DropReason Reason, LogLevel Level), long> Counts { get; } = [];

        public void Add(DateTimeOffset time, DropReason reason, LogLevel level, long count)
        {
            Last = time > Last ? time : Last;
            Counts[(reason, level)] = Counts.GetValueOrDefault((reason, level)) + count;
        }
    }
}
