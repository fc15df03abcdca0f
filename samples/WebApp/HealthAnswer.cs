using Microsoft.AspNetCore.Diagnostics.HealthChecks;

namespace WebApp;

/// <summary>The answer of /health: what is wrong, and what each sink says of itself.</summary>
internal static class HealthAnswer
{
    public static HealthCheckOptions Options { get; } = new()
    {
        ResponseWriter = static (context, report) => context.Response.WriteAsJsonAsync(
            new
            {
                Status = report.Status.ToString(),
                Checks = report.Entries.ToDictionary(
                    static entry => entry.Key, static entry => new { Status = entry.Value.Status.ToString(), entry.Value.Description, entry.Value.Data }, StringComparer.Ordinal),
            },
            context.RequestAborted),
    };
}
