using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

public sealed class RetryScheduleTests
{
    private static readonly Backoff Delays = new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(30), HasJitter: true);
    private static readonly TimeSpan MaxRetryTime = TimeSpan.FromSeconds(60);
    private readonly FakeTimeProvider _time = new();
    private readonly LogBatch _batch = LogBatch.Create(new BatchRecord(new byte[] { 1 }, LogLevel.Information, DateTimeOffset.UnixEpoch, "C"));

    [Fact]
    public void Delays_double_to_30_s_and_no_attempt_starts_later_than_MaxRetryTime()
    {
        var schedule = new RetrySchedule(_time, static () => 1);
        var delays = new List<double>();
        while (schedule.NextDelay(_batch, null, Delays, MaxRetryTime) is { } delay)
        {
            delays.Add(delay.TotalSeconds);
            _time.Advance(delay);
        }

        Assert.Equal([1, 2, 4, 8, 16], delays);
        Assert.False(schedule.HasExpired(_batch, MaxRetryTime));
    }

    [Fact]
    public void A_delay_that_ends_exactly_then_is_waited_and_a_longer_one_is_not()
    {
        var schedule = new RetrySchedule(_time, static () => 0);
        Assert.Equal(TimeSpan.FromMilliseconds(100), schedule.NextDelay(_batch, null, Delays, MaxRetryTime));
        _time.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal(TimeSpan.FromSeconds(40), schedule.NextDelay(_batch, TimeSpan.FromSeconds(40), Delays, MaxRetryTime));
        Assert.Null(schedule.NextDelay(_batch, TimeSpan.FromSeconds(40.001), Delays, MaxRetryTime));
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(0.5, 12.5)]
    [InlineData(1, 15)]
    public void A_random_part_of_up_to_half_is_added_to_the_delay_of_a_server(double random, double seconds)
        => Assert.Equal(
            TimeSpan.FromSeconds(seconds), new RetrySchedule(_time, () => random).NextDelay(_batch, TimeSpan.FromSeconds(10), Delays, maxRetryTime: null));

    [Fact]
    public void The_random_part_costs_no_attempt_within_MaxRetryTime()
        => Assert.Equal(
            TimeSpan.FromSeconds(12),
            new RetrySchedule(_time, static () => 1).NextDelay(_batch, TimeSpan.FromSeconds(10), Delays, maxRetryTime: TimeSpan.FromSeconds(12)));

    [Fact]
    public void Without_retry_time_there_is_no_second_attempt()
        => Assert.Null(new RetrySchedule(_time, static () => 0).NextDelay(_batch, null, Delays, TimeSpan.Zero));

    [Fact]
    public void By_default_there_is_always_another_attempt_at_most_30_s_later()
    {
        var schedule = new RetrySchedule(_time, static () => 1);
        for (int i = 0; i < 10_000; i++)
        {
            TimeSpan delay = schedule.NextDelay(_batch, null, Delays, maxRetryTime: null)!.Value;
            Assert.Equal(Math.Min(Math.Pow(2, i), 30), delay.TotalSeconds);
            _time.Advance(delay);
        }

        Assert.False(schedule.HasExpired(_batch, maxRetryTime: null));
    }

    [Fact]
    public void After_a_batch_that_was_given_up_the_delays_begin_with_the_first_one()
    {
        var schedule = new RetrySchedule(_time, static () => 1);
        Assert.Equal(TimeSpan.FromSeconds(1), schedule.NextDelay(_batch, null, Delays, maxRetryTime: null));
        Assert.Equal(TimeSpan.FromSeconds(2), schedule.NextDelay(_batch, null, Delays, maxRetryTime: null));
        schedule.GaveUp(_batch);
        Assert.Equal(TimeSpan.FromSeconds(1), schedule.NextDelay(_batch, null, Delays, maxRetryTime: null));
    }

    [Fact]
    public void The_time_of_a_waiting_batch_runs_while_a_notice_is_tried()
    {
        var notice = LogBatch.Create(new BatchRecord(new byte[] { 2 }, LogLevel.Warning, DateTimeOffset.UnixEpoch, "AsyncLog"));
        var schedule = new RetrySchedule(_time, static () => 0);
        Assert.NotNull(schedule.NextDelay(_batch, null, Delays, MaxRetryTime));
        _time.Advance(MaxRetryTime);
        Assert.NotNull(schedule.NextDelay(notice, null, Delays, MaxRetryTime));
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(schedule.HasExpired(notice, MaxRetryTime));
        Assert.True(schedule.HasExpired(_batch, MaxRetryTime));
        schedule.GaveUp(_batch);
        Assert.False(schedule.HasExpired(_batch, MaxRetryTime));
        Assert.NotNull(schedule.NextDelay(_batch, null, Delays, MaxRetryTime));
    }

    [Fact]
    public void A_start_up_line_that_could_not_be_sent_takes_no_time_from_what_comes_later()
    {
        using var collector = new StubCollector();
        // The start-up line twice, then the records.
        var script = new AnswerScript(collector, StubAnswer.Code(503), StubAnswer.Code(503), StubAnswer.Code(503), StubAnswer.Ok);
        using var pipeline = new OtlpPipeline(collector, script, static options => options.MaxRetryTime = MaxRetryTime, withStartupLine: true);
        Eventually.True(() => pipeline.Sink.Thrown.Count == 1);
        pipeline.Time.Advance(MaxRetryTime + MaxRetryTime);
        Eventually.True(() => pipeline.Diagnostics.Reports.Any(static report => report.Condition == "retry_exhausted"), pipeline.Pass);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Delays.Count);
    }

    [Fact]
    public void A_response_ends_the_outage_of_every_waiting_batch()
    {
        var notice = LogBatch.Create(new BatchRecord(new byte[] { 2 }, LogLevel.Warning, DateTimeOffset.UnixEpoch, "AsyncLog"));
        var schedule = new RetrySchedule(_time, static () => 1);
        Assert.Equal(TimeSpan.FromSeconds(1), schedule.NextDelay(_batch, null, Delays, MaxRetryTime));
        Assert.Equal(TimeSpan.FromSeconds(2), schedule.NextDelay(notice, null, Delays, MaxRetryTime));
        schedule.Responded();
        _time.Advance(MaxRetryTime);
        Assert.Equal(TimeSpan.FromSeconds(1), schedule.NextDelay(_batch, null, Delays, MaxRetryTime));
        // Without the response its time would be over.
        Assert.Equal(TimeSpan.FromSeconds(2), schedule.NextDelay(notice, null, Delays, MaxRetryTime));
    }

    [Fact]
    public void Only_what_was_too_large_is_halved_and_each_half_on_its_own()
    {
        var schedule = new RetrySchedule(_time, static () => 0);
        LogBatch batch = BatchOf(512 + 9);
        Refuse(batch, 512);
        Assert.Equal(int.MaxValue, schedule.RecordsOf(batch));
        schedule.Split(batch, 9);
        Assert.Equal(5, schedule.RecordsOf(batch));
        schedule.Split(batch, 5);
        Assert.Equal(3, schedule.RecordsOf(batch));
        Refuse(batch, 3);
        Assert.Equal(2, schedule.RecordsOf(batch));
        Refuse(batch, 2);
        Assert.Equal(4, schedule.RecordsOf(batch));
        Refuse(batch, 1);
        Assert.Equal(3, schedule.RecordsOf(batch));
        Refuse(batch, 3);
        Assert.Equal(int.MaxValue, schedule.RecordsOf(batch));
    }

    [Fact]
    public void Halving_always_ends_at_one_record()
    {
        for (int first = 1; first <= 512; first++)
        {
            var schedule = new RetrySchedule(_time, static () => 0);
            LogBatch batch = BatchOf(600);
            int records = first;
            int steps = 0;
            for (; records > 1; steps++)
            {
                schedule.Split(batch, records);
                Assert.InRange(schedule.RecordsOf(batch), 1, records - 1);
                records = schedule.RecordsOf(batch);
            }

            Assert.Equal((first, (int)Math.Ceiling(Math.Log2(first))), (first, steps));
            schedule.Settled(batch);
            Assert.Equal(int.MaxValue, schedule.RecordsOf(batch));
        }
    }

    [Fact]
    public void A_notice_between_two_attempts_leaves_the_halves_of_the_batch_that_waits()
    {
        var schedule = new RetrySchedule(_time, static () => 0);
        LogBatch batch = BatchOf(200);
        LogBatch notice = BatchOf(1);
        schedule.Split(batch, 100);
        Assert.Equal(int.MaxValue, schedule.RecordsOf(notice));
        Refuse(notice, 1);
        schedule.Settled(notice);
        Assert.Equal(50, schedule.RecordsOf(batch));
    }

    private static LogBatch BatchOf(int records) =>
        LogBatch.Create([.. Enumerable.Repeat(new BatchRecord(new byte[] { 1 }, LogLevel.Information, DateTimeOffset.UnixEpoch, "C"), records)]);

    private static void Refuse(LogBatch batch, int records)
    {
        for (int i = 0; i < records; i++)
            batch.Refuse(0, DropReason.Rejected);
    }
}
