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

    private static LogBatch Notice() => Notices.Batch(Records.Framed(Records.Plain("started")));

    private static LogBatch Batch(int records) => Records.Batch(Records.Framed(Records.Series(records)));

    private StreamTransport Transport(params int[] sends)
    {
        var clock = new BoundedWait(_time);
        return new StreamTransport(Streams.Tcp(514), new BreakingDialer(_time, sends).Connect, new SequenceCounter(), clock, _context, static () => 1);
    }
}
