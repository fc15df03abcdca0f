using System.Diagnostics.Metrics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The HTTP handler of one collector and the connection below it; replaced as a whole after a failure.</summary>
/// <remarks>TLS files are read again for each connection; through a proxy for each handler, which is replaced after a failure and after
/// <see cref="Lifetime"/>. The server is verified by the configured name.</remarks>
internal sealed class ExportConnection : IDisposable
{
    // Varies by a tenth: processes that connected at the same time, after an outage, do not reconnect at the same time ever after (gRFC A9).
    private static readonly TimeSpan UsualLifetime = TimeSpan.FromMinutes(10);
    private const double LifetimeVariation = 0.1;

    // The handler measures the age with its own clock, which starts a little later.
    private static readonly TimeSpan LifetimeMargin = TimeSpan.FromSeconds(1);

    // Without Timeout; about that of Linux.
    private static readonly TimeSpan MaxConnectTime = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan KeepAlive = TimeSpan.FromSeconds(30);

    // A collector may read slowly for as long as Timeout lets it.
    private static readonly TimeSpan MinUserTimeout = TimeSpan.FromSeconds(20);
    private static readonly List<SslApplicationProtocol> GrpcProtocols = [SslApplicationProtocol.Http2];
    private static readonly List<SslApplicationProtocol> HttpProtocols = [SslApplicationProtocol.Http2, SslApplicationProtocol.Http11];
    private readonly AsyncOtlpLoggerOptions _options;
    private readonly ConnectionMetrics? _metrics;
    private readonly NetworkDialer _dialer;

    // Written by the worker, read by the handler's connecting threads.
    private volatile ExecutionContext? _context;

    // Written by the handler's connecting threads, read by the worker.
    private volatile Connection? _connection;

    /// <param name="metrics">Counts connections; null: nothing is counted.</param>
    /// <param name="wrap">Puts a handler of a test before the real one; null: none.</param>
    /// <param name="dialer">Connects, and remembers addresses that failed; null: one for this connection alone.</param>
    /// <param name="random">Numbers from 0 to 1 for jitter; null: random ones.</param>
    public ExportConnection(
        AsyncOtlpLoggerOptions options, ConnectionMetrics? metrics = null, Func<HttpMessageHandler, HttpMessageHandler>? wrap = null, NetworkDialer? dialer = null,
        Func<double>? random = null)
    {
        Lifetime = UsualLifetime * (1 - LifetimeVariation + (2 * LifetimeVariation * (random ?? Random.Shared.NextDouble)()));
        _options = options;
        _metrics = metrics;
        _dialer = dialer ?? CreateDialer();
        SocketsHttpHandler handler = CreateHandler();
        Invoker = new HttpMessageInvoker(wrap is null ? handler : wrap(handler));
    }

    /// <summary>Changed addresses of a host name and renewed certificate files take effect on a connection that never breaks, too: after 9 to 11 minutes.</summary>
    public TimeSpan Lifetime { get; }

    public HttpMessageInvoker Invoker { get; }

    // The system's own without Timeout.
    private TimeSpan? UserTimeout => !_options.HasTimeout ? null : _options.Timeout > MinUserTimeout ? _options.Timeout : MinUserTimeout;

    /// <summary>The alert with which the server ended the last encrypted connection; null: there was none, or a proxy is between.</summary>
    public Exception? TlsRefusal => _connection?.Tls?.Refusal;

    /// <summary>The execution context of the worker, which carries the guard against logging loops into name lookups and handshakes.</summary>
    public ExecutionContext? Context
    {
        get => _context;
        set => _context = value;
    }

    /// <summary>Creates the dialer of an instance: it connects on threads of the handler, by the system's clock.</summary>
    /// <param name="resolve">Resolves names; null: the system's resolver.</param>
    public static NetworkDialer CreateDialer(Func<string, IPAddress[]>? resolve = null) => new(new BoundedWait(TimeProvider.System), resolve);

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

