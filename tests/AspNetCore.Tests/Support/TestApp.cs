using System.Diagnostics.Metrics;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Support;

/// <summary>A web application with the page, and with sinks that a test commands.</summary>
internal sealed class TestApp : IAsyncDisposable
{
    private readonly WebApplication _app;

    private TestApp(WebApplication app) => _app = app;

    public IAsyncLogControl Control => _app.Services.GetRequiredService<IAsyncLogControl>();

    /// <summary>Who makes the meters of this application; others of the process have their own.</summary>
    public IMeterFactory Meters => _app.Services.GetRequiredService<IMeterFactory>();

    /// <summary>Where it listens; only with Kestrel.</summary>
    public Uri Address => new(_app.Urls.First());

    /// <summary>In the process's memory, without a port.</summary>
    public static async Task<TestApp> Start(Action<ILoggingBuilder> sinks, Action<WebApplication>? map = null, string environment = "Development", Action<IServiceCollection>? services = null)
    {
        var builder = Builder(sinks, environment, services);
        builder.WebHost.UseTestServer();
        return await Start(builder, map);
    }

    /// <summary>With a real port.</summary>
    public static async Task<TestApp> Listen(Action<ILoggingBuilder> sinks, Action<WebApplication>? map = null, Action<IServiceCollection>? services = null)
    {
        var builder = Builder(sinks, "Development", services);
        builder.WebHost.UseKestrel().UseUrls("http://127.0.0.1:0");
        return await Start(builder, map);
    }

    /// <summary>With real ports, which are known before the application is built.</summary>
    /// <param name="listeners">Bound sockets; the caller keeps them.</param>
    public static async Task<TestApp> Listen(Action<ILoggingBuilder> sinks, Action<WebApplication> map, string environment, params Socket[] listeners)
    {
        var builder = Builder(sinks, environment, services: null);
        builder.WebHost.UseKestrel(server => Array.ForEach(listeners, listener => server.ListenHandle((ulong)listener.Handle)));
        return await Start(builder, map);
    }

    public HttpClient Client() => _app.GetTestClient();

    /// <summary>Sends a request as a server would: what a connection knows can be set.</summary>
    public Task<HttpContext> Send(Action<HttpContext> request) => _app.GetTestServer().SendAsync(context =>
    {
        context.Request.Method = HttpMethods.Get;
        request(context);
    });

    public ILogger Logger(string category = "Shop.Cart") => _app.Services.GetRequiredService<ILoggerFactory>().CreateLogger(category);

    public SinkStatus Status(string instance) => Control.GetStatus().Find(instance)!;

    public Task AtRest(string instance)
        => Eventually.Holds(() => Status(instance) is { QueueSize: 0, InFlight: 0 }, () => $"{instance} does not come to rest: {Status(instance)}");

    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
    }

    private static WebApplicationBuilder Builder(Action<ILoggingBuilder> sinks, string environment, Action<IServiceCollection>? services)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions { EnvironmentName = environment });
        builder.Services.AddRoutingCore();
        builder.Services.AddMetrics();
        services?.Invoke(builder.Services);
        builder.Logging.SetMinimumLevel(LogLevel.Trace);
        builder.Logging.AddFilter("Microsoft", LogLevel.None);
        // No start-up line: what a test counts is what it logged.
        builder.Logging.AddFilter("AsyncLog", LogLevel.None);
        sinks(builder.Logging);
        return builder;
    }

    private static async Task<TestApp> Start(WebApplicationBuilder builder, Action<WebApplication>? map)
    {
        var app = builder.Build();
        app.UseRouting();
        if (map is null)
            app.MapAsyncLog();
        else
            map(app);
        app.UseEndpoints(static _ => { });
        await app.StartAsync(TestContext.Current.CancellationToken);
        return new TestApp(app);
    }
}
