using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Transport.Tls;

public sealed class TlsTransportTests
{
    [Theory]
    [InlineData("othername", "ca.pem", "expected 'localhost', presented 'other.example'")]
    [InlineData("expired", "ca.pem", "it expired on ")]
    [InlineData("server", "otherca.pem", "comes from the server or is among those of Tls:CaFile '")]
    [InlineData("otherca-server", "ca.pem", "comes from the server or is among those of Tls:CaFile '")]
    [InlineData("server", null, "comes from the server or is among the authorities that this system trusts (Tls:CaFile replaces them)")]
    [InlineData("client", "ca.pem", "it is not meant for a server (NotValidForUsage)")]
    public void An_invalid_certificate_is_refused_permanently_and_nothing_is_sent(string certificate, string? ca, string reason)
    {
        using var receiver = new TlsReceiver(certificate);
        using var pipeline = Pipeline(receiver.Port, options => options.Tls.CaFile = ca is null ? null : TestCertificates.File(ca));
        pipeline.Log(3);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 2);
        Assert.All(pipeline.Sink.Thrown, exception => Assert.Contains(reason, exception.Message, StringComparison.Ordinal));
        SinkStatus status = pipeline.AssertConservation(3);
        Assert.Equal((SinkState.Failed, "tls", 0L), (status.State, status.Reason, status.Written));
        Assert.Empty(receiver.Frames);
    }

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("127.0.0.2", false)]
    public void A_certificate_must_list_an_address_like_a_name(string host, bool isAccepted)
    {
        using var receiver = new TlsReceiver("server");
        using var pipeline = Pipeline(receiver.Port, options => options.Tls.ServerName = host);
        pipeline.Log(1);
        Eventually.True(() => isAccepted ? receiver.Frames.Count == 1 : pipeline.Sink.Thrown.Count > 0);
        Assert.Equal(isAccepted ? [] : ["tls"], pipeline.Sink.Thrown.Select(static exception => exception.ErrorType).Distinct());
        Assert.Equal(isAccepted ? 1 : 0, receiver.Frames.Count);
    }

    [Fact]
    public void Any_certificate_is_accepted_where_code_says_so_and_the_instance_stays_degraded()
    {
        using var receiver = new TlsReceiver("otherca-server");
        using var pipeline = Pipeline(receiver.Port, static options => options.Tls.DangerousAcceptAnyServerCertificate = true);
        pipeline.Log(1);
        Eventually.True(() => receiver.Frames.Count == 1);
        Assert.True(pipeline.Flush());
        Assert.Equal(1, pipeline.AssertConservation(1).Written);
        Assert.Equal((SinkState.Degraded, "any_certificate"), (pipeline.Status.State, pipeline.Status.Reason));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_pin_asks_for_more_than_the_chain(bool isPinned)
    {
        using var receiver = new TlsReceiver("server");
        string pin = File.ReadAllText(TestCertificates.File("server.sha256")).Trim();
        string pins = new string('0', 64) + (isPinned ? $", {pin.ToLowerInvariant()}" : "");
        using var pipeline = Pipeline(receiver.Port, options => options.Tls.PinnedSha256 = pins);
        pipeline.Log(1);
        Eventually.True(() => isPinned ? receiver.Frames.Count == 1 : pipeline.Sink.Thrown.Count > 1);
        Assert.Equal(isPinned ? [] : ["tls"], pipeline.Sink.Thrown.Select(static exception => exception.ErrorType).Distinct());
        Assert.Equal(isPinned ? 1 : 0, receiver.Frames.Count);
    }

    [Fact]
    public void A_server_that_speaks_only_TLS_1_1_gets_no_record()
    {
#pragma warning disable SYSLIB0039 // What is too old is the point.
        using var receiver = new TlsReceiver("server") { Protocols = SslProtocols.Tls11 };
#pragma warning restore SYSLIB0039
        using var pipeline = Pipeline(receiver.Port);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
        Assert.Equal("tls", pipeline.Sink.Thrown[0].ErrorType);
        Assert.Equal(0, pipeline.AssertConservation(1).Written);
        Assert.Empty(receiver.Frames);
    }

    [Fact]
    public void A_server_with_TLS_1_2_only_works()
    {
        using var receiver = new TlsReceiver("server") { Protocols = SslProtocols.Tls12 };
        using var pipeline = Pipeline(receiver.Port);
        pipeline.Log(5000, length: 100);
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Frames.Count == 5000);
        Assert.Equal([SslProtocols.Tls12], receiver.Versions);
    }

    [Fact]
    public void A_plain_text_server_is_recognized()
    {
        using var receiver = new StreamReceiver(static _ => new ReceiverScript { Sends = "220 ready\r\n"u8.ToArray() });
        using var pipeline = Pipeline(receiver.Port);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
        Assert.Contains("in plain text", pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
        Assert.Equal("tls", pipeline.Sink.Thrown[0].ErrorType);
    }

    [Fact]
    public void A_server_that_hangs_up_on_the_handshake_may_be_a_plain_text_port()
    {
        using var receiver = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 10, AfterLimit = ReceiverEnd.Close });
        using var pipeline = Pipeline(receiver.Port);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
        Assert.Contains("plain-text port", pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Garbage_instead_of_a_handshake_is_refused_and_retried()
    {
        using var receiver = new StreamReceiver(static _ => new ReceiverScript { Sends = [22, 3, 3, 0, 4, 1, 2, 3, 4, .. Enumerable.Repeat((byte)0xff, 100)] });
        using var pipeline = Pipeline(receiver.Port);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 2);
        Assert.All(pipeline.Sink.Thrown, static exception => Assert.Equal("tls", exception.ErrorType));
    }

    [Fact]
    public void Replaced_certificate_files_apply_from_the_next_connection()
    {
        string folder = Directory.CreateTempSubdirectory("asynclog-tls-").FullName;
        string ca = Path.Combine(folder, "ca.pem");
        File.Copy(TestCertificates.File("otherca.pem"), ca);
        using var receiver = new TlsReceiver("server");
        using (var pipeline = Pipeline(receiver.Port, options => options.Tls.CaFile = ca))
        {
            pipeline.Log(1);
            Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
            TestCertificates.Put("ca.pem", ca);
            Eventually.True(() => receiver.Frames.Count == 1);
            Assert.True(pipeline.Flush());
            Assert.Equal(1, pipeline.AssertConservation(1).Written);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void A_replaced_client_certificate_is_sent_on_the_next_connection()
    {
        string folder = Directory.CreateTempSubdirectory("asynclog-tls-").FullName;
        string certificate = Path.Combine(folder, "client.pem");
        string key = Path.Combine(folder, "client.key");
        Use("client");
        using var receiver = new TlsReceiver("server") { AsksForCertificate = true, ClosesAfterFrames = 1 };
        using (var pipeline = Pipeline(receiver.Port, options => (options.Tls.ClientCertificateFile, options.Tls.ClientKeyFile) = (certificate, key)))
        {
            pipeline.Log(1);
            Eventually.True(() => receiver.Clients.Count == 1 && receiver.Frames.Count == 1);
            // Of the same authority.
            Use("othername");
            // The first connection ends with its first record.
            int logged = 1;
            Eventually.True(() => receiver.Clients.Count >= 2, () => pipeline.Log(1, logged++), pollMilliseconds: 20);
            Assert.Equal("CN=client", receiver.Clients[0]);
            Assert.Equal(["CN=othername"], receiver.Clients.Skip(1).Distinct());
        }

        Directory.Delete(folder, recursive: true);

        void Use(string name)
        {
            TestCertificates.Put(name + ".pem", certificate);
            TestCertificates.Put(name + ".key", key);
        }
    }

    [Fact]
    public void A_certificate_file_that_cannot_be_read_is_named_and_waited_for()
    {
        using var folder = new TempFolder();
        string certificate = folder.File("client.pem");
        using var receiver = new TlsReceiver("server") { AsksForCertificate = true };
        string key = TestCertificates.File("client.key");
        using var pipeline = Pipeline(receiver.Port, options => (options.Tls.ClientCertificateFile, options.Tls.ClientKeyFile) = (certificate, key));
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
        Assert.Contains($"Tls:ClientCertificateFile '{certificate}'", pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
        TestCertificates.Put("client.pem", certificate);
        Eventually.True(() => receiver.Frames.Count == 1);
        Assert.Equal(["CN=client"], receiver.Clients);
    }

    [Fact]
    public void A_handshake_that_fails_in_an_unusual_way_leaves_no_connection_open()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var options = new AsyncSyslogLoggerOptions { Endpoint = new Uri($"tls://{listener.LocalEndpoint}") };
        // No name that a certificate can be for: the TLS library itself refuses it.
        options.Tls.ServerName = "\u00FC..x";
        Assert.Throws<ArgumentException>(() => new StreamDialer(options, new BoundedWait(TimeProvider.System)).Connect(options, CancellationToken.None));
        using Socket server = listener.AcceptSocket();
        server.ReceiveTimeout = 10_000;
        Assert.Equal(0, server.Receive(new byte[1]));
    }

    [Fact]
    public void An_encrypted_client_key_is_read_with_its_password()
    {
        string folder = Directory.CreateTempSubdirectory("asynclog-tls-").FullName;
        string key = Path.Combine(folder, "client.key");
        using (var openssl = Process.Start("openssl", ["pkcs8", "-topk8", "-in", TestCertificates.File("client.key"), "-out", key, "-passout", "pass:secret"]))
        {
            openssl.WaitForExit();
            Assert.Equal(0, openssl.ExitCode);
        }

        using var receiver = new TlsReceiver("server") { AsksForCertificate = true };
        using (var pipeline = Pipeline(receiver.Port, options =>
               {
                   options.Tls.ClientCertificateFile = TestCertificates.File("client.pem");
                   options.Tls.ClientKeyFile = key;
                   options.Tls.ClientKeyPassword = "secret";
               }))
        {
            pipeline.Log(1);
            Eventually.True(() => receiver.Frames.Count == 1);
            Assert.Equal(["CN=client"], receiver.Clients);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void A_client_certificate_rejected_after_the_handshake_costs_only_the_first_records()
    {
        int port = Ports.Free();
        using var server = new OpenSslServer(port, "-Verify", "1", "-verify_return_error");
        using var pipeline = Pipeline(port);
        for (int i = 0; i < 50; i++)
        {
            pipeline.Log(10, i * 10);
            if (i == 0)
                Eventually.True(() => pipeline.Sink.Thrown.Count > 0);
        }

        Eventually.True(() => pipeline.Sink.Thrown.Count > 3);
        SinkStatus status = pipeline.AssertConservation(500);
        Assert.Equal((SinkState.Failed, "tls"), (status.State, status.Reason));
        // The first block is on its way before the server says no; later connections wait for it to speak first.
        Assert.InRange(status.Uncertain, 0, 20);
        Assert.True(status.Written <= 20, $"{status.Written} written");
    }

    [Fact]
    public void New_keys_in_the_middle_of_a_connection_change_nothing()
    {
        int port = Ports.Free();
        using var server = new OpenSslServer(port);
        using var pipeline = Pipeline(port);
        pipeline.Log(100);
        Eventually.True(() => server.CountOf("] r") == 100);
        // K: the server asks for new keys on both sides.
        server.Say("K");
        pipeline.Log(100, first: 100);
        Eventually.True(() => server.CountOf("] r") == 200);
        pipeline.Log(100, first: 200);
        Eventually.True(() => server.CountOf("] r") == 300);
        Assert.Equal(1, pipeline.Connects);
        Assert.Empty(pipeline.Sink.Thrown);
    }

    [Fact]
    public void A_renegotiation_request_of_a_remote_server_costs_only_the_connection()
    {
        int port = Ports.Free();
        using var server = new OpenSslServer(port, "-tls1_2");
        // The worker is in the middle of a write when the server's part of the new handshake is still on its way.
        using var proxy = new DelayingProxy(port, TimeSpan.FromMilliseconds(300));
        using var pipeline = Pipeline(proxy.Port);
        pipeline.Log(10);
        Eventually.True(() => server.CountOf("] r") + server.CountOf("- r") >= 10);
        server.Say("R");
        int logged = 10;
        Eventually.True(() => pipeline.Status.Errors.ContainsKey("tls"), () => pipeline.Log(1, logged++), pollMilliseconds: 20);
        Eventually.True(() => pipeline.Status.Written == logged);
        SinkStatus status = pipeline.AssertConservation(logged);
        Assert.Equal(0, status.Dropped);
        Eventually.True(() => server.Output.Contains($" r{logged - 1}", StringComparison.Ordinal));
    }

    private static SyslogPipeline Pipeline(int port, Action<AsyncSyslogLoggerOptions>? change = null) => new(options =>
    {
        options.Endpoint = new Uri($"tls://localhost:{port}");
        options.Tls.CaFile = TestCertificates.File("ca.pem");
        options.StructuredData = false;
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(100);
        options.ShutdownTimeout = TimeSpan.FromMilliseconds(500);
        change?.Invoke(options);
    });
}