    /// <summary>Creates the handler: no tracing, no redirects, no cookies, no proxy unless <see cref="AsyncOtlpLoggerOptions.UseProxy"/> is set.</summary>
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
            ConnectTimeout = _options.HasTimeout ? _options.Timeout : Timeout.InfiniteTimeSpan,
            ConnectCallback = (connection, cancellationToken) => ConnectInContextAsync(connection.DnsEndPoint, cancellationToken),
        };

        // Through a proxy the handler encrypts by itself, inside the tunnel. It may do so until it ends, and its connects may end later: the certificates
        // are left to the garbage collector.
        if (!_options.EncryptsInTunnel)
            return handler;
        handler.SslOptions = ClientHandshake.OptionsFor(_options.Tls, Verification(isTunnel: true));
        handler.PlaintextStreamFilter = static (connection, _) =>
        {
            if (connection.PlaintextStream is SslStream tls)
                ClientHandshake.RequireModern(tls.SslProtocol);
            return ValueTask.FromResult(connection.PlaintextStream);
        };
        return handler;
    }

    /// <summary>Connects, encrypted where the end point is the collector and not a proxy.</summary>
    /// <exception cref="LogSinkException">The connection or the handshake failed.</exception>
    public async ValueTask<Stream> ConnectAsync(DnsEndPoint endPoint, CancellationToken cancellationToken)
    {
        try
        {
            Stream stream = await OpenAsync(endPoint, cancellationToken).ConfigureAwait(false);
            _metrics?.Connected(_options.Target, stream is SslStream tls ? tls.SslProtocol.ToString() : "");
            return stream;
        }
        catch (LogSinkException exception)
        {
            _metrics?.Failed(_options.Target, exception);
            throw;
        }
        catch (OperationCanceledException exception)
        {
            _metrics?.Failed(_options.Target, new LogSinkException(SocketErrorClass.Timeout, $"no connection to {_options.Target} in time", isPermanent: false, exception));
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
        // A thread of its own: it waits, and the pool may be short of threads.
        Socket socket = await Task.Factory.StartNew(
            () => _dialer.Connect(
                endPoint, FormattableString.Invariant($"{endPoint.Host}:{endPoint.Port}"), _options.HasTimeout ? _options.Timeout : MaxConnectTime, cancellationToken),
            cancellationToken, TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default).ConfigureAwait(false);
        try
        {
            NetworkDialer.Watch(socket, KeepAlive, UserTimeout);
            Connection connection = _connection = new Connection(socket, TimeProvider.System.GetTimestamp());
            return _options.IsSecure && IsCollector(endPoint)
                ? connection.Tls = await EncryptAsync(new CipherTextStream(socket), cancellationToken).ConfigureAwait(false) : new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private bool IsCollector(DnsEndPoint endPoint) =>
        endPoint.Port == _options.Endpoint!.Port && string.Equals(endPoint.Host, _options.Endpoint.IdnHost, StringComparison.OrdinalIgnoreCase);

    // In a tunnel the handler gives the endpoint's host to the system.
    private ServerVerification Verification(bool isTunnel) =>
        new(_options.Tls, _options.Tls.ServerName is { Length: > 0 } name ? name : _options.Endpoint!.IdnHost) { ComparesName = isTunnel };

    // The handler uses an SslStream as it is, with the protocol negotiated in it.
    private async ValueTask<ClientTlsStream> EncryptAsync(CipherTextStream stream, CancellationToken cancellationToken)
    {
        ServerVerification verification = Verification(isTunnel: false);
        SslClientAuthenticationOptions handshake = ClientHandshake.OptionsFor(_options.Tls, verification);
        handshake.ApplicationProtocols = _options.IsGrpc ? GrpcProtocols : HttpProtocols;
        var tls = new ClientTlsStream(stream, leaveInnerStreamOpen: false, handshake);
        await tls.AuthenticateAsync(
            verification, _options.Target,
            exception => HandshakeFailure.Of(
                _options.Target, Uri.UriSchemeHttp, _options.Tls, stream.FirstByte, (exception.GetBaseException() as SocketException)?.SocketErrorCode ?? SocketError.Success, exception),
            isDirect: false, cancellationToken).ConfigureAwait(false);
        return tls;
    }

    // Notes what a server that is none of TLS answers.
    private sealed class CipherTextStream(Socket socket) : NetworkStream(socket, ownsSocket: true)
    {
        /// <summary>The first byte that ever arrived; null: none did.</summary>
        public byte? FirstByte { get; private set; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            FirstByte is null ? ReadFirst(buffer, cancellationToken) : base.ReadAsync(buffer, cancellationToken);

        private async ValueTask<int> ReadFirst(Memory<byte> buffer, CancellationToken cancellationToken)
        {
            int read = await base.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            if (read > 0)
                FirstByte = buffer.Span[0];
            return read;
        }
    }

    private sealed record Connection(Socket Socket, long Since)
    {
        public int Milliseconds { get; set; }

        public ClientTlsStream? Tls { get; set; }
    }

    // Listeners select meters by name: this one differs from the handler's own.
    private sealed class PrivateMeters : IMeterFactory
    {
        public static readonly PrivateMeters Instance = new();
        private readonly Meter _meter = new("AsyncLog.Sinks.Otlp.Transport");

        public Meter Create(MeterOptions options) => _meter;

        public void Dispose() => _meter.Dispose();
    }
}
