using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Logs each request when it ends.</summary>
internal sealed partial class RequestMiddleware(RequestDelegate next, AsyncLogRequestOptions options, RequestTemplate template, IServiceProvider services)
{
    public const string Category = "AsyncLog.Requests";
    private static readonly EventId Ended = new(1, "RequestEnded");

    private readonly ILoggerFactory _loggers = services.GetRequiredService<ILoggerFactory>();
    private readonly ILogger _logger = services.GetRequiredService<ILoggerFactory>().CreateLogger(Category);
    private readonly TimeProvider _time = services.GetService<TimeProvider>() ?? TimeProvider.System;
    private readonly PathString[] _excluded = [.. options.ExcludedPaths.Where(static path => path.Value).Select(static path => new PathString(path.Key.TrimEnd('/')))];

    // The framework's own, one of which logs an exception that leaves or is handled. If one is off, the record of the request has the exception: better twice than never.
    private readonly ILogger[] _reporters = Array.ConvertAll(
        (string[])["Diagnostics.ExceptionHandlerMiddleware", "Diagnostics.DeveloperExceptionPageMiddleware", "Server.Kestrel"],
        name => services.GetRequiredService<ILoggerFactory>().CreateLogger("Microsoft.AspNetCore." + name));

    // None of them logs what an IExceptionHandler took, unless a callback of the application decides.
    private readonly bool _maySuppress = (services.GetService<IServiceProviderIsService>() is not { } query || query.IsService(typeof(IExceptionHandler)))
        && services.GetService<IOptions<ExceptionHandlerOptions>>()?.Value.SuppressDiagnosticsCallback is null;

    private bool _isFaultReported;
    private bool _isNameReported;

    // Not async: a request that ends synchronously needs no task of its own.
    public Task InvokeAsync(HttpContext context)
    {
        if (LoggedRequest.Begin(context) is not { } request)
            return next(context);
        request.IsExcluded = IsExcluded(request.Path);
        request.Began = _time.GetTimestamp();
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
            return Await(ending, request);
        End(request, null);
        return Task.CompletedTask;
    }

    /// <summary>Says once that the framework logs each request too.</summary>
    public void ReportDuplicates()
    {
        if (_logger.IsEnabled(LogLevel.Information) && _loggers.CreateLogger("Microsoft.AspNetCore.Hosting.Diagnostics").IsEnabled(LogLevel.Information))
            LogDuplicates(_loggers.CreateLogger("AsyncLog"));
    }

    private async Task Await(Task ending, LoggedRequest request)
    {
        try
        {
            await ending.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            End(request, exception);
            throw;
        }

        End(request, null);
    }

    private void End(LoggedRequest request, Exception? thrown)
    {
        try
        {
            if (!request.IsExcluded && request.Served?.Metadata.GetMetadata<DashboardAccess>() is null)
                Log(request, request.Context, thrown);
        }
        finally
        {
            // What a handler of exceptions or of status codes outside of this middleware may answer with an error page.
            request.End(mayRunAgain: thrown is not null || request.Context.Response is { StatusCode: >= StatusCodes.Status400BadRequest, HasStarted: false });
        }
    }

    private void Log(LoggedRequest request, HttpContext context, Exception? thrown)
    {
        var elapsed = _time.GetElapsedTime(request.Began);
        var exception = thrown ?? context.Features.Get<IExceptionHandlerFeature>()?.Error;
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
        var isReported = status < StatusCodes.Status500InternalServerError || (!_maySuppress && Array.TrueForAll(_reporters, static reporter => reporter.IsEnabled(LogLevel.Error)));
        _logger.Log(level, Ended, new RequestState(template, request, PropertiesOf(request, exception), status, elapsed.TotalMilliseconds), isReported ? null : exception, RequestState.Formatter);
    }

    private bool IsExcluded(PathString requested)
    {
        foreach (var path in _excluded)
        {
            if (requested.StartsWithSegments(path))
                return true;
        }

        return false;
    }

    // What the application added, without the names of the request's own values, and the type of the exception.
    private KeyValuePair<string, object?>[]? PropertiesOf(LoggedRequest request, Exception? exception)
    {
        var added = request.CopyAdded();
        if (added is not null && Array.Find(added, template.HasName).Key is { } taken)
        {
            // Once: the name is usually a constant.
            if (!Interlocked.Exchange(ref _isNameReported, true))
                LogName(_logger, taken);
            added = Array.FindAll(added, property => !template.HasName(property));
        }

        return exception is null ? added : [.. added ?? [], new(RequestTemplate.ErrorType, exception.GetType().FullName)];
    }

    // Of an exception that leaves, the status that the server answers with, also if the response has started with another. What a handler in front of this middleware makes of
    // it is not known yet.
    private static int StatusOf(HttpContext context, Exception? thrown)
    {
        var response = context.Response;
        var hasLeft = context.RequestAborted.IsCancellationRequested && response.StatusCode != StatusCodes.Status101SwitchingProtocols;
        return thrown switch
        {
            null or OperationCanceledException or IOException when hasLeft => IsWhole(response) ? response.StatusCode : StatusCodes.Status499ClientClosedRequest,
            null => response.StatusCode,
            BadHttpRequestException bad => bad.StatusCode,
            _ => StatusCodes.Status500InternalServerError,
        };
    }

    // Kestrel refuses to complete a response that lacks bytes of its Content-Length. The client is gone: completing it sends nothing.
    private static bool IsWhole(HttpResponse response)
    {
        if (!response.HasStarted || response.ContentLength is null)
            return false;
        try
        {
            return response.CompleteAsync().Exception is null;
        }
        catch (InvalidOperationException)
        {
            // The refusal; test A_request_whose_client_leaves_in_the_middle_of_a_response_with_a_length_has_status_499.
            return false;
        }
    }

    [LoggerMessage(6, LogLevel.Information, "each request is logged twice: Logging:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics: Warning turns the records of the framework off", EventName = "RequestsLoggedTwice")]
    private static partial void LogDuplicates(ILogger logger);

    [LoggerMessage(7, LogLevel.Error, "Filter or GetLevel of UseAsyncLogRequestLogging() failed; the request is logged without it", EventName = "RequestCallbackFailed")]
    private static partial void LogFault(ILogger logger, Exception fault);

    [LoggerMessage(8, LogLevel.Warning, "AddRequestLogProperty(\"{Name}\") has no effect: the record of a request has a value of its own by that name. Use another name", EventName = "RequestPropertyRefused")]
    private static partial void LogName(ILogger logger, string name);
}
