using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;

namespace AsyncLog.Bench;

/// <summary>A middleware and an endpoint, and one context that all requests use.</summary>
internal sealed class RequestPipeline
{
    private readonly RequestDelegate _pipeline;
    private readonly HttpContext _context = new DefaultHttpContext();
    private TaskCompletionSource? _late;

    /// <param name="services">The services of the application.</param>
    /// <param name="middleware">Adds the middleware.</param>
    /// <param name="isLate">Whether the endpoint ends after it returned.</param>
    public RequestPipeline(IServiceProvider services, Action<IApplicationBuilder> middleware, bool isLate)
    {
        var app = new ApplicationBuilder(services);
        middleware(app);
        app.Run(isLate ? _ => _late!.Task : static _ => Task.CompletedTask);
        _pipeline = app.Build();
        _late = isLate ? new() : null;
        _context.Request.Method = "GET";
        _context.Request.Path = "/orders/4711/items";
        _context.Response.ContentLength = 512;
        _context.SetEndpoint(new RouteEndpoint(static _ => Task.CompletedTask, RoutePatternFactory.Parse("/orders/{order}/items"), 0, EndpointMetadataCollection.Empty, null));
    }

    /// <summary>The time of all requests, and the bytes their thread allocated.</summary>
    public (double Nanoseconds, long Bytes) Cost { get; set; }

    public void Send(int requests)
    {
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        for (var request = 0; request < requests; request++)
        {
            var ending = _pipeline(_context);
            if (_late is { } late)
            {
                _late = new();
                late.SetResult();
            }

            ending.GetAwaiter().GetResult();
        }

        Cost = (Cost.Nanoseconds + Stopwatch.GetElapsedTime(start).TotalNanoseconds, Cost.Bytes + GC.GetAllocatedBytesForCurrentThread() - bytes);
    }
}
