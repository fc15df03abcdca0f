using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Logs each request when it ends.</summary>
internal sealed partial class RequestMiddleware(RequestDelegate next, AsyncLogRequestOptions options, RequestTemplate template, ILoggerFactory loggers, TimeProvider time)
{
    public const string Category = "AsyncLog.Requests";
    private static readonly EventId Ended = new(1, "RequestEnded");

    private readonly ILogger _logger = loggers.CreateLogger(Category);
    private bool _isFaultReported;
    private readonly PathString[] _excluded = [.. options.ExcludedPaths.Select(static path => new PathString(path.TrimEnd('/')))];

    // The framework's own, one of which logs an exception that leaves or is handled. If one is off, the record of the request has the exception: better twice than never.
    private readonly ILogger[] _reporters =
    [
        loggers.CreateLogger("Microsoft.AspNetCore.Diagnostics.ExceptionHandlerMiddleware"),
        loggers.CreateLogger("Microsoft.AspNetCore.Diagnostics.DeveloperExceptionPageMiddleware"),
        loggers.CreateLogger("Microsoft.AspNetCore.Server.Kestrel"),
    ];

    // Not async: a request that ends synchronously needs no task of its own.
    public Task InvokeAsync(HttpContext context)
    {
        foreach (var path in _excluded)
        {
            if (context.Request.Path.StartsWithSegments(path))
                return next(context);
        }

        var began = time.GetTimestamp();
        Task ending;
        try
        {
            ending = next(context);
        }
        catch (Exception exception)
        {
            // Thrown again by Await.
            ending = Task.FromException(exception);
        }

        if (!ending.IsCompletedSuccessfully)
            return Await(ending, context, began);
        Log(context, began, null);
        return Task.CompletedTask;
    }

    /// <summary>Says once that the framework logs each request too.</summary>
    public void ReportDuplicates()
    {
        if (_logger.IsEnabled(LogLevel.Information) && loggers.CreateLogger("Microsoft.AspNetCore.Hosting.Diagnostics").IsEnabled(LogLevel.Information))
            LogDuplicates(loggers.CreateLogger("AsyncLog"));
    }

    private async Task Await(Task ending, HttpContext context, long began)
    {
        try
        {
            await ending.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            Log(context, began, exception);
            throw;
        }

        Log(context, began, null);
    }

    private void Log(HttpContext context, long began, Exception? thrown)
    {
        var elapsed = time.GetElapsedTime(began).TotalMilliseconds;
        var handled = context.Features.Get<IExceptionHandlerFeature>();
        var endpoint = handled?.Endpoint ?? context.GetEndpoint();
        if (endpoint?.Metadata.GetMetadata<DashboardAccess>() is not null)
            return;
        var exception = thrown ?? handled?.Error;
        var status = StatusOf(context, thrown);
        var level = status < StatusCodes.Status500InternalServerError ? LogLevel.Information : LogLevel.Error;
        try
        {
            if (options.Filter?.Invoke(context) == false)
                return;
            level = options.GetLevel?.Invoke(context, elapsed, exception) ?? level;
        }
        catch (Exception fault)
        {
            // Once: a callback that fails for one request usually fails for all.
            if (!Interlocked.Exchange(ref _isFaultReported, true))
                LogFault(_logger, fault);
        }

        if (!_logger.IsEnabled(level))
            return;
        if (exception is not null)
            context.AddRequestLogProperty("ErrorType", exception.GetType().FullName);
        var hasReport = status < StatusCodes.Status500InternalServerError || Array.TrueForAll(_reporters, static reporter => reporter.IsEnabled(LogLevel.Error));
        _logger.Log(level, Ended, new RequestState(template, context, (endpoint as RouteEndpoint)?.RoutePattern.RawText, status, elapsed), hasReport ? null : exception, RequestState.Formatter);
    }

    // Of an exception that leaves, the status that the server or a handler outside of this middleware answers with, also if the response has started with another.
    private static int StatusOf(HttpContext context, Exception? thrown)
    {
        var isAborted = context.RequestAborted.IsCancellationRequested && context.Response.StatusCode != StatusCodes.Status101SwitchingProtocols;
        return thrown switch
        {
            null or OperationCanceledException or IOException when isAborted => StatusCodes.Status499ClientClosedRequest,
            null => context.Response.StatusCode,
            BadHttpRequestException bad => bad.StatusCode,
            _ => StatusCodes.Status500InternalServerError,
        };
    }

    [LoggerMessage(6, LogLevel.Information, "each request is logged twice: Logging:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics: Warning turns the records of the framework off", EventName = "RequestsLoggedTwice")]
    private static partial void LogDuplicates(ILogger logger);

    [LoggerMessage(7, LogLevel.Error, "Filter or GetLevel of UseAsyncLogRequests() failed; the request is logged without it", EventName = "RequestCallbackFailed")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
