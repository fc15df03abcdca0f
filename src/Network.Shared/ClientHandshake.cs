using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog;

/// <summary>The options of one TLS handshake of a client. The files of the TLS options are read anew for each.</summary>
internal static class ClientHandshake
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    /// <exception cref="LogSinkException">A file cannot be read.</exception>
    public static SslClientAuthenticationOptions OptionsFor(TlsClientOptions options, ServerVerification verification) => new()
    {
        TargetHost = verification.ExpectedName,
        // The system's choice, so that a new version of TLS needs no new release; versions that are too old are refused after the handshake.
        EnabledSslProtocols = SslProtocols.None,
        // A write would wait for the server's part of a new handshake, which the waiting thread itself would have to read (ADR 8).
        AllowRenegotiation = false,
        CertificateChainPolicy = PolicyFor(options),
        ClientCertificateContext = CertificateFiles.ReadClient(options),
        RemoteCertificateValidationCallback = verification.Accept,
    };

    /// <summary>Refuses versions that the system still allows.</summary>
    /// <exception cref="AuthenticationException">The version is older than TLS 1.2.</exception>
    public static void RequireModern(SslProtocols protocol)
    {
        if (protocol < SslProtocols.Tls12)
            throw new AuthenticationException($"the server speaks {protocol} only");
    }

    /// <summary>Disposes the certificates that were read for the options.</summary>
    public static void Release(SslClientAuthenticationOptions options)
    {
        if (options.CertificateChainPolicy is { } policy)
            CertificateFiles.Release(policy.CustomTrustStore);
        if (options.ClientCertificateContext is not { } client)
            return;
        client.TargetCertificate.Dispose();
        CertificateFiles.Release(client.IntermediateCertificates);
    }

    private static X509ChainPolicy PolicyFor(TlsClientOptions options)
    {
        var policy = new X509ChainPolicy
        {
            RevocationMode = options.CheckRevocation ? X509RevocationMode.Online : X509RevocationMode.NoCheck,
            RevocationFlag = X509RevocationFlag.ExcludeRoot,
            // The addresses of missing issuers stand in the certificate of a server that is not verified yet.
            DisableCertificateDownloads = true,
        };
        policy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        if (CertificateFiles.ReadRoots(options) is { } roots)
        {
            policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            policy.CustomTrustStore.AddRange(roots);
        }

        return policy;
    }
}

/// <summary>The TLS stream of a client; owns the certificates that were read for its connection.</summary>
/// <param name="leaveInnerStreamOpen">True if the stream below stays open.</param>
/// <param name="options">Result of <see cref="ClientHandshake.OptionsFor"/>; for this stream only.</param>
internal sealed class ClientTlsStream(Stream inner, bool leaveInnerStreamOpen, SslClientAuthenticationOptions options) : SslStream(inner, leaveInnerStreamOpen)
{
    /// <summary>Makes the handshake. After a failure, of whatever kind, the stream is disposed.</summary>
    /// <param name="explain">The exception for a handshake that failed for another reason than the server's certificate: <see cref="HandshakeFailure.Of"/>.</param>
    /// <param name="isDirect">True if the calling thread does all of it: the call completes synchronously.</param>
    /// <exception cref="LogSinkException">The handshake failed, and the reason.</exception>
    public async Task AuthenticateAsync(
        ServerVerification verification, string target, Func<Exception, LogSinkException> explain, bool isDirect, CancellationToken cancellationToken)
    {
        try
        {
            if (isDirect)
                AuthenticateAsClient(options);
            else
                await AuthenticateAsClientAsync(options, cancellationToken).ConfigureAwait(false);
            ClientHandshake.RequireModern(SslProtocol);
        }
        catch (Exception exception)
        {
            // No handshake uses the certificates any more: it ended with the exception.
            Dispose();
            if (exception is not (AuthenticationException or IOException or InvalidOperationException or CryptographicException))
                throw;
            throw verification.Refusal is { } refusal
                ? new LogSinkException(SocketErrorClass.Tls, $"the certificate of {target} is refused: {refusal}", isPermanent: true, exception)
                : explain(exception);
        }
    }

    /// <summary>The first failure of a read that is TLS's own: the alert of a server that refuses the client, which with TLS 1.3 comes after the handshake. Null: there was none.</summary>
    /// <remarks>HTTP/2 disposes the stream then and reports that instead. Any thread.</remarks>
    public Exception? Refusal { get; private set; }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ValueTask<int> read = base.ReadAsync(buffer, cancellationToken);
        return read.IsCompletedSuccessfully ? read : NoteRefusal(read);
    }

    private async ValueTask<int> NoteRefusal(ValueTask<int> read)
    {
        try
        {
            return await read.ConfigureAwait(false);
        }
        catch (Exception exception) when (exception.GetBaseException() is not (IOException or SocketException or ObjectDisposedException or OperationCanceledException))
        {
            Refusal ??= exception;
            throw;
        }
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync().ConfigureAwait(false);
        ClientHandshake.Release(options);
    }

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        if (disposing)
            ClientHandshake.Release(options);
    }
}

