using System.Net;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Decides whether a request may see the page: with authorization metadata, <c>AllowAnonymous</c> or a port; without them in Development only, and only by a
/// Host that is no name. Metadata of each of its endpoints.</summary>
/// <remarks>A name that an attacker owns may lead to this machine: a browser would let the attacker's page read the answers.</remarks>
/// <param name="port">The only local port to answer on; null: any.</param>
internal sealed partial class DashboardAccess(int? port)
{
    private bool _hasRefusedName;

    private int? Port { get; } = port;

    /// <summary>Answers 404 where the application allows no requests, and on every port but the one it named: to each method, as an address that does not exist. Elsewhere
    /// answers 405 to each method but GET.</summary>
    public static RequestDelegate Guard(RequestDelegate answer)
        => context =>
        {
            var isExposed = IsExposed(context);
            if (isExposed && HttpMethods.IsGet(context.Request.Method))
                return answer(context);
            context.Response.StatusCode = isExposed ? StatusCodes.Status405MethodNotAllowed : StatusCodes.Status404NotFound;
            if (isExposed)
                context.Response.Headers.Allow = HttpMethods.Get;
            return Task.CompletedTask;
        };

    /// <summary>Logs one line at start where the page answers 404 to all requests, or where only a Host header restricts it.</summary>
    public void ReportAtStart(IServiceProvider services)
        => services.GetService<IHostApplicationLifetime>()?.ApplicationStarted.Register(() =>
        {
            // The metadata is complete now: conventions may be added after mapping.
            var page = services.GetService<EndpointDataSource>()?.Endpoints.OfType<RouteEndpoint>().FirstOrDefault(endpoint => endpoint.Metadata.GetMetadata<DashboardAccess>() == this);
            if (page is null || services.GetService<ILoggerFactory>()?.CreateLogger("AsyncLog") is not { } logger)
                return;
            var environment = services.GetService<IHostEnvironment>();
            if (Port is { } only && services.GetService<IServer>()?.Features.Get<IServerAddressesFeature>()?.Addresses is { Count: > 0 } addresses && !addresses.Any(address => MayHavePort(address, only)))
                LogNoListener(logger, page.RoutePattern.RawText ?? "", only, string.Join(", ", addresses));
            else if (environment?.IsDevelopment() != true && !HasConsent(page.Metadata))
                LogHidden(logger, page.RoutePattern.RawText ?? "", environment?.EnvironmentName ?? "");
            else if (page.Metadata.GetMetadata<IHostMetadata>() is not null && page.Metadata.GetMetadata<IAllowAnonymous>() is not null)
                LogUnprotected(logger, page.RoutePattern.RawText ?? "");
        });

    private static bool IsExposed(HttpContext context)
    {
        if (context.GetEndpoint()?.Metadata is not { } metadata || metadata.GetMetadata<DashboardAccess>() is not { } access)
            return false;
        if (access.Port is { } only)
            return context.Connection.LocalPort == only;
        if (HasConsent(metadata))
            return true;
        return context.RequestServices.GetService<IHostEnvironment>() is { } environment && environment.IsDevelopment() && access.IsNoName(context);
    }

    private bool IsNoName(HttpContext context)
    {
        var host = context.Request.Host.Host;
        if (host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || host.EndsWith(".localhost", StringComparison.OrdinalIgnoreCase) || IPAddress.TryParse(host, out _))
            return true;
        if (!Interlocked.Exchange(ref _hasRefusedName, true) && context.RequestServices.GetService<ILoggerFactory>()?.CreateLogger("AsyncLog") is { } logger)
            LogNameRefused(logger, context.Request.Path, host);
        return false;
    }

    // A Unix socket has no port. The address of an inherited socket is not known.
    private static bool MayHavePort(string address, int port)
        => address.Contains('<', StringComparison.Ordinal) || (BindingAddress.Parse(address) is { IsUnixPipe: false, IsNamedPipe: false } binding && binding.Port == port);

    private static bool HasConsent(EndpointMetadataCollection metadata)
        => metadata.GetMetadata<DashboardAccess>()?.Port is not null
            || metadata.GetMetadata<IAuthorizeData>() is not null
            || metadata.GetMetadata<AuthorizationPolicy>() is not null
            || metadata.GetMetadata<IAllowAnonymous>() is not null;

    [LoggerMessage(2, LogLevel.Information, "live page {Path} answers 404 in environment {Environment}: MapAsyncLog().RequireAuthorization(), or MapAsyncLog(port: 9090) for a port of its own, opens it", EventName = "PageHidden")]
    private static partial void LogHidden(ILogger logger, string path, string environment);

    [LoggerMessage(3, LogLevel.Warning, "live page {Path} is open to everyone: RequireHost() compares the Host header, which the client chooses. Use MapAsyncLog(port: 9090)", EventName = "PageUnprotected")]
    private static partial void LogUnprotected(ILogger logger, string path);

    [LoggerMessage(4, LogLevel.Warning, "live page {Path} answers 404: MapAsyncLog(port: {Port}) answers on that port only, and the application does not listen there, only on {Addresses}. Add it to ASPNETCORE_URLS", EventName = "PageWithoutListener")]
    private static partial void LogNoListener(ILogger logger, string path, int port, string addresses);

    [LoggerMessage(5, LogLevel.Warning, "live page {Path} answers 404 to the Host '{Host}': in Development it answers to localhost and to IP addresses. MapAsyncLog().AllowAnonymous(), or MapAsyncLog(port: 9090) for a port of its own, opens it to names", EventName = "PageNameRefused")]
    private static partial void LogNameRefused(ILogger logger, string path, string host);
}
