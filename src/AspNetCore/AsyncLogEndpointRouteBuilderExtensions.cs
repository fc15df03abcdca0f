using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
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
    /// <param name="endpoints">The routes of the application.</param>
    /// <param name="prefix">The address of the page; it may have route parameters no more than any other group.</param>
    /// <param name="port">The port of a listener that only operators and Prometheus can reach, for example 9090. Requests on another port get 404. It
    /// is the port of the connection, not of the Host header. Default null: any port. 1 to 65535.</param>
    /// <returns>The group of the four, for conventions: <c>app.MapAsyncLog().RequireAuthorization()</c>.</returns>
    /// <remarks>
    /// They show paths and host names. In the environment Development they answer requests to localhost and to IP addresses. In other environments they answer 404 until the application grants access with
    /// <c>RequireAuthorization(…)</c>, a <paramref name="port"/>, or <c>AllowAnonymous()</c> if something else protects them. <c>RequireHost("*:9090")</c>
    /// does not protect them, because it compares the Host header, which the client chooses. If you set a port, also set <c>AllowedHosts</c>, so that no foreign website can read the page through the browser of an operator.
    /// </remarks>
    /// <exception cref="InvalidOperationException">No AsyncLog provider is registered.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="port"/> is not from 1 to 65535.</exception>
    public static IEndpointConventionBuilder MapAsyncLog(this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string prefix = "/asynclog", int? port = null)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(prefix);
        if (port is < 1 or > 65535)
            throw new ArgumentOutOfRangeException(nameof(port), port, "expected a port from 1 to 65535");
        return Map(endpoints, prefix, port);
    }

    // Not inlined: it uses members of the core, which the check before it may refuse.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IEndpointConventionBuilder Map(IEndpointRouteBuilder endpoints, string prefix, int? port)
    {
        var access = new DashboardAccess(port);
        var group = DashboardEndpoints.Map(endpoints.MapGroup(prefix).WithMetadata(access), endpoints.ServiceProvider);
        access.ReportAtStart(endpoints.ServiceProvider);
        return group;
    }
}
