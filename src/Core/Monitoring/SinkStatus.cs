using System.Collections.ObjectModel;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A snapshot of one instance. Its counters balance: <c>Offered</c> = <c>Enqueued</c> + dropped before acceptance, and <c>Enqueued</c> = <c>Written</c> + dropped
/// after acceptance + waiting + in flight + spooled.</summary>
public sealed class SinkStatus
{
    internal SinkStatus()
    {
    }

    /// <summary>Type and instance: <c>file/errors</c>.</summary>
    public string Name { get; internal set; } = "";

    /// <summary>The sink's type: <c>file</c>.</summary>
    public string Type { get; internal set; } = "";

    /// <summary>A path or an endpoint without credentials; empty before the sink sets it.</summary>
    public string Target { get; internal set; } = "";

    /// <summary>The server as configured, a host or the path of a socket; null if there is none.</summary>
    public string? ServerAddress { get; internal set; }

    /// <summary>The server's port as configured; null if there is none.</summary>
    public int? ServerPort { get; internal set; }

    /// <summary>The state.</summary>
    public SinkState State { get; internal set; }

    /// <summary>Reason why it is not healthy: an error class, <c>drops</c>, <c>queue_near_full</c>, <c>configuration</c>, or a condition of the sink; null when healthy or stopped.</summary>
    public string? Reason { get; internal set; }

    /// <summary>Since when the <see cref="Reason"/> holds; without one, the state.</summary>
    public DateTimeOffset ReasonSince { get; internal set; }

    /// <summary>End of the condition in <see cref="Reason"/>, while the state waits for a minute without trouble; else null.</summary>
    public DateTimeOffset? TroubleEndedAt { get; internal set; }

    /// <summary>Time at which the state becomes healthy if there is no further trouble; null if <see cref="TroubleEndedAt"/> is.</summary>
    public DateTimeOffset? HealthyAt { get; internal set; }

    /// <summary>Records waiting.</summary>
    public long QueueSize { get; internal set; }

    /// <summary>The record bound.</summary>
    public long QueueCapacity { get; internal set; }

    /// <summary>Rendered bytes waiting.</summary>
    public long QueueBytes { get; internal set; }

    /// <summary>The byte bound.</summary>
    public long QueueBytesLimit { get; internal set; }

    /// <summary>The age of the oldest record in the queue that waits or is in flight; zero when there is none.</summary>
    public TimeSpan OldestAge { get; internal set; }

    /// <summary>Records that wait in <see cref="SinkOptions.SpoolPath"/>.</summary>
    public long Spooled { get; internal set; }

    /// <summary>The total size of the spool files, in bytes.</summary>
    public long SpooledBytes { get; internal set; }

    /// <summary>The limit of <see cref="SpooledBytes"/>; 0 without a spool.</summary>
    public long SpoolBytesLimit { get; internal set; }

    /// <summary>The age of the oldest of them; zero when none waits.</summary>
    public TimeSpan SpooledAge { get; internal set; }

    /// <summary>Records in the worker's hands.</summary>
    public long InFlight { get; internal set; }

    /// <summary>Time for which records have waited or been in flight without any delivery; zero when there are none.</summary>
    public TimeSpan TimeWithoutDelivery { get; internal set; }

    /// <summary>The fuller of the two bounds, 0 to 1: records against <see cref="QueueCapacity"/>, bytes against <see cref="QueueBytesLimit"/>.</summary>
    public double QueueFill => Fill(QueueSize, QueueCapacity, QueueBytes, QueueBytesLimit);

    /// <summary>Records accepted, by level.</summary>
    public IReadOnlyDictionary<LogLevel, long> EnqueuedByLevel { get; internal set; } = ReadOnlyDictionary<LogLevel, long>.Empty;

    /// <summary>Records accepted.</summary>
    public long Enqueued => EnqueuedByLevel.Values.Sum();

    /// <summary>Accepted records that are nowhere and have no outcome. Records are counted when they are accepted and, apart from that, when they have an outcome; this is the
    /// difference of the two less what waits, is in flight or on disk. Always 0: anything else is a defect of AsyncLog.</summary>
    public long Unaccounted { get; internal set; }

    /// <summary>Records delivered.</summary>
    public long Written { get; internal set; }

    /// <summary>Records counted in <see cref="Written"/> that may not have arrived: a stream broke, and they could be neither sent again nor proved to have been
    /// read. An upper bound; 0 if a destination has no such state.</summary>
    public long Uncertain { get; internal set; }

    /// <summary>Records at or above <see cref="SinkOptions.AcknowledgeLevel"/> that were not acknowledged: refused, lost, late or uncertain. Late ones may still be
    /// written.</summary>
    public long Unacknowledged { get; internal set; }

