using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class DeliveryTests
{
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
    public async Task OB_70_A_flush_brings_everything_logged_before_it_to_the_sink()
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
    public async Task OB_70_A_flush_completes_under_steady_load()
    {
        using var pipeline = new TestPipeline(new TestSink());
        using var stop = new CancellationTokenSource();
        var load = Task.Run(
            () =>
            {
                while (!stop.IsCancellationRequested)
                    pipeline.Logger.LogInformation("more");
            },
            TestContext.Current.CancellationToken);
        for (var i = 0; i < 20; i++)
            await pipeline.Control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        await stop.CancelAsync();
        await load;
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
    public async Task Regression_R20_A_sink_that_throws_is_called_again_with_what_is_left()
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
    public async Task OB_30_A_permanent_cause_makes_the_state_failed_and_a_success_ends_it()
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
        gate.Set();
        Assert.False(await pipeline.Flush());
        Assert.Equal(
            [new DropCount(DropReason.EncodeFailed, LogLevel.Error, 1), new DropCount(DropReason.Rejected, LogLevel.Warning, 1)],
            pipeline.Status.Drops.OrderBy(static drop => drop.Reason));
        Assert.Equal(2, pipeline.Status.Written);
        pipeline.AssertConservation(4);
    }

    [Fact]
    public async Task Fault_F89_What_a_sink_logs_is_dropped_as_reentrant()
    {
        TestPipeline? pipeline = null;
        var sink = new TestSink { Before = _ => pipeline!.Logger.LogInformation("from inside the sink") };
        using (pipeline = new TestPipeline(sink))
        {
            pipeline.Logger.LogInformation("outside");
            Assert.True(await pipeline.Flush());
            Assert.Equal(["outside"], sink.Records);
            Assert.True(pipeline.Status.Drops.Single().Reason == DropReason.Reentrant);
        }
    }

    [Fact]
    public async Task Fault_F89_What_a_sink_logs_from_a_continuation_is_dropped_as_reentrant()
    {
        TestPipeline? pipeline = null;
        var sink = new ContinuingSink(() => pipeline!.Logger.LogInformation("from a continuation"));
        using (pipeline = new TestPipeline(sink))
        {
            pipeline.Logger.LogInformation("outside");
            Assert.True(await pipeline.Flush());
            Assert.Equal(DropReason.Reentrant, pipeline.Status.Drops.Single().Reason);
            pipeline.Logger.LogInformation("this thread is not marked");
            Assert.True(await pipeline.Flush());
            Assert.Equal(2, pipeline.Status.Written);
        }
    }

    [Fact]
    public async Task Fault_F77_A_value_that_logs_while_it_is_rendered_gets_a_record_of_its_own_down_to_depth_four()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("outer {Value}", new LoggingValue(pipeline.Logger, 10));
        Assert.True(await pipeline.Flush());
        Assert.Equal(4, sink.Records.Count);
        Assert.Equal(DropReason.Reentrant, pipeline.Status.Drops.Single().Reason);
        Assert.Equal("outer value 10", sink.Records[3]);
        pipeline.AssertConservation(5);
    }

    [Fact]
    public async Task Fault_F70_Delivery_and_flush_work_with_a_blocked_thread_pool()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        var worker = new Thread(() =>
        {
            pipeline.Logger.LogInformation("x");
            pipeline.Control.FlushAsync(TimeSpan.FromSeconds(20), CancellationToken.None).AsTask().GetAwaiter().GetResult();
        });
        worker.Start();
        await Task.Run(worker.Join, TestContext.Current.CancellationToken);
        Assert.Single(sink.Records);
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

    private sealed class ContinuingSink(Action action) : ILogSink
    {
        private int _calls;

        public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            await Task.Yield();
            if (_calls++ == 0)
                action();
        }

        public ValueTask DisposeAsync() => default;
    }
}
