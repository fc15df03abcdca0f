using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace AsyncLog;

/// <summary>Verifies the certificate of a server for one handshake, and keeps the reason of a refusal.</summary>
internal sealed class ServerVerification(TlsClientOptions options, string expectedName)
{
    // 112 bits of security, as of OpenSSL's level 2.
    private const int MinRsaBits = 2048;
    private const int MinCurveBits = 224;

    /// <summary>Reason why the certificate was refused; null: it was not.</summary>
    public string? Refusal { get; private set; }

    /// <summary>True if the system compares the certificate with another name than the expected one: through a proxy, with that of the endpoint.</summary>
    public bool ComparesName { get; init; }

    /// <summary>The name the certificate has to be for, and that the server is told (SNI): without the final dot of an absolute name (RFC 6066 §3).</summary>
    public string ExpectedName { get; } = expectedName.TrimEnd('.');

    // As certificates have it: the system translates an international name (RFC 5890) before it compares, MatchesHostname does not.
    private string AsciiName => Ascii.IsValid(ExpectedName) ? ExpectedName : new IdnMapping().GetAscii(ExpectedName);

    /// <summary>Accepts a certificate if the system verified chain and name, and key lengths and pins hold too.</summary>
    public bool Accept(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (options.DangerousAcceptAnyServerCertificate)
            return true;
        Refusal = ReasonOf(certificate as X509Certificate2, chain, errors);
        return Refusal is null;
    }

