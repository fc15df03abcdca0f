using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;

namespace AsyncLog;

/// <summary>Makes the connections of the HTTP handler: TLS files are read anew for each, and the server is verified by the configured name.</summary>
internal sealed class ExportDialer(OtlpTransportSettings settings, ExportLink? link = null, IExportVoice? voice = null)
{
    private static readonly List<SslApplicationProtocol> GrpcProtocols = [SslApplicationProtocol.Http2];
    private static readonly List<SslApplicationProtocol> HttpProtocols = [SslApplicationProtocol.Http2, SslApplicationProtocol.Http11];

    /// <summary>Connects; a connection to a proxy stays plain, the handler itself encrypts what goes through it.</summary>
    /// <exception cref="LogSinkException">It cannot be done now.</exception>
    public async ValueTask<Stream> DialAsync(DnsEndPoint endPoint, CancellationToken cancellationToken)
    {
        try
        {
            Stream stream = await ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            voice?.Connected(settings.Target, stream is SslStream tls ? tls.SslProtocol.ToString() : "");
            return stream;
        }
        catch (LogSinkException exception)
        {
            voice?.ConnectFailed(settings.Target, exception);
            throw;
        }
        catch (OperationCanceledException exception)
        {
            voice?.ConnectFailed(settings.Target, new LogSinkException(SocketErrorClass.Timeout, $"no connection to {settings.Target} in time", isPermanent: false, exception));
            throw;
        }
    }

    /// <summary>What the handler does by itself where it encrypts: behind a proxy.</summary>
    public SslClientAuthenticationOptions HandshakeOptions() => ClientHandshake.OptionsFor(settings.Tls, Verification());

    private async ValueTask<Stream> ConnectAsync(DnsEndPoint endPoint, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            link?.Connected(socket);
            var stream = new NetworkStream(socket, ownsSocket: true);
            return settings.IsSecure && IsServer(endPoint) ? await EncryptAsync(stream, cancellationToken).ConfigureAwait(false) : stream;
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

    private bool IsServer(DnsEndPoint endPoint) =>
        endPoint.Port == settings.Address.Port && string.Equals(endPoint.Host, settings.Address.IdnHost, StringComparison.OrdinalIgnoreCase);

    private ServerVerification Verification() => new(settings.Tls, settings.Tls.ServerName is { Length: > 0 } name ? name : settings.Address.IdnHost);

    // The handler takes an SslStream as it is, with the protocol that was agreed in it.
    private async ValueTask<Stream> EncryptAsync(NetworkStream stream, CancellationToken cancellationToken)
    {
        ServerVerification verification = Verification();
        SslClientAuthenticationOptions options = ClientHandshake.OptionsFor(settings.Tls, verification);
        options.ApplicationProtocols = settings.IsGrpc ? GrpcProtocols : HttpProtocols;
        var tls = new ClientTlsStream(stream, leaveInnerStreamOpen: false, options);
        try
        {
            await tls.AuthenticateAsClientAsync(options, cancellationToken).ConfigureAwait(false);
            ClientHandshake.RequireModern(tls.SslProtocol);
            return tls;
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException or InvalidOperationException or CryptographicException)
        {
            await tls.DisposeAsync().ConfigureAwait(false);
            string target = settings.Target;
            throw verification.Refusal is { } refusal
                ? new LogSinkException(SocketErrorClass.Tls, $"the certificate of {target} is refused: {refusal}", isPermanent: true, exception)
                : new LogSinkException(
                    SocketErrorClass.Tls, $"the TLS handshake with {target} failed: {TlsErrorText.Of(exception)} (a plain-text port behaves like that: http:// is for those)", isPermanent: true, exception);
        }
        catch
        {
            // The time is up: the certificates that were read end with the stream.
            await tls.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
