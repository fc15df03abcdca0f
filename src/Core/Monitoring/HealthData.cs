using System.Globalization;

namespace AsyncLog;

/// <summary>What the result of the health check tells of one instance besides: plain values, as any writer of JSON takes them.</summary>
internal static class HealthData
{
    public static IReadOnlyDictionary<string, object?> Of(SinkStatus instance, IReadOnlyList<DropCount> dropsInWindow) => new Dictionary<string, object?>(StringComparer.Ordinal)
    {
        ["state"] = SinkStates.NameOf(instance.State),
        ["reason"] = instance.Reason,
        ["since"] = Text(instance.Since),
        ["target"] = instance.Target,
        ["queueSize"] = instance.QueueSize,
        ["queueCapacity"] = instance.QueueCapacity,
        ["queueBytes"] = instance.QueueBytes,
        ["queueBytesLimit"] = instance.QueueBytesLimit,
        ["oldestAgeSeconds"] = instance.OldestAge.TotalSeconds,
        ["written"] = instance.Written,
        ["dropsInWindow"] = ByReason(dropsInWindow),
        ["dropped"] = ByReason(instance.Drops),
        ["lastSuccess"] = instance.LastSuccess is { } success ? Text(success) : null,
        ["lastErrorType"] = instance.LastError?.Type,
        ["lastErrorMessage"] = instance.LastError?.Message,
        ["lastErrorAt"] = instance.LastError is { } error ? Text(error.At) : null,
        ["configurationProblem"] = instance.ConfigurationProblem,
    };

    /// <summary>Counts by the names of reasons.</summary>
    public static Dictionary<string, long> ByReason(IReadOnlyList<DropCount> drops) => drops
        .GroupBy(static drop => drop.ReasonName, static drop => drop.Count)
        .ToDictionary(static reason => reason.Key, static reason => reason.Sum(), StringComparer.Ordinal);

    private static string Text(DateTimeOffset time) => time.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
}
