using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog;

/// <summary>What a client says and demands in one TLS handshake; the files of the options are read anew.</summary>
internal static class ClientHandshake
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    /// <param name="options">The TLS options.</param>
    /// <param name="verification">Judges the server's certificate.</param>
    /// <exception cref="LogSinkException">A file cannot be read.</exception>
    public static SslClientAuthenticationOptions OptionsFor(TlsClientOptions options, ServerVerification verification) => new()
    {
        TargetHost = verification.ExpectedName,
        // The system's choice, so that a new version needs no new release; what is too old is refused after the handshake.
        EnabledSslProtocols = SslProtocols.None,
        // A write would wait for the server's part of a new handshake, which the thread that waits has to read (ADR 8).
        AllowRenegotiation = false,
        CertificateChainPolicy = PolicyFor(options),
        ClientCertificateContext = CertificateFiles.ReadClient(options),
        RemoteCertificateValidationCallback = verification.Accept,
    };

    /// <summary>Refuses what the system still allows but nobody should use.</summary>
    /// <exception cref="AuthenticationException">The version is older than TLS 1.2.</exception>
    public static void RequireModern(SslProtocols protocol)
    {
        if (protocol < SslProtocols.Tls12)
            throw new AuthenticationException($"the server speaks {protocol} only");
    }

    /// <summary>Lets go of the certificates that were read for the options.</summary>
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
