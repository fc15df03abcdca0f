using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Transport.Stream;

/// <summary>Systems that do not tell what was acknowledged: Windows, macOS, sandboxes.</summary>
public sealed class UntoldAcknowledgementTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly RecordingContext _context = new();
    private readonly UntoldDialer _dialer;
    private readonly StreamReceiver _receiver = new();
    private readonly StreamTransport _transport;

    public UntoldAcknowledgementTests()
    {
        var clock = new BoundedWait(_time);
        // The clock does not move by itself: no pause may wait for it.
        AsyncSyslogLoggerOptions options = Streams.Tcp(_receiver.Port, change: static options => options.ReconnectDelay = TimeSpan.Zero);
        _dialer = new UntoldDialer(new StreamDialer(options, clock).Connect);
        _transport = new StreamTransport(options, _dialer.Connect, new SequenceCounter(), clock, _context, static () => 1);
    }

    [Fact]
    public void A_connection_that_is_closed_in_order_while_idle_has_delivered_everything_and_nothing_is_sent_again()
    {
        for (int burst = 0; burst < 4; burst++)
        {
            int first = burst * 100;
            Write(Records.Series(100, first));
            Eventually.True(() => _receiver.Frames.Count == first + 100);
            _time.Advance(TimeSpan.FromSeconds(1));
            _receiver.Connections[^1].End(ReceiverEnd.Close);
            // Nothing waits to be sent again: the link does not want to be looked after.
            Eventually.True(() => _transport.NextDue is null, () => _transport.RunDue(CancellationToken.None));
        }

        Assert.Equal(Records.Series(400), _receiver.Frames);
        Assert.Equal((4, 4, 0), (_dialer.Dialled, _receiver.Connections.Count, _context.Uncertain));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_peer_that_ends_each_connection_at_once_gets_the_same_records_three_times_at_most(bool isReset)
    {
        _dialer.WaitingTime = _time;
        Write(Records.Series(10));
        for (int connection = 0; connection < 3; connection++)
        {
            Eventually.True(() => _receiver.Connections.Count > connection && _receiver.Connections[connection].Frames.Count == 10, Due);
            _receiver.Connections[connection].End(isReset ? ReceiverEnd.Reset : ReceiverEnd.Close);
            Eventually.True(() => _context.Losses == connection + 1, Due);
        }

        Eventually.True(() => _transport.NextDue is null, Due);
        Assert.Equal((3, 10), (_dialer.Dialled, _context.Uncertain));
        Assert.Equal(3, _receiver.Connections.Count);
        Assert.All(_receiver.Connections, static connection => Assert.Equal(Records.Series(10), connection.Frames));
    }

    [Fact]
    public void What_the_user_timeout_has_not_broken_was_acknowledged_and_is_not_sent_again()
    {
        Write(Records.Series(100));
        Eventually.True(() => _receiver.Frames.Count == 100);
        // Two readings, each as long after the one before as bytes may stay unacknowledged.
        for (int reading = 0; reading < 2; reading++)
        {
            _time.Advance(TimeSpan.FromSeconds(21));
            _transport.RunDue(CancellationToken.None);
        }

        Write(Records.Series(10, first: 100));
        Eventually.True(() => _receiver.Frames.Count == 110);
        _receiver.Connections[0].End(ReceiverEnd.Reset);
        Eventually.True(() => _receiver.Connections.Count == 2 && _receiver.Connections[1].Frames.Count == 10, Due);
        Assert.Equal(Records.Series(10, first: 100), _receiver.Connections[1].Frames);
        // A reset leaves open what the peer had read of what its system took.
        Assert.Equal(100, _context.Uncertain);
    }

    [Fact]
    public void An_idle_connection_is_looked_at_once_a_second()
    {
        Write(Records.Series(1));
        for (int look = 0; look < 3; look++)
        {
            Assert.Equal(_time.GetUtcNow() + TimeSpan.FromSeconds(1), _transport.NextDue);
            _time.Advance(TimeSpan.FromSeconds(1));
            _transport.RunDue(CancellationToken.None);
        }
    }

    [Fact]
    public void At_the_end_the_peers_own_end_proves_everything_read()
    {
        Write(Records.Series(100));
        _transport.End(CancellationToken.None);
        Assert.Equal(100, _receiver.Frames.Count);
        Assert.Equal(0, _context.Uncertain);
    }

    [Fact]
    public void A_system_that_answers_with_zeros_does_not_tell()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(new IPEndPoint(IPAddress.Loopback, _receiver.Port));
        var connection = new SocketConnection(socket, new BoundedWait(_time), "tcp://127.0.0.1", Zeros);
        Assert.Equal(3, connection.Send("abc"u8, TimeSpan.FromSeconds(30), CancellationToken.None));
        Assert.False(connection.TryReadAcknowledged(out _, out _));

        static bool Zeros(Socket socket, out long acknowledged, out long window)
        {
            (acknowledged, window) = (0, 0);
            return true;
        }
    }

    [Fact]
    public void Linux_tells()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "TCP_INFO is Linux's");
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(new IPEndPoint(IPAddress.Loopback, _receiver.Port));
        var connection = new SocketConnection(socket, new BoundedWait(_time), "tcp://127.0.0.1");
        connection.Send("abc"u8, TimeSpan.FromSeconds(30), CancellationToken.None);
        Eventually.True(() => connection.TryReadAcknowledged(out long acknowledged, out _) && acknowledged == 3);
    }

    public void Dispose()
    {
        _transport.Dispose();
        _receiver.Dispose();
    }

    private void Write(IEnumerable<string> records) => _transport.Write(Records.Batch(Records.Framed(records)), CancellationToken.None);

    private void Due() => Record.Exception(() => _transport.RunDue(CancellationToken.None));

    // Real connections that keep to themselves what was acknowledged.
    private sealed class UntoldDialer(ConnectStream connect)
    {
        public int Dialled { get; private set; }

        /// <summary>The clock that waits for the peer move instead of waiting; null: they wait.</summary>
        public FakeTimeProvider? WaitingTime { get; set; }

        public IStreamConnection Connect(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken)
        {
            Dialled++;
            return new Connection(connect(options, cancellationToken), WaitingTime);
        }

        private sealed class Connection(IStreamConnection inner, FakeTimeProvider? time) : IStreamConnection
        {
            public int WriteLimit => inner.WriteLimit;

            public bool IsTransparent => inner.IsTransparent;

            public bool IsClosed => inner.IsClosed;

            public LogSinkException? Failure => inner.Failure;

            public long BytesSent => inner.BytesSent;

            public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken) => inner.Send(frames, stallLimit, cancellationToken);

            public void ProcessIncoming() => inner.ProcessIncoming();

            public void ProcessIncoming(TimeSpan wait, CancellationToken cancellationToken)
            {
                if (time is null)
                    inner.ProcessIncoming(wait, cancellationToken);
                else
                    time.Advance(wait);
            }

            public bool TryReadAcknowledged(out long acknowledged, out long window)
            {
                (acknowledged, window) = (0, 0);
                return false;
            }

            public void Shutdown(TimeSpan limit, CancellationToken cancellationToken) => inner.Shutdown(limit, cancellationToken);

            public void Dispose() => inner.Dispose();
        }
    }
}
