using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;

namespace AsyncLog;

/// <summary>Makes TLS connections (RFC 5425): files read anew, handshake on the worker's thread, server verified before the first record.</summary>
internal sealed class TlsDialer(SocketDialer sockets, TransportClock clock) : IStreamDialer
{
    // The types of TLS records: alert and handshake are what a server begins with.
    private const byte FirstTlsType = 20;
    private const byte LastTlsType = 23;

    /// <inheritdoc/>
    public IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken)
    {
        var verification = new ServerVerification(settings.Tls, settings.Tls.ServerName is { Length: > 0 } name ? name : settings.Host);
        SslClientAuthenticationOptions options = ClientHandshake.OptionsFor(settings.Tls, verification);
        WireSocket wire = Connect(settings, options, cancellationToken);
        var cipher = new CipherStream(wire);
        var tls = new ClientTlsStream(cipher, leaveInnerStreamOpen: true, options);
        try
        {
            cipher.Limit(clock, settings.HandshakeTimeout, isStallLimit: false, cancellationToken);
            tls.AuthenticateAsClient(options);
            ClientHandshake.RequireModern(tls.SslProtocol);
            return new TlsConnection(wire, cipher, tls, clock, settings.Target);
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException or InvalidOperationException or CryptographicException)
        {
            tls.Dispose();
            wire.Dispose();
            throw Failure(settings.Target, verification, cipher, exception);
        }
    }

    private WireSocket Connect(TransportSettings settings, SslClientAuthenticationOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return sockets.Dial(settings, cancellationToken);
        }
        catch
        {
            ClientHandshake.Release(options);
            throw;
        }
    }

    private static LogSinkException Failure(string target, ServerVerification verification, CipherStream cipher, Exception exception)
    {
        if (verification.Refusal is { } refusal)
            return new LogSinkException(SocketErrorClass.Tls, $"the certificate of {target} is refused: {refusal}", isPermanent: true, exception);
        if (cipher.FirstByte is < FirstTlsType or > LastTlsType)
            return new LogSinkException(SocketErrorClass.Tls, $"{target} answers the TLS handshake in plain text: it is not a TLS port (tcp:// is for those)", isPermanent: true, exception);
        const string Hint = "; a plain-text port behaves like that (tcp:// is for those)";
        string hint = cipher.FirstByte is null ? Hint : "";
        if (cipher.Error == SocketError.TimedOut)
            return new LogSinkException(SocketErrorClass.Timeout, $"{target} did not finish the TLS handshake in time{hint}", isPermanent: false, exception);
        if (cipher.Error != SocketError.Success)
            return new LogSinkException(SocketErrorClass.Of(cipher.Error), $"{target} broke off the TLS handshake{hint}", isPermanent: false, exception);
        return new LogSinkException(SocketErrorClass.Tls, $"the TLS handshake with {target} failed: {TlsErrorText.Of(exception)}{hint}", isPermanent: cipher.FirstByte is not null, exception);
    }
}
