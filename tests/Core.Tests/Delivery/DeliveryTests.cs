using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class DeliveryTests
{
    [Fact]
    public async Task Error_types_without_bound_are_counted_as_64_and_others()
    {
        const int Failures = 200;
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls <= Failures)
                throw new LogSinkException($"request-{sink.Calls}", "refused") { RetryDelay = TimeSpan.FromMilliseconds(1) };
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("record");
        await Eventually.Holds(() => sink.Records.Count == 1);
        Assert.True(await pipeline.Flush());
        var status = pipeline.Status;
        Assert.Equal(65, status.Errors.Count);
        Assert.All(Enumerable.Range(1, 64), number => Assert.Equal(1, status.Errors[$"request-{number}"]));
        Assert.Equal(Failures - 64, status.Errors["other"]);
        Assert.Equal(65, status.Histograms.Count(static histogram => histogram.ErrorType is not null));
        Assert.Equal($"request-{Failures}", status.LastError!.Type);
    }

    [Fact]
    public async Task A_record_reaches_the_sink_without_a_flush()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("hello {Name}", "world");
        await Eventually.Holds(() => sink.Records.Count == 1);
        Assert.Equal(["hello world"], sink.Records);
    }

    [Fact]
    public async Task A_flush_brings_everything_logged_before_it_to_the_sink()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        for (var i = 0; i < 5000; i++)
            pipeline.Logger.LogInformation("record {Number}", i);
        Assert.True(await pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 5000).Select(static i => $"record {i}"), sink.Records);
        pipeline.AssertConservation(5000);
    }

    [Fact]
    public async Task A_flush_completes_under_steady_load()
    {
        using var pipeline = new TestPipeline(new TestSink());
        using var stop = new CancellationTokenSource();
        var logged = 0L;
        var load = Task.Run(
            () =>
            {
                for (; !stop.IsCancellationRequested; Interlocked.Increment(ref logged))
                    pipeline.Logger.LogInformation("more");
            },
            TestContext.Current.CancellationToken);
        for (var i = 0; i < 20; i++)
        {
            var before = Interlocked.Read(ref logged);
            await Eventually.Holds(() => Interlocked.Read(ref logged) > before + 50);
            Assert.True(await pipeline.Control.FlushAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
        }

        Assert.False(load.IsCompleted);
        await stop.CancelAsync();
        await load;
        pipeline.AssertConservation(logged);
    }

    [Fact]
    public async Task A_flush_answers_false_when_the_sink_takes_too_long()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("stuck");
        Assert.False(await pipeline.Control.FlushAsync(TimeSpan.FromMilliseconds(20), TestContext.Current.CancellationToken));
        gate.Set();
        Assert.True(await pipeline.Flush());
    }

    [Fact]
    public async Task A_sink_that_throws_is_called_again_with_the_remaining_records()
    {
        var failures = 3;
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (failures-- <= 0)
                return;
            sink.Take(batch, Math.Min(5, batch.Bytes.Length));
            throw new LogSinkException("no_space", "the disk is full");
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("first record");
        pipeline.Logger.LogInformation("second record");
        Assert.True(await pipeline.Flush());
        Assert.Equal("first record\nsecond record\n", sink.Text);
        Assert.Equal(3, pipeline.Status.Errors["no_space"]);
        Assert.Equal("no_space", pipeline.Status.LastError!.Type);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        Assert.Equal(1, pipeline.Said.Split('\n').Count(static line => line.Contains("the disk is full", StringComparison.Ordinal)));
        Assert.Contains("AsyncLog: info test/default: delivery works again.", pipeline.Said, StringComparison.Ordinal);
        pipeline.AssertConservation(2);
    }

    [Fact]
    public async Task A_permanent_cause_makes_the_state_failed_and_a_success_ends_it()
    {
        var isBroken = true;
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (isBroken)
                throw new LogSinkException("permission", "no permission", isPermanent: true);
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("x");
        await Eventually.Holds(() => pipeline.Status.State == SinkState.Failed);
        Assert.Equal("permission", pipeline.Status.Reason);
        isBroken = false;
        Assert.True(await pipeline.Flush());
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
    }

    [Fact]
    public async Task Refusals_of_a_sink_are_counted_by_reason_and_level()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (sink.Calls == 1)
            {
                gate.Wait();
                return;
            }

            batch.Refuse(1, DropReason.EncodeFailed);
            batch.RefuseCount(1, DropReason.Rejected);
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("holds the worker");
        await Eventually.Holds(() => sink.Calls == 1);
        pipeline.Logger.LogWarning("rejected, the peer did not say which");
        pipeline.Logger.LogError("refused");
        pipeline.Logger.LogCritical("written");
        var flush = pipeline.Flush();
        gate.Set();
        Assert.False(await flush);
        Assert.Equal(
            [new DropCount(DropReason.EncodeFailed, LogLevel.Error, 1), new DropCount(DropReason.Rejected, LogLevel.Warning, 1)],
            pipeline.Status.Drops.OrderBy(static drop => drop.Reason));
        Assert.Equal(2, pipeline.Status.Written);
        pipeline.AssertConservation(4);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_sink_that_refuses_every_record_for_a_minute_has_failed_until_it_writes_one(bool isUnnamed)
    {
        var time = new FakeTimeProvider();
        var refuses = true;
        using var gate = new SemaphoreSlim(0);
        var sink = new FlushingSink
        {
            Before = batch =>
            {
                gate.Wait();
                if (!Volatile.Read(ref refuses))
                    return;
                if (isUnnamed)
                    batch.RefuseCount(batch.Count, DropReason.Rejected);
                else
                    batch.RefuseRest(DropReason.SinkPermanent);
            },
        };
        using var pipeline = new TestPipeline(sink, static options => options.GapNotices = false, time);
        Assert.Equal((SinkState.Degraded, 1), await AfterARecord());
        time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal((SinkState.Degraded, 2), await AfterARecord());
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Failed, 3), await AfterARecord());
        Volatile.Write(ref refuses, false);
        Assert.Equal((SinkState.Degraded, 3), await AfterARecord());
        pipeline.AssertConservation(4);

        async Task<(SinkState State, long Dropped)> AfterARecord()
        {
            pipeline.Logger.LogInformation("record");
            // The worker flushes the sink after all that it does with a batch.
            var (flush, flushes) = (pipeline.Flush(), sink.Flushes);
            gate.Release();
            Assert.Equal(!refuses, await flush);
            Assert.True(sink.Flushes > flushes);
            return (pipeline.Status.State, pipeline.Status.Dropped);
        }
    }

    [Fact]
    public async Task Two_providers_whose_sinks_log_into_each_other_stop_after_the_first_turn()
    {
        TestPipeline? first = null;
        TestPipeline? second = null;
        var firstSink = new ContinuingSink(() => second!.Logger.LogError("from the first sink"), always: true);
        var secondSink = new ContinuingSink(() => first!.Logger.LogError("from the second sink"), always: true);
        using (first = new TestPipeline(firstSink, static options => options.GapNotices = false))
        using (second = new TestPipeline(secondSink, static options => options.GapNotices = false))
        {
            for (var i = 0; i < 100; i++)
            {
                first.Logger.LogInformation("record");
                second.Logger.LogInformation("record");
            }

            Assert.True(await first.Flush());
            Assert.True(await second.Flush());
            // What a sink said is counted at the other provider, and goes no further.
            foreach (var (pipeline, other) in new[] { (first, secondSink), (second, firstSink) })
            {
                var status = pipeline.Status;
                Assert.Equal(100, status.Written);
                Assert.Equal(new DropCount(DropReason.Reentrant, LogLevel.Error, other.Calls), Assert.Single(status.Drops));
                pipeline.AssertConservation(100 + other.Calls);
            }
        }
    }

    [Fact]
    public async Task No_record_contains_bytes_of_another_record()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options =>
        {
            (options.MaxQueueMemory, options.QueueFullMode, options.WaitTimeout) = (256 << 10, QueueFullMode.Wait, TimeSpan.FromMinutes(1));
            options.GapNotices = false;
        });
        // Four segments are used again and again, by records of all lengths. A Debug build fills what is given back with 0xDD.
        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            for (var i = 0; i < 5000; i++)
                pipeline.Logger.LogInformation("{Thread}:{Number}:{Text}", thread, i, new string((char)('a' + (i % 26)), i % 997));
        })));
        Assert.True(await pipeline.Flush());
        var next = new int[4];
        foreach (var record in sink.Records)
        {
            var thread = record[0] - '0';
            var number = next[thread]++;
            Assert.Equal($"{thread}:{number}:{new string((char)('a' + (number % 26)), number % 997)}", record);
        }

        Assert.All(next, static count => Assert.Equal(5000, count));
        Assert.Equal(sink.Records.Sum(static record => record.Length + 1), sink.Text.Length);
        pipeline.AssertConservation(20_000);
    }

    [Fact]
    public async Task Records_that_a_sink_logs_are_dropped_as_reentrant()
    {
        TestPipeline? pipeline = null;
        var sink = new TestSink { Before = _ => pipeline!.Logger.LogInformation("from inside the sink") };
        using (pipeline = new TestPipeline(sink, static options => options.GapNotices = false))
        {
            pipeline.Logger.LogInformation("outside");
            Assert.True(await pipeline.Flush());
            Assert.Equal(["outside"], sink.Records);
            Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Status.Drops);
            pipeline.AssertConservation(2);
        }
    }

    [Fact]
    public async Task Records_that_a_sink_logs_from_a_continuation_are_dropped_as_reentrant()
    {
        TestPipeline? pipeline = null;
        var sink = new ContinuingSink(() => pipeline!.Logger.LogInformation("from a continuation"));
        using (pipeline = new TestPipeline(sink))
        {
            pipeline.Logger.LogInformation("outside");
            Assert.True(await pipeline.Flush());
            Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Status.Drops);
            pipeline.Logger.LogInformation("this thread is not marked");
            Assert.True(await pipeline.Flush());
            Assert.Equal(2, pipeline.Status.Written);
            pipeline.AssertConservation(3);
        }
    }

    [Fact]
    public async Task A_value_that_logs_while_it_is_rendered_gets_its_own_record_down_to_depth_four()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => options.GapNotices = false);
        pipeline.Logger.LogInformation("outer {Value}", new LoggingValue(pipeline.Logger, 10));
        Assert.True(await pipeline.Flush());
        Assert.Equal(["nested value 7", "nested value 8", "nested value 9", "outer value 10"], sink.Records);
        Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Status.Drops);
        pipeline.AssertConservation(5);
    }

    private sealed class LoggingValue(ILogger logger, int depth)
    {
        public override string ToString()
        {
            if (depth > 0)
                logger.LogInformation("nested {Value}", new LoggingValue(logger, depth - 1));
            return $"value {depth}";
        }
    }

    private sealed class ContinuingSink(Action action, bool always = false) : ILogSink
    {
        public int Calls { get; private set; }

        public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            await Task.Yield();
            if (Calls++ == 0 || always)
                action();
        }

        public ValueTask DisposeAsync() => default;
    }
}
