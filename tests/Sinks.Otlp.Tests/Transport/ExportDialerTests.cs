using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport;

public sealed class ExportDialerTests
{
    [Fact]
    public async Task HE_04_A_handshake_that_takes_longer_than_its_attempt_is_counted_as_a_time_out()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        int port = ((IPEndPoint)silent.LocalEndpoint).Port;
        var settings = new OtlpTransportSettings { Address = new Uri(FormattableString.Invariant($"https://localhost:{port}/v1/logs")), UserAgent = "x" };
        var voice = new RecordingExportVoice();
        var dialer = new ExportDialer(settings, voice: voice);
        using var limit = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await dialer.DialAsync(new DnsEndPoint("localhost", port), limit.Token));
        Assert.Equal(["timeout"], voice.FailedConnections);
    }
}
