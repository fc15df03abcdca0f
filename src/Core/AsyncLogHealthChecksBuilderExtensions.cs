using AsyncLog;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers the health check of AsyncLog.</summary>
public static class AsyncLogHealthChecksBuilderExtensions
{
    private static readonly string[] DefaultTags = ["asynclog"];

    /// <summary>Adds a check that reports whether logs are being lost, delayed or not delivered.</summary>
    /// <param name="builder">Result of <c>AddHealthChecks()</c>.</param>
    /// <param name="configure">Sets its limits; null: the defaults of <see cref="AsyncLogHealthOptions"/>.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">Status reported instead of <see cref="HealthStatus.Degraded"/>; null: no replacement.</param>
    /// <param name="tags">Tags to choose it by; null: <c>asynclog</c>. It does not belong to a liveness probe.</param>
    /// <param name="timeout">Longest duration; null: no limit. The check waits for nothing.</param>
    public static IHealthChecksBuilder AddAsyncLog(
        this IHealthChecksBuilder builder,
        Action<AsyncLogHealthOptions>? configure = null,
        string name = "asynclog",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<AsyncLogHealthOptions>, HealthOptionsValidator>());
        builder.Services.AddOptions<AsyncLogHealthOptions>(name).Configure(configure ?? (static _ => { })).ValidateOnStart();
        return builder.Add(new HealthCheckRegistration(
            name,
            services => new AsyncLogHealthCheck(services.GetService<IAsyncLogControl>(), services.GetRequiredService<IOptionsMonitor<AsyncLogHealthOptions>>().Get(name)),
            failureStatus ?? HealthStatus.Degraded,
            tags ?? DefaultTags,
            timeout));
    }
}
