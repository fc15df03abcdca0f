using System.Globalization;
using System.Net;
using System.Net.Http.Headers;

namespace AsyncLog;

/// <summary>Sends requests to one collector, one at a time, and says what became of each. Worker only.</summary>
/// <remarks>
/// <para>The worker blocks until the answer is there. Over an open plain connection (HTTP/1.1) that needs no thread of the pool. Making a connection, TLS and
/// HTTP/2 need one: the handler goes on only there. When the pool has none to give, the timers of the limit do not fire either, so the worker also waits
/// by its own clock and then leaves the attempt alone.</para>
/// <para>What a left attempt may still read or write is its own: the encoded bytes and the room for the answer.</para>
/// </remarks>
internal sealed class ExportClient(OtlpTransportSettings settings, TimeProvider timeProvider, Func<OtlpTransportSettings, ExportLink, HttpMessageHandler> createHandler)
    : IDisposable
{
    // Long enough for the cancellation of an attempt to end it where threads are free.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);
    private static readonly MediaTypeHeaderValue ProtobufType = new("application/x-protobuf");
    private static readonly MediaTypeHeaderValue GrpcType = new("application/grpc");
    private readonly RequestEncoding _encoding = new();
    private readonly ExportLink _link = new();
    private AnswerBody _answer = new();
    private OtlpTransportSettings _settings = settings;
    private HttpMessageInvoker? _invoker;

    private TimeSpan LongestWait => _settings.Timeout > TimeSpan.Zero ? _settings.Timeout + Grace : Timeout.InfiniteTimeSpan;

    /// <summary>Puts changed limits in force; address, protocol and TLS stay.</summary>
    public void Apply(OtlpTransportSettings settings) => _settings = settings;

    /// <summary>Makes one attempt.</summary>
    /// <param name="request">The request; not read after the return.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <exception cref="OperationCanceledException">It is.</exception>
    public ExportAnswer Send(OtlpRequest request, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(_settings.Timeout > TimeSpan.Zero ? _settings.Timeout : Timeout.InfiniteTimeSpan, timeProvider);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        bool isDirect = !_settings.IsGrpc && !_settings.IsSecure && _link.IsOpen(_settings.Timeout > TimeSpan.Zero ? LongestWait : TimeSpan.Zero);
        using ExportContent content = _encoding.Encode(request, _settings.IsGrpc, _settings.IsCompressed, isCopied: !isDirect);
        using HttpRequestMessage message = MessageFor(content);
        _link.Context = ExecutionContext.Capture();
        _invoker ??= new HttpMessageInvoker(createHandler(_settings, _link));
        _answer.Clear();
        try
        {
            return isDirect ? Exchange(_invoker, message, both.Token) : Await(ExchangeAsync(_invoker, message, _answer, _settings, timeProvider, both.Token), both, cancellationToken);
        }
        catch (Exception exception)
        {
            // Whatever state it is in: the next attempt begins with a new connection.
            DropConnection();
            cancellationToken.ThrowIfCancellationRequested();
            return limit.IsCancellationRequested ? TransportFailure.TimedOut(_settings) : TransportFailure.Of(exception, _settings);
        }
        finally
        {
            if (!content.IsReleased)
            {
                DropConnection();
                _encoding.LeaveBuffer();
            }
        }
    }

    public void Dispose()
    {
        DropConnection();
        _encoding.Dispose();
    }

    private ExportAnswer Await(Task<(ExportAnswer Answer, bool IsWhole)> exchange, CancellationTokenSource attempt, CancellationToken cancellationToken)
    {
        try
        {
            if (Task.WaitAny([exchange], (int)LongestWait.TotalMilliseconds, cancellationToken) < 0)
                return Leave();
        }
        catch (OperationCanceledException)
        {
            _ = Leave();
            throw;
        }

        var (answer, isWhole) = exchange.GetAwaiter().GetResult();
        if (!isWhole)
            DropConnection();
        return answer;

        ExportAnswer Leave()
        {
            // The attempt is reported as a time-out, or as the end of the shutdown; a later failure of it is not reported again.
            _ = exchange.ContinueWith(static left => left.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            attempt.Cancel();
            DropConnection();
            _encoding.LeaveBuffer();
            _answer = new AnswerBody();
            return TransportFailure.Starved(_settings);
        }
    }

    private ExportAnswer Exchange(HttpMessageInvoker invoker, HttpRequestMessage message, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = invoker.Send(message, cancellationToken);
        ReadHttpBody(response, cancellationToken);
        return JudgeHttp(response, _answer, _settings, timeProvider);
    }

    // Goes on without the worker, perhaps after it left: touches nothing of this object.
    private static async Task<(ExportAnswer Answer, bool IsWhole)> ExchangeAsync(
        HttpMessageInvoker invoker, HttpRequestMessage message, AnswerBody body, OtlpTransportSettings settings, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await invoker.SendAsync(message, cancellationToken).ConfigureAwait(false);
        if (settings.IsGrpc)
            return (await JudgeGrpcAsync(response, body, settings, cancellationToken).ConfigureAwait(false), true);
        bool isWhole = await ReadHttpBodyAsync(response, body, cancellationToken).ConfigureAwait(false);
        return (JudgeHttp(response, body, settings, timeProvider), isWhole);
    }

    private static ExportAnswer JudgeHttp(HttpResponseMessage response, AnswerBody body, OtlpTransportSettings settings, TimeProvider timeProvider) => HttpAnswer.Judge(
        response.StatusCode, TextOf(response.Content.Headers, "Content-Type"), TextOf(response.Headers, "Retry-After"), body.Bytes, settings, timeProvider.GetUtcNow());

    // The status has decided already, whatever becomes of the body. A read that waits ends when the response is disposed under it, with whatever exception
    // that makes.
    private void ReadHttpBody(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        try
        {
            using Stream stream = response.Content.ReadAsStream(cancellationToken);
            using CancellationTokenRegistration abort = cancellationToken.UnsafeRegister(static response => ((HttpResponseMessage)response!).Dispose(), response);
            _answer.Read(stream);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException || cancellationToken.IsCancellationRequested)
        {
            // Not reported: the answer is judged by its status and by what arrived of its body. The connection is not used again.
            DropConnection();
        }
    }

    // The status has decided already, whatever becomes of the body.
    private static async ValueTask<bool> ReadHttpBodyAsync(HttpResponseMessage response, AnswerBody body, CancellationToken cancellationToken)
    {
        try
        {
            using Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            await body.ReadAsync(stream, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException)
        {
            // Not reported: the answer is judged by its status and by what arrived of its body. The connection is not used again.
            return false;
        }
    }

    // The status comes behind the body: until it is there the answer is open.
    private static async ValueTask<ExportAnswer> JudgeGrpcAsync(HttpResponseMessage response, AnswerBody body, OtlpTransportSettings settings, CancellationToken cancellationToken)
    {
        using Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        await body.ReadAsync(stream, cancellationToken).ConfigureAwait(false);
        return GrpcAnswer.Judge(response.StatusCode, name => TextOf(response.TrailingHeaders, name) ?? TextOf(response.Headers, name), body.Bytes, settings);
    }

    private HttpRequestMessage MessageFor(ExportContent content)
    {
        bool isVersion2 = _settings.IsGrpc || _settings.IsSecure;
        var request = new HttpRequestMessage(HttpMethod.Post, _settings.Address)
        {
            Content = content,
            Version = isVersion2 ? HttpVersion.Version20 : HttpVersion.Version11,
            VersionPolicy = _settings.IsGrpc ? HttpVersionPolicy.RequestVersionExact : HttpVersionPolicy.RequestVersionOrLower,
        };
        content.Headers.ContentType = _settings.IsGrpc ? GrpcType : ProtobufType;
        request.Headers.TryAddWithoutValidation("User-Agent", _settings.UserAgent);
        foreach (var (name, value) in _settings.Headers)
            request.Headers.TryAddWithoutValidation(name, value);
        if (_settings.IsGrpc)
            AddGrpcHeaders(request);
        else if (_settings.IsCompressed)
            content.Headers.ContentEncoding.Add("gzip");
        return request;
    }

    private void AddGrpcHeaders(HttpRequestMessage request)
    {
        request.Headers.TryAddWithoutValidation("te", "trailers");
        if (_settings.IsCompressed)
            request.Headers.TryAddWithoutValidation("grpc-encoding", "gzip");

        // At most eight digits (gRPC over HTTP/2, Timeout).
        if (_settings.Timeout > TimeSpan.Zero)
            request.Headers.TryAddWithoutValidation("grpc-timeout", string.Create(CultureInfo.InvariantCulture, $"{Math.Clamp((long)_settings.Timeout.TotalMilliseconds, 1, 99_999_999)}m"));
    }

    private static string? TextOf(HttpHeaders headers, string name) => headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;

    private void DropConnection()
    {
        _invoker?.Dispose();
        _invoker = null;
    }
}
