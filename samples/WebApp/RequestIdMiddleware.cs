namespace WebApp;

/// <summary>Gives each request its id: adds it to the record of the request, and puts it into a scope around everything that the request logs.</summary>
internal sealed class RequestIdMiddleware(RequestDelegate next, RequestCount count, ILogger<RequestIdMiddleware> logger)
{
    public async Task InvokeAsync(HttpContext context)
    {
        var id = RequestIds.Begin(context);
        context.AddRequestLogProperty("RequestId", id);
        try
        {
            using (logger.BeginScope(new Dictionary<string, object>(1) { ["RequestId"] = id }))
            {
                await next(context);
            }
        }
        finally
        {
            // UseAsyncLogRequestLogging() leaves out the requests of the live page.
            if (!context.Request.Path.StartsWithSegments("/asynclog"))
                count.Add();
        }
    }
}
