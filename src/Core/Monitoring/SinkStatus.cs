using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A snapshot of one instance. Its counters balance: <c>Offered</c> = <c>Enqueued</c> + dropped before acceptance, and <c>Enqueued</c> = <c>Written</c> + dropped
/// after acceptance + waiting + in flight + spooled.</summary>
public sealed record SinkStatus
{
    /// <summary>Type and instance: <c>file/errors</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The sink's type: <c>file</c>.</summary>
    public required string Type { get; init; }

    /// <summary>A path or an endpoint without credentials; empty before the sink sets it.</summary>
    public required string Target { get; init; }

    /// <summary>The server as configured, a host or the path of a socket; null if there is none.</summary>
    public string? ServerAddress { get; init; }

    /// <summary>The server's port as configured; null if there is none.</summary>
    public int? ServerPort { get; init; }

    /// <summary>The state.</summary>
    public required SinkState State { get; init; }

    /// <summary>Reason why it is not healthy: an error class, <c>drops</c>, <c>queue_near_full</c>, <c>configuration</c>, or a condition of the sink; null when healthy or stopped.</summary>
    public string? Reason { get; init; }

    /// <summary>Since when the <see cref="Reason"/> holds; without one, the state.</summary>
    public required DateTimeOffset ReasonSince { get; init; }

    /// <summary>End of the condition in <see cref="Reason"/>, while the state waits for a minute without trouble; else null.</summary>
    public DateTimeOffset? TroubleEndedAt { get; init; }

    /// <summary>Time at which the state becomes healthy if there is no further trouble; null if <see cref="TroubleEndedAt"/> is.</summary>
    public DateTimeOffset? HealthyAt { get; init; }

    /// <summary>Records waiting.</summary>
    public required long QueueSize { get; init; }

    /// <summary>The record bound.</summary>
    public required long QueueCapacity { get; init; }

    /// <summary>Rendered bytes waiting.</summary>
    public required long QueueBytes { get; init; }

    /// <summary>The byte bound.</summary>
    public required long QueueBytesLimit { get; init; }

    /// <summary>The age of the oldest record in the queue that waits or is in flight; zero when there is none.</summary>
    public required TimeSpan OldestAge { get; init; }

    /// <summary>Records that wait in <see cref="SinkOptions.SpoolPath"/>.</summary>
    public long Spooled { get; init; }

    /// <summary>The total size of the spool files, in bytes.</summary>
    public long SpooledBytes { get; init; }

    /// <summary>The limit of <see cref="SpooledBytes"/>; 0 without a spool.</summary>
    public long SpoolBytesLimit { get; init; }

    /// <summary>The age of the oldest of them; zero when none waits.</summary>
    public TimeSpan SpooledAge { get; init; }

    /// <summary>Records in the worker's hands.</summary>
    public required long InFlight { get; init; }

    /// <summary>Time for which records have waited or been in flight without any delivery; zero when there are none.</summary>
    public TimeSpan TimeWithoutDelivery { get; init; }

    /// <summary>The fuller of the two bounds, 0 to 1: records against <see cref="QueueCapacity"/>, bytes against <see cref="QueueBytesLimit"/>.</summary>
    public double QueueFill => Fill(QueueSize, QueueCapacity, QueueBytes, QueueBytesLimit);

    /// <summary>Records accepted, by level.</summary>
    public required IReadOnlyDictionary<LogLevel, long> EnqueuedByLevel { get; init; }

    /// <summary>Records accepted.</summary>
    public long Enqueued => EnqueuedByLevel.Values.Sum();

    /// <summary>Accepted records that are nowhere and have no outcome. Records are counted when they are accepted and, apart from that, when they have an outcome; this is the
    /// difference of the two less what waits, is in flight or on disk. Always 0: anything else is a defect of AsyncLog.</summary>
    public long Unaccounted { get; init; }

    /// <summary>Records delivered.</summary>
    public required long Written { get; init; }

