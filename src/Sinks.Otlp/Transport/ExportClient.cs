using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Sends requests to one collector, one at a time, and says what became of each. Worker only.</summary>
internal sealed class ExportClient(OtlpTransportSettings settings, TimeProvider timeProvider, Func<OtlpTransportSettings, Func<ExecutionContext?>, HttpMessageHandler> createHandler)
    : IDisposable
{
    private static readonly MediaTypeHeaderValue ProtobufType = new("application/x-protobuf");
    private static readonly MediaTypeHeaderValue GrpcType = new("application/grpc");
    private readonly RequestEncoding _encoding = new();
    private readonly AnswerBody _answer = new();
    private readonly StrongBox<ExecutionContext?> _context = new();
    private OtlpTransportSettings _settings = settings;
    private HttpMessageInvoker? _invoker;

    /// <summary>Puts changed limits in force; address, protocol and TLS stay.</summary>
    public void Apply(OtlpTransportSettings settings) => _settings = settings;

    /// <summary>Makes one attempt.</summary>
    /// <param name="request">The request; not touched after the task ended.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <exception cref="OperationCanceledException">It is.</exception>
    public async ValueTask<ExportAnswer> SendAsync(OtlpRequest request, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(_settings.Timeout > TimeSpan.Zero ? _settings.Timeout : Timeout.InfiniteTimeSpan, timeProvider);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        using ExportContent content = _encoding.Encode(request, _settings.IsGrpc, _settings.IsCompressed);
        try
        {
            return await ExchangeAsync(content, both.Token).ConfigureAwait(false);
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
            await ReleaseAsync(content).ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        DropConnection();
        _encoding.Dispose();
    }

    private async ValueTask<ExportAnswer> ExchangeAsync(ExportContent content, CancellationToken cancellationToken)
    {
        _context.Value = ExecutionContext.Capture();
        _invoker ??= new HttpMessageInvoker(createHandler(_settings, () => _context.Value));
        using HttpRequestMessage message = MessageFor(content);
        _answer.Clear();
        // The worker has nothing else to do, and over an open connection it needs no thread of a pool that may have none to give. HTTP/2 cannot be spoken
        // like that.
        if (message.Version == HttpVersion.Version11)
            return Exchange(_invoker, message, cancellationToken);
        using HttpResponseMessage response = await _invoker.SendAsync(message, cancellationToken).ConfigureAwait(false);
        if (_settings.IsGrpc)
            return await JudgeGrpcAsync(response, cancellationToken).ConfigureAwait(false);
        await ReadHttpBodyAsync(response, cancellationToken).ConfigureAwait(false);
        return JudgeHttp(response);
    }

    private ExportAnswer Exchange(HttpMessageInvoker invoker, HttpRequestMessage message, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = invoker.Send(message, cancellationToken);
        ReadHttpBody(response, cancellationToken);
        return JudgeHttp(response);
    }

    private ExportAnswer JudgeHttp(HttpResponseMessage response) => HttpAnswer.Judge(
        response.StatusCode, TextOf(response.Content.Headers, "Content-Type"), TextOf(response.Headers, "Retry-After"), _answer.Bytes, _settings, timeProvider.GetUtcNow());

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
            // Told by nothing: what arrived of it is all there is to tell. The connection is of no more use.
            DropConnection();
        }
    }

    // The status has decided already, whatever becomes of the body.
    private async ValueTask ReadHttpBodyAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        try
        {
            using Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            await _answer.ReadAsync(stream, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException)
        {
            // Told by nothing: what arrived of it is all there is to tell. The connection is of no more use.
            DropConnection();
        }
    }

    // The status comes behind the body: until it is there the answer is open.
    private async ValueTask<ExportAnswer> JudgeGrpcAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        using Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        await _answer.ReadAsync(stream, cancellationToken).ConfigureAwait(false);
        return GrpcAnswer.Judge(
            response.StatusCode, name => TextOf(response.TrailingHeaders, name) ?? TextOf(response.Headers, name), _answer.Bytes, _settings);
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

    private async ValueTask ReleaseAsync(ExportContent content)
    {
        Task released = content.Released;
        if (!released.IsCompleted)
            DropConnection();
        try
        {
            await released.ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException or ObjectDisposedException)
        {
            // The answer, or the failure of the attempt, told it.
        }
    }

    private void DropConnection()
    {
        _invoker?.Dispose();
        _invoker = null;
    }
}
