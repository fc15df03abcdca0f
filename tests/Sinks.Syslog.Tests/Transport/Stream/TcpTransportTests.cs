using System.Net;

namespace AsyncLog.Tests.Transport.Stream;

public sealed class TcpTransportTests : IDisposable
{
    private readonly RecordingContext _context = new();
    private StreamReceiver? _receiver;
    private StreamTransport? _transport;

    [Fact]
    public void Frames_arrive_in_order_over_one_connection()
    {
        Connect();
        Write(Records.Series(1000));
        Eventually.True(() => _receiver!.Frames.Count == 1000);
        Assert.Equal(Records.Series(1000), _receiver!.Frames);
        Assert.Single(_receiver.Connections);
    }

    [Fact]
    public void Bytes_from_the_peer_are_ignored()
    {
        Connect(new ReceiverScript { Sends = [.. Enumerable.Repeat((byte)'x', 200_000)] });
        Write(Records.Series(10));
        Write(Records.Series(10, first: 10));
        Eventually.True(() => _receiver!.Frames.Count == 20);
        Assert.Equal(Records.Series(20), _receiver!.Frames);
        Assert.Single(_receiver.Connections);
    }

    [Fact]
    [OnLinux("its sockets return what the peer acknowledged")]
    public void A_connection_closed_while_idle_is_noticed_before_the_next_record()
    {
        Connect();
        Write(Records.Series(1));
        Eventually.True(() => _receiver!.Frames.Count == 1);
        _receiver!.Connections[0].End(ReceiverEnd.Close);
        Write(Records.Series(1, first: 1));
        Eventually.True(() => _receiver.Frames.Count == 2);
        Assert.Equal(Records.Series(2), _receiver.Frames);
        Assert.Equal(2, _receiver.Connections.Count);
    }

    [Fact]
    [OnLinux("its sockets return what the peer acknowledged")]
    public void An_end_seen_between_batches_costs_nothing_while_nothing_is_to_be_sent()
    {
        Connect();
        Write(Records.Series(1));
        Eventually.True(() => _receiver!.Frames.Count == 1);
        _receiver!.Connections[0].End(ReceiverEnd.Close);
        Eventually.True(() => _transport!.NextDue is null, () => _transport!.RunDue(CancellationToken.None));
        Assert.Empty(_context.Errors);
    }

    [Fact]
    [OnLinux("its sockets limit what is unsent")]
    public void What_was_not_acknowledged_is_sent_again_without_a_new_record()
    {
        // A peer that never reads: its system acknowledges what its buffer holds, the rest waits here.
        Connect(static number => new ReceiverScript { ReadLimit = number == 0 ? 1 : long.MaxValue });
        string[] records = Records.Series(2000, length: 200);
        var batch = Records.Batch(Records.Framed(records));
        using var source = new CancellationTokenSource(TimeSpan.FromSeconds(1));
        var thrown = Record.Exception(() => _transport!.Write(batch, source.Token));
        int written = records.Length - batch.Count;
        Assert.NotEqual(0, batch.Count);
        _receiver!.Connections[0].End(ReceiverEnd.Reset);
        Assert.IsType<LogSinkException>(thrown);
        Eventually.True(() => _transport!.NextDue is null || _receiver.Connections.Count == 2, Due);
        Eventually.True(() => _receiver.Connections is [_, { Frames.Count: > 0 } again] && again.Frames[^1] == records[written - 1], Due);
        var resent = _receiver.Connections[1].Frames;
        Assert.Equal(records.AsSpan(written - resent.Count, resent.Count).ToArray(), resent);
        Assert.Equal(0, _receiver.Connections[1].Torn);
        Assert.True(_context.Uncertain + resent.Count >= written, $"{_context.Uncertain} uncertain and {resent.Count} resent of {written}");
    }

    [Fact]
    [OnLinux("its sockets limit what is unsent")]
    public void A_stalled_write_closes_the_connection_and_the_record_is_kept()
    {
        Connect(new ReceiverScript { ReadLimit = 0 }, static options => options.SendTimeout = TimeSpan.FromMilliseconds(200));
        LogBatch batch = Records.Batch(Records.Framed(Records.Series(3500, length: 1000)));
        var thrown = Assert.Throws<LogSinkException>(() => _transport!.Write(batch, CancellationToken.None));
        Assert.Equal("timeout", thrown.ErrorType);
        Assert.InRange(batch.Count, 1, 3499);
        // The next attempt needs another connection.
        Record.Exception(() => _transport!.Write(batch, CancellationToken.None));
        Eventually.True(() => _receiver!.Connections.Count == 2);
        Assert.InRange(batch.Count, 1, 3499);
    }

