using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport;

public sealed class ExportConnectionTests
{
    [Fact]
    public async Task HE_04_A_handshake_that_takes_longer_than_its_attempt_is_counted_as_a_time_out()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        int port = ((IPEndPoint)silent.LocalEndpoint).Port;
        var options = new AsyncOtlpOptions { Endpoint = new Uri(FormattableString.Invariant($"https://localhost:{port}/v1/logs")) };
        var context = new SinkContext("otlp/test");
        using var connection = new ExportConnection(options, new ConnectionReports(context, "tcp"));
        using var limit = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await connection.ConnectAsync(new DnsEndPoint("localhost", port), limit.Token));
        var opened = context.CreateInstrument("asynclog.connection.opened", SinkInstrumentKind.Counter, "", "").Measure();
        Assert.Equal(["timeout"], opened.Where(static measurement => measurement.Value == 1).Select(static measurement => measurement.Tags.Single(static tag => tag.Key == "error.type").Value));
    }
}
