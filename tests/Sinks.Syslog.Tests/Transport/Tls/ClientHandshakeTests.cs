using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog.Tests.Transport.Tls;

public sealed class ClientHandshakeTests
{
    [Fact]
    public void A_version_before_TLS_1_2_is_refused_even_if_the_system_allows_it()
    {
#pragma warning disable SYSLIB0039 // What is too old is the point.
        var refusal = Assert.Throws<AuthenticationException>(static () => ClientHandshake.RequireModern(SslProtocols.Tls11));
#pragma warning restore SYSLIB0039
        Assert.Contains("Tls11", refusal.Message, StringComparison.Ordinal);
        ClientHandshake.RequireModern(SslProtocols.Tls12);
        ClientHandshake.RequireModern(SslProtocols.Tls13);
    }

    [Theory]
    [InlineData("loghost.example.", "loghost.example")]
    [InlineData("loghost.example", "loghost.example")]
    public void The_final_dot_of_an_absolute_name_is_not_sent_to_the_server(string name, string sent)
    {
        var tls = new TlsClientOptions();
        Assert.Equal(sent, ClientHandshake.OptionsFor(tls, new ServerVerification(tls, name)).TargetHost);
    }

    [Theory]
    [InlineData(21, true)]
    [InlineData(null, false)]
    public void A_handshake_that_fails_is_permanent_only_if_the_server_answered_it(int? firstByte, bool isPermanent)
    {
        var refusal = new AuthenticationException("no");
        var failure = HandshakeFailure.Of("loghost:6514", "tcp", new TlsClientOptions(), (byte?)firstByte, SocketError.Success, refusal);
        Assert.Equal(("tls", isPermanent), (failure.ErrorType, failure.IsPermanent));
    }

    [Theory]
    [InlineData(null, "required", "(the server requires a client certificate: set Tls:ClientCertificateFile)")]
    [InlineData("/c.pem", "unknown", "(the server refuses the client certificate of Tls:ClientCertificateFile '/c.pem')")]
    public void An_alert_about_the_client_certificate_names_the_option(string? file, string kind, string cure)
    {
        var alert = new IOException("The read failed, see inner exception.", new CryptographicException($"error:0A00045C:SSL routines::tlsv13 alert certificate {kind}"));
        Assert.Equal(
            $"The read failed, see inner exception: error:0A00045C:SSL routines::tlsv13 alert certificate {kind} {cure}", TlsErrorText.Of(alert, new TlsClientOptions { ClientCertificateFile = file }));
    }

    [Theory]
    [InlineData("m\u00FCnchen.example", true)]
    [InlineData("xn--mnchen-3ya.example", true)]
    [InlineData("log_host", true)]
    [InlineData("loghost.example.", true)]
    [InlineData("::1", true)]
    [InlineData("only-subject.example", false)]
    [NotUnderWine("it makes no keys for certificates")]
    public void A_name_that_the_system_accepted_is_refused_only_if_no_alternative_name_matches(string expected, bool isAccepted)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=only-subject.example", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("xn--mnchen-3ya.example");
        names.AddDnsName("log_host");
        names.AddDnsName("loghost.example");
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        var verification = new ServerVerification(new TlsClientOptions(), expected);
        Assert.Equal(isAccepted, verification.Accept(this, certificate, chain: null, SslPolicyErrors.None));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_certificates_of_a_connection_end_with_it(bool isAsync)
    {
        var tls = new TlsClientOptions
        {
            CaFile = TestCertificates.File("ca.pem"),
            ClientCertificateFile = TestCertificates.File("client.pem"),
            ClientKeyFile = TestCertificates.File("client.key"),
        };
        SslClientAuthenticationOptions options = ClientHandshake.OptionsFor(tls, new ServerVerification(tls, "localhost"));
        X509Certificate2[] certificates = [.. options.CertificateChainPolicy!.CustomTrustStore, options.ClientCertificateContext!.TargetCertificate, .. options.ClientCertificateContext.IntermediateCertificates];
        Assert.True(certificates.Length >= 2);
        Assert.All(certificates, static certificate => Assert.NotEqual(IntPtr.Zero, certificate.Handle));
        var stream = new ClientTlsStream(new MemoryStream(), leaveInnerStreamOpen: false, options);
        if (isAsync)
            await stream.DisposeAsync();
        else
            stream.Dispose();
        Assert.All(certificates, static certificate => Assert.Equal(IntPtr.Zero, certificate.Handle));
    }
}
