using Microsoft.AspNetCore.Diagnostics.HealthChecks;

namespace WebApp;

/// <summary>The answer of /health: one word; in Development also what each sink says of itself, which names paths and hosts.</summary>
internal static class HealthAnswer
{
    public static HealthCheckOptions Options(IHostEnvironment environment) => environment.IsDevelopment() ? Details : new();

    private static HealthCheckOptions Details { get; } = new()
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
