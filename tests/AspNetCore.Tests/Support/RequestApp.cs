using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Support;

/// <summary>An application whose requests are logged, with the records of all of its loggers.</summary>
internal sealed class RequestApp : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly KeepingProvider _kept;
    private readonly HttpClient _client;

    private RequestApp(WebApplication app, KeepingProvider kept)
    {
        _app = app;
        _kept = kept;
        _client = IsKestrel ? new HttpClient { BaseAddress = new Uri(app.Urls.First()) } : app.GetTestClient();
    }

    public IReadOnlyList<LoggedRecord> Records => _kept.Records;

    /// <summary>The records of the requests.</summary>
    public IReadOnlyList<LoggedRecord> Requests => [.. Records.Where(static record => record.Category == "AsyncLog.Requests")];

    private bool IsKestrel => _app.Services.GetService<TestServer>() is null && _app.Urls.Count > 0;

    /// <param name="pipeline">The middleware and endpoints.</param>
    /// <param name="kestrel">Whether it listens on a real port.</param>
    /// <param name="settings">Keys and values of the configuration.</param>
    /// <param name="services">Further services and loggers.</param>
    /// <param name="http2">Whether the port speaks HTTP/2 only; otherwise HTTP/1.1.</param>
    public static async Task<RequestApp> Start(
        Action<WebApplication> pipeline, bool kestrel = false, Dictionary<string, string?>? settings = null, Action<WebApplicationBuilder>? services = null, bool http2 = false)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions { EnvironmentName = "Production" });
        var kept = new KeepingProvider();
        builder.Configuration.AddInMemoryCollection(settings ?? []);
        builder.Services.AddRoutingCore();
        builder.Services.AddProblemDetails();
        builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging"));
        builder.Logging.AddProvider(kept);
        if (kestrel)
            builder.WebHost.UseKestrel(server => server.ConfigureEndpointDefaults(listener => listener.Protocols = http2 ? HttpProtocols.Http2 : HttpProtocols.Http1)).UseUrls("http://127.0.0.1:0");
        else
            builder.WebHost.UseTestServer();
        services?.Invoke(builder);
        var app = builder.Build();
        pipeline(app);
        await app.StartAsync(TestContext.Current.CancellationToken);
        var started = new RequestApp(app, kept);
        if (http2)
            (started._client.DefaultRequestVersion, started._client.DefaultVersionPolicy) = (HttpVersion.Version20, HttpVersionPolicy.RequestVersionExact);
        return started;
    }

    public Task<HttpResponseMessage> Get(string path) => _client.GetAsync(path, TestContext.Current.CancellationToken);

    public Task<HttpResponseMessage> Send(HttpMethod method, string path, params (string Name, string Value)[] headers)
    {
        var request = new HttpRequestMessage(method, path) { Version = _client.DefaultRequestVersion, VersionPolicy = _client.DefaultVersionPolicy };
        foreach (var (name, value) in headers)
            request.Headers.Add(name, value);
        return _client.SendAsync(request, TestContext.Current.CancellationToken);
    }

    /// <summary>Sends the request; an exception that reaches the client is part of the test.</summary>
    public async Task TryGet(string path)
    {
        try
        {
            using var answer = await Get(path);
        }
        catch (Exception exception) when (exception is HttpRequestException or InvalidOperationException or InvalidDataException)
        {
            // The server has no answer to such a request.
        }
    }

    /// <summary>Opens a connection and sends a request as it is written.</summary>
    public async Task<Socket> Send(string request)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, _client.BaseAddress!.Port), TestContext.Current.CancellationToken);
        await socket.SendAsync(Encoding.ASCII.GetBytes(request), TestContext.Current.CancellationToken);
        return socket;
    }

    /// <summary>The one record of a request, once it is there.</summary>
    public async Task<LoggedRecord> Request()
    {
        await Eventually.Holds(() => Requests.Count > 0, () => $"no request among {Records.Count} records");
        return Assert.Single(Requests);
    }

    /// <summary>Ends when all requests have ended.</summary>
    public Task Stop() => _app.StopAsync(TestContext.Current.CancellationToken);

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}
