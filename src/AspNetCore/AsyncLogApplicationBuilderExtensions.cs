using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using AsyncLog;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Options;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Logs requests, and maps the live page of AsyncLog.</summary>
public static class AsyncLogApplicationBuilderExtensions
{
    /// <summary>Logs one record for each request when it ends, in the category <c>AsyncLog.Requests</c>. Add it first, so that it covers all other middleware. In a pipeline that has
    /// it already, a second call has no effect.</summary>
    /// <param name="app">The application.</param>
    /// <param name="configure">Sets options, after the configuration section <c>AsyncLog:Requests</c>.</param>
    /// <returns><paramref name="app"/>.</returns>
    /// <remarks>Status 499 is a request whose client left before the request ended; status 500 also stands for an exception after the response started. The exception itself
    /// is in the record that the exception handler or the server logs; this record names its type as <c>ErrorType</c>, and has it all where one of these loggers is off, or where
    /// the container has an <c>IExceptionHandler</c>.</remarks>
    /// <exception cref="OptionsValidationException">An option is not valid.</exception>
    public static IApplicationBuilder UseAsyncLogRequestLogging(this IApplicationBuilder app, Action<AsyncLogRequestOptions>? configure = null)
    {
        PackageVersion.Check();
        ArgumentNullException.ThrowIfNull(app);
        return Use(app, configure);
    }

    // Not inlined: it uses members of the core, which the check before it may refuse.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IApplicationBuilder Use(IApplicationBuilder app, Action<AsyncLogRequestOptions>? configure)
    {
        var services = app.ApplicationServices;
        var options = AsyncLogRequestOptions.Create(services, configure);
        var template = RequestTemplate.Parse(options.MessageTemplate);
        return app.Use(next =>
        {
            var middleware = new RequestMiddleware(next, options, template, services);
            middleware.ReportDuplicates();
            return middleware.InvokeAsync;
        });
    }

    /// <summary>Adds a property to the record of this request, or replaces it. Tasks of the request may call it at the same time.</summary>
    /// <param name="context">The request.</param>
    /// <param name="name">The name of the property; with <c>@</c> before it, the value is written as JSON, with <c>$</c> as text. The names of the record's own values, such
    /// as <c>StatusCode</c>, have no effect.</param>
    /// <param name="value">The value; it is read when the request ends.</param>
    public static void AddRequestLogProperty(this HttpContext context, string name, object? value)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(name);
        AddedProperties.Of(context).Set(name, value);
    }

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
