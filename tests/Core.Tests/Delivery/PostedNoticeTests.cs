using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>The start-up line of a program without a host: a record that waits for no place in the queue.</summary>
public sealed class PostedNoticeTests
{
    private const string StartLine = "test \"default\" ->";
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task The_start_up_line_is_the_first_record_however_often_the_sink_fails_before()
    {
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls <= 5)
                throw new LogSinkException("refused", "away");
        };
        using var pipeline = Start(sink);
        pipeline.Logger.LogInformation("record");
        await Eventually.Holds(() => Passed(sink.Records.Count == 2));
        Assert.StartsWith(StartLine, sink.Records[0], StringComparison.Ordinal);
        Assert.Equal("record", sink.Records[1]);
        pipeline.AssertConservation(1);
    }

    [Fact]
    public async Task The_delay_that_a_server_requests_for_the_start_up_line_holds_for_records()
    {
        var sink = new TestSink();
        var attempts = new List<DateTimeOffset>();
        sink.Before = _ =>
        {
            attempts.Add(_time.GetUtcNow());
            if (attempts.Count == 1)
                throw new LogSinkException("503", "busy") { RetryDelay = TimeSpan.FromSeconds(20) };
        };
        using var pipeline = Start(sink);
        await Eventually.Holds(() => sink.Calls == 1);
        pipeline.Logger.LogInformation("record");
        await Eventually.Holds(() => Passed(sink.Records.Count == 2));
        Assert.InRange(attempts[1] - attempts[0], TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(20.5));
    }

    [Fact]
    public async Task The_delay_that_a_server_requests_for_a_notice_of_loss_holds_for_records()
    {
        var sink = new TestSink();
        DateTimeOffset? refused = null;
        DateTimeOffset? next = null;
        sink.Before = batch =>
        {
            if (sink.Calls == 1)
            {
                batch.RefuseRest(DropReason.Rejected);
            }
            else if (refused is null)
            {
                Assert.Equal("AsyncLog", batch[0].Category);
                refused = _time.GetUtcNow();
                throw new LogSinkException("503", "busy") { RetryDelay = TimeSpan.FromSeconds(20) };
            }
            else
            {
                next ??= _time.GetUtcNow();
            }
        };
        using var pipeline = new TestPipeline(sink, timeProvider: _time);
        pipeline.Logger.LogInformation("lost");
        await Eventually.Holds(() => Passed(refused is not null));
        pipeline.Logger.LogInformation("record");
        await Eventually.Holds(() => Passed(sink.Records.Contains("record")));
        Assert.InRange(next!.Value - refused!.Value, TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(20.5));
    }

    [Fact]
    public async Task A_start_up_line_that_is_refused_like_the_records_after_it_is_written_when_records_are()
    {
        var sink = new TestSink();
        var refuses = true;
        sink.Before = batch =>
        {
            if (Volatile.Read(ref refuses))
                batch.RefuseRest(DropReason.SinkPermanent);
        };
        using var pipeline = Start(sink, static options => options.GapNotices = false);
        pipeline.Logger.LogInformation("refused");
        await Eventually.Holds(() => Passed(pipeline.Status.Dropped == 1));
        Volatile.Write(ref refuses, false);
        pipeline.Logger.LogInformation("written");
        await Eventually.Holds(() => Passed(sink.Records.Count == 2));
        Assert.Equal("written", sink.Records[0]);
        Assert.StartsWith(StartLine, sink.Records[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_start_up_line_for_which_the_code_of_the_sink_fails_does_not_hold_records()
    {
        var sink = new TestSink();
        var failures = 0;
        sink.Before = batch =>
        {
            if (batch[0].Category != "AsyncLog")
                return;
            failures++;
            throw new FormatException();
        };
        using var pipeline = Start(sink);
        pipeline.Logger.LogInformation("record");
        await Eventually.Holds(() => Passed(sink.Records.Count == 1));
        Assert.Equal(["record"], sink.Records);
        Assert.Equal(10, failures);
    }

    [Fact]
    public async Task A_destination_that_accepts_the_start_up_line_after_an_outage_has_recovered()
    {
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls <= 2)
                throw new LogSinkException("refused", "away");
        };
        using var pipeline = Start(sink);
        await Eventually.Holds(() => Passed(sink.Records.Count == 1));
        await Eventually.Holds(() => pipeline.Said.Contains("delivery works again.", StringComparison.Ordinal));
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
    }

    [Fact]
    public void Of_more_notices_than_wait_at_most_the_oldest_are_left_out()
    {
        var notices = new PostedNotices();
        for (var i = 0; i < 20; i++)
            notices.Add(new PostedNotice(static () => null!, DateTimeOffset.UnixEpoch.AddSeconds(i)));
        var waiting = new List<double>();
        while (notices.TryTake(out var notice))
            waiting.Add((notice.At - DateTimeOffset.UnixEpoch).TotalSeconds);
        Assert.Equal(Enumerable.Range(4, 16).Select(static second => (double)second), waiting);
    }

    private TestPipeline Start(TestSink sink, Action<TestOptions>? configure = null)
        => new(sink, configure, _time, static process => process.StartupReport = true);

    // No time passes while the worker has something to do.
    private bool Passed(bool condition)
    {
        if (!condition && _time.ArmedOnceCount > 0)
            _time.Advance(TimeSpan.FromMilliseconds(100));
        return condition;
    }
}
