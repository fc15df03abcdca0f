using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog;

/// <summary>Makes TLS connections (RFC 5425): files read anew, handshake on the worker's thread, server verified before the first record.</summary>
internal sealed class TlsDialer(SocketDialer sockets, TransportClock clock) : IStreamDialer
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    // The types of TLS records: alert and handshake are what a server begins with.
    private const byte FirstTlsType = 20;
    private const byte LastTlsType = 23;

    /// <inheritdoc/>
    public IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken)
    {
        var verification = new ServerVerification(settings.Tls, settings.Tls.ServerName is { Length: > 0 } name ? name : settings.Host);
        SslClientAuthenticationOptions options = OptionsFor(settings.Tls, verification);
        WireSocket wire = sockets.Dial(settings, cancellationToken);
        var cipher = new CipherStream(wire);
        var tls = new SslStream(cipher, leaveInnerStreamOpen: true);
        try
        {
            cipher.Limit(clock, settings.HandshakeTimeout, isStallLimit: false, cancellationToken);
            tls.AuthenticateAsClient(options);
            if (tls.SslProtocol < SslProtocols.Tls12)
                throw new AuthenticationException($"the server speaks {tls.SslProtocol} only");
            return new TlsConnection(wire, cipher, tls, clock, settings.Target);
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException or InvalidOperationException or CryptographicException)
        {
            tls.Dispose();
            wire.Dispose();
            throw Failure(settings.Target, verification, cipher, exception);
        }
    }

    private static SslClientAuthenticationOptions OptionsFor(TlsClientOptions options, ServerVerification verification) => new()
    {
        TargetHost = verification.ExpectedName,
        // The system's choice, so that a new version needs no new release; what is too old is refused after the handshake.
        EnabledSslProtocols = SslProtocols.None,
        CertificateChainPolicy = PolicyFor(options),
        ClientCertificateContext = CertificateFiles.ReadClient(options),
        RemoteCertificateValidationCallback = verification.Accept,
    };

    private static X509ChainPolicy PolicyFor(TlsClientOptions options)
    {
        var policy = new X509ChainPolicy
        {
            RevocationMode = options.CheckRevocation ? X509RevocationMode.Online : X509RevocationMode.NoCheck,
            RevocationFlag = X509RevocationFlag.ExcludeRoot,
        };
        policy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        if (CertificateFiles.ReadRoots(options) is { } roots)
        {
            policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            policy.CustomTrustStore.AddRange(roots);
        }

        return policy;
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
