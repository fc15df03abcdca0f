using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using AsyncLog;
using AsyncLog.Sinks;
using Microsoft.Extensions.Logging;

namespace CustomSink;

/// <summary>Posts records as newline-delimited JSON. A record that the server accepted is not sent again, whatever fails later.</summary>
/// <remarks>The alias names the section, <c>Logging:Http</c>, and the instance, <c>http/default</c>.</remarks>
[ProviderAlias("Http")]
public sealed class HttpSink(HttpSinkOptions options, SinkContext context) : ILogSink
{
    private readonly HttpClient _client = HttpServer.ClientOf(options, context);

    // What the server takes in one request: half of what it found too large, one more after each accepted request. Without this memory each batch would begin with refused ones.
    private int _most = options.MaxRequestRecords;

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        while (batch.Count > 0)
        {
            var records = Math.Min(_most, batch.Count);
            var bytes = Enumerable.Range(0, records).Sum(index => batch[index].Bytes.Length);
            using var response = await PostAsync(batch.Bytes[..bytes], cancellationToken);
            switch ((int)response.StatusCode)
            {
                case < 300:
                    // Progress: it survives a throw, so the next call begins behind these records.
                    batch.Advance(bytes);
                    _most = Math.Min(_most + 1, options.MaxRequestRecords);
                    context.ReportRecovery("refused", "requests are accepted again.");
                    break;
                case 413 when records > 1:
                    _most = records / 2;
                    break;
                case 408 or 429 or >= 500:
                    // Throwing means: again later, with what is left. RetryDelay null: AsyncLog's own delays.
                    throw new LogSinkException(TypeOf(response), $"{options.Endpoint} answers {TypeOf(response)}") { RetryDelay = HttpServer.DelayOf(response, context.TimeProvider) };
                default:
                    // For good: the records are dropped and counted under the reason.
                    context.Report(LogLevel.Warning, "refused", $"{options.Endpoint} answers {TypeOf(response)}. {records} records are dropped.");
                    for (var i = 0; i < records; i++)
                        batch.Refuse(0, response.StatusCode == HttpStatusCode.RequestEntityTooLarge ? DropReason.Oversize : DropReason.SinkPermanent);
                    break;
            }
        }
    }

    public ValueTask DisposeAsync()
    {
        _client.Dispose();
        return ValueTask.CompletedTask;
    }

    // The records of a batch are contiguous, so they are sent from where they are. A retry after a lost response has the same bytes and so the same key, by
    // which the server ignores it. At the shutdown deadline the token is cancelled: that exception passes through, and AsyncLog counts what is left.
    private async Task<HttpResponseMessage> PostAsync(ReadOnlyMemory<byte> lines, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, options.Endpoint) { Content = new ReadOnlyMemoryContent(lines) };
        request.Content.Headers.ContentType = new("application/x-ndjson");
        request.Headers.Add("Idempotency-Key", Convert.ToHexStringLower(SHA256.HashData(lines.Span)));
        return await HttpServer.Named(_client.SendAsync(request, cancellationToken), options, cancellationToken);
    }

    private static string TypeOf(HttpResponseMessage response) => ((int)response.StatusCode).ToString(CultureInfo.InvariantCulture);
}

/// <summary>The server, and what a failed request says: its class, a short word by which the status, the metrics and the alerts know it, and how long to wait.</summary>
internal static class HttpServer
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    /// <summary>Shows the server in the status, on the page and in the start-up line, without the query, which may hold a secret.</summary>
    public static HttpClient ClientOf(HttpSinkOptions options, SinkContext context)
    {
        context.SetTarget(options.Endpoint.GetLeftPart(UriPartial.Path));
        // Without a propagator .NET neither traces the requests nor adds headers: exports are not the application's own requests.
        return new HttpClient(new SocketsHttpHandler { ActivityHeadersPropagator = null }) { Timeout = options.Timeout };
    }

    /// <summary>What the server asks for, in seconds or as a date, but at most a minute: a server that asks for a day must not silence the sink for a day.</summary>
    public static TimeSpan? DelayOf(HttpResponseMessage response, TimeProvider time)
    {
        var after = response.Headers.RetryAfter;
        var delay = after?.Delta ?? (after?.Date - time.GetUtcNow());
        return delay > Longest ? Longest : delay;
    }

    /// <summary>Waits for an answer, and names the failure if there is none.</summary>
    public static async Task<HttpResponseMessage> Named(Task<HttpResponseMessage> answer, HttpSinkOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return await answer;
        }
        catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException && !cancellationToken.IsCancellationRequested)
        {
            throw Of(exception, options);
        }
    }

    private static LogSinkException Of(Exception exception, HttpSinkOptions options)
    {
        var type = exception switch
        {
            OperationCanceledException => "timeout",
            HttpRequestException { InnerException: SocketException { SocketErrorCode: SocketError.ConnectionRefused } } => "refused",
            HttpRequestException { HttpRequestError: HttpRequestError.NameResolutionError } => "dns",
            HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } => "tls",
            _ => "reset",
        };
        var text = type == "timeout" ? $"no answer within {options.Timeout}" : exception.Message;
        return new LogSinkException(type, $"{options.Endpoint}: {text}", innerException: exception);
    }
}

/// <summary>Options, section <c>Logging:Http</c>. Levels, layout, queue bounds, spool and shutdown are in the base class.</summary>
public sealed class HttpSinkOptions : SinkOptions
{
    public HttpSinkOptions() => Format = "Clef";

    public Uri Endpoint
    {
        get;
        set => field = value.IsAbsoluteUri && value.Scheme is "http" or "https" ? value : throw new ArgumentException("expected http://host[:port][/path]");
    } = new("http://localhost:8080/logs");

    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    public int MaxRequestRecords
    {
        get;
        set => field = value > 0 ? value : throw new ArgumentException("must be at least 1");
    } = 500;
}
