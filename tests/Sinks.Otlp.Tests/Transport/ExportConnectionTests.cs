using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

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
        var options = new AsyncOtlpOptions { Endpoint = new Uri(FormattableString.Invariant($"https://localhost:{port}/v1/logs")) };
        var context = new SinkContext("otlp/test");
        using var connection = new ExportConnection(options, new ConnectionMetrics(context, "tcp"));
        using var limit = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await connection.ConnectAsync(new DnsEndPoint("localhost", port), limit.Token));
        var opened = context.CreateInstrument("asynclog.connection.opened", SinkInstrumentKind.Counter, "", "").Measure();
        Assert.Equal(["timeout"], opened.Where(static measurement => measurement.Value == 1).Select(static measurement => measurement.Tags.Single(static tag => tag.Key == "error.type").Value));
    }

    [Theory]
    [InlineData(0.0, 9)]
    [InlineData(0.5, 10)]
    [InlineData(1.0, 11)]
    public void A_connection_ends_after_nine_to_eleven_minutes(double random, int minutes)
    {
        using var connection = new ExportConnection(new AsyncOtlpOptions { Endpoint = new Uri("http://localhost:4318/v1/logs") }, random: () => random);
        using SocketsHttpHandler handler = connection.CreateHandler();
        Assert.Equal(TimeSpan.FromMinutes(minutes), handler.PooledConnectionLifetime);
    }

    [Fact]
    [OnLinux("its socket options")]
    public async Task A_connection_is_watched_by_the_system()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        using var connection = new ExportConnection(new AsyncOtlpOptions { Endpoint = new Uri($"http://localhost:{port}/v1/logs"), Timeout = TimeSpan.FromSeconds(40) });
        await using Stream stream = await connection.ConnectAsync(new DnsEndPoint("127.0.0.1", port), TestContext.Current.CancellationToken);
        Socket socket = Assert.IsType<NetworkStream>(stream).Socket;
        Assert.True(socket.NoDelay);
        Assert.Equal(30, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime));
        byte[] userTimeout = new byte[sizeof(int)];
        socket.GetRawSocketOption(IpProtoTcp, TcpUserTimeout, userTimeout);
        Assert.Equal(40_000, BitConverter.ToInt32(userTimeout));
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
        var options = new AsyncOtlpOptions { Endpoint = new Uri($"https://localhost:{((IPEndPoint)listener.LocalEndpoint).Port}/v1/logs") };
        options.Tls.CaFile = authority.RootFile;
        Task server = ServeAsync(listener, certificate);
        using var connection = new ExportConnection(options);
        var thrown = await Assert.ThrowsAsync<LogSinkException>(
            async () => await connection.ConnectAsync(new DnsEndPoint("localhost", options.Endpoint.Port), TestContext.Current.CancellationToken));
        Assert.Contains("its chain is not trusted", thrown.Message, StringComparison.Ordinal);
        Assert.False(issuers.Pending());
        // It uses the certificate.
        await server;
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
