using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace AsyncLog;

/// <summary>Reports whether logs are being lost, delayed or not delivered. Reads a status, waits for nothing.</summary>
internal sealed class AsyncLogHealthCheck(IAsyncLogControl? control, AsyncLogHealthOptions options) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var status = control?.GetStatus();
        var instances = status?.Instances.Where(IsWatched).ToList() ?? [];
        var data = new Dictionary<string, object>(StringComparer.Ordinal);
        var verdicts = options.Instances.Where(name => !instances.Exists(instance => IsNamed(instance, name)))
            .Select(static name => new HealthVerdict(HealthStatus.Degraded, $"{name}: there is no such instance")).ToList();
        foreach (var instance in instances.OrderByDescending(static instance => instance.State == SinkState.Failed))
        {
            var drops = control!.GetDrops(instance.Name, options.Window);
            data[instance.Name] = HealthVerdict.DataOf(instance, drops);
            verdicts.Add(HealthVerdict.Of(instance, drops, control.GetHistory(instance.Name), options));
        }

        // HealthStatus counts from the worst up.
        var problems = verdicts.Where(static verdict => verdict.Status != HealthStatus.Healthy).OrderBy(static verdict => verdict.Status).ToList();
        if (problems.Count == 0)
            return Task.FromResult(HealthCheckResult.Healthy(string.Create(CultureInfo.InvariantCulture, $"Instances that deliver or are switched off: {instances.Count}."), data));
        var result = problems[0].Status == HealthStatus.Degraded ? context.Registration.FailureStatus : problems[0].Status;
        return Task.FromResult(new HealthCheckResult(result, string.Join(". ", problems.Select(static problem => problem.Text)), exception: null, data));
    }

    private bool IsWatched(SinkStatus instance) => options.Instances.Count == 0 || options.Instances.Any(name => IsNamed(instance, name));

    private static bool IsNamed(SinkStatus instance, string name) => string.Equals(instance.Name, name, StringComparison.OrdinalIgnoreCase);
}

/// <summary>The result of the health check for one instance. Pure.</summary>
/// <param name="Status">The status; degraded may be reported as another one.</param>
/// <param name="Text">Why: the instance and all that is wrong with it, the worst first.</param>
internal sealed record HealthVerdict(HealthStatus Status, string Text)
{
    /// <param name="history">Its last minutes: the worst of the window counts, so that a value near a limit does not flap.</param>
    public static HealthVerdict Of(
        SinkStatus instance, IReadOnlyList<DropCount> drops, IReadOnlyList<SinkSample> history, AsyncLogHealthOptions options)
    {
        if (instance.State == SinkState.Stopped)
            return new HealthVerdict(HealthStatus.Healthy, "");
        // By number, because there is one sample per second: the wall clock may have been set in the meantime.
        var window = history.TakeLast((int)Math.Min(Math.Ceiling(options.Window / SinkHistory.Grain), history.Count)).ToList();
        var fill = 100 * window.Select(static sample => sample.QueueFill).Append(instance.QueueFill).Max();
        var oldest = window.Select(static sample => sample.OldestAge).Append(instance.OldestAge).Max();
        var lost = drops.Sum(static drop => drop.Count);
        var problems = new List<HealthVerdict>();
        if (options.UnhealthyWhen?.Invoke(instance) == true)
            problems.Add(new HealthVerdict(HealthStatus.Unhealthy, "UnhealthyWhen returned true"));
        if (instance.Unaccounted != 0)
            problems.Add(Problem($"{instance.Unaccounted} records unaccounted for: report it as a defect of AsyncLog", isUnhealthy: true));
        // Losses and a full queue have their own limits here.
        if (instance.State == SinkState.Failed || (instance.State == SinkState.Degraded && instance.Reason is not (SinkHealth.Drops or SinkHealth.NearFull)))
            problems.Add(Problem($"{SinkStates.NameOf(instance.State)} ({instance.Reason}) {SpanOf(instance)}"));
        if (lost >= options.DegradedDropCount)
            problems.Add(Problem($"{lost} records lost within {options.Window.TotalSeconds:0.###} s: {ReasonsOf(drops)}", lost >= options.UnhealthyDropCount));
        if (fill >= options.DegradedQueuePercentage)
            problems.Add(Problem($"queue {(int)fill} % full within {options.Window.TotalSeconds:0.###} s", fill >= options.UnhealthyQueuePercentage));
        // Records of a batch delay do not count as waiting.
        if (oldest >= options.DegradedOldestAge + instance.BatchDelay)
            problems.Add(Problem($"a record waited {oldest.TotalSeconds:0} s"));
        if (problems.Count == 0)
            return new HealthVerdict(HealthStatus.Healthy, "");
        var worstFirst = problems.OrderBy(static problem => problem.Status).ToList();
        return new HealthVerdict(worstFirst[0].Status, $"{instance.Name}: {string.Join("; ", worstFirst.Select(static problem => problem.Text))}");
    }

