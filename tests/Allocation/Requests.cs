using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A request that <c>UseAsyncLogRequestLogging</c> logs, without a server: one pipeline and context for each thread.</summary>
internal static class Requests
{
    [ThreadStatic]
    private static (RequestDelegate Pipeline, HttpContext Context)? _request;

    public static void Send(ILogger logger, int number)
    {
        var (pipeline, context) = _request ??= Create(logger);
        pipeline(context).GetAwaiter().GetResult();
    }

    private static (RequestDelegate Pipeline, HttpContext Context) Create(ILogger logger)
    {
        var app = new ApplicationBuilder(new ServiceCollection().AddSingleton<ILoggerFactory>(new OneLogger(logger)).BuildServiceProvider());
        app.UseAsyncLogRequestLogging();
        app.Run(static _ => Task.CompletedTask);
        var context = new DefaultHttpContext();
        context.Request.Method = "GET";
        context.Request.Path = "/orders/4711";
        context.Response.ContentLength = 512;
        return (app.Build(), context);
    }

    /// <summary>The logger of the path for the requests, and none for everything else.</summary>
    private sealed class OneLogger(ILogger logger) : ILoggerFactory
    {
        public ILogger CreateLogger(string categoryName)
            => categoryName == "AsyncLog.Requests" ? logger : Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
            // holds nothing
        }
    }
}
