using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace AsyncLog.Tests.Transport;

public sealed class ExportConnectionTests
{
    private const int IpProtoTcp = 6;
    private const int TcpUserTimeout = 18;

    [Fact]
    public async Task A_handshake_that_takes_longer_than_its_attempt_is_counted_as_a_time_out()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        int port = ((IPEndPoint)silent.LocalEndpoint).Port;
        var options = new AsyncOtlpLoggerOptions { Endpoint = new Uri(FormattableString.Invariant($"https://localhost:{port}/v1/logs")) };
        var context = new SinkContext("otlp/test");
        using var connection = new ExportConnection(options, new ConnectionMetrics(context, "tcp"));
        using var limit = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await connection.ConnectAsync(new DnsEndPoint("localhost", port), limit.Token));
        var opened = context.CreateInstrument("asynclog.connection.opened", SinkInstrumentKind.Counter, "", "").Measure();
        Assert.Equal(["timeout"], opened.Where(static measurement => measurement.Value == 1).Select(static measurement => measurement.Tags.Single(static tag => tag.Key == "error.type").Value));
    }

    [Fact]
    public async Task A_connection_is_used_for_several_requests_until_its_lifetime_is_over()
    {
        using var collector = new StubCollector();
        var context = new SinkContext("otlp/test");
        // As a random number it would lie between 0 and 1: this one gives a lifetime of 2 s.
        using var connection = new ExportConnection(
            new AsyncOtlpLoggerOptions { Endpoint = collector.Address }, new ConnectionMetrics(context, "tcp"), random: static () => -4.5 + (2 / 120.0));
        Assert.Equal(2, connection.Lifetime.TotalSeconds, 0.001);
        int requests = 0;
        int requestsOfFirst = 0;
        await Eventually.Holds(async () =>
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, collector.Address);
            (await connection.Invoker.SendAsync(request, TestContext.Current.CancellationToken)).Dispose();
            requests++;
            requestsOfFirst = Opened(context) == 1 ? requests : requestsOfFirst;
            return Opened(context) == 2;
        });
        Assert.InRange(requestsOfFirst, 2, int.MaxValue);
        Assert.Equal(requests, collector.Requests.Count);
    }

    [Theory]
    [InlineData(0.0, 9)]
    [InlineData(0.5, 10)]
    [InlineData(1.0, 11)]
    public void A_connection_ends_after_nine_to_eleven_minutes(double random, int minutes)
    {
        using var connection = new ExportConnection(new AsyncOtlpLoggerOptions { Endpoint = new Uri("http://localhost:4318/v1/logs") }, random: () => random);
        using SocketsHttpHandler handler = connection.CreateHandler();
        Assert.Equal((TimeSpan.FromMinutes(minutes), TimeSpan.FromMinutes(minutes)), (connection.Lifetime, handler.PooledConnectionLifetime));
    }

    [Fact]
    [OnLinux("its socket options")]
    public async Task A_connection_is_watched_by_the_system()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        using var connection = new ExportConnection(new AsyncOtlpLoggerOptions { Endpoint = new Uri($"http://localhost:{port}/v1/logs"), Timeout = TimeSpan.FromSeconds(40) });
        await using Stream stream = await connection.ConnectAsync(new DnsEndPoint("127.0.0.1", port), TestContext.Current.CancellationToken);
        Socket socket = Assert.IsType<NetworkStream>(stream).Socket;
        Assert.True(socket.NoDelay);
        Assert.Equal(1, socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive));
        Assert.Equal(30, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime));
        byte[] userTimeout = new byte[sizeof(int)];
        socket.GetRawSocketOption(IpProtoTcp, TcpUserTimeout, userTimeout);
        Assert.Equal(40_000, BitConverter.ToInt32(userTimeout));
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "answers the TLS handshake in plain text: it is not a TLS port (use http:// for it)")]
    [InlineData("", "; a plain-text port behaves like that (use http:// for it)")]
    // The alert decode_error.
    [InlineData("\u0015\u0003\u0003\u0000\u0002\u0002\u0032", "decode error")]
    public async Task Only_a_server_that_answers_nothing_of_TLS_may_be_a_plain_text_port(string answer, string reason)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var options = new AsyncOtlpLoggerOptions { Endpoint = new Uri($"https://localhost:{((IPEndPoint)listener.LocalEndpoint).Port}/v1/logs") };
        Task server = AnswerAsync(listener, Encoding.Latin1.GetBytes(answer));
        using var connection = new ExportConnection(options);
        var thrown = await Assert.ThrowsAsync<LogSinkException>(
            async () => await connection.ConnectAsync(new DnsEndPoint("localhost", options.Endpoint.Port), TestContext.Current.CancellationToken));
        Assert.EndsWith(reason, thrown.Message, StringComparison.Ordinal);
        await server;
    }

    [Fact]
    public async Task A_final_dot_of_the_host_is_not_sent_to_the_server()
    {
        using X509Certificate2 certificate = X509Certificate2.CreateFromPemFile(TestCertificates.File("server.pem"), TestCertificates.File("server.key"));
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var options = new AsyncOtlpLoggerOptions { Endpoint = new Uri($"https://localhost.:{((IPEndPoint)listener.LocalEndpoint).Port}/v1/logs") };
        options.Tls.CaFile = TestCertificates.File("ca.pem");
        Task<string?> named = NameOfAsync(listener, certificate);
        using var connection = new ExportConnection(options, dialer: ExportConnection.CreateDialer(static _ => [IPAddress.Loopback]));
        await using Stream stream = await connection.ConnectAsync(new DnsEndPoint("localhost.", options.Endpoint.Port), TestContext.Current.CancellationToken);
        Assert.Equal("localhost", await named);
    }

    [Fact]
    public async Task A_server_that_is_not_verified_causes_no_request_to_an_address_in_its_certificate()
    {
        using var authority = new TestAuthority();
        using var issuers = new TcpListener(IPAddress.Loopback, 0);
        issuers.Start();
        using X509Certificate2 missing = authority.Issue([], "CN=Missing authority", isAuthority: true);
        using X509Certificate2 certificate = authority.Issue(["localhost"], issuer: missing, issuerAt: $"http://{issuers.LocalEndpoint}/{Guid.NewGuid():N}.crt");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var options = new AsyncOtlpLoggerOptions { Endpoint = new Uri($"https://localhost:{((IPEndPoint)listener.LocalEndpoint).Port}/v1/logs") };
        options.Tls.CaFile = authority.RootFile;
        Task server = ServeAsync(listener, certificate);
        using var connection = new ExportConnection(options);
        var thrown = await Assert.ThrowsAsync<LogSinkException>(
            async () => await connection.ConnectAsync(new DnsEndPoint("localhost", options.Endpoint.Port), TestContext.Current.CancellationToken));
        Assert.Contains("no valid certificate of its issuer 'Missing authority' comes from the server", thrown.Message, StringComparison.Ordinal);
        Assert.False(issuers.Pending());
        // It uses the certificate.
        await server;
    }

    private static long Opened(SinkContext context)
        => context.CreateInstrument("asynclog.connection.opened", SinkInstrumentKind.Counter, "", "").Measure().Sum(static measurement => measurement.Value);

    private static async Task AnswerAsync(TcpListener listener, byte[] answer)
    {
        using Socket socket = await listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
        // All of the client's hello: unread bytes would reset the connection.
        await socket.ReceiveAsync(new byte[16 << 10], TestContext.Current.CancellationToken);
        if (answer.Length > 0)
            await socket.SendAsync(answer, TestContext.Current.CancellationToken);
    }

    private static async Task<string?> NameOfAsync(TcpListener listener, X509Certificate2 certificate)
    {
        using Socket socket = await listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
        await using var tls = new SslStream(new NetworkStream(socket));
        string? named = null;
        await tls.AuthenticateAsServerAsync(
            new SslServerAuthenticationOptions
            {
                ServerCertificateSelectionCallback = (_, name) =>
                {
                    named = name;
                    return certificate;
                },
            },
            TestContext.Current.CancellationToken);
        return named;
    }

    private static async Task ServeAsync(TcpListener listener, X509Certificate2 certificate)
    {
        await using var tls = new SslStream(new NetworkStream(await listener.AcceptSocketAsync(TestContext.Current.CancellationToken), ownsSocket: true));
        await Record.ExceptionAsync(() => tls.AuthenticateAsServerAsync(new SslServerAuthenticationOptions
        {
            ServerCertificateContext = SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true),
        }));
    }
}
