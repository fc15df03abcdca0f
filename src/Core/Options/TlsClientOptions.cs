namespace AsyncLog;

/// <summary>Server verification and client certificate of a network sink; section <c>Tls</c> of its options.</summary>
/// <remarks>Chain and name of the server's certificate are always checked, unless <see cref="DangerousAcceptAnyServerCertificate"/> is set in code. So is the
/// strength of its keys: 2,048 bits with RSA, 224 with elliptic curves.</remarks>
public sealed class TlsClientOptions
{
    /// <summary>A PEM file with root certificates that replace the system's; read again for each new connection.</summary>
    /// <value>Default null: the system's roots.</value>
    public string? CaFile { get; set; }

    /// <summary>A PEM file with the client's certificate; read again for each new connection.</summary>
    /// <value>Default null: none.</value>
    public string? ClientCertificateFile { get; set; }

    /// <summary>A PEM file with the key of <see cref="ClientCertificateFile"/>; read again for each new connection.</summary>
    /// <value>Default null: the key is in the certificate's file.</value>
    public string? ClientKeyFile { get; set; }

    /// <summary>The password of the key. Never printed.</summary>
    /// <value>Default null: the key is not encrypted.</value>
    public string? ClientKeyPassword { get; set; }

    /// <summary>The name the server's certificate must be for.</summary>
    /// <value>Default null: the endpoint's host.</value>
    public string? ServerName { get; set; }

    /// <summary>SHA-256 fingerprints of certificates in hex, separated by commas; one of them has to match, besides the chain.</summary>
    /// <value>Default null: the chain alone decides.</value>
    public string? PinnedSha256 { get; set; }

    /// <summary>True if revocation is checked; an unknown status is a refusal then.</summary>
    /// <value>Default false: many log servers use private authorities without revocation service.</value>
    public bool CheckRevocation { get; set; }

    /// <summary>True if any certificate is accepted. For tests only: it cannot be set in configuration, and it warns at every start.</summary>
    /// <value>Default false.</value>
    public bool DangerousAcceptAnyServerCertificate { get; set; }
}
