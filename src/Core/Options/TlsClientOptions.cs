namespace AsyncLog;

/// <summary>Server verification and client certificate of a network sink; section <c>Tls</c> of its options.</summary>
/// <remarks>AsyncLog always checks the chain and the name of the server's certificate and the strength of its keys (2,048 bits with RSA, 224 with elliptic curves), unless
/// code sets <see cref="DangerousAcceptAnyServerCertificate"/>. It reads the files again for each new connection.</remarks>
public sealed class TlsClientOptions
{
    /// <summary>A PEM file with root certificates that replace those of the system.</summary>
    /// <value>Default null: the system's roots.</value>
    public string? CaFile { get; set; }

    /// <summary>A PEM file with the certificate of the client.</summary>
    /// <value>Default null: none.</value>
    public string? ClientCertificateFile { get; set; }

    /// <summary>A PEM file with the key of <see cref="ClientCertificateFile"/>.</summary>
    /// <value>Default null: the key is in <see cref="ClientCertificateFile"/>.</value>
    public string? ClientKeyFile { get; set; }

    /// <summary>The password of the key. AsyncLog never prints it.</summary>
    /// <value>Default null: the key is not encrypted.</value>
    public string? ClientKeyPassword { get; set; }

    /// <summary>The name that the certificate of the server must contain.</summary>
    /// <value>Default null: the endpoint's host.</value>
    public string? ServerName { get; set; }

    /// <summary>SHA-256 fingerprints of certificates in hexadecimal, separated by commas. One of them must match, in addition to the chain.</summary>
    /// <value>Default null: the chain alone decides.</value>
    public string? PinnedSha256 { get; set; }

    /// <summary>True if AsyncLog checks revocation. It then refuses a certificate whose status is unknown.</summary>
    /// <value>Default false: many log servers use private authorities without a revocation service.</value>
    public bool CheckRevocation { get; set; }

    /// <summary>True if AsyncLog accepts any certificate. For tests only: configuration cannot set it, and AsyncLog warns at every start.</summary>
    /// <value>Default false.</value>
    public bool DangerousAcceptAnyServerCertificate { get; set; }
}
