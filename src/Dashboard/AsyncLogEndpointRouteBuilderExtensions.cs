using System.Diagnostics.CodeAnalysis;
using AsyncLog;
using Microsoft.AspNetCore.Routing;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Maps the live page of AsyncLog.</summary>
public static class AsyncLogEndpointRouteBuilderExtensions
{
    /// <summary>
    /// Maps four addresses: the page at <paramref name="prefix"/>, its JSON at <c>{prefix}/status</c> and <c>{prefix}/history</c>, and OpenMetrics text for
    /// Prometheus at <c>{prefix}/metrics</c>.
    /// </summary>
    /// <param name="endpoints">Where to map.</param>
    /// <param name="prefix">The address of the page; it may have route parameters no more than any other group.</param>
    /// <returns>The group of the four, for conventions: <c>app.MapAsyncLog().RequireAuthorization()</c>.</returns>
    /// <remarks>
    /// They show paths and host names. In the environment Development everybody may see them; elsewhere they answer 404 until the application says who may:
    /// <c>RequireAuthorization(…)</c>, or <c>AllowAnonymous()</c> where something else protects them, as <c>RequireHost("*:9090")</c> of a management port.
    /// </remarks>
    /// <exception cref="InvalidOperationException">No AsyncLog provider is registered.</exception>
    public static IEndpointConventionBuilder MapAsyncLog(this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string prefix = "/asynclog")
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(prefix);
        return DashboardEndpoints.Map(endpoints.MapGroup(prefix), endpoints.ServiceProvider);
    }
}