    private string? ReasonOf(X509Certificate2? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate is null)
            return "the server presented no certificate";
        var reasons = new List<string>();
        bool isOther = ComparesName ? !certificate.MatchesHostname(AsciiName) : (errors & SslPolicyErrors.RemoteCertificateNameMismatch) != 0;
        if (isOther || IsNamedBySubjectOnly(certificate))
            reasons.Add($"it is for another name (expected '{ExpectedName}', presented {NamesOf(certificate)})");
        if ((errors & SslPolicyErrors.RemoteCertificateChainErrors) != 0)
            AddChain(reasons, chain);
        if (WeakKeyOf(chain?.ChainElements.Select(static element => element.Certificate) ?? [certificate]) is { } weakness)
            reasons.Add(weakness);
        if (reasons.Count == 0 && !IsPinned(certificate))
            reasons.Add($"its SHA-256 fingerprint {certificate.GetCertHashString(HashAlgorithmName.SHA256)} is not in PinnedSha256");
        return reasons.Count == 0 ? null : string.Join(", ", reasons);
    }

    // The system accepts the subject's name for an address although there are alternative names; RFC 6125 §6.4.4 forbids that.
    private bool IsNamedBySubjectOnly(X509Certificate2 certificate) =>
        certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().Any()
        && !certificate.MatchesHostname(AsciiName, allowWildcards: true, allowCommonName: false);

    private bool IsPinned(X509Certificate2 certificate)
    {
        if (string.IsNullOrWhiteSpace(options.PinnedSha256))
            return true;
        string fingerprint = certificate.GetCertHashString(HashAlgorithmName.SHA256);
        foreach (string pin in options.PinnedSha256.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (pin.Replace(":", "", StringComparison.Ordinal).Equals(fingerprint, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }

    // The system verifies the signer, not the strength of the keys.
    private static string? WeakKeyOf(IEnumerable<X509Certificate2> certificates)
    {
        foreach (X509Certificate2 certificate in certificates)
        {
            using RSA? rsa = certificate.GetRSAPublicKey();
            using ECDsa? curve = certificate.GetECDsaPublicKey();
            if (rsa?.KeySize < MinRsaBits)
                return FormattableString.Invariant($"a key of {rsa.KeySize} bits (RSA) is too weak");
            if (curve?.KeySize < MinCurveBits)
                return FormattableString.Invariant($"a key of {curve.KeySize} bits (EC) is too weak");
        }

        return null;
    }

    // The certificate comes first in the chain, then its issuers.
    private void AddChain(List<string> reasons, X509Chain? chain)
    {
        int before = reasons.Count;
        X509ChainElement[] elements = chain?.ChainElements.ToArray() ?? [];
        for (int i = 0; i < elements.Length; i++)
        {
            string subject = i == 0 ? "it" : $"its issuer {NameOf(elements[i].Certificate, forIssuer: false)}";
            foreach (X509ChainStatus status in elements[i].ChainElementStatus)
                Add(reasons, status.Status, TextOf(status.Status, subject, elements[i].Certificate));
        }

        // What belongs to no certificate of the chain.
        foreach (X509ChainStatus status in chain?.ChainStatus ?? [])
        {
            if (!elements.Any(element => element.ChainElementStatus.Any(other => other.Status == status.Status)))
                Add(reasons, status.Status, "its chain is not trusted");
        }

        if (reasons.Count == before)
            reasons.Add("its chain is not trusted");
    }

    private static void Add(List<string> reasons, X509ChainStatusFlags status, string text)
    {
        // .NET's name of the status is what other tools and pages call it.
        if (status != X509ChainStatusFlags.NoError && $"{text} ({status})" is var reason && !reasons.Contains(reason))
            reasons.Add(reason);
    }

    private string TextOf(X509ChainStatusFlags status, string subject, X509Certificate2 certificate) => status switch
    {
        X509ChainStatusFlags.NotTimeValid when certificate.NotBefore.ToUniversalTime() is var from && from > TimeProvider.System.GetUtcNow() =>
            FormattableString.Invariant($"{subject} is not valid before {from:yyyy-MM-dd HH:mm:ss}Z, and it is {TimeProvider.System.GetUtcNow():yyyy-MM-dd HH:mm:ss}Z here"),
        X509ChainStatusFlags.NotTimeValid => FormattableString.Invariant($"{subject} expired on {certificate.NotAfter.ToUniversalTime():yyyy-MM-dd HH:mm:ss}Z"),
        X509ChainStatusFlags.Revoked => $"{subject} is revoked",
        X509ChainStatusFlags.RevocationStatusUnknown or X509ChainStatusFlags.OfflineRevocation => $"whether {subject} is revoked is not known",
        X509ChainStatusFlags.UntrustedRoot when subject == "it" => $"it is signed by itself, and not among {Trusted}",
        X509ChainStatusFlags.UntrustedRoot => $"{subject} is not among {Trusted}",
        X509ChainStatusFlags.PartialChain => $"no valid certificate of its issuer {NameOf(certificate, forIssuer: true)} comes from the server or is among {Trusted}",
        X509ChainStatusFlags.NotValidForUsage => $"{subject} is not meant for a server",
        X509ChainStatusFlags.NotSignatureValid => $"the signature of {(subject == "it" ? "the certificate" : subject)} is wrong",
        X509ChainStatusFlags.InvalidBasicConstraints => $"{subject} is not an authority, or has too many below it",
        X509ChainStatusFlags.InvalidNameConstraints or X509ChainStatusFlags.HasNotPermittedNameConstraint or X509ChainStatusFlags.HasExcludedNameConstraint =>
            $"{subject} is for a name that an issuer does not permit",
        X509ChainStatusFlags.HasWeakSignature => $"the signature of {(subject == "it" ? "the certificate" : subject)} is too weak",
        _ => subject == "it" ? "its chain is not trusted" : $"{subject} is not trusted",
    };

    private string Trusted => options.CaFile is { Length: > 0 } file ? $"those of Tls:CaFile '{file}'" : "the authorities that this system trusts (Tls:CaFile replaces them)";

    private static string NameOf(X509Certificate2 certificate, bool forIssuer) => $"'{certificate.GetNameInfo(X509NameType.SimpleName, forIssuer)}'";

    private static string NamesOf(X509Certificate2 certificate)
    {
        var names = new List<string>();
        foreach (var extension in certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>())
        {
            names.AddRange(extension.EnumerateDnsNames());
            names.AddRange(extension.EnumerateIPAddresses().Select(static address => address.ToString()));
        }

        if (names.Count == 0)
            names.Add(certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false));
        return string.Join(", ", names.Select(static name => $"'{name}'"));
    }
}
