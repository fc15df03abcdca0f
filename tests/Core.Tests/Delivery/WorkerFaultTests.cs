using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class WorkerFaultTests
{
    [Fact]
    public async Task A_sink_decides_itself_how_long_its_next_attempt_waits()
    {
        var time = new FakeTimeProvider();
        var attempts = new List<DateTimeOffset>();
        var sink = new TestSink
        {
            Before = _ =>
            {
                attempts.Add(time.GetUtcNow());
                if (attempts.Count == 1)
                    throw new LogSinkException("503", "asked to wait") { RetryDelay = TimeSpan.FromMinutes(7) };
            },
        };
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        pipeline.Logger.LogError("waits");
        await Eventually.Holds(() =>
        {
            // It may have begun its nap before the record came. No time passes while it makes an attempt.
            if (attempts.Count == 0)
                time.Advance(TimeSpan.FromMilliseconds(1));
            else if (time.ArmedOnceCount > 0)
                time.Advance(TimeSpan.FromSeconds(20));
            return sink.Records.Count == 1;
        });
        Assert.InRange(attempts[1] - attempts[0], TimeSpan.FromMinutes(7), TimeSpan.FromMinutes(8));
    }

    [Fact]
    public async Task A_destination_that_cannot_come_back_is_waited_for_neither_by_a_flush_nor_at_the_end()
    {
        var sink = new TestSink { Before = static _ => throw new LogSinkException("broken_pipe", "no reader") { IsGone = true } };
        // Never waited for.
        var pipeline = new TestPipeline(sink, static options => (options.ShutdownTimeout, options.GapNotices) = (TimeSpan.FromMinutes(5), false));
        pipeline.Logger.LogError("one");
        await Eventually.Holds(() => pipeline.Status.Reason == "broken_pipe");
        pipeline.Logger.LogError("two");
        Assert.False(await pipeline.Control.FlushAsync(TimeSpan.FromMinutes(5), TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
        await Task.Run(pipeline.Dispose, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        Assert.Contains("2 records were left because the destination cannot come back, and are lost.", pipeline.Said, StringComparison.Ordinal);
        pipeline.AssertConservation(2);
        Assert.Equal([new DropCount(DropReason.ShutdownTimeout, LogLevel.Error, 2)], pipeline.Status.Drops);
    }

    [Fact]
    public async Task A_destination_that_came_back_all_the_same_is_waited_for_again()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls == 1)
                throw new LogSinkException("broken_pipe", "no reader") { IsGone = true };
            if (sink.Calls == 2)
                gate.Wait();
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogError("one");
        await Eventually.Holds(() => sink.Calls == 2);
        gate.Set();
        await Eventually.Holds(() => pipeline.Status.Written == 1);
        pipeline.Logger.LogError("two");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["one", "two"], sink.Records);
    }

    [Fact]
    public async Task A_sink_that_only_dropped_what_it_had_does_not_work_again()
    {
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (sink.Calls == 1)
                throw new LogSinkException("503", "away");
            if (sink.Calls == 2)
                batch.RefuseRest(DropReason.RetryExhausted);
        };
        using var pipeline = new TestPipeline(sink, static options => options.GapNotices = false);
        pipeline.Logger.LogError("dropped");
        await Eventually.Holds(() => pipeline.Status.DroppedAfterAcceptance == 1);
        Assert.Equal("503", pipeline.Status.Reason);
        Assert.DoesNotContain("works again", pipeline.Said, StringComparison.Ordinal);
        pipeline.Logger.LogError("written");
        await Eventually.Holds(() => pipeline.Said.Contains("works again", StringComparison.Ordinal));
        pipeline.AssertConservation(2);
    }

    [Fact]
    public async Task The_last_success_is_the_time_of_the_last_batch_of_which_something_was_written()
    {
        var time = new FakeTimeProvider();
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => options.GapNotices = false, time);
        Assert.Null(pipeline.Status.LastSuccess);
        time.Advance(TimeSpan.FromMinutes(1));
        var written = time.GetUtcNow();
        pipeline.Logger.LogError("written");
        Assert.True(await pipeline.Flush());
        Assert.Equal(written, pipeline.Status.LastSuccess);
        time.Advance(TimeSpan.FromMinutes(1));
        // The flush begins before the record is lost.
        using var gate = new ManualResetEventSlim();
        sink.Before = batch =>
        {
            gate.Wait();
            batch.RefuseRest(DropReason.Rejected);
        };
        pipeline.Logger.LogError("refused");
        var flush = pipeline.Flush();
        gate.Set();
        Assert.False(await flush);
        Assert.Equal((1, written), (pipeline.Status.Dropped, pipeline.Status.LastSuccess));
    }

    [Fact]
    public async Task Drops_of_every_level_stand_in_the_status()
    {
        var sink = new TestSink { Before = static batch => batch.RefuseRest(DropReason.Rejected) };
        using var pipeline = new TestPipeline(sink, static options => options.GapNotices = false);
        LogLevel[] levels = [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];
        foreach (var level in levels)
            pipeline.Logger.Log(level, "refused");
        await Eventually.Holds(() => pipeline.Status.Dropped == 6);
        Assert.Equal(levels.Select(static level => (DropReason.Rejected, level, 1L)), pipeline.Status.Drops.Select(static drop => (drop.Reason, drop.Level, drop.Count)));
    }

    [Theory]
    [InlineData(true, "Trying again with the next records.", "Records wait in the queue")]
    [InlineData(false, "Records wait in the queue; retrying.", "with the next records")]
    public async Task A_failure_says_that_records_wait_only_when_they_do(bool dropsAll, string said, string other)
    {
        var sink = new TestSink();
        sink.Before = batch =>
        {
            if (sink.Calls > 1)
                return;
            if (dropsAll)
                batch.RefuseRest(DropReason.WriteFailed);
            throw new LogSinkException("odd", "refused");
        };
        using var pipeline = new TestPipeline(sink, static options => options.GapNotices = false);
        pipeline.Logger.LogError("refused");
        await Eventually.Holds(() => pipeline.Said.Contains("AsyncLog: warn test/default: refused (odd). " + said, StringComparison.Ordinal));
        Assert.DoesNotContain(other, pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_exception_that_cannot_even_be_read_loses_no_record()
    {
        var failures = 2;
        var sink = new TestSink
        {
            Before = _ =>
            {
                if (failures-- > 0)
                    throw new UnreadableException();
            },
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("first");
        pipeline.Logger.LogInformation("second");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["first", "second"], sink.Records);
        Assert.Equal(2, pipeline.Status.Errors[nameof(UnreadableException)]);
        pipeline.AssertConservation(2);
    }

    [Fact]
    public async Task A_sink_that_fails_after_each_record_it_took_is_called_again_after_the_first_delay()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink();
        sink.Before = batch =>
        {
            // Held until the others are there, so that they are one batch.
            if (sink.Calls == 1)
                gate.Wait();
            if (batch.Count == 1)
                return;
            sink.Take(batch, batch[0].Bytes.Length);
            throw new LogSinkException("reset", "took one");
        };
        // Doubling would take hours.
        var type = new TestDefinition<TestOptions>("test", (_, _) => sink) { Retry = new Backoff(TimeSpan.FromMilliseconds(5), TimeSpan.FromDays(1)) };
        using var pipeline = new TestPipeline(sink, type: type);
        pipeline.Logger.LogInformation("0");
        await Eventually.Holds(() => sink.Calls == 1);
        for (var i = 1; i < 40; i++)
            pipeline.Logger.LogInformation("{Number}", i);
        gate.Set();
        Assert.True(await pipeline.Flush());
        Assert.Equal(string.Concat(Enumerable.Range(0, 40).Select(static i => $"{i}\n")), sink.Text);
        Assert.Equal(38, pipeline.Status.Errors["reset"]);
        pipeline.AssertConservation(40);
    }

    [Fact]
    public async Task A_stderr_that_hangs_holds_only_the_thread_that_writes()
    {
        using var gate = new ManualResetEventSlim();
        using var entered = new ManualResetEventSlim();
        var report = new SelfReport(LogLevel.Warning, TimeProvider.System, () =>
        {
            entered.Set();
            gate.Wait();
            return TextWriter.Null;
        });
        var first = Task.Factory.StartNew(() => report.Write(LogLevel.Warning, "a", "x"), TaskCreationOptions.LongRunning);
        await Task.Run(entered.Wait);
        await Task.Factory.StartNew(() => report.Report(LogLevel.Warning, "b", "delivery", "x"), TaskCreationOptions.LongRunning)
            .WaitAsync(TimeSpan.FromSeconds(20));
        await first.WaitAsync(TimeSpan.FromSeconds(20));
        gate.Set();
        Eventually.True(report.Flush);
    }

    [Fact]
    public void Dispose_survives_a_sink_whose_cancellation_throws()
    {
        using var gate = new ManualResetEventSlim();
        using var cancelled = new ManualResetEventSlim();
        var sink = new CancelSink(gate, () =>
        {
            cancelled.Set();
            throw new InvalidOperationException("in a cancellation");
        });
        var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(20));
        pipeline.Logger.LogInformation("stuck");
        Eventually.True(() => sink.IsCalled);
        pipeline.Dispose();
        Assert.True(cancelled.Wait(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal([new DropCount(DropReason.ShutdownTimeout, LogLevel.Information, 1)], pipeline.Status.Drops);
        Assert.Contains("1 record was left when the ShutdownTimeout of 20ms expired, and is lost.", pipeline.Said, StringComparison.Ordinal);
        pipeline.AssertConservation(1);
        gate.Set();
    }

    [Fact]
    public async Task Dispose_survives_a_sink_whose_cancellation_hangs()
    {
        using var gate = new ManualResetEventSlim();
        using var cancelled = new ManualResetEventSlim();
        var sink = new CancelSink(gate, () =>
        {
            cancelled.Set();
            gate.Wait();
        });
        var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(20));
        pipeline.Logger.LogInformation("stuck");
        await Eventually.Holds(() => sink.IsCalled);
        await Task.Factory.StartNew(pipeline.Dispose, TaskCreationOptions.LongRunning).WaitAsync(TimeSpan.FromSeconds(20));
        Assert.True(cancelled.Wait(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal([new DropCount(DropReason.ShutdownTimeout, LogLevel.Information, 1)], pipeline.Status.Drops);
        pipeline.AssertConservation(1);
        gate.Set();
    }

    [Fact]
    public async Task A_disposed_provider_leaves_nothing_at_the_process()
    {
        var provider = await MakeAndDispose();
        await Eventually.Holds(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !provider.IsAlive;
        });
    }

    [Fact]
    public async Task A_destination_that_is_broken_while_nothing_waits_is_not_tried_in_a_loop()
    {
        var time = new FakeTimeProvider();
        var sink = new DueSink(time);
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        for (var i = 0; i < 1000; i++)
        {
            time.Advance(TimeSpan.FromMilliseconds(1));
            Thread.Yield();
        }

        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(1));
            return sink.Calls > 2;
        });
        Assert.InRange(sink.Calls, 3, 3 + (int)((time.GetUtcNow() - sink.Began) / TimeSpan.FromMilliseconds(100)));
    }

    [Fact]
    public async Task A_flush_does_not_wait_for_the_batch_delay()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls == 1)
                gate.Wait();
        };
        using var pipeline = new TestPipeline(sink, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { BatchDelay = TimeSpan.FromHours(1) });
        pipeline.Logger.LogError("wakes the worker");
        await Eventually.Holds(() => sink.Calls == 1);
        // More than a segment: the wake-up of the flush is spent on the posted ones.
        for (var i = 0; i < 3000; i++)
            pipeline.Logger.LogInformation("record {Number} {Filling}", i, "a filling that makes it long enough for several segments");
        var flush = pipeline.Flush();
        gate.Set();
        Assert.True(await flush);
        Assert.Equal(3001, sink.Records.Count);
    }

    [Fact]
    public async Task The_first_record_after_silence_waits_for_the_batch_delay_like_any_other()
    {
        var time = new FakeTimeProvider();
        var sink = new TestSink();
        using var pipeline = new TestPipeline(
            sink, timeProvider: time, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { BatchDelay = TimeSpan.FromSeconds(10) });
        // Without a timer for a nap the worker sleeps without end.
        var parked = 0;
        await Eventually.Holds(() =>
        {
            parked = time.ArmedOnceCount == 0 ? parked + 1 : 0;
            time.Advance(TimeSpan.FromMilliseconds(100));
            return parked == 20;
        });

        DateTimeOffset? written = null;
        sink.Before = _ => written = time.GetUtcNow();
        var logged = time.GetUtcNow();
        pipeline.Logger.LogInformation("record {Number}", 0);
        await Eventually.Holds(() => time.ArmedOnceCount > 0 || sink.Calls > 0);
        Assert.Equal(0, sink.Calls);
        for (var i = 1; i < 50; i++)
            pipeline.Logger.LogInformation("record {Number}", i);
        await Eventually.Holds(() =>
        {
            // No time passes while the worker has something to do.
            if (time.ArmedOnceCount > 0)
                time.Advance(TimeSpan.FromMilliseconds(100));
            return sink.Records.Count >= 50;
        });

        Assert.Equal(1, sink.Calls);
        Assert.InRange(written!.Value - logged, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(10.5));
    }

    [Fact]
    public async Task The_worker_sleeps_once_until_a_batch_delay_is_over()
    {
        var time = new RestRecorder();
        var sink = new TestSink();
        using var pipeline = new TestPipeline(
            sink, timeProvider: time, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { BatchDelay = TimeSpan.FromMilliseconds(500) });
        pipeline.Logger.LogInformation("waits");
        await Eventually.Holds(() =>
        {
            // No time passes while the worker has something to do.
            if (time.Rests.Count == 0 && time.ArmedOnceCount > 0)
                time.Advance(TimeSpan.FromMilliseconds(1));
            return time.Rests.Count > 0;
        });
        Assert.Equal(0, sink.Calls);
        // A nap of ten milliseconds may come before it.
        Assert.InRange(Assert.Single(time.Rests), TimeSpan.FromMilliseconds(450), TimeSpan.FromMilliseconds(500));
        time.Advance(time.Rests[0]);
        await Eventually.Holds(() => sink.Records.Count == 1);
        Assert.Single(time.Rests);
    }

    [Fact]
    public async Task A_record_of_level_Error_that_comes_during_a_delivery_does_not_wait_for_the_batch_delay()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { BatchDelay = TimeSpan.FromHours(1) });
        pipeline.Logger.LogError("first");
        await Eventually.Holds(() => sink.Calls == 1);
        pipeline.Logger.LogError("second");
        gate.Set();
        await Eventually.Holds(() => sink.Records.Count == 2);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public async Task A_delay_of_nothing_that_a_sink_asks_for_is_no_loop_without_rest(int seconds)
    {
        var time = new RestRecorder();
        var sink = new TestSink();
        sink.Before = _ => throw new LogSinkException("away", "away") { RetryDelay = TimeSpan.FromSeconds(seconds) };
        using var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.Zero, time);
        pipeline.Logger.LogError("waits");
        await Eventually.Holds(() =>
        {
            if (sink.Calls == 0)
                time.Advance(TimeSpan.FromMilliseconds(1));
            return sink.Calls > 0;
        });
        // The clock stands still: a worker that does not rest calls again and again.
        await Eventually.Holds(() => time.Rests.Count > 0);
        Assert.Equal(TimeSpan.FromMilliseconds(100), time.Rests[0]);
        Assert.Equal(1, sink.Calls);
    }

    private static async Task<WeakReference> MakeAndDispose()
    {
        var pipeline = new TestPipeline(new TestSink(), process: static options => options.FlushOnCrash = true);
        var provider = new WeakReference(pipeline.Provider);
        pipeline.Logger.LogInformation("x");
        await pipeline.DisposeAsync();
        return provider;
    }

    private sealed class UnreadableException : Exception
    {
        public override string Message => throw new NotSupportedException("no text");
    }

    private sealed class CancelSink(ManualResetEventSlim gate, Action cancelled) : ILogSink
    {
        private volatile bool _isCalled;

        public bool IsCalled => _isCalled;

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            using var registration = cancellationToken.Register(cancelled);
            _isCalled = true;
            gate.Wait(CancellationToken.None);
            return default;
        }

        public ValueTask DisposeAsync() => default;
    }

    private sealed class DueSink(FakeTimeProvider time) : IScheduledLogSink
    {
        private int _calls;

        public int Calls => Volatile.Read(ref _calls);

        public DateTimeOffset Began { get; } = time.GetUtcNow();

        public DateTimeOffset? NextDue => Began;

        public ValueTask RunDueAsync(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _calls);
            throw new LogSinkException("no_space", "full");
        }

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => default;

        public ValueTask DisposeAsync() => default;
    }
}
