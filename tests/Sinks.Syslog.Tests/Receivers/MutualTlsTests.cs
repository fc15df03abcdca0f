using AsyncLog.Tests.Transport;

namespace AsyncLog.Tests.Receivers;

/// <summary>Real receivers that want a client certificate.</summary>
[Trait("Category", "system")]
public sealed class MutualTlsTests
{
    [Theory]
    [InlineData("rsyslog", "client", true)]
    [InlineData("rsyslog", null, false)]
    [InlineData("rsyslog", "otherca-client", false)]
    [InlineData("syslog-ng", "client", true)]
    [InlineData("syslog-ng", null, false)]
    [InlineData("syslog-ng", "otherca-client", false)]
    public void A_client_that_is_rejected_loses_few_records_and_reports_each(string kind, string? certificate, bool isLetIn)
    {
        using RealReceiver receiver = RealReceiver.Start(kind);
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri($"tls://localhost:{receiver.Port("mtls")}");
            options.Tls.CaFile = Path.Combine(receiver.Certificates, "ca.pem");
            options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
            options.MaxReconnectDelay = TimeSpan.FromMilliseconds(100);
            options.ShutdownTimeout = TimeSpan.FromMilliseconds(500);
            if (certificate is null)
                return;
            options.Tls.ClientCertificateFile = Path.Combine(receiver.Certificates, certificate + ".pem");
            options.Tls.ClientKeyFile = Path.Combine(receiver.Certificates, certificate + ".key");
        });
        pipeline.Log(10);
        if (isLetIn)
        {
            Assert.True(pipeline.Flush());
            Eventually.True(() => receiver.CountLines() == 10, pollMilliseconds: 50);
            Assert.Equal(10, pipeline.AssertConservation(10).Written);
            return;
        }

        int logged = 10;
        Eventually.True(() => pipeline.Sink.Thrown.Count > 5, () => pipeline.Log(1, logged++), pollMilliseconds: 50);
        Assert.Equal(SinkState.Failed, pipeline.AssertConservation(logged).State);
        // What was sent and is kept for another connection becomes uncertain with the end.
        pipeline.Dispose();
        SinkStatus status = pipeline.AssertConservation(logged);
        Assert.Equal(0, receiver.CountLines());
        Assert.True(status.Written <= 20, $"{status.Written} written to a server that takes none");
        Assert.Equal((status.Written, logged), (status.Uncertain, status.Written + status.Dropped));
    }
}
