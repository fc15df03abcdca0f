using System.Diagnostics.Metrics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;

namespace AsyncLog;

/// <summary>The HTTP handler of one collector and the connection below it; replaced as a whole after a failure.</summary>
/// <remarks>TLS files are read again for each connection. The server is verified by the configured name.</remarks>
internal sealed class ExportConnection : IDisposable
{
    // Changed addresses of a host name and renewed certificate files take effect on a connection that never breaks, too.
    private static readonly TimeSpan Lifetime = TimeSpan.FromMinutes(10);

    // The handler measures the age with its own clock, which starts a little later.
    private static readonly TimeSpan LifetimeMargin = TimeSpan.FromSeconds(1);
    private static readonly List<SslApplicationProtocol> GrpcProtocols = [SslApplicationProtocol.Http2];
    private static readonly List<SslApplicationProtocol> HttpProtocols = [SslApplicationProtocol.Http2, SslApplicationProtocol.Http11];
    private readonly AsyncOtlpOptions _options;
    private readonly ConnectionReports? _reports;

    // Written by the worker, read by the handler's connecting threads.
    private volatile ExecutionContext? _context;

    // Written by the handler's connecting threads, read by the worker.
    private volatile Connection? _connection;

    /// <param name="options">Resolved options.</param>
    /// <param name="reports">Counts connections; null: nothing is counted.</param>
    /// <param name="wrap">Puts a handler of a test before the real one; null: none.</param>
    public ExportConnection(AsyncOtlpOptions options, ConnectionReports? reports = null, Func<HttpMessageHandler, HttpMessageHandler>? wrap = null)
    {
        _options = options;
        _reports = reports;
        SocketsHttpHandler handler = CreateHandler();
        Invoker = new HttpMessageInvoker(wrap is null ? handler : wrap(handler));
    }

    /// <summary>Sends requests.</summary>
    public HttpMessageInvoker Invoker { get; }

    /// <summary>The execution context of the worker, which carries the guard against logging loops into name lookups and handshakes.</summary>
    public ExecutionContext? Context
    {
        get => _context;
        set => _context = value;
    }

    /// <summary>Returns true if a request would use an open connection, so that the handler needs no thread of the pool. Worker only.</summary>
    /// <param name="timeout">The limit of one read or write of the request, enforced by the socket: a timer needs a thread of the pool. Zero: none.</param>
    public bool IsOpen(TimeSpan timeout)
    {
        if (_connection is not { } connection || TimeProvider.System.GetElapsedTime(connection.Since) > Lifetime - LifetimeMargin)
            return false;
        try
        {
            // Readable without a pending response: closed by the server, or broken.
            if (!connection.Socket.Connected || connection.Socket.Poll(0, SelectMode.SelectRead))
                return false;
            int milliseconds = (int)Math.Min(Math.Ceiling(timeout.TotalMilliseconds), int.MaxValue);
            if (connection.Milliseconds != milliseconds)
                connection.Socket.SendTimeout = connection.Socket.ReceiveTimeout = connection.Milliseconds = milliseconds;
            return true;
        }
        catch (Exception exception) when (exception is ObjectDisposedException or SocketException)
        {
            // Closed by the handler: the request makes another connection, and a failure of that is reported.
            return false;
        }
    }

    public void Dispose() => Invoker.Dispose();

    /// <summary>Creates the handler: no tracing, no redirects, no cookies, no proxy unless <see cref="AsyncOtlpOptions.UseProxy"/> is set.</summary>
    public SocketsHttpHandler CreateHandler()
    {
        var handler = new SocketsHttpHandler
        {
            // No spans for exports, and no trace headers in them.
            ActivityHeadersPropagator = null,

            // No measurements among the application's own http.client.*.
            MeterFactory = PrivateMeters.Instance,
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.None,
            UseCookies = false,
            UseProxy = _options.UseProxy,

            // A response longer than the limit is not drained: the connection is closed.
            MaxResponseDrainSize = 0,

            PooledConnectionLifetime = Lifetime,
            ConnectTimeout = _options.Timeout > TimeSpan.Zero ? _options.Timeout : Timeout.InfiniteTimeSpan,
            ConnectCallback = (connection, cancellationToken) => ConnectInContextAsync(connection.DnsEndPoint, cancellationToken),
        };

        // Through a proxy the handler encrypts by itself, inside the tunnel.
        if (_options.UseProxy && _options.IsSecure)
            handler.SslOptions = ClientHandshake.OptionsFor(_options.Tls, Verification());
        return handler;
    }

