using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog.Tests.Transport.Tls;

/// <summary>Certificates that an attacker, or a tired administrator, might use: none of them gets a record.</summary>
public sealed class BadCertificateTests : IDisposable
{
    private readonly TestAuthority _authority = new();

    [Theory]
    [InlineData("not yet valid", "localhost", "it is not valid before ")]
    [InlineData("wildcard", "a.b.example.test", "expected 'a.b.example.test', presented '*.example.test'")]
    [InlineData("wildcard", "example.test", "expected 'example.test', presented '*.example.test'")]
    [InlineData("wildcard of everything", "localhost", "it is for another name")]
    [InlineData("right subject, wrong alternative name", "localhost", "expected 'localhost', presented 'other.example'")]
    [InlineData("name before", "localhost", "it is for another name")]
    [InlineData("name behind", "localhost", "it is for another name")]
    [InlineData("address", "localhost", "it is for another name")]
    [InlineData("address as name", "127.0.0.1", "it is for another name")]
    [InlineData("signed by itself", "localhost", "it is signed by itself, and not among those of Tls:CaFile '")]
    [InlineData("signed by a server", "localhost", "no valid certificate of its issuer 'server' comes from the server")]
    [InlineData("signed by an expired authority", "localhost", "no valid certificate of its issuer 'Expired authority' comes from the server")]
    [InlineData("signed by a missing authority", "localhost", "no valid certificate of its issuer 'Missing authority' comes from the server or is among those of Tls:CaFile '")]
    public void A_bad_certificate_is_refused(string kind, string host, string reason)
    {
        using var receiver = new TlsReceiver(Make(kind));
        AssertRefused(receiver.Port, host, reason, static _ => { });
        Assert.Empty(receiver.Frames);
    }