    /// <summary>Accepted records that were found in the <see cref="SinkOptions.CrashBuffer"/> of a process that was killed.</summary>
    public long Recovered { get; internal set; }

    /// <summary>Records lost, by reason and level; only counts above zero.</summary>
    public IReadOnlyList<DropCount> Drops { get; internal set; } = [];

    /// <summary>Records lost before acceptance.</summary>
    public long DroppedBeforeAcceptance => Drops.Where(static drop => DropReasons.IsBefore(drop.Reason)).Sum(static drop => drop.Count);

    /// <summary>Records lost after acceptance.</summary>
    public long DroppedAfterAcceptance => Drops.Where(static drop => !DropReasons.IsBefore(drop.Reason)).Sum(static drop => drop.Count);

    /// <summary>All records lost.</summary>
    public long Dropped => Drops.Sum(static drop => drop.Count);

    /// <summary>Log calls that passed the instance's levels: accepted or dropped before.</summary>
    public long Offered => Enqueued + DroppedBeforeAcceptance;

    /// <summary>Records delivered truncated.</summary>
    public long Truncated { get; internal set; }

    /// <summary>Properties left out of accepted records because of a size limit (syslog parameters).</summary>
    public long PropertiesLeftOut { get; internal set; }

    /// <summary>Placeholders written instead of values.</summary>
    public long RenderErrors { get; internal set; }

    /// <summary>Bytes delivered.</summary>
    public long OutputBytes { get; internal set; }

    /// <summary>Calls of the sink with records that did not fail.</summary>
    public long Batches { get; internal set; }

    /// <summary>The total time of the calls that <see cref="Batches"/> counts.</summary>
    public TimeSpan WriteTime { get; internal set; }

    /// <summary>Records accepted per second, in the last second.</summary>
    public double EnqueuedPerSecond => Rates.EnqueuedPerSecond;

    /// <summary>Records delivered per second, in the last second.</summary>
    public double WrittenPerSecond => Rates.WrittenPerSecond;

    /// <summary>Records lost per second, in the last second.</summary>
    public double DroppedPerSecond => Rates.DroppedPerSecond;

    /// <summary>Bytes delivered per second, in the last second.</summary>
    public double OutputBytesPerSecond => Rates.OutputBytesPerSecond;

    /// <summary>Mean duration of a call of the sink that did not fail, in the last second; zero when there was none.</summary>
    public TimeSpan MeanWriteTime => Rates.MeanWriteTime;

    /// <summary>Records lost in the last ten minutes, by reason and level; only counts above zero.</summary>
    public IReadOnlyList<DropCount> RecentDrops { get; internal set; } = [];

    /// <summary>Measurements of the sink itself: sizes of files, rolls, connections.</summary>
    internal IReadOnlyList<SinkMeasurement> Measurements { get; set; } = [];

    /// <summary>Duration and size of the calls of the sink; empty before the first one.</summary>
    internal IReadOnlyList<SinkHistogram> Histograms { get; set; } = [];

    /// <summary>Failed operations by class.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; internal set; } = ReadOnlyDictionary<string, long>.Empty;

    /// <summary>Attempts after a failure.</summary>
    public long Retries { get; internal set; }

    /// <summary>Total time that callers were blocked (<see cref="QueueFullMode.Wait"/>).</summary>
    public TimeSpan CallerWait { get; internal set; }

    /// <summary>The last delivery, or null.</summary>
    public DateTimeOffset? LastSuccess { get; internal set; }

    /// <summary>Class of the last error, a short lower-case word such as <c>no_space</c> or <c>timeout</c>; null if there was none.</summary>
    public string? LastErrorType => LastError?.Type;

    /// <summary>Text of the last error, without secrets; null if there was none.</summary>
    public string? LastErrorMessage => LastError?.Message;

    /// <summary>Time of the last error; null if there was none.</summary>
    public DateTimeOffset? LastErrorAt => LastError?.At;

    /// <summary>Problem in the configuration while the last valid settings remain in effect; null for none.</summary>
    public string? ConfigurationProblem { get; internal set; }

    /// <summary>The lowest level taken and the rule that set it, by the categories that have a logger.</summary>
    public IReadOnlyDictionary<string, EffectiveLevel> EffectiveLevels { get; internal set; } = ReadOnlyDictionary<string, EffectiveLevel>.Empty;

    internal SinkRates Rates { get; set; }

    internal SinkError? LastError { get; set; }

    /// <summary>Intended delay of records, so that a batch fills.</summary>
    internal TimeSpan BatchDelay { get; set; }

    /// <summary>Computes the fuller of two bounds, 0 to 1.</summary>
    internal static double Fill(long records, long capacity, long bytes, long limit) => Math.Max(Share(records, capacity), Share(bytes, limit));

    private static double Share(long part, long whole) => whole > 0 ? (double)part / whole : 0;
}
