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
        foreach (var instance in instances)
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
