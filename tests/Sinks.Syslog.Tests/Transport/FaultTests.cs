using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using AsyncLog.Tests.Transport.Datagram;
using AsyncLog.Tests.Transport.Stream;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>What the whole sink does when network and receivers misbehave.</summary>
public sealed class FaultTests
{
    [Fact]
    [OnLinux("its sockets return that no process listens")]
    public void Records_for_an_absent_UDP_receiver_on_this_machine_wait_and_arrive_when_it_is_there()
    {
        var endpoint = new IPEndPoint(IPAddress.Loopback, Ports.Free());
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri($"udp://{endpoint}");
            options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
            options.MaxReconnectDelay = TimeSpan.FromMilliseconds(50);
        });
        pipeline.Log(100);
        Eventually.True(() => pipeline.Status.Errors.GetValueOrDefault("refused") > 2);
        SinkStatus status = pipeline.AssertConservation(100);
        Assert.Equal((0L, 0L, SinkState.Degraded, "refused"), (status.Written, status.Dropped, status.State, status.Reason));
        Assert.Equal(1, pipeline.Connects);
        using var receiver = new DatagramReceiver(endpoint);
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Records.Count == 100);
        Assert.Equal(Enumerable.Range(0, 100).Select(SyslogPipeline.NameOf), receiver.Records.Select(MessageOf));
        Assert.Equal(100, pipeline.AssertConservation(100).Written);
    }

    [Fact]
    public void A_datagram_that_every_address_of_another_machine_refuses_is_lost_and_counted()
    {
        var clock = new BoundedWait(TimeProvider.System);
        var sockets = new FakeUdpSockets(["ConnectionRefused*"], clock);
        using var pipeline = new SyslogPipeline(
            static _ => { },
            (options, _, context) => new UdpTransport(
                options, new DnsResolver("receiver.example", clock, static _ => [DatagramBench.Elsewhere, IPAddress.Parse("192.0.2.2")]), sockets, new SequenceCounter(), clock, context));
        pipeline.Log(10);
        Eventually.True(() => pipeline.Dropped(DropReason.WriteFailed) == 10);
        SinkStatus status = pipeline.AssertConservation(10);
        Assert.Equal((0L, 20L, SinkState.Degraded), (status.Written, status.Errors["refused"], status.State));
        Assert.Contains(pipeline.Told, static text => text.Contains("where no receiver listens", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("NoBufferSpaceAvailable*", "NoBufferSpaceAvailable")]
    [InlineData("AccessDenied*", "permission")]
    [InlineData("WouldBlock*", "timeout")]
    public void A_datagram_that_the_system_refuses_is_retried_at_most_once_and_then_dropped_and_counted(string result, string errorClass)
    {
        var time = new FakeTimeProvider();
        var clock = new BoundedWait(time);
        var sockets = new FakeUdpSockets([result], clock) { Waiting = time.Advance };
        using var pipeline = new SyslogPipeline(
            static options => options.ShutdownTimeout = TimeSpan.FromSeconds(1),
            (options, _, context) => new UdpTransport(options, new DnsResolver("192.0.2.1", clock), sockets, new SequenceCounter(), clock, context));
        pipeline.Log(5);
        Eventually.True(() => pipeline.Dropped(DropReason.WriteFailed) == 5, () => time.Advance(TimeSpan.FromMilliseconds(1)));
        Assert.InRange(sockets.Sends.Count, 5, 10);
        Assert.InRange(pipeline.AssertConservation(5).Errors[errorClass], 5, 10);
    }

    [Fact]
    public void A_record_of_70_KB_is_truncated_before_it_is_sent()
    {
        using var receiver = new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, 0));
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri($"udp://127.0.0.1:{receiver.Port}");
            options.MaxMessageSize = 65_507;
        });
        pipeline.Log(1, length: 70_000);
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Records.Count == 1);
        Assert.Equal(65_507, Encoding.UTF8.GetByteCount(receiver.Records[0]));
        Assert.True(StrictRecord.Parses(Encoding.UTF8.GetBytes(receiver.Records[0])));
        Assert.Equal((1L, 0), (pipeline.Status.Truncated, pipeline.Status.Errors.Count));
    }

    [Fact]
    public void With_a_name_that_does_not_resolve_the_sink_starts_degraded_and_delivers_later()
    {
        using var receiver = new StreamReceiver();
        int lookups = 0;
        using var pipeline = new SyslogPipeline(
            options =>
            {
                options.Endpoint = new Uri($"tcp://receiver.example:{receiver.Port}");
                options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
                options.MaxReconnectDelay = TimeSpan.FromMilliseconds(50);
            },
            (options, clock, context) => Streams.Transport(options, context, dialer: new NetworkDialer(clock, _ =>
                Interlocked.Increment(ref lookups) < 5 ? throw new SocketException((int)SocketError.TryAgain) : [IPAddress.Loopback])));
        pipeline.Log(10);
        // The worker counts a failure after the sink has thrown.
        Eventually.True(() => pipeline.Status.Reason == "dns");
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Frames.Count == 10);
        Assert.Equal(Enumerable.Range(0, 10).Select(SyslogPipeline.NameOf), MessagesOf(receiver));
        Assert.Equal(10, pipeline.AssertConservation(10).Written);
    }

    [Fact]
    [OnLinux("its sockets return what the peer acknowledged")]
    public void After_a_reset_the_uncertain_count_covers_the_loss_and_does_not_exceed_the_buffers_of_the_peer()
    {
        const int Resets = 3;
        const int Count = 20_000;
        using var receiver = new StreamReceiver(
            static number => number < Resets ? new ReceiverScript { ReadLimit = 300_000, AfterLimit = ReceiverEnd.Reset } : new ReceiverScript(), bufferBytes: 32 << 10);
        using var pipeline = Tcp(receiver.Port);
        for (int i = 0; i < 100; i++)
        {
            pipeline.Log(200, i * 200, length: 100);
            Assert.True(pipeline.Flush());
        }

        Eventually.True(() => receiver.Connections.Count == Resets + 1 && MessagesOf(receiver).Contains(SyslogPipeline.NameOf(Count - 1)), pollMilliseconds: 20);
        SinkStatus status = pipeline.AssertConservation(Count);
        int lost = Count - MessagesOf(receiver).Distinct().Count();
        Assert.True(status.Uncertain >= lost, $"{lost} lost, {status.Uncertain} uncertain");
        // Twice the largest window of each connection, which is no larger than its buffer, and one step of the count.
        int frame = Records.Framed(receiver.Frames[0]).Length;
        Assert.InRange(status.Uncertain, 0, Resets * (((2 * receiver.ReceiveBuffer) + 8192) / frame));
        Assert.Equal(Count, status.Written);
    }

    [Fact]
    public void A_receiver_that_never_reads_fills_the_queue_and_nothing_else()
    {
        using var receiver = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 0 });
        using var pipeline = Tcp(receiver.Port, static options =>
        {
            options.MaxQueueLength = 2000;
            options.ShutdownTimeout = TimeSpan.FromMilliseconds(300);
        });
        // The peer's system takes a few MB at most before it stops.
        int logged = 0;
        Eventually.True(() => pipeline.Status.DroppedBeforeAcceptance > 0, () => pipeline.Log(500, (logged += 500) - 500, length: 1000));
        SinkStatus status = pipeline.AssertConservation(logged);
        Assert.InRange(status.QueueSize + status.InFlight, 1, 2000);
        Assert.Equal([DropReason.QueueFull], status.Drops.Select(static drop => drop.Reason).Distinct());
        long began = Stopwatch.GetTimestamp();
        pipeline.Dispose();
        Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(5));
        status = Counters.AssertAddUp(pipeline.Status, logged);
        Assert.Equal((0, 0), (status.QueueSize, status.InFlight));
        Assert.True(pipeline.Dropped(DropReason.ShutdownTimeout) > 0);
    }

    [Fact]
    public void At_most_16_KiB_and_one_write_stay_unsent_in_the_kernel()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "TCP_NOTSENT_LOWAT is set on Linux only");
        using var receiver = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 0 });
        var clock = new BoundedWait(TimeProvider.System);
        AsyncSyslogLoggerOptions options = Streams.Tcp(receiver.Port);
        using IStreamConnection connection = new StreamDialer(options, clock).Connect(options, CancellationToken.None);
        byte[] block = new byte[64 << 10];
        while (!connection.IsClosed)
            connection.Send(block, TimeSpan.FromMilliseconds(500), CancellationToken.None);
        Assert.Equal(SocketErrorClass.Timeout, connection.Failure?.ErrorType);
        long unsent = connection.BytesSent - Assert.Single(receiver.Connections).Unread;
        Assert.InRange(unsent, 1, (16 << 10) + block.Length);
    }

    [Fact]
    public void A_flush_returns_false_at_its_timeout_for_a_receiver_that_reads_slowly()
    {
        const int Count = 2000;
        using var trickle = new SemaphoreSlim(0);
        using var end = new CancellationTokenSource();
        using var receiver = new StreamReceiver(_ => new ReceiverScript { Trickle = trickle, TrickleEnds = end.Token }, bufferBytes: 16 << 10);
        using var pipeline = Tcp(receiver.Port);
        pipeline.Log(Count, length: 1000);
        Task<bool> flush = Task.Run(() => pipeline.Flush(1));
        Eventually.True(() => flush.IsCompleted, () => trickle.Release(), pollMilliseconds: 20);
        Assert.False(flush.Result);
        var connection = Assert.Single(receiver.Connections);
        Assert.InRange(connection.ByteCount, 1, 1500);
        Assert.Equal(0, pipeline.AssertConservation(Count).Dropped);
        // The rest arrives over the same connection when it is read.
        end.Cancel();
        trickle.Release();
        Assert.True(pipeline.Flush());
        Assert.Equal(Count, pipeline.AssertConservation(Count).Written);
        Eventually.True(() => receiver.Frames.Count == Count, pollMilliseconds: 50);
        Assert.Single(receiver.Connections);
    }

    [Fact]
    public void A_long_outage_keeps_to_the_bounds_and_counts_exactly()
    {
        int port = Ports.Free();
        const int Bound = 1000;
        using var pipeline = Tcp(port, static options =>
        {
            options.MaxQueueLength = Bound;
            options.QueueFullMode = QueueFullMode.DropOldest;
        });
        // The catalogue's gigabyte in a release run.
        int count = ReleaseRun.Count(50_000, 5_000_000);
        pipeline.Log(count, length: 200);
        SinkStatus status = pipeline.AssertConservation(count);
        Assert.InRange(status.QueueSize + status.InFlight, 1, Bound);
        using var receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Loopback, port));
        Assert.True(pipeline.Flush());
        status = pipeline.AssertConservation(count);
        Assert.InRange(status.Written, 1, Bound);
        Assert.Equal((count - status.Written, 0L), (pipeline.Dropped(DropReason.Evicted), status.Uncertain));
        Eventually.True(() => receiver.Frames.Count == status.Written);
        // Those that were in hand when the server was found away, and the youngest.
        int[] arrived = [.. MessagesOf(receiver).Select(static message => int.Parse(message[1..], CultureInfo.InvariantCulture))];
        Assert.Equal(arrived.Distinct().Order(), arrived);
        Assert.Equal(count - 1, arrived[^1]);
    }

    [Theory]
    [InlineData("absent")]
    [InlineData("stalled")]
    [InlineData("unresolved")]
    public void A_server_in_trouble_does_nothing_to_another_one(string trouble)
    {
        using var receiver = new StreamReceiver();
        using var stalled = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 0 });
        using ServiceProvider services = new ServiceCollection().AddLogging(builder => builder
            .AddAsyncSyslog(static options => options.Main = false)
            .AddAsyncSyslog("live", options => options.Endpoint = new Uri($"tcp://127.0.0.1:{receiver.Port}"))
            .AddAsyncSyslog("troubled", options =>
            {
                options.Endpoint = new Uri(trouble switch { "absent" => "tcp://127.0.0.1:1", "stalled" => $"tcp://127.0.0.1:{stalled.Port}", _ => "tcp://receiver.invalid" });
                options.MaxQueueLength = 100;
                options.ShutdownTimeout = TimeSpan.Zero;
            })).Configure<AsyncLogOptions>(static options => options.StartupReport = false).BuildServiceProvider();
        ILogger logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");
        IReadOnlyList<SinkStatus> Status() => services.GetRequiredService<IAsyncLogControl>().GetStatus().Instances;
        for (int i = 0; i < 20_000; i++)
            logger.LogInformation("{Text}", SyslogPipeline.NameOf(i).PadRight(100, '.'));
        SinkStatus live = Live();
        // A batch is counted after its last frame has arrived.
        Eventually.True(() => (live = Live()).Written == 20_000 && receiver.Frames.Count >= 20_000, pollMilliseconds: 20);
        Assert.Equal(Enumerable.Range(0, 20_000).Select(SyslogPipeline.NameOf), MessagesOf(receiver));
        Assert.Equal((20_000L, 20_000L, 0L, 0L), (live.Offered, live.Written, live.Dropped, live.Uncertain));
        Assert.Equal(SinkState.Healthy, live.State);
        Counters.AssertAddUp(Status().Single(static instance => instance.Name == "syslog/troubled"), 20_000);

        SinkStatus Live() => Status().Single(static instance => instance.Name == "syslog/live");
    }

    [Fact]
    public void Delivery_is_back_within_the_longest_delay_and_a_second_after_the_receiver_is()
    {
        int port = Ports.Free();
        var time = new FakeTimeProvider();
        var longest = TimeSpan.FromSeconds(5);
        using var pipeline = new SyslogPipeline(
            options =>
            {
                options.Endpoint = new Uri($"tcp://127.0.0.1:{port}");
                options.MaxReconnectDelay = longest;
                options.ShutdownTimeout = TimeSpan.Zero;
            },
            time: time);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count >= 10, () => time.Advance(TimeSpan.FromMilliseconds(100)));
        // It rests, and the clock stands.
        Eventually.True(() => time.ArmedOnceCount == 1);
        using var receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Loopback, port));
        time.Advance(longest + TimeSpan.FromSeconds(1));
        Eventually.True(() => receiver.Frames.Count == 1);
    }

    [Fact]
    public void Gap_notices_go_out_as_records_when_room_returns()
    {
        int port = Ports.Free();
        using var pipeline = Tcp(port, static options =>
        {
            options.MaxQueueLength = 100;
            options.GapNotices = true;
            options.SequenceId = true;
        });
        pipeline.Log(1000);
        using var receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Loopback, port));
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Frames.Exists(IsNotice));
        SinkStatus status = pipeline.AssertConservation(1000);
        Assert.Equal(1000, status.Written + pipeline.Dropped(DropReason.QueueFull));
        Eventually.True(() => receiver.Frames.Count(static frame => !IsNotice(frame)) == status.Written);
        // One at least; what is dropped while one is written is in the next.
        Eventually.True(() => receiver.Frames.Where(IsNotice).Sum(DroppedOf) == status.Dropped, text: string.Join('\n', receiver.Frames.Where(IsNotice)));
        string notice = receiver.Frames.Find(IsNotice)!;
        Assert.Contains("(queue_full): Information ", notice, StringComparison.Ordinal);
        Assert.Contains(" DropsEnded [meta sequenceId=\"", notice, StringComparison.Ordinal);
        Assert.All(receiver.Frames, static frame => Assert.True(StrictRecord.Parses(Encoding.UTF8.GetBytes(frame)), frame));

        static bool IsNotice(string frame) => frame.Contains(" records dropped ", StringComparison.Ordinal);

        static long DroppedOf(string notice)
            => long.Parse(notice[..notice.IndexOf(" records dropped ", StringComparison.Ordinal)].Split(' ')[^1], CultureInfo.InvariantCulture);
    }

    [Theory]
    [InlineData(false, "- ", "- ")]
    [InlineData(true, "[meta sequenceId=\"1\"] ", "[meta sequenceId=\"2\"] ")]
    public void A_record_that_cannot_be_rendered_becomes_an_error_record_in_its_frame(bool isNumbered, params string[] data)
    {
        using var receiver = new StreamReceiver();
        using var pipeline = new SyslogPipeline(
            options =>
            {
                options.Endpoint = new Uri($"tcp://127.0.0.1:{receiver.Port}");
                options.UseUtcTimestamp = false;
                options.SequenceId = isNumbered;
            },
            time: new ClockWithoutZone());
        pipeline.Log(2);
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Frames.Count == 2);
        Assert.Equal(
            data.Select(static elements => $"<14>1 - host-1 shop 4242 - {elements}<error formatting record: System.TimeZoneNotFoundException>"),
            receiver.Frames);
        Assert.Equal(2, pipeline.AssertConservation(2).RenderErrors);
    }

    private static SyslogPipeline Tcp(int port, Action<AsyncSyslogLoggerOptions>? change = null) => new(options =>
    {
        options.Endpoint = new Uri($"tcp://127.0.0.1:{port}");
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(100);
        change?.Invoke(options);
    });

    private static List<string> MessagesOf(StreamReceiver receiver) => [.. receiver.Frames.Select(MessageOf)];

    private static string MessageOf(string record) => record[(record.LastIndexOf(' ') + 1)..].TrimEnd('.');

    private sealed class ClockWithoutZone : TimeProvider
    {
        public override TimeZoneInfo LocalTimeZone => throw new TimeZoneNotFoundException();
    }
}