    /// <summary>Connects, encrypted where the end point is the collector and not a proxy.</summary>
    /// <exception cref="LogSinkException">The connection or the handshake failed.</exception>
    public async ValueTask<Stream> ConnectAsync(DnsEndPoint endPoint, CancellationToken cancellationToken)
    {
        try
        {
            Stream stream = await OpenAsync(endPoint, cancellationToken).ConfigureAwait(false);
            _reports?.Connected(_options.Target, stream is SslStream tls ? tls.SslProtocol.ToString() : "");
            return stream;
        }
        catch (LogSinkException exception)
        {
            _reports?.Failed(_options.Target, exception);
            throw;
        }
        catch (OperationCanceledException exception)
        {
            _reports?.Failed(_options.Target, new LogSinkException(SocketErrorClass.Timeout, $"no connection to {_options.Target} in time", isPermanent: false, exception));
            throw;
        }
    }

    // The handler connects on a thread without the worker's context.
    private ValueTask<Stream> ConnectInContextAsync(DnsEndPoint endPoint, CancellationToken cancellationToken)
    {
        if (_context is not { } context)
            return ConnectAsync(endPoint, cancellationToken);
        ValueTask<Stream> stream = default;
        ExecutionContext.Run(context, _ => stream = ConnectAsync(endPoint, cancellationToken), null);
        return stream;
    }

    private async ValueTask<Stream> OpenAsync(DnsEndPoint endPoint, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            _connection = new Connection(socket, TimeProvider.System.GetTimestamp());
            var stream = new NetworkStream(socket, ownsSocket: true);
            return _options.IsSecure && IsCollector(endPoint) ? await EncryptAsync(stream, cancellationToken).ConfigureAwait(false) : stream;
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw SocketErrorClass.ToException(exception.SocketErrorCode, FormattableString.Invariant($"cannot connect to {endPoint.Host}:{endPoint.Port}"));
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private bool IsCollector(DnsEndPoint endPoint) =>
        endPoint.Port == _options.Endpoint!.Port && string.Equals(endPoint.Host, _options.Endpoint.IdnHost, StringComparison.OrdinalIgnoreCase);

    private ServerVerification Verification() => new(_options.Tls, _options.Tls.ServerName is { Length: > 0 } name ? name : _options.Endpoint!.IdnHost);

    // The handler uses an SslStream as it is, with the protocol negotiated in it.
    private async ValueTask<Stream> EncryptAsync(NetworkStream stream, CancellationToken cancellationToken)
    {
        ServerVerification verification = Verification();
        SslClientAuthenticationOptions handshake = ClientHandshake.OptionsFor(_options.Tls, verification);
        handshake.ApplicationProtocols = _options.IsGrpc ? GrpcProtocols : HttpProtocols;
        var tls = new ClientTlsStream(stream, leaveInnerStreamOpen: false, handshake);
        try
        {
            await tls.AuthenticateAsClientAsync(handshake, cancellationToken).ConfigureAwait(false);
            ClientHandshake.RequireModern(tls.SslProtocol);
            return tls;
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException or InvalidOperationException or CryptographicException)
        {
            await tls.DisposeAsync().ConfigureAwait(false);
            throw new LogSinkException(SocketErrorClass.Tls, HandshakeFailure(verification, exception), isPermanent: true, exception);
        }
        catch
        {
            // Cancelled. Disposing the stream also disposes the certificates that were read for it.
            await tls.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private string HandshakeFailure(ServerVerification verification, Exception exception) => verification.Refusal is { } refusal
        ? $"the certificate of {_options.Target} is refused: {refusal}"
        : $"the TLS handshake with {_options.Target} failed: {TlsErrorText.Of(exception)} (a plain-text port behaves like that: http:// is for those)";

    private sealed record Connection(Socket Socket, long Since)
    {
        public int Milliseconds { get; set; }
    }

    // Listeners select meters by name: this one differs from the handler's own.
    private sealed class PrivateMeters : IMeterFactory
    {
        public static readonly PrivateMeters Instance = new();
        private readonly Meter _meter = new("AsyncLog.Otlp.Transport");

        public Meter Create(MeterOptions options) => _meter;

        public void Dispose() => _meter.Dispose();
    }
}
