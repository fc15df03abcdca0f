using System.Runtime.CompilerServices;
using AsyncLog;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Logs requests.</summary>
public static class AsyncLogRequestExtensions
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
}
