using System.Collections.Concurrent;
using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>A server on loopback that answers every request as the test says.</summary>
internal sealed class StubCollector : IDisposable
{
    private readonly WebApplication _app;
    private readonly ConcurrentQueue<StubRequest> _requests = new();
    private readonly bool _isGrpc;
    private StubAnswer? _held;
    private int _atOnce;
    private int _mostAtOnce;

    public StubCollector(
        bool isGrpc = false, X509Certificate2? certificate = null, HttpProtocols? protocols = null, bool wantsClientCertificate = false, IPEndPoint? endPoint = null)
    {
        _isGrpc = isGrpc;
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(options =>
        {
            options.Limits.MaxRequestBodySize = null;
            options.Limits.MinResponseDataRate = null;
            options.Listen(endPoint ?? new IPEndPoint(IPAddress.Loopback, 0), listen =>
            {
                listen.Protocols = protocols ?? (isGrpc ? HttpProtocols.Http2 : HttpProtocols.Http1);
                if (certificate is not null)
                    listen.UseHttps(certificate, https => (https.ClientCertificateMode, https.ClientCertificateValidation) =
                        (wantsClientCertificate ? ClientCertificateMode.RequireCertificate : ClientCertificateMode.NoCertificate, static (_, _, _) => true));
            });
        });
        builder.WebHost.UseKestrelHttpsConfiguration();
        _app = builder.Build();
        _app.Run(CountAsync);
        _app.StartAsync().GetAwaiter().GetResult();
        Port = new Uri(_app.Urls.Single()).Port;
        Address = new Uri(FormattableString.Invariant($"{(certificate is null ? "http" : "https")}://localhost:{Port}{(isGrpc ? "" : "/v1/logs")}"));
    }

    public int Port { get; }

    public Uri Address { get; }

    /// <summary>The answer to the next request.</summary>
    public StubAnswer Answer { get; set; } = StubAnswer.Ok;

    /// <summary>The answer to a request by what is in it; null: <see cref="Answer"/>.</summary>
    public Func<StubRequest, StubAnswer>? AnswerTo { get; set; }

    public IReadOnlyList<StubRequest> Requests => [.. _requests];

    /// <summary>The answer that does not come, or not to its end; null: none is waited for.</summary>
    public StubAnswer? Held => Volatile.Read(ref _held);

    /// <summary>The most requests that were between their first byte and their answer at the same time.</summary>
    public int MostAtOnce => Volatile.Read(ref _mostAtOnce);

    public void Dispose() => _app.DisposeAsync().AsTask().GetAwaiter().GetResult();

    private async Task CountAsync(HttpContext context)
    {
        int atOnce = Interlocked.Increment(ref _atOnce);
        for (int most = _mostAtOnce; atOnce > most; most = _mostAtOnce)
            Interlocked.CompareExchange(ref _mostAtOnce, atOnce, most);
        // The answer leaves when the handler has returned, and the next request may come at once.
        context.Response.OnStarting(() =>
        {
            Interlocked.Decrement(ref _atOnce);
            return Task.CompletedTask;
        });
        await HandleAsync(context);
    }

    private async Task HandleAsync(HttpContext context)
    {
        StubAnswer answer = Answer;
        StubRequest request = await ReadAsync(context.Request);
        _requests.Enqueue(request);
        answer = AnswerTo?.Invoke(request) ?? answer;
        if (answer.After is { } after)
        {
            using var timer = new PeriodicTimer(after);
            await timer.WaitForNextTickAsync(context.RequestAborted);
        }

        if (answer.Raw is { } raw)
        {
            var socket = context.Features.Get<IConnectionSocketFeature>()!.Socket;
            socket.Send(raw);
            socket.Shutdown(SocketShutdown.Both);
            context.Abort();
            return;
        }

        if (answer.Failure is not null)
        {
            await FailAsync(context, answer);
            return;
        }

        context.Response.StatusCode = answer.Status;
        foreach (var (name, value) in answer.Headers)
            context.Response.Headers[name] = value;
        if (answer.BeginsWithHeaders)
            await context.Response.Body.FlushAsync(context.RequestAborted);
        for (int i = 0; i < answer.Repeat && answer.Body.Length > 0; i++)
            await context.Response.Body.WriteAsync(answer.Body, context.RequestAborted);
        if (answer.Stalls)
        {
            await context.Response.Body.FlushAsync(context.RequestAborted);
            await HoldAsync(context, answer);
        }

        foreach (var (name, value) in answer.Trailers)
            context.Response.AppendTrailer(name, value);
    }

    private async Task FailAsync(HttpContext context, StubAnswer answer)
    {
        var socket = context.Features.Get<IConnectionSocketFeature>()!.Socket;
        switch (answer.Failure)
        {
            case StubAnswer.Silent:
                await HoldAsync(context, answer);
                break;
            case StubAnswer.Closed:
                socket.Shutdown(SocketShutdown.Both);
                break;
            case StubAnswer.ResetStream:
                context.Features.Get<IHttpResetFeature>()!.Reset(errorCode: 7);
                return;
            case StubAnswer.Reset:
                socket.LingerState = new LingerOption(enable: true, seconds: 0);
                socket.Close();
                break;
            default:
                throw new ArgumentException(answer.Failure, nameof(answer));
        }

        context.Abort();
    }

    private async Task HoldAsync(HttpContext context, StubAnswer answer)
    {
        Volatile.Write(ref _held, answer);
        var ended = new TaskCompletionSource();
        using (context.RequestAborted.Register(ended.SetResult))
            await ended.Task;
        Interlocked.CompareExchange(ref _held, null, answer);
    }

    private async Task<StubRequest> ReadAsync(HttpRequest request)
    {
        using var wire = new MemoryStream();
        await request.Body.CopyToAsync(wire);
        byte[] body = wire.ToArray();
        bool isCompressed = request.Headers.ContentEncoding == "gzip";
        if (_isGrpc)
        {
            isCompressed = body[0] == 1;
            body = body[5..];
        }

        if (isCompressed)
        {
            using var plain = new MemoryStream();
            using (var gzip = new GZipStream(new MemoryStream(body), CompressionMode.Decompress))
                await gzip.CopyToAsync(plain);
            body = plain.ToArray();
        }

        var headers = request.Headers.ToDictionary(static header => header.Key, static header => header.Value.ToString(), StringComparer.OrdinalIgnoreCase);
        return new StubRequest(request.Method, request.Path, request.Protocol, headers, body, wire.ToArray());
    }
}
