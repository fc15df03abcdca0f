using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

public sealed class RetryWindowTests
{
    private static readonly Backoff Delays = new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(30), HasJitter: true);
    private static readonly TimeSpan MaxRetryTime = TimeSpan.FromSeconds(60);
    private readonly FakeTimeProvider _time = new();
    private readonly LogBatch _batch = LogBatch.Create(new LogRecord(new byte[] { 1 }, LogLevel.Information, DateTimeOffset.UnixEpoch, "C"));

    [Fact]
    public void OT_35_Delays_double_to_30_s_and_no_attempt_starts_later_than_MaxRetryTime()
    {
        var window = new RetryWindow(_time, static () => 1);
        var delays = new List<double>();
        while (window.NextDelay(_batch, null, Delays, MaxRetryTime) is { } delay)
        {
            delays.Add(delay.TotalSeconds);
            _time.Advance(delay);
        }

        Assert.Equal([1, 2, 4, 8, 16], delays);
        Assert.False(window.IsOverFor(_batch, MaxRetryTime));
    }

    [Fact]
    public void OT_35_A_delay_that_ends_exactly_then_is_waited_and_a_longer_one_is_not()
    {
        var window = new RetryWindow(_time, static () => 0);
        Assert.Equal(ServerDelay.Shortest, window.NextDelay(_batch, null, Delays, MaxRetryTime));
        _time.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal(TimeSpan.FromSeconds(40), window.NextDelay(_batch, TimeSpan.FromSeconds(40), Delays, MaxRetryTime));
        Assert.Null(window.NextDelay(_batch, TimeSpan.FromSeconds(40.001), Delays, MaxRetryTime));
    }

    [Fact]
    public void OT_35_Without_retry_time_there_is_no_second_attempt()
        => Assert.Null(new RetryWindow(_time, static () => 0).NextDelay(_batch, null, Delays, TimeSpan.Zero));

    [Fact]
    public void OT_35_By_default_there_is_always_another_attempt_at_most_30_s_later()
    {
        var window = new RetryWindow(_time, static () => 1);
        for (int i = 0; i < 10_000; i++)
        {
            TimeSpan delay = window.NextDelay(_batch, null, Delays, maxRetryTime: null)!.Value;
            Assert.Equal(Math.Min(Math.Pow(2, i), 30), delay.TotalSeconds);
            _time.Advance(delay);
        }

        Assert.False(window.IsOverFor(_batch, maxRetryTime: null));
    }

    [Fact]
    public void The_time_of_a_waiting_batch_goes_on_while_a_notice_is_tried()
    {
        var notice = LogBatch.Create(new LogRecord(new byte[] { 2 }, LogLevel.Warning, DateTimeOffset.UnixEpoch, "AsyncLog"));
        var window = new RetryWindow(_time, static () => 0);
        Assert.NotNull(window.NextDelay(_batch, null, Delays, MaxRetryTime));
        _time.Advance(MaxRetryTime);
        Assert.NotNull(window.NextDelay(notice, null, Delays, MaxRetryTime));
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.False(window.IsOverFor(notice, MaxRetryTime));
        Assert.True(window.IsOverFor(_batch, MaxRetryTime));
        window.GaveUp(_batch);
        Assert.False(window.IsOverFor(_batch, MaxRetryTime));
        Assert.NotNull(window.NextDelay(_batch, null, Delays, MaxRetryTime));
    }

    [Fact]
    public void OT_35_A_start_up_line_that_could_not_be_sent_takes_no_time_from_what_comes_later()
    {
        using var collector = new StubCollector();
        var script = new AnswerScript(collector, StubAnswer.Code(503), StubAnswer.Code(503), StubAnswer.Ok);
        using var pipeline = new OtlpPipeline(collector, script, static options => options.MaxRetryTime = MaxRetryTime, withStartupLine: true);
        Eventually.True(() => pipeline.Sink.Thrown.Count == 1);
        pipeline.Time.Advance(MaxRetryTime + MaxRetryTime);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Delays.Count);
    }

    [Fact]
    public void An_answer_ends_the_outage_of_whoever_waits()
    {
        var notice = LogBatch.Create(new LogRecord(new byte[] { 2 }, LogLevel.Warning, DateTimeOffset.UnixEpoch, "AsyncLog"));
        var window = new RetryWindow(_time, static () => 1);
        Assert.NotNull(window.NextDelay(_batch, null, Delays, MaxRetryTime));
        window.Answered();
        _time.Advance(MaxRetryTime);
        Assert.Equal(TimeSpan.FromSeconds(1), window.NextDelay(_batch, null, Delays, MaxRetryTime));
    }
}
