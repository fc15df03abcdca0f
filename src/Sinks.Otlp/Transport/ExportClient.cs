using System.Globalization;
using System.Net;
using System.Net.Http.Headers;

namespace AsyncLog;

/// <summary>Sends requests to one collector, one at a time. Worker only.</summary>
/// <remarks>
/// <para>The worker blocks until the response is there. Over an open plain connection (HTTP/1.1) the exchange runs synchronously on the worker's thread and
/// needs no thread of the pool. Making a connection, TLS and HTTP/2 need one. When the pool has none to give, the timers of the limit do not fire either:
/// the worker then stops waiting by its own clock and abandons the attempt.</para>
/// <para>An abandoned attempt may still read the encoded bytes and write its response: it owns both.</para>
/// </remarks>
/// <param name="timeProvider">The clock.</param>
internal sealed class ExportClient(AsyncOtlpLoggerOptions options, TimeProvider timeProvider, Func<AsyncOtlpLoggerOptions, ExportConnection> connect) : IDisposable
{
    // Long enough for a cancelled attempt to end where the pool has threads.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);
    private static readonly MediaTypeHeaderValue ProtobufType = new("application/x-protobuf");
    private static readonly MediaTypeHeaderValue GrpcType = new("application/grpc");
    private static readonly string UserAgent = $"AsyncLog.Sinks.Otlp/{typeof(ExportClient).Assembly.GetName().Version?.ToString(3) ?? "0.0.0"}";
    private readonly RequestEncoder _encoder = new();
    private AsyncOtlpLoggerOptions _options = options;
    private ExportConnection? _connection;
    private long _connectionSince;
    private bool _hasDelivered;

    /// <summary>Applies changed limits; address, protocol and TLS stay.</summary>
    public void Apply(AsyncOtlpLoggerOptions options) => _options = options;

