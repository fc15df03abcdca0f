namespace WebApp;

/// <summary>Gives each request its id, puts the id into a scope around everything the request logs, and logs the request exactly once; the live page's own are left out.</summary>
internal sealed partial class RequestLog(RequestDelegate next, RequestCount count, TimeProvider time, ILoggerFactory loggers)
{
    private readonly ILogger _logger = loggers.CreateLogger("WebApp.Requests");

    public async Task InvokeAsync(HttpContext context)
    {
        var id = RequestIds.Begin(context);
        // The live page asks once a second: no line for each.
        if (context.Request.Path.StartsWithSegments("/asynclog"))
        {
            await next(context);
            return;
        }

        var began = time.GetTimestamp();
        try
        {
            using (_logger.BeginScope(new Dictionary<string, object>(1) { ["RequestId"] = id }))
            {
                await next(context);
            }
        }
        finally
        {
            Answered(_logger, id, context.Request.Method, context.Request.Path, context.Response.StatusCode, time.GetElapsedTime(began).TotalMilliseconds);
            count.Add();
        }
    }

    [LoggerMessage(1, LogLevel.Information, "Request {RequestId}: {Method} {Path} answered {StatusCode} in {Elapsed:F3} ms")]
    private static partial void Answered(ILogger logger, string requestId, string method, string path, int statusCode, double elapsed);
}