    [Fact]
    public void An_expired_certificate_is_called_so_with_its_date_and_nothing_else()
    {
        using X509Certificate2 certificate = _authority.Issue(["localhost"], from: -9, to: -2);
        using var receiver = new TlsReceiver(_authority.Save(certificate));
        string ended = certificate.NotAfter.ToUniversalTime().ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);
        AssertRefused(receiver.Port, "localhost", $"is refused: it expired on {ended}Z (NotTimeValid)", static _ => { }, isWhole: true);
    }

    [Fact]
    public void An_expired_certificate_for_another_name_is_called_both()
    {
        using X509Certificate2 certificate = _authority.Issue(["other.example"], from: -9, to: -2);
        using var receiver = new TlsReceiver(_authority.Save(certificate));
        string ended = certificate.NotAfter.ToUniversalTime().ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);
        AssertRefused(
            receiver.Port, "localhost", $"is refused: it is for another name (expected 'localhost', presented 'other.example'), it expired on {ended}Z (NotTimeValid)", static _ => { },
            isWhole: true);
    }

    [Fact]
    public void A_wildcard_in_a_certificate_matches_one_label()
    {
        using var receiver = new TlsReceiver(Make("wildcard"));
        AssertAccepted(receiver, options => options.Tls.ServerName = "a.example.test");
    }

    [Fact]
    [Trait("Category", "system")]
    public void A_weak_key_is_refused()
    {
        using RSA key = RSA.Create(1024);
        using X509Certificate2 certificate = _authority.Issue(["localhost"], key: key);
        string path = _authority.Save(certificate);
        int port = Ports.Free();
        // Only a server whose own rules were switched off shows it.
        using var server = new OpenSslServer(port, "-cert", path + ".pem", "-key", path + ".key", "-cipher", "ALL:@SECLEVEL=0");
        AssertRefused(port, "localhost", "a key of 1024 bits (RSA) is too weak", static _ => { });
    }

    [Fact]
    public void A_revoked_certificate_is_refused_where_revocation_is_checked()
    {
        using X509Certificate2 certificate = _authority.Issue(["localhost"], isListed: true);
        _authority.Revoke(certificate);
        using var receiver = new TlsReceiver(_authority.Save(certificate));
        AssertRefused(receiver.Port, "localhost", "it is revoked (Revoked)", static options => options.Tls.CheckRevocation = true);
        Assert.Empty(receiver.Frames);
        AssertAccepted(receiver, static _ => { });
    }

    [Fact]
    public void A_certificate_that_is_not_revoked_is_accepted_where_revocation_is_checked()
    {
        using X509Certificate2 other = _authority.Issue(["localhost"], isListed: true);
        _authority.Revoke(other);
        using X509Certificate2 certificate = _authority.Issue(["localhost"], isListed: true);
        using var receiver = new TlsReceiver(_authority.Save(certificate));
        AssertAccepted(receiver, static options => options.Tls.CheckRevocation = true);
    }

    [Fact]
    public void An_unknown_status_is_a_refusal_where_revocation_is_checked()
    {
        using X509Certificate2 certificate = _authority.Issue(["localhost"]);
        using var receiver = new TlsReceiver(_authority.Save(certificate));
        AssertRefused(receiver.Port, "localhost", "whether it is revoked is not known (RevocationStatusUnknown)", static options => options.Tls.CheckRevocation = true);
        Assert.Empty(receiver.Frames);
        AssertAccepted(receiver, static _ => { });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_server_that_is_not_verified_causes_no_request_to_an_address_in_its_certificate(bool hasRoots)
    {
        using var issuers = new TcpListener(IPAddress.Loopback, 0);
        issuers.Start();
        using X509Certificate2 missing = _authority.Issue([], "CN=Missing authority", isAuthority: true);
        using X509Certificate2 certificate = _authority.Issue(["localhost"], issuer: missing, issuerAt: $"http://{issuers.LocalEndpoint}/{Guid.NewGuid():N}.crt");
        using var receiver = new TlsReceiver(_authority.Save(certificate));
        AssertRefused(receiver.Port, "localhost", "no valid certificate of its issuer 'Missing authority' comes from the server or is among ", options => options.Tls.CaFile = hasRoots ? _authority.RootFile : null);
        Assert.False(issuers.Pending());

        // .NET's own verification makes one. It waits for the answer until the listener is closed.
        using var chain = new X509Chain();
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        chain.ChainPolicy.UrlRetrievalTimeout = TimeSpan.FromMinutes(1);
        bool isTrusted = true;
        var building = new Thread(() => isTrusted = chain.Build(certificate)) { IsBackground = true };
        building.Start();
        Eventually.True(issuers.Pending);
        issuers.Stop();
        building.Join();
        Assert.False(isTrusted);
    }

    public void Dispose() => _authority.Dispose();

    private string Make(string kind)
    {
        switch (kind)
        {
            case "signed by itself":
                using (X509Certificate2 own = TestAuthority.SelfSigned("CN=localhost", isAuthority: false))
                    return _authority.Save(own);
            case "signed by a server":
                using (X509Certificate2 server = _authority.Issue(["localhost"]))
                using (X509Certificate2 below = _authority.Issue(["localhost"], issuer: server))
                    return _authority.Save(below, server);
            case "signed by an expired authority":
                using (X509Certificate2 expired = _authority.Issue([], "CN=Expired authority", isAuthority: true, from: -9, to: -2))
                using (X509Certificate2 below = _authority.Issue(["localhost"], issuer: expired))
                    return _authority.Save(below, expired);
            case "signed by a missing authority":
                using (X509Certificate2 missing = _authority.Issue([], "CN=Missing authority", isAuthority: true))
                using (X509Certificate2 below = _authority.Issue(["localhost"], issuer: missing))
                    return _authority.Save(below);
            default:
                using (X509Certificate2 direct = Direct(kind))
                    return _authority.Save(direct);
        }
    }

    private X509Certificate2 Direct(string kind) => kind switch
    {
        "not yet valid" => _authority.Issue(["localhost"], from: 2),
        "wildcard" => _authority.Issue(["*.example.test"]),
        "wildcard of everything" => _authority.Issue(["*"]),
        "right subject, wrong alternative name" => _authority.Issue(["other.example"], "CN=localhost"),
        "name before" => _authority.Issue(["localhost.example.test"]),
        "name behind" => _authority.Issue(["notlocalhost"]),
        "address" => _authority.Issue(["127.0.0.1"]),
        "address as name" => _authority.Issue(["localhost"], "CN=127.0.0.1"),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "no such certificate"),
    };

    private void AssertRefused(int port, string host, string reason, Action<AsyncSyslogLoggerOptions> change, bool isWhole = false)
    {
        using var pipeline = Pipeline(port, options =>
        {
            options.Tls.ServerName = host;
            change(options);
        });
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
        Assert.Contains(reason, pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
        if (isWhole)
            Assert.EndsWith(reason, pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
        // The state follows what was thrown.
        Eventually.True(() => pipeline.Status.State == SinkState.Failed);
        SinkStatus status = pipeline.AssertConservation(1);
        Assert.Equal((SinkState.Failed, "tls", 0L), (status.State, status.Reason, status.Written));
    }

    private void AssertAccepted(TlsReceiver receiver, Action<AsyncSyslogLoggerOptions> change)
    {
        using var pipeline = Pipeline(receiver.Port, change);
        pipeline.Log(1);
        Eventually.True(() => receiver.Frames.Count == 1 || pipeline.Sink.Thrown.Count > 0);
        Assert.Empty(pipeline.Sink.Thrown);
    }

    private SyslogPipeline Pipeline(int port, Action<AsyncSyslogLoggerOptions> change) => new(options =>
    {
        options.Endpoint = new Uri($"tls://localhost:{port}");
        options.Tls.CaFile = _authority.RootFile;
        options.ReconnectDelay = options.MaxReconnectDelay = TimeSpan.FromMilliseconds(50);
        options.ShutdownTimeout = TimeSpan.FromMilliseconds(500);
        change(options);
    });
}
