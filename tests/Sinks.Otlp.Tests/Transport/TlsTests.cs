using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace AsyncLog.Tests.Transport;

public sealed class TlsTests
{
    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1, "HTTP/1.1")]
    [InlineData(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1AndHttp2, "HTTP/2")]
    [InlineData(OtlpProtocol.Grpc, HttpProtocols.Http2, "HTTP/2")]
    public void Records_travel_encrypted_and_HTTP_2_is_used_where_it_is_offered(OtlpProtocol protocol, HttpProtocols offered, string used)
    {
        using StubCollector collector = Collector(protocol, offered);
        using OtlpPipeline pipeline = Pipeline(collector, protocol, static options => options.Tls.CaFile = TestCertificates.File("ca.pem"));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(used, Assert.Single(collector.Requests).Protocol);
    }

    [Fact]
    public void A_client_certificate_is_required_and_sent()
    {
        using StubCollector collector = Collector(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1, wantsClientCertificate: true);
        using (OtlpPipeline pipeline = Pipeline(collector, OtlpProtocol.HttpProtobuf, static options =>
        {
            options.Tls.CaFile = TestCertificates.File("ca.pem");
            options.Tls.ClientCertificateFile = TestCertificates.File("client.pem");
            options.Tls.ClientKeyFile = TestCertificates.File("client.key");
        }))
        {
            pipeline.Log(10);
            Assert.Equal(10, pipeline.Settle().Written);
        }

        using OtlpPipeline anonymous = Pipeline(collector, OtlpProtocol.HttpProtobuf, static options =>
            (options.Tls.CaFile, options.MaxRetryTime) = (TestCertificates.File("ca.pem"), TimeSpan.FromSeconds(60)));
        anonymous.Log(10);
        anonymous.Settle();
        Assert.Equal(10, anonymous.Dropped(DropReason.RetryExhausted));
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, "http/1.1")]
    [InlineData(OtlpProtocol.HttpProtobuf, "h2")]
    [InlineData(OtlpProtocol.Grpc, "h2")]
    [Trait("Category", "system")]
    public void A_missing_client_certificate_is_named_by_every_attempt(OtlpProtocol protocol, string offered)
    {
        int port = Ports.Free();
        using var server = new OpenSslServer(port, "-Verify", "1", "-verify_return_error", "-alpn", offered);
        using StubCollector collector = Collector(protocol, HttpProtocols.Http1);
        using OtlpPipeline pipeline = Pipeline(collector, protocol, options =>
            (options.Endpoint, options.Tls.CaFile) = (new Uri(FormattableString.Invariant($"https://localhost:{port}/v1/logs")), TestCertificates.File("ca.pem")));
        pipeline.Log(10);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 9, pipeline.Pass);
        Assert.All(pipeline.Sink.Thrown, static thrown => Assert.Equal("tls", thrown.ErrorType));
        Assert.All(pipeline.Sink.Thrown, static thrown => Assert.EndsWith("(the server requires a client certificate: set Tls:ClientCertificateFile)", thrown.Message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1)]
    [InlineData(OtlpProtocol.HttpProtobuf, HttpProtocols.Http2)]
    public void A_server_that_ends_without_an_alert_may_require_a_client_certificate(OtlpProtocol protocol, HttpProtocols offered)
    {
        using StubCollector collector = Collector(protocol, offered, wantsClientCertificate: true);
        using OtlpPipeline pipeline = Pipeline(collector, protocol, static options => options.Tls.CaFile = TestCertificates.File("ca.pem"));
        pipeline.Log(10);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 4, pipeline.Pass);
        Assert.Contains(
            pipeline.Sink.Thrown, static thrown => thrown.Message.EndsWith("Or does the server require a client certificate, Tls:ClientCertificateFile?)", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("server", "otherca.pem", null, null, "comes from the server or is among those of Tls:CaFile '")]
    [InlineData("othername", "ca.pem", null, null, "it is for another name (expected 'localhost', presented 'other.example')")]
    [InlineData("expired", "ca.pem", null, null, "it expired on ")]
    [InlineData("server", "ca.pem", "0011223344556677889900112233445566778899001122334455667788990011", null, "PinnedSha256")]
    [InlineData("server", "ca.pem", null, "elsewhere.example", "another name")]
    [InlineData("server", "missing.pem", null, null, "cannot read Tls:CaFile")]
    public void A_server_that_is_not_verified_gets_nothing(string certificate, string caFile, string? pin, string? name, string reason)
    {
        using StubCollector collector = Collector(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1, certificate: certificate);
        using OtlpPipeline pipeline = Pipeline(collector, OtlpProtocol.HttpProtobuf, options =>
            (options.Tls.CaFile, options.Tls.PinnedSha256, options.Tls.ServerName, options.MaxRetryTime) = (TestCertificates.File(caFile), pin, name, TimeSpan.FromSeconds(60)));
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(SinkState.Failed, pipeline.Status.State);
        Assert.Equal(10, pipeline.Dropped(DropReason.RetryExhausted));
        Assert.Equal("tls", Assert.Single(pipeline.Errors.Distinct()));
        Assert.Contains(pipeline.Told, told => told.Contains(reason, StringComparison.Ordinal));
        Assert.Empty(collector.Requests);
    }

    [Fact]
    public void The_certificate_must_match_the_configured_name()
    {
        using StubCollector collector = Collector(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1, certificate: "othername");
        using OtlpPipeline pipeline = Pipeline(collector, OtlpProtocol.HttpProtobuf, static options =>
            (options.Tls.CaFile, options.Tls.ServerName) = (TestCertificates.File("ca.pem"), "other.example"));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1)]
    [InlineData(OtlpProtocol.Grpc, HttpProtocols.Http2)]
    public void Files_that_are_replaced_count_for_the_next_connection(OtlpProtocol protocol, HttpProtocols offered)
    {
        using var folder = new TempFolder();
        string roots = folder.File("ca.pem");
        TestCertificates.Put("ca.pem", roots);
        using StubCollector collector = Collector(protocol, offered);
        StubAnswer ok = protocol == OtlpProtocol.Grpc ? StubAnswer.GrpcOk : StubAnswer.Ok;
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, ok, ok, StubAnswer.Failing(StubAnswer.Closed), ok), options =>
        {
            options.Protocol = protocol;
            options.Tls.CaFile = roots;
        });
        pipeline.Log(1);
        Assert.Equal(1, pipeline.Settle().Written);
        TestCertificates.Put("otherca.pem", roots);
        // The connection that is open stays.
        pipeline.Log(1);
        Assert.Equal(2, pipeline.Settle().Written);
        Assert.Empty(pipeline.Errors);

        // It breaks under the third request.
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Any(static thrown => thrown.ErrorType == "tls"), pipeline.Pass);
        Assert.Equal(3, collector.Requests.Count);
        TestCertificates.Put("ca.pem", roots);
        Assert.Equal(3, pipeline.Settle().Written);
    }

    [Fact]
    public void Through_a_proxy_files_that_are_replaced_count_after_eleven_minutes_at_the_latest()
    {
        string folder = Directory.CreateTempSubdirectory("asynclog-tls-").FullName;
        string roots = Path.Combine(folder, "ca.pem");
        TestCertificates.Put("ca.pem", roots);
        using (StubCollector collector = Collector(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1))
        using (var proxy = new TunnelProxy("tls-collector.invalid", collector.Port))
        using (OtlpPipeline pipeline = Pipeline(collector, OtlpProtocol.HttpProtobuf, options =>
               {
                   (options.Endpoint, options.UseProxy) = (new Uri("https://tls-collector.invalid:4318"), true);
                   (options.Tls.CaFile, options.Tls.ServerName) = (roots, "localhost");
               }))
        {
            pipeline.Log(10);
            Assert.Equal(10, pipeline.Settle().Written);
            TestCertificates.Put("otherca.pem", roots);
            pipeline.Log(10);
            Assert.Equal(20, pipeline.Settle().Written);
            Assert.Equal(1, proxy.Tunnels);
            pipeline.Time.Advance(TimeSpan.FromMinutes(11));
            pipeline.Log(10);
            Eventually.True(() => pipeline.Sink.Thrown.Count > 0, pipeline.Pass);
            Assert.Equal("tls", pipeline.Sink.Thrown[0].ErrorType);
            TestCertificates.Put("ca.pem", roots);
            Assert.Equal(30, pipeline.Settle().Written);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("localhost", true)]
    [InlineData("elsewhere.example", false)]
    public void Through_a_proxy_the_configured_name_is_what_the_certificate_has_to_be_for(string name, bool isAccepted)
    {
        using StubCollector collector = Collector(OtlpProtocol.HttpProtobuf, HttpProtocols.Http1);
        using var proxy = new TunnelProxy("named-collector.invalid", collector.Port);
        using OtlpPipeline pipeline = Pipeline(collector, OtlpProtocol.HttpProtobuf, options =>
        {
            (options.Endpoint, options.UseProxy, options.MaxRetryTime) = (new Uri("https://named-collector.invalid:4318"), true, TimeSpan.FromSeconds(60));
            (options.Tls.CaFile, options.Tls.ServerName) = (TestCertificates.File("ca.pem"), name);
        });
        pipeline.Log(10);
        Assert.Equal(isAccepted ? 10 : 0, pipeline.Settle().Written);
        Assert.Equal(isAccepted ? 10 : 0, collector.Requests.Sum(static request => request.RecordCount));
        string[] errors = isAccepted ? [] : ["tls"];
        Assert.Equal(errors, pipeline.Errors.Distinct());
    }

    private static StubCollector Collector(OtlpProtocol protocol, HttpProtocols offered, bool wantsClientCertificate = false, string certificate = "server")
        => new(
            protocol == OtlpProtocol.Grpc,
            X509Certificate2.CreateFromPemFile(TestCertificates.File(certificate + ".pem"), TestCertificates.File(certificate + ".key")),
            offered,
            wantsClientCertificate);

    private static OtlpPipeline Pipeline(StubCollector collector, OtlpProtocol protocol, Action<AsyncOtlpLoggerOptions> configure) => new(
        collector,
        new AnswerScript(collector, protocol == OtlpProtocol.Grpc ? StubAnswer.GrpcOk : StubAnswer.Ok),
        options =>
        {
            options.Protocol = protocol;
            configure(options);
        });
}