    /// <summary>Records counted in <see cref="Written"/> that may not have arrived: a stream broke, and they could be neither sent again nor proved to have been
    /// read. An upper bound; 0 if a destination has no such state.</summary>
    public long Uncertain { get; init; }

    /// <summary>Records at or above <see cref="SinkOptions.AcknowledgeLevel"/> that were not acknowledged: refused, lost, late or uncertain. Late ones may still be
    /// written.</summary>
    public long Unacknowledged { get; init; }

    /// <summary>Accepted records that were found in the <see cref="SinkOptions.CrashBuffer"/> of a process that was killed.</summary>
    public long Recovered { get; init; }

    /// <summary>Records lost, by reason and level; only counts above zero.</summary>
    public required IReadOnlyList<DropCount> Drops { get; init; }

    /// <summary>Records lost before acceptance.</summary>
    public long DroppedBeforeAcceptance => Drops.Where(static drop => DropReasons.IsBefore(drop.Reason)).Sum(static drop => drop.Count);

    /// <summary>Records lost after acceptance.</summary>
    public long DroppedAfterAcceptance => Drops.Where(static drop => !DropReasons.IsBefore(drop.Reason)).Sum(static drop => drop.Count);

    /// <summary>All records lost.</summary>
    public long Dropped => Drops.Sum(static drop => drop.Count);

    /// <summary>Log calls that passed the instance's levels: accepted or dropped before.</summary>
    public long Offered => Enqueued + DroppedBeforeAcceptance;

    /// <summary>Records delivered truncated.</summary>
    public required long Truncated { get; init; }

    /// <summary>Properties left out of accepted records because of a size limit (syslog parameters).</summary>
    public required long PropertiesLeftOut { get; init; }

    /// <summary>Placeholders written instead of values.</summary>
    public required long RenderErrors { get; init; }

    /// <summary>Bytes delivered.</summary>
    public required long OutputBytes { get; init; }

    /// <summary>Calls of the sink with records that did not fail.</summary>
    public long Batches { get; init; }

    /// <summary>The total time of the calls that <see cref="Batches"/> counts.</summary>
    public TimeSpan WriteTime { get; init; }

    /// <summary>Current rates.</summary>
    public SinkRates Rates { get; init; }

    /// <summary>Records lost in the last ten minutes, by reason and level; only counts above zero.</summary>
    public IReadOnlyList<DropCount> RecentDrops { get; init; } = [];

    /// <summary>Measurements of the sink itself: sizes of files, rolls, connections.</summary>
    internal IReadOnlyList<SinkMeasurement> Measurements { get; init; } = [];

    /// <summary>Duration and size of the calls of the sink; empty before the first one.</summary>
    internal IReadOnlyList<SinkHistogram> Histograms { get; init; } = [];

    /// <summary>Failed operations by class.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }

    /// <summary>Attempts after a failure.</summary>
    public required long Retries { get; init; }

    /// <summary>Total time that callers were blocked (<see cref="QueueFullMode.Wait"/>).</summary>
    public required TimeSpan CallerWait { get; init; }

    /// <summary>The last delivery, or null.</summary>
    public DateTimeOffset? LastSuccess { get; init; }

    /// <summary>The last error, or null.</summary>
    public SinkError? LastError { get; init; }

    /// <summary>Problem in the configuration while the last valid settings remain in effect; null for none.</summary>
    public string? ConfigurationProblem { get; init; }

    /// <summary>The lowest level taken and the rule that set it, by the categories that have a logger.</summary>
    public required IReadOnlyDictionary<string, EffectiveLevel> EffectiveLevels { get; init; }

    /// <summary>Intended delay of records, so that a batch fills.</summary>
    internal TimeSpan BatchDelay { get; init; }

    /// <summary>Computes the fuller of two bounds, 0 to 1.</summary>
    internal static double Fill(long records, long capacity, long bytes, long limit) => Math.Max(Share(records, capacity), Share(bytes, limit));

    private static double Share(long part, long whole) => whole > 0 ? (double)part / whole : 0;
}
