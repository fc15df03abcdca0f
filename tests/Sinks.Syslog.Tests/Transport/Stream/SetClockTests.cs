namespace AsyncLog.Tests.Transport.Stream;

public sealed class SetClockTests
{
    [Theory]
    [InlineData(-60)]
    [InlineData(60)]
    public void A_connection_is_looked_at_in_time_after_the_clock_was_set(int minutes)
    {
        var time = new FakeTimeProvider();
        var clock = new SettableClock(time);
        using var transport = new StreamTransport(
            Streams.Tcp(514), new BreakingDialer(time, 10).Connect, new SequenceCounter(), new BoundedWait(clock), new RecordingContext(), static () => 1);
        transport.Write(Records.Batch(Records.Framed(Records.Series(1))), CancellationToken.None);
        TimeSpan left = transport.NextDue!.Value - clock.GetUtcNow();
        Assert.True(left > TimeSpan.Zero);

        clock.Set(TimeSpan.FromMinutes(minutes));

        Assert.Equal(left, transport.NextDue!.Value - clock.GetUtcNow());
    }
}
