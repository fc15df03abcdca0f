using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using AsyncLog;
using Microsoft.Extensions.Logging;

namespace CustomSink;

/// <summary>Posts records as newline-delimited JSON. A record that the server accepted is not sent again, whatever fails later.</summary>
public sealed class HttpSink(HttpSinkOptions options, SinkContext context) : ILogSink
{
    // Without a propagator .NET neither traces the requests nor adds headers: exports are not the application's own requests.
    private readonly HttpClient _client = new(new SocketsHttpHandler { ActivityHeadersPropagator = null }) { Timeout = options.Timeout };

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
                    context.Resolve("refused", "requests are accepted again.");
                    break;
                case 413 when records > 1:
                    _most = records / 2;
                    break;
                case 408 or 429 or >= 500:
                    // Throwing means: again later, with what is left. RetryDelay null: the delays of BackoffOf.
                    throw new LogSinkException(TypeOf(response), $"{options.Endpoint} answers {TypeOf(response)}") { RetryDelay = HttpFailure.DelayOf(response, context.TimeProvider) };
                default:
                    // For good: the records are dropped and counted under the reason.
                    context.Report(SelfReportLevel.Warning, "refused", $"{options.Endpoint} answers {TypeOf(response)}. {records} records are dropped.");
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
        return await HttpFailure.Named(_client.SendAsync(request, cancellationToken), options, cancellationToken);
    }

    private static string TypeOf(HttpResponseMessage response) => ((int)response.StatusCode).ToString(CultureInfo.InvariantCulture);
}

/// <summary>What a failed request says: its class, a short word by which the status, the metrics and the alerts know it, and how long to wait.</summary>
internal static class HttpFailure
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

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

/// <summary>Options, section <c>Logging:Http</c>. Levels, queue bounds and shutdown are in the base class.</summary>
public sealed class HttpSinkOptions : SinkOptions
{
    public Uri Endpoint { get; set; } = new("http://localhost:8080/logs");

    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    public int MaxRequestRecords { get; set; } = 500;
}

/// <summary>The provider: its alias is the name of the section and of the filters.</summary>
[ProviderAlias("Http")]
public sealed class HttpLoggerProvider(SinkServices<HttpSinkOptions> services) : SinkLoggerProvider<HttpSinkOptions>(services);

/// <summary>Describes the sink: its options in configuration and what differs from the defaults.</summary>
public sealed class HttpSinkDefinition() : SinkDefinition<HttpSinkOptions>("http")
{
    public override string DefaultFormat => "Clef";

    public override string DestinationKey => nameof(HttpSinkOptions.Endpoint);

    public override ILogSink CreateSink(HttpSinkOptions options, SinkContext context)
    {
        context.SetTarget(options.Endpoint.GetLeftPart(UriPartial.Path));
        return new HttpSink(options, context);
    }

    public override void Describe(OptionsTable<HttpSinkOptions> table) => table
        .Add("Endpoint", static o => o.Endpoint, static (o, v) => o.Endpoint = v, new OptionKind<Uri>(ParseEndpoint, static uri => uri.OriginalString), OptionReload.Rebuild)
        .Add("Timeout", static o => o.Timeout, static (o, v) => o.Timeout = v, OptionKind.Time(TimeSpan.FromMilliseconds(1), TimeSpan.FromDays(1)), OptionReload.Rebuild)
        .Add("MaxRequestRecords", static o => o.MaxRequestRecords, static (o, v) => o.MaxRequestRecords = v, OptionKind.Integer(min: 1), OptionReload.Rebuild);

    public override Backoff BackoffOf(HttpSinkOptions options) => new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(30), HasJitter: true);

    // A request costs a round trip: the worker fills a segment for up to a second.
    public override TimeSpan BatchDelayOf(HttpSinkOptions options) => TimeSpan.FromSeconds(1);

    private static ParseResult<Uri> ParseEndpoint(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https" ? new(uri!) : ParseResult<Uri>.Invalid("expected http://host[:port][/path]");
}

/// <summary>The registration: <c>builder.Logging.AddHttp()</c>.</summary>
public static class HttpLoggingBuilderExtensions
{
    public static ILoggingBuilder AddHttp(this ILoggingBuilder builder, Action<HttpSinkOptions>? configure = null)
        => builder.AddSink<HttpLoggerProvider, HttpSinkOptions>(new HttpSinkDefinition(), configure);
}
