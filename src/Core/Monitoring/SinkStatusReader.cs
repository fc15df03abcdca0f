using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Makes the status of an instance from its books. Under the instance's lock.</summary>
internal static class SinkStatusReader
{
    public static SinkStatus Read(SinkInstance instance, QueueSnapshot queue, IReadOnlyDictionary<string, EffectiveLevel> effectiveLevels)
    {
        var metrics = instance.Metrics;
        var unservedSince = UnservedSince(metrics, queue);
        var (state, reason, since) = instance.Health.Evaluate(FactsOf(instance, queue, unservedSince));
        var (troubleEnded, healthyAt) = instance.Health.Recovery;
        var now = instance.TimeProvider.GetUtcNow();
        return new SinkStatus
        {
            Name = instance.Name,
            Type = instance.Type,
            Target = instance.Target,
            ServerAddress = instance.Server?.Address,
            ServerPort = instance.Server?.Port,
            State = state,
            Reason = reason,
            Since = since,
            TroubleEnded = troubleEnded,
            HealthyAt = healthyAt,
            QueueSize = queue.Waiting,
            QueueCapacity = queue.Capacity,
            QueueBytes = queue.WaitingBytes,
            QueueBytesLimit = queue.MemoryLimit,
            OldestAge = OldestAge(queue, now),
            InFlight = queue.InFlight,
            UnservedFor = unservedSince is { } start && start < now ? now - start : TimeSpan.Zero,
            EnqueuedByLevel = EnqueuedByLevel(metrics, queue),
            Written = metrics.Written,
            Uncertain = metrics.Uncertain,
            Drops = DropsOf(metrics),
            Truncated = metrics.Truncated,
            PropertiesLeftOut = metrics.PropertiesLeftOut,
            RenderErrors = metrics.RenderErrors,
            OutputBytes = metrics.OutputBytes,
            Batches = metrics.Batches,
            WriteTime = metrics.WriteTime,
            Errors = new Dictionary<string, long>(metrics.Errors, StringComparer.Ordinal),
            Retries = metrics.Retries,
            CallerWait = metrics.CallerWait,
            LastSuccess = metrics.LastSuccessTicks == 0 ? null : new DateTimeOffset(metrics.LastSuccessTicks, TimeSpan.Zero),
            LastError = metrics.LastError,
            ConfigurationProblem = instance.ConfigurationProblem,
            EffectiveLevels = effectiveLevels,
            BatchDelay = instance.BatchDelay,
        };
    }

    /// <summary>The same instant in short. Under the instance's lock.</summary>
    public static InstanceLook Look(SinkInstance instance, QueueSnapshot queue)
    {
        var metrics = instance.Metrics;
        var facts = FactsOf(instance, queue, UnservedSince(metrics, queue));
        var (state, reason, _) = instance.Health.Evaluate(facts);
        var now = instance.TimeProvider.GetUtcNow();
        var sample = new SinkSample(
            now, queue.Waiting, queue.WaitingBytes, OldestAge(queue, now), EnqueuedOf(metrics, queue), metrics.Written, metrics.Drops, metrics.OutputBytes, metrics.Batches, metrics.WriteTime);
        return new InstanceLook(sample, state, reason, facts.Fill);
    }

    /// <summary>Adds what need not be of the same instant. Not under the lock, which callers of a logger may wait for.</summary>
    public static SinkStatus Complete(SinkInstance instance, SinkHistory history, SinkStatus status)
    {
        var now = instance.TimeProvider.GetUtcNow();
        history.NoteDrops(instance.Metrics, now);
        return status with
        {
            Rates = history.Rates,
            RecentDrops = history.DropsWithin(SinkHistory.Length, now),
            Measurements = instance.Instruments.Read(),
        };
    }

    private static HealthFacts FactsOf(SinkInstance instance, QueueSnapshot queue, DateTimeOffset? unservedSince) => new()
    {
        Drops = instance.Metrics.Drops,
        LastDrop = LastDropOf(instance.Metrics),
        // A record that is held back on purpose is not unserved until its batch is due.
        UnservedSince = unservedSince + instance.BatchDelay,
        Fill = Math.Max(Share(queue.Waiting, queue.Capacity), Share(queue.WaitingBytes, queue.MemoryLimit)),
        ConfigurationProblem = instance.ConfigurationProblem,
    };

    private static DateTimeOffset? UnservedSince(SinkMetrics metrics, QueueSnapshot queue)
        => queue.OldestUnsettledTicks == long.MaxValue ? null : new DateTimeOffset(Math.Max(queue.OldestUnsettledTicks, metrics.LastSuccessTicks), TimeSpan.Zero);

    private static DateTimeOffset LastDropOf(SinkMetrics metrics)
    {
        var last = 0L;
        for (var reason = DropReason.QueueFull; reason <= DropReason.ShutdownTimeout; reason++)
            last = Math.Max(last, metrics.GapGrewTicks(reason));
        return new DateTimeOffset(last, TimeSpan.Zero);
    }

    private static double Share(long part, long whole) => whole > 0 ? (double)part / whole : 0;

    private static TimeSpan OldestAge(QueueSnapshot queue, DateTimeOffset now)
        => queue.OldestTicks == long.MaxValue ? TimeSpan.Zero : TimeSpan.FromTicks(Math.Max(0, now.UtcTicks - queue.OldestTicks));

    private static Dictionary<LogLevel, long> EnqueuedByLevel(SinkMetrics metrics, QueueSnapshot queue)
    {
        var levels = new Dictionary<LogLevel, long>();
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            levels[level] = EnqueuedOf(metrics, queue, level);
        return levels;
    }

    private static long EnqueuedOf(SinkMetrics metrics, QueueSnapshot queue)
    {
        var enqueued = 0L;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            enqueued += EnqueuedOf(metrics, queue, level);
        return enqueued;
    }

    private static long EnqueuedOf(SinkMetrics metrics, QueueSnapshot queue, LogLevel level) => metrics.SettledOf(level) + queue.Levels[(int)level];

    private static List<DropCount> DropsOf(SinkMetrics metrics)
    {
        var drops = new List<DropCount>();
        for (var reason = DropReason.QueueFull; reason <= DropReason.ShutdownTimeout; reason++)
        {
            for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                if (metrics.Dropped(reason, level) is > 0 and var count)
                    drops.Add(new DropCount(reason, level, count));
            }
        }

        return drops;
    }
}