    private static HealthVerdict Problem(FormattableString text, bool isUnhealthy = false)
        => new(isUnhealthy ? HealthStatus.Unhealthy : HealthStatus.Degraded, text.ToString(CultureInfo.InvariantCulture));

    // A condition that is over keeps the state degraded for a minute: the words are those of the live page.
    private static string SpanOf(SinkStatus instance) => instance is { TroubleEndedAt: { } ended, HealthyAt: { } healthyAt }
        ? string.Create(CultureInfo.InvariantCulture, $"until {ended.UtcDateTime:HH:mm:ss}Z, healthy again at {healthyAt.UtcDateTime:HH:mm:ss}Z if it does not come back")
        : string.Create(CultureInfo.InvariantCulture, $"since {instance.ReasonSince.UtcDateTime:HH:mm:ss}Z");

    private static string ReasonsOf(IReadOnlyList<DropCount> drops) => string.Join(", ", ByReason(drops)
        .OrderByDescending(static reason => reason.Value)
        .Select(static reason => string.Create(CultureInfo.InvariantCulture, $"{reason.Key} {reason.Value}")));

    /// <summary>The data of an instance in the result of the check: plain values, which any JSON writer accepts.</summary>
    public static IReadOnlyDictionary<string, object?> DataOf(SinkStatus instance, IReadOnlyList<DropCount> dropsInWindow) => new Dictionary<string, object?>(StringComparer.Ordinal)
    {
        ["state"] = SinkStates.NameOf(instance.State),
        ["reason"] = instance.Reason,
        ["since"] = Iso(instance.ReasonSince),
        ["target"] = instance.Target,
        ["queueSize"] = instance.QueueSize,
        ["queueCapacity"] = instance.QueueCapacity,
        ["queueBytes"] = instance.QueueBytes,
        ["queueBytesLimit"] = instance.QueueBytesLimit,
        ["oldestAgeSeconds"] = instance.OldestAge.TotalSeconds,
        ["written"] = instance.Written,
        ["unaccounted"] = instance.Unaccounted,
        ["dropsInWindow"] = ByReason(dropsInWindow),
        ["dropped"] = ByReason(instance.Drops),
        ["lastSuccess"] = instance.LastSuccess is { } success ? Iso(success) : null,
        ["lastErrorType"] = instance.LastError?.Type,
        ["lastErrorMessage"] = instance.LastError?.Message,
        ["lastErrorAt"] = instance.LastError is { } error ? Iso(error.At) : null,
        ["configurationProblem"] = instance.ConfigurationProblem,
    };

    private static Dictionary<string, long> ByReason(IReadOnlyList<DropCount> drops) => drops
        .GroupBy(static drop => drop.ReasonName, static drop => drop.Count)
        .ToDictionary(static reason => reason.Key, static reason => reason.Sum(), StringComparer.Ordinal);

    private static string Iso(DateTimeOffset time) => time.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
}
