namespace AsyncLog.Tests.Transport.Stream;

public sealed class UncertainRecordsTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly RecordingContext _context = new();

    [Fact]
    public void What_is_uncertain_of_the_batch_in_hand_is_counted_with_what_is_written()
    {
        using StreamTransport transport = Transport(2, 3);
        LogBatch batch = Batch(3);
        Assert.Throws<LogSinkException>(() => transport.Write(batch, CancellationToken.None));
        Assert.Equal((1, 0), (batch.Count, _context.Uncertain));
        transport.Write(batch, CancellationToken.None);
        Assert.Equal((0, 2), (batch.Count, _context.Uncertain));
    }

    [Fact]
    public void What_is_uncertain_of_earlier_batches_is_counted_at_once()
    {
        using StreamTransport transport = Transport(3, 3);
        transport.Write(Batch(2), CancellationToken.None);
        LogBatch batch = Batch(2);
        Assert.Throws<LogSinkException>(() => transport.Write(batch, CancellationToken.None));
        Assert.Equal((1, 2), (batch.Count, _context.Uncertain));
        transport.Write(batch, CancellationToken.None);
        Assert.Equal((0, 3), (batch.Count, _context.Uncertain));
    }

    [Fact]
    public void What_is_uncertain_of_a_batch_that_the_deadline_cut_is_counted_at_the_end()
    {
        using StreamTransport transport = Transport(2);
        LogBatch batch = Batch(3);
        Assert.Throws<LogSinkException>(() => transport.Write(batch, CancellationToken.None));
        transport.End(new CancellationToken(canceled: true));
        Assert.Equal(2, _context.Uncertain);
    }

    [Fact]
    public void A_notice_is_not_uncertain_because_it_does_not_count_as_written()
    {
        using StreamTransport transport = Transport(4, 1);
        transport.Write(Notice(), CancellationToken.None);
        transport.Write(Batch(2), CancellationToken.None);
        transport.Write(Notice(), CancellationToken.None);
        Assert.Throws<LogSinkException>(() => transport.Write(Batch(1), CancellationToken.None));
        Assert.Equal(2, _context.Uncertain);
    }

    [Fact]
    public void A_notice_between_two_parts_of_a_batch_does_not_count_the_first_part_as_written()
    {
        using StreamTransport transport = Transport(2, 1, 9);
        LogBatch batch = Batch(4);
        Assert.Throws<LogSinkException>(() => transport.Write(batch, CancellationToken.None));
        transport.Write(Notice(), CancellationToken.None);
        Assert.Throws<LogSinkException>(() => transport.Write(batch, CancellationToken.None));
        Assert.Equal((2, 0), (batch.Count, _context.Uncertain));
        transport.Write(batch, CancellationToken.None);
        Assert.Equal((0, 2), (batch.Count, _context.Uncertain));
    }

    [Theory]
    [InlineData(0.7, 10)]
    [InlineData(1, 0)]
    public void Where_the_system_reports_acknowledgements_an_end_in_order_within_a_second_of_the_last_write_proves_nothing(double seconds, int uncertain)
    {
        var dialer = new ToldDialer(_time);
        using StreamTransport transport = Transport(dialer.Connect);
        transport.Write(Batch(10), CancellationToken.None);
        ToldDialer.Connection connection = Assert.Single(dialer.Connections);
        connection.Acknowledged = connection.BytesSent;
        _time.Advance(TimeSpan.FromSeconds(seconds));
        connection.End(isReset: false);
        transport.RunDue(CancellationToken.None);
        Assert.Equal(uncertain, _context.Uncertain);
        // What the peer's system has acknowledged is not sent again.
        Assert.Null(transport.NextDue);
    }

    [Fact]
    public void Over_TLS_frames_are_acknowledged_with_the_last_byte_of_their_cipher_text_and_sent_again_before_that()
    {
        var dialer = new ToldDialer(_time, cipherBytes: 22);
        using StreamTransport transport = Transport(dialer.Connect);
        transport.Write(Batch(3), CancellationToken.None);
        for (int connections = 1; connections <= 2; connections++)
        {
            ToldDialer.Connection connection = dialer.Connections[^1];
            connection.Acknowledged = connection.BytesSent - 1;
            connection.End(isReset: true);
            Assert.Throws<LogSinkException>(() => transport.RunDue(CancellationToken.None));
            Assert.Equal((connections, 0), (dialer.Connections.Count, _context.Uncertain));
            transport.RunDue(CancellationToken.None);
            Assert.Equal(Records.Series(3), dialer.Connections[connections].Frames);
        }

        dialer.Connections[^1].Acknowledged = dialer.Connections[^1].BytesSent;
        dialer.Connections[^1].End(isReset: true);
        transport.RunDue(CancellationToken.None);
        Assert.Null(transport.NextDue);
        Assert.Equal((3, 3), (dialer.Connections.Count, _context.Uncertain));
    }

    private static LogBatch Notice() => Notices.Batch(Records.Framed(Records.Plain("started")));

    private static LogBatch Batch(int records) => Records.Batch(Records.Framed(Records.Series(records)));

    private StreamTransport Transport(params int[] sends) => Transport(new BreakingDialer(_time, sends).Connect);

    private StreamTransport Transport(ConnectStream connect)
        => new(Streams.Tcp(514), connect, new SequenceCounter(), new BoundedWait(_time), _context, static () => 1);
}