    [Fact]
    public void A_refused_connection_is_reported_and_works_once_the_server_is_there()
    {
        int port = Ports.Free();
        _transport = Streams.Transport(Streams.Tcp(port), _context);
        LogBatch batch = Records.Batch(Records.Framed(Records.Series(3)));
        var thrown = Assert.Throws<LogSinkException>(() => _transport.Write(batch, CancellationToken.None));
        Assert.Equal(("refused", $"cannot connect to tcp://127.0.0.1:{port}: connection refused"), (thrown.ErrorType, thrown.Message));
        _receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Loopback, port));
        _transport.Write(batch, CancellationToken.None);
        Eventually.True(() => _receiver.Frames.Count == 3);
        Assert.Equal(Records.Series(3), _receiver.Frames);
    }

    [Fact]
    public void A_connection_that_is_never_answered_ends_after_the_connect_timeout()
    {
        using var backlog = new FullBacklog();
        AsyncSyslogLoggerOptions options = Streams.Tcp(backlog.Port, change: static options => options.ConnectTimeout = TimeSpan.FromMilliseconds(300));
        var time = new SteppingClock();
        var clock = new BoundedWait(time);
        _transport = new StreamTransport(options, new StreamDialer(options, clock).Connect, new SequenceCounter(), clock, _context, static () => 1);
        long began = time.GetTimestamp();
        var thrown = Assert.Throws<LogSinkException>(() => _transport.Open(CancellationToken.None));
        Assert.Equal(("timeout", $"cannot connect to tcp://127.0.0.1:{backlog.Port}: timed out"), (thrown.ErrorType, thrown.Message));
        // The usual timeout is five seconds.
        Assert.InRange(time.GetElapsedTime(began), TimeSpan.FromMilliseconds(300), TimeSpan.FromMilliseconds(400));
    }

    [Fact]
    public void All_addresses_are_tried_and_resolved_again_for_each_connection()
    {
        _receiver = new StreamReceiver();
        int lookups = 0;
        var clock = new BoundedWait(TimeProvider.System);
        // 127.0.0.2 has no listener; ::1 may not exist at all.
        var dialer = new NetworkDialer(clock, _ =>
        {
            lookups++;
            return [IPAddress.IPv6Loopback, IPAddress.Parse("127.0.0.2"), IPAddress.Loopback];
        });
        _transport = Streams.Transport(Streams.Tcp(_receiver.Port, "receiver.example"), _context, dialer: dialer);
        Write(Records.Series(1));
        Eventually.True(() => _receiver.Frames.Count == 1);
        Assert.Equal(1, lookups);
        _receiver.Connections[0].End(ReceiverEnd.Close);
        // It does not wait for a connection any more.
        Eventually.True(() => _receiver.Connections[0].HasEnded);
        Eventually.True(() => _transport.NextDue is null || _receiver.Connections.Count == 2, Due);
        Write(Records.Series(1, first: 1));
        Assert.Equal(2, lookups);
        Eventually.True(() => _receiver.Connections is [_, { Frames.Count: > 0 } second] && second.Frames[^1] == Records.Series(1, first: 1)[0]);
    }

    [Fact]
    public void A_lookup_that_hangs_ends_with_the_connect_timeout()
    {
        using var release = new ManualResetEventSlim();
        var time = new SteppingClock();
        var dialer = new NetworkDialer(new BoundedWait(time), _ =>
        {
            release.Wait();
            return [IPAddress.Loopback];
        });
        AsyncSyslogLoggerOptions options = Streams.Tcp(1, "receiver.example", change: static options => options.ConnectTimeout = TimeSpan.FromMilliseconds(200));
        _transport = Streams.Transport(options, _context, dialer: dialer);
        long began = time.GetTimestamp();
        var thrown = Assert.Throws<LogSinkException>(() => _transport.Open(CancellationToken.None));
        Assert.Equal("dns", thrown.ErrorType);
        // The usual timeout is five seconds.
        Assert.InRange(time.GetElapsedTime(began), TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(300));
        release.Set();
    }

    [Fact]
    public void A_new_connection_begins_with_a_whole_frame()
    {
        // Cut inside a frame, again and again; what was read in part is sent again as well.
        Connect(
            static number => new ReceiverScript { ReadLimit = number < 5 ? 1010 + (number * 37) : long.MaxValue, AfterLimit = ReceiverEnd.Reset },
            static options => options.ResendAcknowledgedWindow = true);
        string[] records = Records.Series(300, length: 100);
        LogBatch batch = Records.Batch(Records.Framed(records));
        Eventually.True(() => _receiver!.Frames.Contains(records[^1]), () => Record.Exception(() =>
        {
            _transport!.Write(batch, CancellationToken.None);
            _transport.RunDue(CancellationToken.None);
        }));
        Assert.Equal(6, _receiver!.Connections.Count);
        foreach (var connection in _receiver.Connections)
        {
            Assert.NotEqual(-1, connection.Torn);
            Assert.StartsWith(Records.Header, connection.Frames[0], StringComparison.Ordinal);
        }

        Assert.Equal(records, _receiver.Connections[^1].Frames);
        Assert.Equal(0, _context.Uncertain);
    }

    [Fact]
    public void The_end_sends_everything_and_waits_for_the_peers_end()
    {
        using var reads = new SemaphoreSlim(0);
        using var freely = new CancellationTokenSource();
        _receiver = new StreamReceiver(_ => new ReceiverScript { Trickle = reads, TrickleEnds = freely.Token });
        AsyncSyslogLoggerOptions options = Streams.Tcp(_receiver.Port);
        // It does not move: the end waits as long as the peer needs.
        var clock = new BoundedWait(new FakeTimeProvider());
        _transport = new StreamTransport(options, new StreamDialer(options, clock).Connect, new SequenceCounter(), clock, _context, static () => 1);
        Write(Records.Series(100));
        var end = new Thread(() => _transport!.End(CancellationToken.None)) { IsBackground = true };
        end.Start();
        Assert.False(end.Join(300), "The end does not wait for a peer that has read nothing.");
        freely.Cancel();
        reads.Release();
        Assert.True(end.Join(30_000), "The end does not see that the peer has read everything.");
        Assert.True(Assert.Single(_receiver!.Connections).HasFinished);
        Assert.Equal(Records.Series(100), _receiver.Frames);
        Assert.Equal(0, _context.Uncertain);
    }

    [Fact]
    public void What_is_not_acknowledged_at_the_end_is_uncertain()
    {
        Connect(new ReceiverScript { ReadLimit = 0 });
        string[] records = Records.Framed(Records.Series(2000, length: 200));
        LogBatch batch = Records.Batch(records);
        _transport!.Open(CancellationToken.None);
        using var source = new CancellationTokenSource(TimeSpan.FromMilliseconds(500));
        bool hasFailed = Record.Exception(() => _transport.Write(batch, source.Token)) is not null;
        int written = records.Length - batch.Count;
        _transport.End(CancellationToken.None);
        // The end sends again what a broken connection left. The peer's system has acknowledged what it holds for a reader, and nothing else.
        Eventually.True(() => _receiver!.Connections.Count == (hasFailed ? 2 : 1));
        int acknowledged = _receiver!.Connections[^1].Unread / records[0].Length;
        Assert.True(acknowledged < written, $"{acknowledged} acknowledged of {written}");
        Assert.InRange(_context.Uncertain, written - acknowledged, written);
    }

    [Fact]
    public void A_peer_that_resets_each_connection_at_once_is_not_fed_with_records()
    {
        Connect(static number => new ReceiverScript { ReadLimit = 0, AfterLimit = number < 4 ? ReceiverEnd.Reset : ReceiverEnd.Stay });
        int offered = 0;
        Eventually.True(() => _receiver!.Connections.Count == 4, () => Record.Exception(() =>
        {
            offered += 10;
            Write(Records.Series(10));
            _transport!.RunDue(CancellationToken.None);
        }));
        // Blocks may be lost to the first of them until its reset arrives; each of the others was looked at first, and got none.
        Assert.InRange(_context.Uncertain, 0, offered - 30);
    }

    public void Dispose()
    {
        _transport?.Dispose();
        _receiver?.Dispose();
    }

    [Fact]
    public void A_record_without_a_place_for_its_number_is_refused_and_the_others_arrive()
    {
        Connect(change: static options => options.SequenceId = true);
        LogBatch batch = Records.OneWithoutPlaceForItsNumber("a", "b");
        _transport!.Write(batch, CancellationToken.None);
        Eventually.True(() => _receiver!.Frames.Count == 2);
        Assert.Equal([$"{Records.Header}[meta sequenceId=\"1\"] a", $"{Records.Header}[meta sequenceId=\"2\"] b"], _receiver!.Frames);
        Assert.Equal(0, batch.Count);
        Assert.Equal([(DropReason.EncodeFailed, 1)], Refusals.Of(batch));
    }

    private void Connect(ReceiverScript script, Action<AsyncSyslogLoggerOptions>? change = null) => Connect(_ => script, change);

    private void Connect(Func<int, ReceiverScript>? script = null, Action<AsyncSyslogLoggerOptions>? change = null)
    {
        _receiver = new StreamReceiver(script);
        _transport = Streams.Transport(Streams.Tcp(_receiver.Port, change: change), _context);
    }

    private void Write(IEnumerable<string> records) => _transport!.Write(Records.Batch(Records.Framed(records)), CancellationToken.None);

    private void Due() => Record.Exception(() => _transport!.RunDue(CancellationToken.None));

    // Ten milliseconds pass from each look to the next, however busy the machine is.
    private sealed class SteppingClock : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Interlocked.Add(ref _now, 10 * TimeSpan.TicksPerMillisecond);
    }
}
