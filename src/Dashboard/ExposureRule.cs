using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncLog;

/// <summary>Who may see the page: everybody in Development; elsewhere nobody, until the application has said who.</summary>
internal static class ExposureRule
{
    /// <summary>Answers 404 where the application has said nothing.</summary>
    public static RequestDelegate Guard(RequestDelegate answer)
        => context =>
        {
            if (IsExposed(context))
                return answer(context);
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            return Task.CompletedTask;
        };

    // Metadata is read per request: conventions may be added after mapping.
    private static bool IsExposed(HttpContext context)
        => context.RequestServices.GetService<IHostEnvironment>() is { } environment && environment.IsDevelopment()
            || context.GetEndpoint()?.Metadata is { } metadata
            && (metadata.GetMetadata<IAuthorizeData>() is not null
                || metadata.GetMetadata<AuthorizationPolicy>() is not null
                || metadata.GetMetadata<IAllowAnonymous>() is not null);
}