/// <summary>Reads the files of the TLS options; anew for each connection, so that replaced files take effect with the next one.</summary>
internal static class CertificateFiles
{
    /// <summary>The roots that replace the system's; null: the system's.</summary>
    /// <exception cref="LogSinkException">The file cannot be read.</exception>
    public static X509Certificate2Collection? ReadRoots(TlsClientOptions options) => options.CaFile is not { Length: > 0 } file
        ? null
        : Read(file, nameof(options.CaFile), () =>
        {
            var roots = new X509Certificate2Collection();
            roots.ImportFromPemFile(file);
            return roots.Count > 0 ? roots : throw new CryptographicException("it contains no certificate in PEM form");
        });

    /// <summary>The client's certificate with its chain; null: none.</summary>
    /// <exception cref="LogSinkException">A file cannot be read.</exception>
    public static SslStreamCertificateContext? ReadClient(TlsClientOptions options) => options.ClientCertificateFile is not { Length: > 0 } file
        ? null
        : Read(file, nameof(options.ClientCertificateFile), () =>
        {
            X509Certificate2 certificate = ForThisPlatform(ReadPair(options, file));
            var chain = new X509Certificate2Collection();
            try
            {
                chain.ImportFromPemFile(file);
                return SslStreamCertificateContext.Create(certificate, chain, offline: true);
            }
            catch
            {
                certificate.Dispose();
                throw;
            }
            finally
            {
                Release(chain);
            }
        });

    public static void Release(IEnumerable<X509Certificate2> certificates)
    {
        foreach (X509Certificate2 certificate in certificates)
            certificate.Dispose();
    }

    private static X509Certificate2 ReadPair(TlsClientOptions options, string file)
    {
        string key = options.ClientKeyFile is { Length: > 0 } separate ? separate : file;
        return string.IsNullOrEmpty(options.ClientKeyPassword)
            ? X509Certificate2.CreateFromPemFile(file, key)
            : X509Certificate2.CreateFromEncryptedPemFile(file, options.ClientKeyPassword, key);
    }

    // On Windows a key that is only in memory cannot be used for TLS.
    private static X509Certificate2 ForThisPlatform(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows())
            return certificate;
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private static T Read<T>(string file, string option, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new LogSinkException(SocketErrorClass.Tls, $"cannot read Tls:{option} '{file}': {exception.Message}", isPermanent: true, exception);
        }
    }
}

/// <summary>Explains a handshake that failed for another reason than the server's certificate. Pure.</summary>
internal static class HandshakeFailure
{
    // The types of TLS records: alert and handshake are what a server begins with.
    private const byte FirstTlsType = 20;
    private const byte LastTlsType = 23;

    /// <param name="plainScheme">The scheme of an endpoint without TLS.</param>
    /// <param name="firstByte">The first byte that the server sent; null: it sent none.</param>
    /// <param name="error">The error of the socket; success: it has none.</param>
    public static LogSinkException Of(string target, string plainScheme, TlsClientOptions options, byte? firstByte, SocketError error, Exception exception)
    {
        if (firstByte is < FirstTlsType or > LastTlsType)
            return new LogSinkException(SocketErrorClass.Tls, $"{target} answers the TLS handshake in plain text: it is not a TLS port (use {plainScheme}:// for it)", isPermanent: true, exception);
        string hint = firstByte is null ? $"; a plain-text port behaves like that (use {plainScheme}:// for it)" : "";
        if (error == SocketError.TimedOut)
            return new LogSinkException(SocketErrorClass.Timeout, $"{target} did not finish the TLS handshake in time{hint}", isPermanent: false, exception);
        if (error != SocketError.Success)
            return new LogSinkException(SocketErrorClass.Of(error), $"{target} broke off the TLS handshake{hint}", isPermanent: false, exception);
        return new LogSinkException(
            SocketErrorClass.Tls, $"the TLS handshake with {target} failed: {TlsErrorText.Of(exception, options)}{hint}", isPermanent: firstByte is not null, exception);
    }
}

/// <summary>The message of a TLS library's exception, with that of the innermost one, and what to do about the alerts of a server that refuses the client.</summary>
internal static class TlsErrorText
{
    // OpenSSL's words for the alerts of RFC 8446 §6.2 that are about a certificate: a server sends them about that of the client.
    private static readonly string[] AboutClient =
    [
        "alert certificate required", "alert bad certificate", "alert unsupported certificate", "alert certificate revoked", "alert certificate expired",
        "alert certificate unknown", "alert unknown ca", "alert access denied",
    ];

    public static string Of(Exception exception, TlsClientOptions options)
    {
        Exception innermost = exception.GetBaseException();
        string text = ReferenceEquals(innermost, exception) ? exception.Message : $"{exception.Message.TrimEnd('.')}: {innermost.Message}";
        if (!Array.Exists(AboutClient, alert => innermost.Message.Contains(alert, StringComparison.OrdinalIgnoreCase)))
            return text;
        return options.ClientCertificateFile is { Length: > 0 } file
            ? $"{text} (the server refuses the client certificate of Tls:ClientCertificateFile '{file}')"
            : $"{text} (the server requires a client certificate: set Tls:ClientCertificateFile)";
    }
}
