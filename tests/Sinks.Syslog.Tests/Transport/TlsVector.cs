using System.Security.Authentication;
using System.Text.Json;
using AsyncLog.Tests.Transport.Stream;
using AsyncLog.Tests.Transport.Tls;

namespace AsyncLog.Tests.Transport;

/// <summary>Vectors over TLS.</summary>
internal static class TlsVector
{
    public static void Run(JsonElement setup, Expectations expect)
    {
        if (setup.TextOf("server", null) == "accepts, silent")
            SilentServer(setup, expect);
        else
            Server(setup, expect);
    }

    private static void Server(JsonElement setup, Expectations expect)
    {
        string[] versions = setup.Find("serverTls") is { } given ? [.. given.EnumerateArray().Select(static item => item.GetString()!)] : [];
        Assert.All(versions, static version => Assert.Equal("1.3", version));
        using var receiver = new TlsReceiver(setup.TextOf("certificate", "server")!)
        {
            Protocols = versions.Length > 0 ? SslProtocols.Tls13 : SslProtocols.None,
            AsksForCertificate = setup.TextOf("receiver", null) == "mtls port",
            ClosesAfterFrames = setup.TextOf("server", null) == "closes without close_notify after 1 record" ? 1 : int.MaxValue,
        };
        int records = setup.IntOf("records");
        bool mayArrive;
        using (var pipeline = Pipeline(setup, receiver.Port))
        {
            mayArrive = expect.Take("arrived").GetInt32() > 0;
            for (int i = 0; i < records; i++)
            {
                pipeline.Log(1, i);
                if (mayArrive)
                    Eventually.True(() => receiver.Frames.Count > i);
                else
                    Eventually.True(() => pipeline.Sink.Thrown.Count > 1);
            }

            expect.Number("reports", pipeline.ReportedConditions);
            foreach (string text in expect.Texts("reportMentions"))
                Assert.All(pipeline.Sink.Thrown, exception => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
            if (!mayArrive)
                Assert.All(pipeline.Sink.Thrown, static exception => Assert.Equal(("tls", true), (exception.ErrorType, exception.IsPermanent)));
        }

        expect.Number("arrived", receiver.Frames.Count);
        if (expect.Has("closeNotifySeen"))
            Eventually.True(() => receiver.CloseNotifies == 1);
        expect.Flag("closeNotifySeen", receiver.CloseNotifies == 1);
        if (setup.Find("clientCertificate") is not null)
            Assert.Equal(["CN=client"], receiver.Clients);
    }

    private static void SilentServer(JsonElement setup, Expectations expect)
    {
        using var receiver = new StreamReceiver();
        var time = new FakeTimeProvider();
        var clock = new TransportClock(time);
        DateTimeOffset began = time.GetUtcNow();
        using var pipeline = Pipeline(setup, receiver.Port, (settings, layout, _, voice) => SyslogSinkFactory.CreateTransport(settings, layout, clock, voice));
        pipeline.Log(setup.IntOf("records"));
        Eventually.True(() => receiver.Connections.Count == 1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0, () => time.Advance(TimeSpan.FromMilliseconds(10)));
        LogSinkException thrown = pipeline.Sink.Thrown[0];
        Assert.Equal("timeout", thrown.ErrorType);
        Assert.Contains("plain-text port", thrown.Message, StringComparison.Ordinal);
        expect.Number("handshakeEndsAfterMs", Math.Floor((time.GetUtcNow() - began).TotalSeconds) * 1000);
        Eventually.True(() => receiver.Connections.Count > 1);
        expect.Number("reconnects", receiver.Connections.Count - 1);
        expect.Flag("callerBlocked", pipeline.Status.CallerWait > TimeSpan.Zero);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 1, () => time.Advance(TimeSpan.FromSeconds(1)));
    }

    private static SyslogPipeline Pipeline(
        JsonElement setup, int port, Func<TransportSettings, SyslogLayout, TransportClock, ITransportVoice, ISyslogTransport>? transport = null)
        => new(
            options =>
            {
                VectorSettings.Apply(options, setup);
                options.Endpoint = new Uri($"tls://localhost:{port}");
                options.ShutdownTimeout = TimeSpan.FromSeconds(2);
                if (setup.TextOf("caFile", null) is { } ca)
                    options.Tls.CaFile = TestCertificates.File(ca);
                if (setup.Find("pins") is { } pins)
                    options.Tls.PinnedSha256 = string.Join(',', pins.EnumerateArray().Select(static pin => Pin(pin.GetString()!)));
                if (setup.TextOf("clientCertificate", null) is { } client)
                {
                    options.Tls.ClientCertificateFile = TestCertificates.File(client + ".pem");
                    options.Tls.ClientKeyFile = TestCertificates.File(client + ".key");
                }
            },
            transport);

    private static string Pin(string pin) => pin.EndsWith(".sha256", StringComparison.Ordinal) ? File.ReadAllText(TestCertificates.File(pin)).Trim() : pin;
}
