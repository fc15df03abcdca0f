using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace AsyncLog.Tests;

/// <summary>An authority that issues what a test wants, good and bad, and publishes what it has revoked.</summary>
internal sealed class TestAuthority : IDisposable
{
    private static readonly Oid ServerAuthentication = new("1.3.6.1.5.5.7.3.1");
    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

    private readonly string _folder = Directory.CreateTempSubdirectory("asynclog-ca-").FullName;
    private readonly TcpListener _publisher = new(IPAddress.Loopback, 0);
    private readonly CertificateRevocationListBuilder _revoked = new();
    private readonly Thread _publishing;

    public TestAuthority()
    {
        Assert.SkipWhen(Wine.IsHere, "not under Wine: it makes no keys for certificates");
        _publisher.Start();
        // Systems cache lists by address: each authority has one of its own.
        RevocationList = $"http://127.0.0.1:{((IPEndPoint)_publisher.LocalEndpoint).Port}/{Guid.NewGuid():N}.crl";
        Root = SelfSigned("CN=Test authority", isAuthority: true);
        File.WriteAllText(RootFile, Root.ExportCertificatePem());
        _publishing = new Thread(Publish) { IsBackground = true, Name = "revocation lists" };
        _publishing.Start();
    }

    public X509Certificate2 Root { get; }

    public string RootFile => Path.Combine(_folder, "root.pem");

    public string RevocationList { get; }

    /// <summary>Issues a certificate.</summary>
    /// <param name="names">The alternative names: DNS names and addresses.</param>
    /// <param name="subject">The subject.</param>
    /// <param name="issuer">Who signs; null: the authority.</param>
    /// <param name="isAuthority">Whether it may sign others.</param>
    /// <param name="from">Days from now on which it becomes valid.</param>
    /// <param name="to">Days from now on which it ends.</param>
    /// <param name="key">Its key; null: a good one.</param>
    /// <param name="isListed">Whether it says where revoked ones are listed.</param>
    /// <param name="issuerAt">The address at which it says its issuer's certificate is; null: it says none.</param>
    public X509Certificate2 Issue(
        string[] names, string subject = "CN=server", X509Certificate2? issuer = null, bool isAuthority = false, int from = -1, int to = 30, RSA? key = null, bool isListed = false,
        string? issuerAt = null)
    {
        using ECDsa usual = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = key is null
            ? new CertificateRequest(subject, usual, HashAlgorithmName.SHA256)
            : new CertificateRequest(subject, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        Describe(request, names, isAuthority);
        if (isListed)
            request.CertificateExtensions.Add(CertificateRevocationListBuilder.BuildCrlDistributionPointExtension([RevocationList]));
        if (issuerAt is not null)
            request.CertificateExtensions.Add(new X509AuthorityInformationAccessExtension(ocspUris: null, caIssuersUris: [issuerAt]));
        issuer ??= Root;
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(issuer, includeKeyIdentifier: true, includeIssuerAndSerial: false));
        using ECDsa signer = issuer.GetECDsaPrivateKey()!;
        using X509Certificate2 bare = request.Create(
            issuer.SubjectName, X509SignatureGenerator.CreateForECDsa(signer), Now.AddDays(from), Now.AddDays(to), RandomNumberGenerator.GetBytes(12));
        return key is null ? bare.CopyWithPrivateKey(usual) : bare.CopyWithPrivateKey(key);
    }

    public static X509Certificate2 SelfSigned(string subject, bool isAuthority)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256);
        Describe(request, ["localhost"], isAuthority);
        return request.CreateSelfSigned(Now.AddDays(-10), Now.AddDays(30));
    }

    public void Revoke(X509Certificate2 certificate)
    {
        lock (_revoked)
            _revoked.AddEntry(certificate, Now.AddHours(-1), X509RevocationReason.KeyCompromise);
    }

    /// <summary>Writes a certificate, those behind it, and its key.</summary>
    /// <returns>The path without .pem and .key.</returns>
    public string Save(X509Certificate2 certificate, params X509Certificate2[] chain)
    {
        string path = Path.Combine(_folder, Guid.NewGuid().ToString("N"));
        File.WriteAllText(path + ".pem", string.Join('\n', [certificate.ExportCertificatePem(), .. chain.Select(static other => other.ExportCertificatePem())]));
        using AsymmetricAlgorithm key = (AsymmetricAlgorithm?)certificate.GetECDsaPrivateKey() ?? certificate.GetRSAPrivateKey()!;
        File.WriteAllText(path + ".key", key.ExportPkcs8PrivateKeyPem());
        return path;
    }

    public void Dispose()
    {
        _publisher.Dispose();
        // It signs with the root's key.
        _publishing.Join();
        Root.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static void Describe(CertificateRequest request, string[] names, bool isAuthority)
    {
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(isAuthority, hasPathLengthConstraint: false, 0, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            isAuthority ? X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign | X509KeyUsageFlags.DigitalSignature : X509KeyUsageFlags.DigitalSignature, critical: true));
        if (isAuthority)
            return;
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([ServerAuthentication], critical: false));
        if (names.Length == 0)
            return;
        var alternative = new SubjectAlternativeNameBuilder();
        foreach (string name in names)
        {
            if (IPAddress.TryParse(name, out IPAddress? address))
                alternative.AddIpAddress(address);
            else
                alternative.AddDnsName(name);
        }

        request.CertificateExtensions.Add(alternative.Build());
    }

    private void Publish()
    {
        try
        {
            while (true)
            {
                using Socket socket = _publisher.AcceptSocket();
                // The question is the same each time; its end is all that has to be seen.
                byte[] question = new byte[8192];
                for (int read = 0, count; !question.AsSpan(0, read).EndsWith("\r\n\r\n"u8) && (count = socket.Receive(question.AsSpan(read), SocketFlags.None)) > 0;)
                    read += count;
                byte[] list = Sign();
                socket.Send(Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Type: application/pkix-crl\r\nContent-Length: {list.Length}\r\nConnection: close\r\n\r\n"));
                socket.Send(list);
                socket.Shutdown(SocketShutdown.Send);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException or CryptographicException)
        {
            // the test is over
        }
    }

    private byte[] Sign()
    {
        lock (_revoked)
            return _revoked.Build(Root, 1, Now.AddDays(1), HashAlgorithmName.SHA256, thisUpdate: Now.AddHours(-1));
    }
}