    /// <summary>Makes one attempt.</summary>
    /// <param name="request">The request; not read after the return.</param>
    /// <param name="cancellationToken">Cancelled at the shutdown deadline.</param>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public AttemptResult Send(OtlpRequest request, CancellationToken cancellationToken)
    {
        TimeSpan longestWait = _options.HasTimeout ? _options.Timeout + Grace : Timeout.InfiniteTimeSpan;
        ExportConnection connection = Connection();
        bool isDirect = !_options.IsGrpc && !_options.IsSecure && connection.IsOpen(_options.HasTimeout ? longestWait : TimeSpan.Zero);
        using RequestContent content = _encoder.Encode(request, _options, isCopied: !isDirect);
        using HttpRequestMessage message = MessageFor(content);
        connection.Context = ExecutionContext.Capture();
        using var limit = new CancellationTokenSource(_options.HasTimeout ? _options.Timeout : Timeout.InfiniteTimeSpan, timeProvider);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            var exchange = ExchangeAsync(connection.Invoker, message, _options, timeProvider, isDirect, both.Token);
            if (!TryWait(exchange, longestWait, both, cancellationToken))
                return TransportFailure.Starved(_options);
            var (result, isReusable) = exchange.GetAwaiter().GetResult();
            if (!isReusable)
                DropConnection();
            _hasDelivered |= result.Outcome == ExportOutcome.Accepted;
            return result;
        }
        catch (Exception exception)
        {
            // The state of the connection is unknown: the next attempt makes a new one.
            DropConnection();
            cancellationToken.ThrowIfCancellationRequested();
            return limit.IsCancellationRequested ? TransportFailure.TimedOut(_options)
                : TransportFailure.Of(connection.TlsRefusal ?? exception, _options, _hasDelivered);
        }
        finally
        {
            if (!content.IsReleased)
            {
                DropConnection();
                _encoder.AbandonBuffer();
            }
        }
    }

    public void Dispose()
    {
        DropConnection();
        _encoder.Dispose();
    }

    // False, or a throw at the shutdown deadline: the attempt is abandoned.
    private bool TryWait(Task exchange, TimeSpan longestWait, CancellationTokenSource attempt, CancellationToken cancellationToken)
    {
        bool hasEnded = exchange.IsCompleted;
        try
        {
            if (!hasEnded)
                hasEnded = Task.WaitAny([exchange], (int)longestWait.TotalMilliseconds, cancellationToken) >= 0;
            return hasEnded;
        }
        finally
        {
            if (!hasEnded)
            {
                // Observes a later exception of the attempt, which was already reported as a timeout or as the end of the shutdown.
                _ = exchange.ContinueWith(static abandoned => abandoned.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
                attempt.Cancel();
                DropConnection();
                _encoder.AbandonBuffer();
            }
        }
    }

    // Static: an abandoned attempt must not touch the worker's state. A direct exchange completes synchronously.
    private static async Task<(AttemptResult Result, bool IsReusable)> ExchangeAsync(
        HttpMessageInvoker invoker, HttpRequestMessage message, AsyncOtlpLoggerOptions options, TimeProvider timeProvider, bool isDirect, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = isDirect ? invoker.Send(message, cancellationToken) : await invoker.SendAsync(message, cancellationToken).ConfigureAwait(false);
        var body = new BoundedResponse();
        bool isReusable = true;
        try
        {
            using Stream stream = isDirect ? response.Content.ReadAsStream(cancellationToken) : await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);

            // A synchronous read takes no token: disposing the response ends it, with any exception.
            using CancellationTokenRegistration abort = isDirect ? cancellationToken.UnsafeRegister(static response => ((HttpResponseMessage)response!).Dispose(), response) : default;
            await body.ReadAsync(stream, isDirect, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (!options.IsGrpc && (exception is HttpRequestException or IOException || cancellationToken.IsCancellationRequested))
        {
            // Not reported: the status and the part of the body that arrived decide. A gRPC status follows the body, so there the attempt has failed.
            isReusable = false;
        }

        AttemptResult result = options.IsGrpc
            ? GrpcStatusMapper.Map(response.StatusCode, name => TextOf(response.TrailingHeaders, name) ?? TextOf(response.Headers, name), body.Bytes, options)
            : HttpResponseMapper.Map(
                response.StatusCode, TextOf(response.Content.Headers, "Content-Type"), TextOf(response.Headers, "Retry-After"), body.Bytes, options, timeProvider.GetUtcNow());
        return (result, isReusable);
    }

    private static string? TextOf(HttpHeaders headers, string name) => headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;

    private HttpRequestMessage MessageFor(RequestContent content)
    {
        bool isGrpc = _options.IsGrpc;
        bool isCompressed = _options.Compression == CompressionMethod.Gzip;
        var message = new HttpRequestMessage(HttpMethod.Post, _options.Endpoint)
        {
            Content = content,
            Version = isGrpc || _options.IsSecure ? HttpVersion.Version20 : HttpVersion.Version11,
            VersionPolicy = isGrpc ? HttpVersionPolicy.RequestVersionExact : HttpVersionPolicy.RequestVersionOrLower,
        };
        content.Headers.ContentType = isGrpc ? GrpcType : ProtobufType;
        message.Headers.TryAddWithoutValidation("User-Agent", UserAgent);
        foreach (var (name, value) in _options.Headers)
            message.Headers.TryAddWithoutValidation(name, value);
        if (isGrpc)
            AddGrpcHeaders(message, isCompressed);
        else if (isCompressed)
            content.Headers.ContentEncoding.Add("gzip");
        return message;
    }

    private void AddGrpcHeaders(HttpRequestMessage message, bool isCompressed)
    {
        message.Headers.TryAddWithoutValidation("te", "trailers");
        if (isCompressed)
            message.Headers.TryAddWithoutValidation("grpc-encoding", "gzip");

        // At most eight digits (gRPC over HTTP/2, Timeout).
        if (_options.HasTimeout)
            message.Headers.TryAddWithoutValidation("grpc-timeout", string.Create(CultureInfo.InvariantCulture, $"{Math.Clamp((long)_options.Timeout.TotalMilliseconds, 1, 99_999_999)}m"));
    }

    private ExportConnection Connection()
    {
        // The handler reads the TLS files once.
        if (_options.EncryptsInTunnel && timeProvider.GetElapsedTime(_connectionSince) > _connection?.Lifetime)
            DropConnection();
        if (_connection is null)
            (_connection, _connectionSince) = (connect(_options), timeProvider.GetTimestamp());
        return _connection;
    }

    private void DropConnection()
    {
        _connection?.Dispose();
        _connection = null;
    }
}

/// <summary>The beginning of a response's body. Memory grows with received bytes, not with the announced length.</summary>
internal sealed class BoundedResponse
{
    /// <summary>The most bytes that are read.</summary>
    public const int Limit = 4 << 20;

    private const int FirstBytes = 1 << 10;
    private byte[] _bytes = new byte[FirstBytes];
    private int _length;

    /// <summary>The bytes read so far.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Reads until the end or the limit.</summary>
    /// <param name="isDirect">True if it is read synchronously.</param>
    /// <returns>True if the end was reached.</returns>
    public async ValueTask<bool> ReadAsync(Stream stream, bool isDirect, CancellationToken cancellationToken)
    {
        while (_length < Limit)
        {
            if (_length == _bytes.Length)
                Array.Resize(ref _bytes, Math.Min(2 * _length, Limit));
            int read = isDirect ? stream.Read(_bytes.AsSpan(_length)) : await stream.ReadAsync(_bytes.AsMemory(_length), cancellationToken).ConfigureAwait(false);
            if (read == 0)
                return true;
            _length += read;
        }

        return false;
    }
}
