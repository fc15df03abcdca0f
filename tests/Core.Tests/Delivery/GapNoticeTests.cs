using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class GapNoticeTests
{
    [Fact]
    public async Task After_an_outage_the_notice_comes_before_the_next_user_record()
    {
        var isBroken = true;
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (Volatile.Read(ref isBroken))
                throw new LogSinkException("no_space", "full");
        };
        using var pipeline = new TestPipeline(sink, static options =>
        {
            options.MaxQueueLength = 10;
            options.Template = "[{Level:u3}] {Category} {EventId}: {Message}{NewLine}";
        });
        pipeline.Logger.LogInformation("record {Number}", 0);
        await Eventually.Holds(() => pipeline.Status.Errors.ContainsKey("no_space"));
        for (var i = 1; i < 30; i++)
            pipeline.Logger.LogInformation("record {Number}", i);
        Volatile.Write(ref isBroken, false);
        Assert.True(await pipeline.Flush());
        // Nine of ten places are for this level.
        Assert.Matches(@"^\[WRN\] AsyncLog 21: 21 records dropped [^ ]+ \(queue_full\): Information 21$", sink.Records[0]);
        Assert.Equal(Enumerable.Range(0, 9).Select(static number => $"[INF] Test 0: record {number}"), sink.Records.Skip(1));
        pipeline.AssertConservation(30);
    }

    [Fact]
    public async Task Without_an_outage_the_notice_waits_for_a_quiet_second()
    {
        var time = new FakeTimeProvider();
        var (announced, sink) = NoticeTimes(time);
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        Assert.True(await pipeline.Flush());
        time.Advance(TimeSpan.FromMilliseconds(900));
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        var quietSince = time.GetUtcNow();
        await Pass(time, () => sink.Records.Contains("2 records dropped 12:31:07.482–12:31:08.382 (reentrant): Information 2"));
        Assert.InRange(Assert.Single(announced) - quietSince, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.5));
    }

    [Fact]
    public async Task The_notice_says_when_the_first_and_the_last_refused_record_were_logged()
    {
        var time = new FakeTimeProvider();
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (sink.Calls == 1)
                gate.Wait();
            else if (sink.Calls == 2)
                batch.RefuseRest(DropReason.Rejected);
        };
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        pipeline.Logger.LogError("written");
        // It wakes the worker: a nap does not end while the clock stands.
        var flush = pipeline.Flush();
        await Eventually.Holds(() => sink.Calls == 1);
        pipeline.Logger.LogInformation("first");
        time.Advance(TimeSpan.FromSeconds(5));
        pipeline.Logger.LogInformation("last");
        gate.Set();
        Assert.True(await flush);
        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return sink.Records.Contains("2 records dropped 12:31:07.482–12:31:12.482 (rejected): Information 2");
        });
        pipeline.AssertConservation(3);
    }

    [Fact]
    public void At_shutdown_the_notice_is_written_last()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        pipeline.Dispose();
        Assert.Equal(5, sink.Records.Count);
        Assert.Matches("^1 records dropped [^ ]+ \\(reentrant\\): Information 1$", sink.Records[4]);
    }

    [Fact]
    public void GapNotices_false_keeps_the_output_free_of_them()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink, static options => options.GapNotices = false);
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        pipeline.Dispose();
        Assert.Equal(["outer value", "nested value", "nested value", "nested value"], sink.Records.OrderDescending(StringComparer.Ordinal));
        Assert.Equal(1, pipeline.Status.Dropped);
        pipeline.AssertConservation(5);
    }

    [Fact]
    public async Task A_notice_never_comes_between_the_halves_of_a_record()
    {
        var state = 0;
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (Volatile.Read(ref state) == 0)
            {
                sink.Take(batch, 4);
                Volatile.Write(ref state, 1);
            }

            if (Volatile.Read(ref state) == 1)
                throw new LogSinkException("no_space", "full");
        };
        using var pipeline = new TestPipeline(sink, static options => options.MaxQueueLength = 4);
        pipeline.Logger.LogInformation("interrupted");
        await Eventually.Holds(() => Volatile.Read(ref state) == 1);
        for (var i = 0; i < 20; i++)
            pipeline.Logger.LogInformation("record");
        Volatile.Write(ref state, 2);
        Assert.True(await pipeline.Flush());
        // The notice is owed since the failure: it follows at once.
        var lines = sink.Text.TrimEnd('\n').Split('\n');
        Assert.Equal("interrupted", lines[0]);
        Assert.Matches("^17 records dropped [^ ]+ \\(queue_full\\): Information 17$", lines[1]);
        Assert.Equal(["record", "record", "record"], lines[2..]);
        pipeline.AssertConservation(21);
    }

    [Fact]
    public async Task A_notice_that_was_interrupted_is_finished_and_never_torn()
    {
        var time = new FakeTimeProvider();
        var attempts = 0;
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (batch[0].Category == "AsyncLog" && Interlocked.Increment(ref attempts) <= 2)
            {
                sink.Take(batch, 5);
                throw new LogSinkException("no_space", "full");
            }
        };
        var pipeline = new TestPipeline(sink, timeProvider: time);
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        Assert.True(await pipeline.Flush());
        await Pass(time, () => sink.Text.Contains("(reentrant)", StringComparison.Ordinal));
        pipeline.Dispose();
        Assert.Equal(3, attempts);
        var lines = sink.Text.TrimEnd('\n').Split('\n');
        Assert.Equal(5, lines.Length);
        Assert.Equal("1 records dropped 12:31:07.482–12:31:07.482 (reentrant): Information 1", lines[4]);
    }

    [Fact]
    public async Task Evicted_records_are_announced_by_the_time_of_their_loss_not_of_their_birth()
    {
        using var gate = new ManualResetEventSlim();
        var time = new FakeTimeProvider();
        var (announced, sink) = NoticeTimes(time, gate);
        using var pipeline = new TestPipeline(sink, static options =>
        {
            options.MaxQueueLength = 10;
            options.QueueFullMode = QueueFullMode.DropOldest;
        }, time);
        pipeline.Logger.LogInformation("holds the worker");
        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(10));
            return sink.Calls == 1;
        });
        for (var i = 0; i < 5; i++)
            pipeline.Logger.LogInformation("old");
        Assert.Equal(0, pipeline.Status.Dropped);
        time.Advance(TimeSpan.FromMinutes(1));
        while (pipeline.Status.Dropped == 0)
            pipeline.Logger.LogInformation("new");
        var lost = time.GetUtcNow();
        gate.Set();
        Assert.True(await pipeline.Flush());
        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return sink.Records.Any(static record => record.Contains("(evicted)", StringComparison.Ordinal));
        });
        Assert.True(Assert.Single(announced) - lost >= TimeSpan.FromSeconds(1));
    }

    [Fact]
    public async Task A_notice_that_was_interrupted_goes_on_from_the_exact_byte()
    {
        var state = 0;
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (Volatile.Read(ref state) == 0)
                throw new LogSinkException("no_space", "full");
            if (state == 1 && batch[0].Category == "AsyncLog")
            {
                sink.Take(batch, 4);
                state = 2;
                throw new LogSinkException("no_space", "full");
            }
        };
        using var pipeline = new TestPipeline(sink, static options => options.MaxQueueLength = 4);
        pipeline.Logger.LogInformation("interrupted");
        await Eventually.Holds(() => pipeline.Status.Errors.ContainsKey("no_space"));
        for (var i = 0; i < 20; i++)
            pipeline.Logger.LogInformation("record");
        Volatile.Write(ref state, 1);
        Assert.True(await pipeline.Flush());
        var lines = sink.Text.Split('\n');
        Assert.Matches("^17 records dropped [^ ]+ \\(queue_full\\): Information 17$", lines[0]);
        Assert.Equal(["interrupted", "record", "record", "record", ""], lines[1..]);
        pipeline.AssertConservation(21);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_notice_that_the_sink_refuses_is_announced_again_with_all_that_was_lost(bool throws)
    {
        var time = new FakeTimeProvider();
        var isAway = true;
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (!Volatile.Read(ref isAway))
                return;
            batch.RefuseRest(DropReason.WriteFailed);
            if (throws)
                throw new LogSinkException("unreachable", "no route");
        };
        using var pipeline = new TestPipeline(sink, timeProvider: time);

        // An outage of a minute, with a record now and then: each is refused, and so is each notice.
        var offered = 0;
        for (var i = 0; i < 6; i++)
        {
            pipeline.Logger.LogInformation("lost {Number}", i);
            offered++;
            await Pass(time, () => pipeline.Status.DroppedAfterAcceptance == offered);
            time.Advance(TimeSpan.FromSeconds(10));
        }

        await Pass(time, () => sink.Calls > 2 * offered);
        Volatile.Write(ref isAway, false);
        pipeline.Logger.LogInformation("again");
        await Pass(time, () => sink.Records.Any(static record => record.Contains("dropped", StringComparison.Ordinal)));
        for (var i = 0; i < 300; i++)
            time.Advance(TimeSpan.FromMilliseconds(100));
        pipeline.Dispose();

        Assert.Equal(2, sink.Records.Count);
        Assert.Contains("again", sink.Records);
        Assert.Matches("^6 records dropped [^ ]+ \\(write_failed\\): Information 6$", sink.Records.Single(static record => record.Contains("dropped", StringComparison.Ordinal)));
        pipeline.AssertConservation(7);
    }

    [Fact]
    public async Task A_sink_that_refuses_every_notice_is_offered_one_now_and_then_and_gets_every_record()
    {
        var time = new FakeTimeProvider();
        var sink = new TestSink();
        var notices = new ConcurrentQueue<DateTimeOffset>();
        sink.Before = batch =>
        {
            if (batch[0].Category != "AsyncLog")
                return;
            notices.Enqueue(time.GetUtcNow());
            batch.RefuseRest(DropReason.EncodeFailed);
        };
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        await Pass(time, () => !notices.IsEmpty);
        for (var i = 0; i < 100; i++)
        {
            pipeline.Logger.LogInformation("record {Number}", i);
            await Pass(time, () => sink.Records.Count == i + 5);
        }

        await Pass(time, () => notices.Count >= 7);
        var times = notices.ToArray();
        // Each rest is twice as long as the one before, and ten seconds at most.
        var rests = times.Zip(times.Skip(1), static (earlier, later) => later - earlier).ToList();
        Assert.InRange(rests.Count, 6, int.MaxValue);
        int[] seconds = [1, 2, 4, 8, 10, 10];
        Assert.All(seconds, (second, index) => Assert.InRange(rests[index], TimeSpan.FromSeconds(second), TimeSpan.FromSeconds(second + 0.5)));
        pipeline.Dispose();
        Assert.Equal(Enumerable.Range(0, 100).Select(static i => $"record {i}"), sink.Records.Skip(4));
        pipeline.AssertConservation(105);
    }

    [Fact]
    public void A_successor_gets_the_sink_after_a_notice_that_was_begun_is_whole_and_each_failed_attempt_at_it_is_followed_by_a_delay()
    {
        var delay = TimeSpan.FromMilliseconds(100);
        var time = new FakeTimeProvider();
        var attempts = new ConcurrentQueue<DateTimeOffset>();
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (attempts.IsEmpty && !Encoding.UTF8.GetString(batch.Bytes.Span).Contains("dropped", StringComparison.Ordinal))
                return;
            attempts.Enqueue(time.GetUtcNow());
            if (attempts.Count == 1)
                sink.Take(batch, 5);
            if (attempts.Count <= 5)
                throw new LogSinkException("reset", "gone");
        };
        using var pipeline = new TestPipeline(
            sink, timeProvider: time, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { Retry = new Backoff(delay, delay) });
        pipeline.Logger.LogInformation("outer {Value}", new DeepValue(pipeline.Logger, 5));
        Eventually.True(() => attempts.Count == 1, () => time.Advance(TimeSpan.FromMilliseconds(10)));

        var line = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!;
        line.SuccessorKeepsSink = true;
        line.Queue.Close();
        Eventually.True(() => line.IsEnded, () => time.Advance(TimeSpan.FromMilliseconds(10)));

        var times = attempts.ToArray();
        Assert.Equal(6, times.Length);
        // The first attempt was before the hand-over, which makes the second one at once.
        var waited = times.Skip(1).Zip(times.Skip(2), static (earlier, later) => later - earlier).ToArray();
        Assert.Equal(4, waited.Length);
        Assert.All(waited, wait => Assert.True(wait >= delay, $"{wait}"));
        Assert.Equal(["outer", "nested", "nested", "nested"], sink.Text.Split('\n')[..4].Select(static record => record.Split(' ')[0]).OrderDescending());
        Assert.Equal("1 records dropped 12:31:07.482–12:31:07.482 (reentrant): Information 1\n", sink.Text.Split('\n', 5)[4]);
        Assert.False(sink.IsDisposed);
    }

    // No time passes while the worker has something to do.
    private static Task Pass(FakeTimeProvider time, Func<bool> condition) => Eventually.Holds(() =>
    {
        if (condition())
            return true;
        if (time.ArmedOnceCount > 0)
            time.Advance(TimeSpan.FromMilliseconds(100));
        return condition();
    });

    // When notices get to the sink. It waits for the gate in its first call.
    private static (ConcurrentQueue<DateTimeOffset> Times, TestSink Sink) NoticeTimes(FakeTimeProvider time, ManualResetEventSlim? gate = null)
    {
        var times = new ConcurrentQueue<DateTimeOffset>();
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (sink.Calls == 1)
                gate?.Wait();
            if (batch[0].Category == "AsyncLog")
                times.Enqueue(time.GetUtcNow());
        };
        return (times, sink);
    }

    private sealed class DeepValue(ILogger logger, int depth)
    {
        public override string ToString()
        {
            if (depth > 1)
                logger.LogInformation("nested {Value}", new DeepValue(logger, depth - 1));
            return "value";
        }
    }
}
