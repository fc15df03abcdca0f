using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Tests.Transport.Datagram;

public sealed class DatagramTransportTests
{
    [Fact]
    public void A_datagram_is_the_record_and_nothing_else()
    {
        var bench = new DatagramBench([]);
        bench.Write(Records.Plain("one"), Records.Plain("two"));
        Assert.Equal([Records.Plain("one"), Records.Plain("two")], bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
    }

    [Fact]
    public void Each_record_handed_over_gets_the_next_number_sent_or_not()
    {
        var bench = new DatagramBench(["ok", "AccessDenied", "ok"], static options => options.SequenceId = true);
        bench.Transport.Write(Records.Numbered(Records.Plain("a"), Records.Plain("b"), Records.Plain("c")), CancellationToken.None);
        Assert.Equal(
            [$"{Records.Header}[meta sequenceId=\"1\"] a", $"{Records.Header}[meta sequenceId=\"3\"] c"],
            bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
    }

    [Fact]
    public void A_record_without_a_place_for_its_number_is_refused_and_the_others_are_sent()
    {
        var bench = new DatagramBench([], static options => options.SequenceId = true);
        LogBatch batch = Records.OneWithoutPlaceForItsNumber("a", "b");
        bench.Transport.Write(batch, CancellationToken.None);
        Assert.Equal(
            [$"{Records.Header}[meta sequenceId=\"1\"] a", $"{Records.Header}[meta sequenceId=\"2\"] b"],
            bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
        Assert.Equal(0, batch.Count);
        Assert.Equal([(DropReason.EncodeFailed, 1)], Refusals.Of(batch));
    }

    [Fact]
    public void A_refusal_is_counted_and_the_datagram_is_sent_once_more_at_once()
    {
        var bench = new DatagramBench(["ConnectionRefused", "ok", "ConnectionRefused", "ConnectionRefused", "ok"]);
        LogBatch batch = bench.Write(Records.Series(3));

        Assert.Equal(["refused", "refused", "refused"], bench.Context.Errors);
        Assert.Equal(Records.Series(3).Where((_, index) => index != 1), bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
        Assert.Equal(["r0", "r0", "r1", "r1", "r2"], bench.Sockets.Sends.Select(static datagram => Records.MessageOf(Encoding.UTF8.GetString(datagram))));
        Assert.Single(bench.Sockets.SentAt.Distinct());
        Assert.Equal((0, 1), (batch.Count, bench.Sockets.Opened));
        Assert.Equal([(DropReason.WriteFailed, 1)], Refusals.Of(batch));
    }

    [Fact]
    public void A_refusal_by_this_machine_leads_to_the_next_address_of_a_name_and_is_no_error()
    {
        var bench = new DatagramBench(["ConnectionRefused", "ok"]) { Answer = static _ => [IPAddress.IPv6Loopback, IPAddress.Loopback] };
        LogBatch batch = bench.Write(Records.Series(3));
        Assert.Equal(0, batch.Count);
        Assert.Equal(Records.Series(3), bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
        Assert.Equal([IPAddress.IPv6Loopback, IPAddress.Loopback], bench.Sockets.Opens);
        Assert.Empty(bench.Context.Errors);
    }

    [Fact]
    public void A_refusal_by_another_machine_leads_to_the_next_address_and_is_an_error_because_an_earlier_record_is_lost()
    {
        IPAddress second = IPAddress.Parse("192.0.2.2");
        var bench = new DatagramBench(["ok", "ConnectionRefused", "ok"]) { Answer = _ => [DatagramBench.Elsewhere, second] };
        LogBatch batch = bench.Write(Records.Series(3));
        Assert.Equal(0, batch.Count);
        Assert.Equal(Records.Series(3), bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
        Assert.Equal([DatagramBench.Elsewhere, second], bench.Sockets.Opens);
        Assert.Equal(["refused"], bench.Context.Errors);
        Assert.Contains("Earlier records may be lost", Assert.Single(bench.Context.Reports).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_record_that_every_address_of_this_machine_refuses_waits()
    {
        var bench = new DatagramBench(["ConnectionRefused", "ConnectionRefused", "ok"]) { Answer = static _ => [IPAddress.IPv6Loopback, IPAddress.Loopback] };
        LogBatch batch = Records.Batch(Records.Plain("waits"));
        var thrown = Assert.Throws<LogSinkException>(() => bench.Transport.Write(batch, CancellationToken.None));
        Assert.Equal(("refused", false, 1), (thrown.ErrorType, thrown.IsPermanent, batch.Count));
        Assert.StartsWith("cannot send to udp://receiver.example:514, where no receiver listens: ", thrown.Message, StringComparison.Ordinal);
        Assert.Empty(bench.Sockets.Taken);
        Assert.Equal([IPAddress.IPv6Loopback, IPAddress.Loopback], bench.Sockets.Opens);
        Assert.Empty(Refusals.Of(batch));

        bench.Transport.Write(batch, CancellationToken.None);
        Assert.Equal(0, batch.Count);
        Assert.Equal([Records.Plain("waits")], bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
    }

    [Fact]
    public void A_record_that_every_address_of_another_machine_refuses_is_dropped()
    {
        var bench = new DatagramBench(["ConnectionRefused*"]) { Answer = static _ => [DatagramBench.Elsewhere, IPAddress.Parse("192.0.2.2")] };
        LogBatch batch = bench.Write(Records.Plain("lost"));
        Assert.Equal((0, 2), (batch.Count, bench.Sockets.Opened));
        Assert.Equal([(DropReason.WriteFailed, 1)], Refusals.Of(batch));
        Assert.Empty(bench.Sockets.Taken);
        Assert.Equal(["refused", "refused"], bench.Context.Errors);
        Assert.Contains(bench.Context.Reports, static report => report.Message.EndsWith("The record is dropped.", StringComparison.Ordinal));
    }

    [Fact]
    [OnLinux("its sockets return that no process listens")]
    public void A_socket_to_this_machine_returns_each_refusal_until_there_is_a_listener()
    {
        int port = Ports.Free();
        var sockets = new UdpSockets(new BoundedWait(TimeProvider.System));
        using IDatagramSocket socket = sockets.Open(IPAddress.Loopback, port);
        for (int i = 0; i < 10; i++)
            Assert.Equal(SocketError.ConnectionRefused, socket.Send("without a listener"u8));
        using var late = new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, port));
        Assert.Equal(SocketError.Success, socket.Send("heard"u8));
        Eventually.True(() => late.Records.Count == 1);
        Assert.Equal(["heard"], late.Records);
    }

    [Fact]
    public void A_socket_is_renewed_every_five_minutes_because_routes_change()
    {
        var bench = new DatagramBench([], static options => options.Endpoint = new Uri("udp://127.0.0.1"));
        bench.Write(Records.Plain("first"));
        bench.Time.Advance(TimeSpan.FromMinutes(5) - TimeSpan.FromTicks(1));
        bench.Write(Records.Plain("same socket"));
        Assert.Equal(1, bench.Sockets.Opened);
        bench.Time.Advance(TimeSpan.FromTicks(1));
        bench.Write(Records.Plain("next socket"));
        Assert.Equal(2, bench.Sockets.Opened);
        Assert.Equal(3, bench.Sockets.Taken.Count);
    }

    [Fact]
    public void Without_a_route_records_are_dropped_before_the_first_success_as_after_it_and_a_route_is_followed()
    {
        var bench = new DatagramBench(["NetworkUnreachable", "NetworkUnreachable", "ok", "NetworkUnreachable"])
        {
            Answer = static _ => [IPAddress.IPv6Loopback, IPAddress.Loopback],
        };
        bench.Sockets.Unroutable.UnionWith([IPAddress.IPv6Loopback, IPAddress.Loopback]);
        LogBatch before = bench.Write(Records.Series(2));
        Assert.Equal(0, before.Count);
        Assert.Equal([(DropReason.WriteFailed, 2)], Refusals.Of(before));
        Assert.Equal(["unreachable", "unreachable"], bench.Context.Errors);
        bench.Sockets.Unroutable.Remove(IPAddress.Loopback);
        bench.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, bench.Write(Records.Plain("there")).Count);
        Assert.Equal([Records.Plain("there")], bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
        Assert.Equal([IPAddress.Loopback, IPAddress.Loopback], bench.Sockets.Opens);

        LogBatch after = bench.Write(Records.Plain("lost"));
        Assert.Equal(0, after.Count);
        Assert.Equal([(DropReason.WriteFailed, 1)], Refusals.Of(after));
        Assert.Equal(["unreachable", "unreachable", "unreachable"], bench.Context.Errors);
    }

    [Fact]
    public void A_name_whose_first_address_has_no_listener_reaches_the_second_one_through_real_sockets()
    {
        using var receiver = new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, 0));
        var clock = new BoundedWait(TimeProvider.System);
        // ::1 before 127.0.0.1, as /etc/hosts may have it; where there is no IPv6 another address of this machine.
        IPAddress deaf = Socket.OSSupportsIPv6 ? IPAddress.IPv6Loopback : IPAddress.Parse("127.0.0.2");
        using var pipeline = new SyslogPipeline(
            options => options.Endpoint = new Uri($"udp://localhost:{receiver.Port}"),
            (options, _, context) => new UdpTransport(options, new DnsResolver("localhost", clock, _ => [deaf, IPAddress.Loopback]), new UdpSockets(clock), new SequenceCounter(), clock, context));
        for (int i = 0; i < 100; i++)
        {
            pipeline.Log(1, i);
            Assert.True(pipeline.Flush());
        }

        // The refusal of the first record may come late.
        Eventually.True(() => receiver.Records.Count >= 99);
        SinkStatus status = pipeline.AssertConservation(100);
        Assert.Equal((100L, 0L, 0), (status.Written, status.Dropped, status.Errors.Count));
    }

    [Fact]
    public void A_text_that_ends_in_dots_of_its_own_counts_as_truncated_when_it_is_cut()
    {
        var bench = new DatagramBench(["MessageSize", "ok"]);
        bench.Write(Records.Plain(new string('x', 1500) + "..."));
        Assert.Equal((1, 1), (bench.Context.Truncated, bench.Sockets.Taken.Count));
    }

    [Fact]
    public void The_second_truncation_cuts_no_escape_in_two()
    {
        var bench = new DatagramBench(["MessageSize", "ok"], static options => options.MaxMessageSize = 480);
        // The cut at 240 bytes leaves 237 before the mark. The backslash is the 236th byte and begins an escape of six bytes.
        string before = Records.Plain("").PadRight(235, 'x');
        bench.Write(before + "\\u001b" + new string('y', 100));
        Assert.Equal(before + "...", Encoding.UTF8.GetString(bench.Sockets.Taken.Single()));
    }

    [Fact]
    [OnLinux("local sockets for datagrams")]
    public void A_local_receiver_that_takes_nothing_keeps_its_records()
    {
        string path = Path.Combine(Directory.CreateTempSubdirectory("alu-").FullName, "log");
        using var stalled = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { ReceiveTimeout = 30_000 };
        stalled.Bind(new UnixDomainSocketEndPoint(path));
        using SyslogPipeline pipeline = LogToStalled(path, TimeSpan.FromMilliseconds(20));
        SinkStatus status = pipeline.AssertConservation(300);
        Assert.Equal((0L, SinkState.Degraded, "timeout"), (status.Dropped, status.State, status.Reason));
        byte[] buffer = new byte[1 << 16];
        for (int i = 0; i < 300; i++)
        {
            string text = Encoding.UTF8.GetString(buffer, 0, stalled.Receive(buffer));
            Assert.EndsWith(": " + SyslogPipeline.NameOf(i), text, StringComparison.Ordinal);
        }

        Assert.True(pipeline.Flush());
        Assert.Equal(300, pipeline.AssertConservation(300).Written);
        Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
    }

    [Fact]
    [OnLinux("local sockets for datagrams")]
    public void A_local_receiver_that_is_slow_keeps_its_connection_and_one_that_is_gone_gets_another()
    {
        string path = Path.Combine(Directory.CreateTempSubdirectory("alu-").FullName, "log");
        var stalled = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        stalled.Bind(new UnixDomainSocketEndPoint(path));
        using SyslogPipeline pipeline = LogToStalled(path, TimeSpan.FromMilliseconds(10));
        Assert.Equal(["timeout"], pipeline.Sink.Thrown.Select(static thrown => thrown.ErrorType).Distinct());
        Assert.Equal((1, 0), (pipeline.Connects, pipeline.FailedConnects));
        stalled.Dispose();
        File.Delete(path);
        Eventually.True(() => pipeline.FailedConnects > 0);
        using var next = new DatagramReceiver(new UnixDomainSocketEndPoint(path));
        Assert.True(pipeline.Flush());
        Assert.Equal(2, pipeline.Connects);
        Assert.Equal(300, pipeline.AssertConservation(300).Written);
        Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
    }

    [Theory]
    [InlineData("udp://localhost", 500, 30_000, 1000)]
    [InlineData("udp://[::1]:1514", 500, 30_000, 1000)]
    [InlineData("udp://h", 500, 30_000, 30_000)]
    [InlineData("unix:///dev/log", 500, 30_000, 1000)]
    [InlineData("unix:///dev/log", 500, 700, 700)]
    [InlineData("unix:///dev/log", 5000, 30_000, 5000)]
    [InlineData("tcp://h", 500, 30_000, 30_000)]
    public void A_local_receiver_is_tried_again_every_second(string endpoint, int first, int most, int expected)
    {
        var options = new AsyncSyslogLoggerOptions
        {
            Endpoint = new Uri(endpoint),
            ReconnectDelay = TimeSpan.FromMilliseconds(first),
            MaxReconnectDelay = TimeSpan.FromMilliseconds(most),
        };
        Assert.Equal(TimeSpan.FromMilliseconds(expected), new SyslogSinkDefinition().BackoffOf(options).Longest);
    }

    [Fact]
    public void A_socket_that_takes_nothing_is_waited_for_and_then_the_record_is_dropped()
    {
        var bench = new DatagramBench(["WouldBlock*"]);
        LogBatch batch = bench.Write(Records.Series(2));
        Assert.Equal([TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1)], bench.Sockets.Waits);
        Assert.Empty(bench.Sockets.Taken);
        Assert.Equal(0, batch.Count);
        Assert.Equal([(DropReason.WriteFailed, 2)], Refusals.Of(batch));
        Assert.Equal(["timeout", "timeout"], bench.Context.Errors);
        // The report of the instance suppresses repetitions.
        Assert.Equal(["send timeout", "send timeout"], bench.Context.Reports.Select(static report => report.Condition));
        Assert.Equal(
            "cannot send to udp://receiver.example:514 (timeout). The record is dropped.", Assert.Single(bench.Context.Reports.Select(static report => report.Message).Distinct()));
    }

    [Fact]
    public void An_unknown_error_costs_the_record_and_the_socket()
    {
        var bench = new DatagramBench(["ok", "Fault", "ok"]);
        LogBatch batch = Records.Batch(Records.Series(3));
        var thrown = Assert.Throws<LogSinkException>(() => bench.Transport.Write(batch, CancellationToken.None));
        Assert.Equal(("Fault", 1, 1), (thrown.ErrorType, batch.Count, bench.Sockets.Opened));
        Assert.Equal([(DropReason.WriteFailed, 1)], Refusals.Of(batch));
        Assert.StartsWith("cannot send a record to udp://receiver.example:514, it is dropped: ", thrown.Message, StringComparison.Ordinal);
        bench.Transport.Write(batch, CancellationToken.None);
        Assert.Equal(2, bench.Sockets.Opened);
        Assert.Equal([Records.Series(3)[0], Records.Series(3)[2]], bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
    }

    [Fact]
    public void A_record_that_was_dropped_with_its_socket_is_counted_and_told_of()
    {
        var clock = new BoundedWait(TimeProvider.System);
        var sockets = new FakeUdpSockets(["Fault", "ok"], clock);
        using var pipeline = new SyslogPipeline(
            static options => options.ReconnectDelay = TimeSpan.FromMilliseconds(10),
            (options, _, context) => new UdpTransport(options, new DnsResolver("127.0.0.1", clock), sockets, new SequenceCounter(), clock, context));
        pipeline.Log(2);
        Eventually.True(() => pipeline.Status.Written == 1);
        SinkStatus status = pipeline.AssertConservation(2);
        Assert.Equal((1L, 1L), (pipeline.Dropped(DropReason.WriteFailed), status.Errors["Fault"]));
        Assert.Contains(", it is dropped: ", Assert.Single(pipeline.Told), StringComparison.Ordinal);
    }

    [Fact]
    public void Alternating_errors_end()
    {
        var bench = new DatagramBench(["ConnectionRefused", "MessageSize", "ConnectionRefused", "ok"]);
        LogBatch batch = bench.Write(Records.Plain(new string('x', 1500)), Records.Plain("after"));
        Assert.Equal(0, batch.Count);
        Assert.Equal([Records.Plain("after")], bench.Sockets.Taken.Select(Encoding.UTF8.GetString));
        Assert.Equal(4, bench.Sockets.Sends.Count);
        Assert.Equal([(DropReason.WriteFailed, 1)], Refusals.Of(batch));
    }

    [Fact]
    public void A_class_of_errors_is_reported_as_over_only_after_a_quiet_minute()
    {
        var bench = new DatagramBench(["AccessDenied", "ok", "ok"]);
        bench.Write(Records.Plain("lost"));
        bench.Write(Records.Plain("sent"));
        Assert.Empty(bench.Context.Resolved);
        bench.Time.Advance(TimeSpan.FromMinutes(1) - TimeSpan.FromTicks(1));
        bench.Write(Records.Plain("sent"));
        Assert.Empty(bench.Context.Resolved);
        bench.Time.Advance(TimeSpan.FromTicks(1));
        bench.Write(Records.Plain("sent"));
        Assert.Equal(["send permission"], bench.Context.Resolved);
    }

    [Fact]
    public void The_name_is_resolved_again_from_time_to_time_and_a_new_address_gets_a_new_socket()
    {
        var bench = new DatagramBench([]) { Answer = static lookup => [lookup < 3 ? IPAddress.Loopback : IPAddress.IPv6Loopback] };
        bench.Write(Records.Plain("first"));
        Assert.Equal((1, 1), (bench.Lookups, bench.Sockets.Opened));
        bench.Time.Advance(TimeSpan.FromSeconds(60));
        bench.Write(Records.Plain("asks"));
        Eventually.True(() => bench.Lookups == 2);
        bench.Time.Advance(TimeSpan.FromSeconds(60));
        Eventually.True(() => bench.Lookups == 3 && bench.Sockets.Opened == 2, () => bench.Write(Records.Plain("follows")));
        Assert.Equal([IPAddress.Loopback, IPAddress.IPv6Loopback], bench.Sockets.Opens);
    }

    [Fact]
    public void The_name_is_resolved_again_also_when_nothing_is_sent_and_a_new_address_gets_a_new_socket()
    {
        var bench = new DatagramBench([]) { Answer = static lookup => [lookup < 2 ? IPAddress.Loopback : IPAddress.IPv6Loopback] };
        Assert.Null(bench.Transport.NextDue);
        bench.Transport.Open(CancellationToken.None);
        Assert.Equal(bench.Time.GetUtcNow() + TimeSpan.FromSeconds(60), bench.Transport.NextDue);
        bench.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(bench.Time.GetUtcNow(), bench.Transport.NextDue);
        Eventually.True(() => bench.Sockets.Opened == 2, () => bench.Transport.RunDue(CancellationToken.None));
        Assert.Equal([IPAddress.Loopback, IPAddress.IPv6Loopback], bench.Sockets.Opens);
        Assert.Equal(2, bench.Lookups);
        Assert.Equal(bench.Time.GetUtcNow() + TimeSpan.FromSeconds(60), bench.Transport.NextDue);
    }

    [Fact]
    public void The_worker_resolves_a_name_again_while_nobody_logs()
    {
        var time = new FakeTimeProvider();
        int lookups = 0;
        using var pipeline = new SyslogPipeline(
            static options =>
            {
                options.Endpoint = new Uri("udp://receiver.example");
                options.ShutdownTimeout = TimeSpan.Zero;
            },
            (options, clock, context) => new UdpTransport(options, new DnsResolver("receiver.example", clock, Resolve), new FakeUdpSockets([], clock), new SequenceCounter(), clock, context),
            time);
        // The first lookup is waited for: its time must not run out.
        Eventually.True(() => pipeline.Connects == 1);
        Eventually.True(() => Volatile.Read(ref lookups) >= 3, () => time.Advance(TimeSpan.FromSeconds(1)));
        Assert.Empty(pipeline.Sink.Thrown);

        IPAddress[] Resolve(string host)
        {
            Interlocked.Increment(ref lookups);
            return [IPAddress.Loopback];
        }
    }

    [Fact]
    public void An_address_is_never_due()
    {
        var bench = new DatagramBench([], static options => options.Endpoint = new Uri("udp://127.0.0.1"));
        bench.Write(Records.Plain("sent"));
        Assert.Null(bench.Transport.NextDue);
    }

    [Fact]
    public void A_storm_of_unreachable_errors_asks_for_the_name_once_a_second()
    {
        var bench = new DatagramBench(["NetworkUnreachable*"]);
        bench.Write(Records.Series(100));
        Eventually.True(() => bench.Lookups == 2);
        bench.Write(Records.Series(100));
        Assert.Equal(2, bench.Lookups);
        bench.Time.Advance(TimeSpan.FromSeconds(1));
        Eventually.True(() => bench.Lookups == 3, () => bench.Write(Records.Plain("again")));
    }

    [Theory]
    [InlineData(SocketError.ConnectionRefused, "refused")]
    [InlineData(SocketError.ConnectionReset, "reset")]
    [InlineData(SocketError.Shutdown, "reset")]
    [InlineData(SocketError.TimedOut, "timeout")]
    [InlineData(SocketError.HostUnreachable, "unreachable")]
    [InlineData(SocketError.AddressNotAvailable, "unreachable")]
    [InlineData(SocketError.TryAgain, "dns")]
    [InlineData(SocketError.AccessDenied, "permission")]
    [InlineData(SocketError.MessageSize, "MessageSize")]
    public void Errors_have_short_classes(SocketError error, string expected) => Assert.Equal(expected, SocketErrorClass.Of(error));

    // Logs 300 records to a local socket that takes nothing, and waits until the sink has tried several times.
    private static SyslogPipeline LogToStalled(string path, TimeSpan delay)
    {
        var pipeline = new SyslogPipeline(options => (options.Endpoint, options.SendTimeout, options.ReconnectDelay) = (new Uri($"unix://{path}"), delay, delay));
        pipeline.Log(300);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 5);
        return pipeline;
    }
}
