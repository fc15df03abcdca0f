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

    /// <summary>The name the certificate has to be for.</summary>
    public string ExpectedName => expectedName;

    // As certificates have it: the system translates an international name (RFC 5890) before it compares, MatchesHostname does not.
    private string AsciiName => Ascii.IsValid(expectedName) ? expectedName : new IdnMapping().GetAscii(expectedName);

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
            reasons.Add("it is for another name");
        if ((errors & SslPolicyErrors.RemoteCertificateChainErrors) != 0)
            reasons.Add(ChainText(chain));
        if (WeakKeyOf(chain?.ChainElements.Select(static element => element.Certificate) ?? [certificate]) is { } weakness)
            reasons.Add(weakness);
        if (reasons.Count == 0 && !IsPinned(certificate))
            reasons.Add("its SHA-256 fingerprint is not in PinnedSha256");
        return reasons.Count == 0 ? null : $"{string.Join(", ", reasons)} (expected '{expectedName}', presented {NamesOf(certificate)})";
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

    private static string ChainText(X509Chain? chain)
    {
        var states = chain?.ChainStatus.Select(static status => status.Status.ToString()).Distinct(StringComparer.Ordinal).ToArray() ?? [];
        return states.Length == 0 ? "its chain is not trusted" : $"its chain is not trusted: {string.Join(" ", states)}";
    }

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
