using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Decides whether a request may see the page: in Development each may; elsewhere only with authorization metadata, <c>AllowAnonymous</c> or a port. Metadata of each of its endpoints.</summary>
/// <param name="port">The only local port to answer on; null: any.</param>
internal sealed partial class ExposureRule(int? port)
{
    private int? Port { get; } = port;

    /// <summary>Answers 404 where the application allows no requests, and on every port but the one it named.</summary>
    public static RequestDelegate Guard(RequestDelegate answer)
        => context =>
        {
            if (IsExposed(context))
                return answer(context);
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            return Task.CompletedTask;
        };

    /// <summary>Logs one line at start where the page answers 404 to all requests, or where only a Host header restricts it.</summary>
    public void ReportAtStart(IServiceProvider services)
        => services.GetService<IHostApplicationLifetime>()?.ApplicationStarted.Register(() =>
        {
            // The metadata is complete now: conventions may be added after mapping.
            var page = services.GetService<EndpointDataSource>()?.Endpoints.OfType<RouteEndpoint>().FirstOrDefault(endpoint => endpoint.Metadata.GetMetadata<ExposureRule>() == this);
            if (page is null || services.GetService<ILoggerFactory>()?.CreateLogger("AsyncLog") is not { } logger)
                return;
            var environment = services.GetService<IHostEnvironment>();
            if (environment?.IsDevelopment() != true && !HasConsent(page.Metadata))
                LogHidden(logger, page.RoutePattern.RawText ?? "", environment?.EnvironmentName ?? "");
            else if (page.Metadata.GetMetadata<IHostMetadata>() is not null && page.Metadata.GetMetadata<IAllowAnonymous>() is not null)
                LogUnprotected(logger, page.RoutePattern.RawText ?? "");
        });

    private static bool IsExposed(HttpContext context)
    {
        if (context.GetEndpoint()?.Metadata is not { } metadata || metadata.GetMetadata<ExposureRule>() is not { } rule)
            return false;
        return rule.Port is { } only ? context.Connection.LocalPort == only
            : HasConsent(metadata) || (context.RequestServices.GetService<IHostEnvironment>() is { } environment && environment.IsDevelopment());
    }

    private static bool HasConsent(EndpointMetadataCollection metadata)
        => metadata.GetMetadata<ExposureRule>()?.Port is not null
            || metadata.GetMetadata<IAuthorizeData>() is not null
            || metadata.GetMetadata<AuthorizationPolicy>() is not null
            || metadata.GetMetadata<IAllowAnonymous>() is not null;

    [LoggerMessage(2, LogLevel.Information, "live page {Path} answers 404 in environment {Environment}: MapAsyncLog().RequireAuthorization(), or MapAsyncLog(port: 9090) for a port of its own, opens it", EventName = "PageHidden")]
    private static partial void LogHidden(ILogger logger, string path, string environment);

    [LoggerMessage(3, LogLevel.Warning, "live page {Path} is open to everybody: RequireHost() compares the Host header, which the client chooses. Use MapAsyncLog(port: 9090)", EventName = "PageUnprotected")]
    private static partial void LogUnprotected(ILogger logger, string path);
}
