using System.Collections.Concurrent;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Support;

/// <summary>Takes OTLP requests over HTTP and keeps what is text in them.</summary>
internal sealed class OtlpReceiver : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly ConcurrentQueue<string> _requests = new();

    private OtlpReceiver(WebApplication app) => _app = app;

    /// <summary>Without a path, as <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> names it.</summary>
    public string Endpoint => _app.Urls.Single();

    /// <summary>The bodies: strings stand in them as they are (UTF-8).</summary>
    public IReadOnlyCollection<string> Requests => _requests;

    /// <param name="port">The port; 0: a free one.</param>
    public static async Task<OtlpReceiver> StartAsync(int port = 0)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls($"http://127.0.0.1:{port}");
        var receiver = new OtlpReceiver(builder.Build());
        receiver._app.MapPost("/v1/logs", receiver.TakeAsync);
        await receiver._app.StartAsync(TestContext.Current.CancellationToken);
        return receiver;
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private async Task TakeAsync(HttpContext context)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body, context.RequestAborted);
        _requests.Enqueue(Encoding.UTF8.GetString(body.GetBuffer(), 0, (int)body.Length));
        context.Response.ContentType = "application/x-protobuf";
    }
}
