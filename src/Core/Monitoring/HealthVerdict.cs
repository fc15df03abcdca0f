using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace AsyncLog;

/// <summary>What the health check makes of one instance. Pure.</summary>
/// <param name="Status">How it is; degraded may be reported as something else.</param>
/// <param name="Text">Why: one sentence.</param>
internal sealed record HealthVerdict(HealthStatus Status, string Text)
{
    /// <param name="instance">The instance now.</param>
    /// <param name="drops">What it lost within the window.</param>
    /// <param name="history">Its last minutes: the worst of the window counts, so that a value near a limit does not flap.</param>
    /// <param name="now">When the status was taken.</param>
    /// <param name="options">The limits.</param>
    public static HealthVerdict Of(
        SinkStatus instance, IReadOnlyList<DropCount> drops, IReadOnlyList<SinkSample> history, DateTimeOffset now, AsyncLogHealthOptions options)
    {
        if (instance.State == SinkState.Stopped)
            return new HealthVerdict(HealthStatus.Healthy, "");
        var window = history.Where(sample => now - sample.At < options.Window).ToList();
        var fill = 100 * window.Select(sample => Fill(instance, sample)).Append(instance.QueueFill).Max();
        var oldest = window.Select(static sample => sample.OldestAge).Append(instance.OldestAge).Max();
        var lost = drops.Sum(static drop => drop.Count);
        var lossText = string.Create(CultureInfo.InvariantCulture, $"{lost} records lost within {options.Window.TotalSeconds:0.###} s: {ReasonsOf(drops)}");
        var fillText = string.Create(CultureInfo.InvariantCulture, $"queue {(int)fill} % full within {options.Window.TotalSeconds:0.###} s");
        if (options.UnhealthyWhen?.Invoke(instance) == true)
            return Say(HealthStatus.Unhealthy, instance, "as UnhealthyWhen says");
        if (lost >= options.UnhealthyDropCount)
            return Say(HealthStatus.Unhealthy, instance, lossText);
        if (fill >= options.UnhealthyQueuePercentage)
            return Say(HealthStatus.Unhealthy, instance, fillText);
        if (instance.State == SinkState.Failed)
            return Say(HealthStatus.Degraded, instance, why: null);
        if (lost >= options.DegradedDropCount)
            return Say(HealthStatus.Degraded, instance, lossText);
        if (fill >= options.DegradedQueuePercentage)
            return Say(HealthStatus.Degraded, instance, fillText);
        // What is held back on purpose does not wait.
        if (oldest >= options.DegradedOldestAge + instance.BatchDelay)
            return Say(HealthStatus.Degraded, instance, string.Create(CultureInfo.InvariantCulture, $"a record waited {oldest.TotalSeconds:0} s"));

        // Losses and a full queue have their own limits here.
        var isTrouble = instance.State == SinkState.Degraded && instance.Reason is not (SinkHealth.Drops or SinkHealth.NearFull);
        return isTrouble ? Say(HealthStatus.Degraded, instance, why: null) : new HealthVerdict(HealthStatus.Healthy, "");
    }

    private static HealthVerdict Say(HealthStatus status, SinkStatus instance, string? why) => new(status, why is null
        ? string.Create(CultureInfo.InvariantCulture, $"{instance.Name}: {SinkStates.NameOf(instance.State)} ({instance.Reason}) since {instance.Since.UtcDateTime:HH:mm:ss}Z")
        : $"{instance.Name}: {why}");

    private static double Fill(SinkStatus instance, SinkSample sample)
        => Math.Max(Share(sample.QueueSize, instance.QueueCapacity), Share(sample.QueueBytes, instance.QueueBytesLimit));

    private static double Share(long part, long whole) => whole > 0 ? (double)part / whole : 0;

    private static string ReasonsOf(IReadOnlyList<DropCount> drops) => string.Join(", ", HealthData.ByReason(drops)
        .OrderByDescending(static reason => reason.Value)
        .Select(static reason => string.Create(CultureInfo.InvariantCulture, $"{reason.Key} {reason.Value}")));
}
