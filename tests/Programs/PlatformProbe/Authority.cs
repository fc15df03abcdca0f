using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog.PlatformProbe;

/// <summary>An authority with a certificate for a server on this machine.</summary>
internal sealed class Authority : IDisposable
{
    public Authority(string folder)
    {
        var now = DateTimeOffset.UtcNow;
        using var rootKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var root = new CertificateRequest("CN=Probe authority", rootKey, HashAlgorithmName.SHA256);
        root.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        root.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(root.PublicKey, critical: false));
        Root = root.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var server = new CertificateRequest("CN=server", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        server.CertificateExtensions.Add(names.Build());
        using var bare = server.Create(Root, now.AddDays(-1), now.AddDays(20), [1, 2, 3, 4]);
        using var whole = bare.CopyWithPrivateKey(key);
        // The TLS of Windows takes no key that lives in memory only.
        Server = X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pkcs12), null);
        RootFile = Path.Combine(folder, "root.pem");
        File.WriteAllText(RootFile, Root.ExportCertificatePem());
    }

    public X509Certificate2 Root { get; }

    public X509Certificate2 Server { get; }

    public string RootFile { get; }

    public void Dispose()
    {
        Root.Dispose();
        Server.Dispose();
    }
}
