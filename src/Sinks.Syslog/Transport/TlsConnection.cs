using System.Net.Security;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A TLS connection (RFC 5425). A read is always pending, so that the peer's end, and its alert about a certificate, is noticed.</summary>
internal sealed class TlsConnection : IStreamConnection
{
    // A peer that sends without end must not keep the worker from sending.
    private const int ReadsAtOnce = 64;
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(10);

    private readonly SocketConnection _wire;
    private readonly CipherStream _cipher;
    private readonly SslStream _tls;
    private readonly BoundedWait _wait;
    private readonly string _target;
    private readonly TlsClientOptions _options;
    private readonly byte[] _ignored = new byte[4096];
    private Task<int> _read;

    private TlsConnection(SocketConnection wire, CipherStream cipher, SslStream tls, BoundedWait wait, string target, TlsClientOptions options)
    {
        _options = options;
        _wire = wire;
        _cipher = cipher;
        _tls = tls;
        _wait = wait;
        _target = target;
        TlsProtocol = tls.SslProtocol.ToString();
        _read = _tls.ReadAsync(_ignored).AsTask();
        ProcessIncoming();
    }

    /// <inheritdoc/>
    /// <remarks>That of one TLS record, so that its end on the wire is known.</remarks>
    public int WriteLimit => 16 << 10;

    public bool IsTransparent => false;

    public string TlsProtocol { get; }

    public bool IsClosed { get; private set; }

    public LogSinkException? Failure { get; private set; }

    public long BytesSent => _wire.BytesSent;

    /// <summary>Connects with TLS: reads the files anew, does the handshake on the worker's thread, verifies the server before the first record.</summary>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <exception cref="LogSinkException">There is no connection, and the reason.</exception>
    public static TlsConnection Open(
        AsyncSyslogLoggerOptions options, SyslogEndpoint endpoint, Func<SocketConnection> connect, BoundedWait wait, CancellationToken cancellationToken)
    {
        var verification = new ServerVerification(options.Tls, options.Tls.ServerName is { Length: > 0 } name ? name : endpoint.Host);
        SslClientAuthenticationOptions tlsOptions = ClientHandshake.OptionsFor(options.Tls, verification);
        SocketConnection wire;
        try
        {
            wire = connect();
        }
        catch
        {
            ClientHandshake.Release(tlsOptions);
            throw;
        }

        var cipher = new CipherStream(wire);
        var tls = new ClientTlsStream(cipher, leaveInnerStreamOpen: true, tlsOptions);
        try
        {
            cipher.Limit(wait, HandshakeTimeout, isStallLimit: false, cancellationToken);
            string target = endpoint.ToString();
            tls.AuthenticateAsync(
                    verification, target, exception => HandshakeFailure.Of(target, SyslogEndpoint.Tcp, options.Tls, cipher.FirstByte, cipher.Error, exception), isDirect: true,
                    cancellationToken)
                .GetAwaiter().GetResult();
            return new TlsConnection(wire, cipher, tls, wait, target, options.Tls);
        }
        catch
        {
            tls.Dispose();
            wire.Dispose();
            throw;
        }
    }

    public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
    {
        try
        {
            _cipher.Limit(_wait, stallLimit, isStallLimit: true, cancellationToken);
            _tls.Write(frames);
            return frames.Length;
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException)
        {
            Break(exception);
            return 0;
        }
    }

    public void ProcessIncoming()
    {
        for (int reads = 0; reads < ReadsAtOnce && !IsClosed; reads++)
        {
            _cipher.Pump();
            if (!_read.IsCompleted)
                return;
            try
            {
                if (_read.GetAwaiter().GetResult() == 0)
                    IsClosed = true;
                else
                    _read = _tls.ReadAsync(_ignored).AsTask();
            }
            catch (Exception exception) when (exception is IOException or InvalidOperationException)
            {
                Break(exception);
            }
        }
    }

    public void ProcessIncoming(TimeSpan time, CancellationToken cancellationToken)
    {
        if (_wire.WaitReadable(time, cancellationToken))
            ProcessIncoming();
    }

    public bool TryReadAcknowledged(out long acknowledged, out long window) => _wire.TryReadAcknowledged(out acknowledged, out window);

    public void Shutdown(TimeSpan time, CancellationToken cancellationToken)
    {
        if (IsClosed)
            return;
        try
        {
            _cipher.Limit(_wait, time, isStallLimit: false, cancellationToken);
            // Completes synchronously: the stream below writes on this thread.
            _tls.ShutdownAsync().GetAwaiter().GetResult();
            if (_wire.ShutdownSend() is var error && error != SocketError.Success)
                Break(new SocketException((int)error));
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException)
        {
            Break(exception);
        }
    }

    public void Dispose()
    {
        _tls.Dispose();
        _wire.Dispose();
    }

    // An error of the TLS library that is not the socket's is an alert of the peer.
    private void Break(Exception exception)
    {
        if (IsClosed)
            return;
        IsClosed = true;
        Failure = exception is SocketException socket ? SocketErrorClass.ToException(socket.SocketErrorCode, $"the connection to {_target} broke")
            : _cipher.Error != SocketError.Success ? SocketErrorClass.ToException(_cipher.Error, $"the connection to {_target} broke")
            : new LogSinkException(SocketErrorClass.Tls, $"{_target} ended the TLS connection: {TlsErrorText.Of(exception, _options)}", isPermanent: true, exception);
    }
}
