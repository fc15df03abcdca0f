using System.Collections.Concurrent;
using System.Text;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Delivery;

/// <summary>Records from <see cref="SinkOptions.AcknowledgeLevel"/> on: what <c>Log</c> waits for, and what happens when it does not come. Warning is the
/// level, unless a test says another.</summary>
public sealed class AcknowledgedWritesTests
{
    // Never waited for, unless a test moves a clock: what ends by it has failed.
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(1);

    [Fact]
    public void Log_returns_after_the_sink_has_settled_the_record()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Acknowledging(sink);
        var caller = Caller.Start(() => pipeline.Logger.LogWarning("audited"));
        Eventually.True(() => sink.Calls == 1 && caller.IsAsleep);

        gate.Set();
        caller.Join();

        Assert.Equal((1L, 0L, 0L), (pipeline.Status.Written, pipeline.Status.InFlight, pipeline.Status.Unacknowledged));
        Assert.Equal(TimeSpan.Zero, pipeline.Status.CallerWait);
    }

    [Fact]
    public void Log_of_a_record_below_the_level_does_not_wait()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = Acknowledging(new TestSink { Before = _ => gate.Wait() });

        pipeline.Logger.LogInformation("ordinary");

        // One that waited would be unacknowledged at the end of its time.
        Assert.Equal((1L, 0L, 0L), (pipeline.Status.Enqueued, pipeline.Status.Written, pipeline.Status.Unacknowledged));
        gate.Set();
    }

    [Fact]
    public void A_record_that_is_retried_is_acknowledged_when_it_is_written()
    {
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls <= 2)
                throw new LogSinkException("away", "away") { RetryDelay = TimeSpan.FromMilliseconds(1) };
        };
        using var pipeline = Acknowledging(sink);

        pipeline.Logger.LogWarning("audited");

        Assert.Equal((3, 1L, 0L), (sink.Calls, pipeline.Status.Written, pipeline.Status.Unacknowledged));
    }

    [Fact]
    public void After_the_timeout_Log_returns_and_the_record_is_counted_and_stays_in_the_queue()
    {
        using var gate = new ManualResetEventSlim();
        var time = new FakeTimeProvider();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Acknowledging(sink, timeProvider: time);
        var caller = Caller.Start(() => pipeline.Logger.LogWarning("late"));
        // The worker has no timer while the sink hangs: this one is the caller's.
        Eventually.True(() => sink.Calls == 1 && time.ArmedOnceCount > 0 && caller.IsAsleep);
        time.Advance(Timeout - TimeSpan.FromTicks(1));
        Assert.False(caller.HasEnded);
        Assert.Equal(0, pipeline.Status.Unacknowledged);

        time.Advance(TimeSpan.FromTicks(1));
        caller.Join();

        Assert.Null(caller.Error);
        Assert.Equal((1L, 0L, 1L), (pipeline.Status.Unacknowledged, pipeline.Status.Written, pipeline.Status.InFlight));
        gate.Set();
        Eventually.True(() => pipeline.Status.Written == 1);
        pipeline.AssertConservation(1);
    }

    [Fact]
    public void With_Throw_the_timeout_leaves_Log_as_an_exception_that_names_instance_level_and_time()
    {
        using var gate = new ManualResetEventSlim();
        var time = new FakeTimeProvider();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, timeProvider: time);
        var caller = Caller.Start(() => pipeline.Logger.LogError("late"));
        Eventually.True(() => caller.HasEnded, () => time.Advance(Timeout / 10));

        Assert.Equal("test/default did not acknowledge a record of level Error: not written within AcknowledgeTimeout of 1m.", caller.Failure!.Message);
        Assert.Equal(("test/default", LogLevel.Error, 1L), (caller.Failure.Sink, caller.Failure.Level, pipeline.Status.Unacknowledged));
        gate.Set();
    }

    [Fact]
    public void With_Throw_a_record_that_is_written_throws_nothing()
    {
        using var pipeline = Throwing(new TestSink());

        for (var i = 0; i < 100; i++)
            pipeline.Logger.LogWarning("{Number}", i);

        Assert.Equal((100L, 0L), (pipeline.Status.Written, pipeline.Status.Unacknowledged));
    }

    [Fact]
    public void A_record_that_is_refused_throws_with_the_reason_and_at_once()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, static options => (options.MaxQueueLength, options.ReservedPercentage) = (1, 0), new FakeTimeProvider());
        pipeline.Logger.LogInformation("fills the queue");

        // The clock stands: a caller that waited would never return.
        var failure = FailureOf(() => pipeline.Logger.LogWarning("refused"));

        Assert.Equal("test/default did not acknowledge a record of level Warning: refused: queue_full.", failure.Message);
        Assert.Equal((1L, 1L), (pipeline.Status.Unacknowledged, pipeline.Status.Dropped));
        gate.Set();
    }

    [Fact]
    public void A_record_after_the_shutdown_throws()
    {
        var pipeline = Throwing(new TestSink());
        pipeline.Provider.Dispose();

        Assert.Equal(
            "test/default did not acknowledge a record of level Warning: refused: already_shutdown.",
            FailureOf(() => pipeline.Logger.LogWarning("late")).Message);
        pipeline.Logger.LogInformation("dropped and counted");
        Assert.Equal(1, pipeline.Status.Unacknowledged);
        Assert.Equal(
            [new DropCount(DropReason.AlreadyShutdown, LogLevel.Information, 1), new DropCount(DropReason.AlreadyShutdown, LogLevel.Warning, 1)],
            pipeline.Status.Drops);
        pipeline.AssertConservation(2);
        pipeline.Dispose();
    }

    [Fact]
    public void A_record_that_the_sink_refuses_throws_and_so_does_each_of_its_level_in_its_batch_and_no_other()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink
        {
            Before = batch =>
            {
                gate.Wait();
                for (var i = batch.Count - 1; i >= 0; i--)
                {
                    if (batch[i].Bytes.Span.SequenceEqual("refused\n"u8))
                        batch.Refuse(i, DropReason.Rejected);
                }
            },
        };
        using var pipeline = Throwing(sink, static options => options.GapNotices = false);
        pipeline.Logger.LogInformation("keeps the worker busy");
        Eventually.True(() => sink.Calls == 1);
        var refused = Caller.Start(() => pipeline.Logger.LogWarning("refused"));
        var sameLevel = Caller.Start(() => pipeline.Logger.LogWarning("of the same level"));
        var otherLevel = Caller.Start(() => pipeline.Logger.LogCritical("of another level"));
        Eventually.True(() => refused.IsAsleep && sameLevel.IsAsleep && otherLevel.IsAsleep && pipeline.Status.QueueSize == 3);

        gate.Set();
        refused.Join();
        sameLevel.Join();
        otherLevel.Join();

        const string message = "test/default did not acknowledge a record of level Warning: lost: rejected.";
        Assert.Equal((message, message), (refused.Failure?.Message, sameLevel.Failure?.Message));
        Assert.Null(otherLevel.Error);
        pipeline.Logger.LogWarning("of the next batch");
        Assert.Equal((3, 4L, 2L), (sink.Calls, pipeline.Status.Written, pipeline.Status.Unacknowledged));
        Assert.Equal([new DropCount(DropReason.Rejected, LogLevel.Warning, 1)], pipeline.Status.Drops);
    }

    [Fact]
    public void A_record_that_may_not_have_arrived_throws()
    {
        SinkContext? context = null;
        var sink = new TestSink { Before = _ => context!.CountUncertain(1) };
        using var pipeline = Throwing(sink, type: new TestDefinition<TestOptions>("test", (_, created) =>
        {
            context = created;
            return sink;
        }));

        Assert.Equal(
            "test/default did not acknowledge a record of level Warning: written, but it may not have arrived.",
            FailureOf(() => pipeline.Logger.LogWarning("doubtful")).Message);
        Assert.Equal((1L, 1L), (pipeline.Status.Written, pipeline.Status.Unacknowledged));
    }

    [Fact]
    public void A_record_that_is_evicted_throws_before_the_worker_comes_back()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, static options =>
        {
            (options.QueueFullMode, options.MaxQueueMemory, options.ReservedPercentage) = (QueueFullMode.DropOldest, 256 << 10, 0);
            options.GapNotices = false;
        });
        pipeline.Logger.LogInformation("keeps the worker busy");
        Eventually.True(() => sink.Calls == 1);
        var caller = Caller.Start(() => pipeline.Logger.LogWarning("evicted"));
        Eventually.True(() => pipeline.Status.QueueSize == 1);
        for (var i = 0; i < 6; i++)
            pipeline.Logger.LogInformation("{Filling}", new string('x', 60_000));

        caller.Join();

        Assert.Equal("test/default did not acknowledge a record of level Warning: lost: evicted.", caller.Failure?.Message);
        Assert.Equal((1, 1L), (sink.Calls, pipeline.Status.Unacknowledged));
        gate.Set();
    }

    [Fact]
    public void An_eviction_of_other_records_is_no_failure()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, static options =>
        {
            (options.QueueFullMode, options.MaxQueueMemory, options.ReservedPercentage) = (QueueFullMode.DropOldest, 256 << 10, 0);
            options.GapNotices = false;
        });
        var caller = Caller.Start(() => pipeline.Logger.LogWarning("in the worker's hands"));
        Eventually.True(() => sink.Calls == 1);
        for (var i = 0; i < 10; i++)
            pipeline.Logger.LogInformation("{Filling}", new string('x', 60_000));
        var drops = Assert.Single(pipeline.Status.Drops);
        Assert.Equal((DropReason.Evicted, LogLevel.Information), (drops.Reason, drops.Level));

        gate.Set();
        caller.Join();

        Assert.Null(caller.Error);
        Assert.Equal(0, pipeline.Status.Unacknowledged);
    }

    [Fact]
    public void All_instances_get_the_record_before_the_caller_waits_for_those_that_acknowledge_its_level()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(
            ("Files:a:Destination", "x"), ("Files:b:Destination", "y"), ("AcknowledgeTimeout", "1m"), ("Files:a:AcknowledgeLevel", "Warning"),
            ("Files:b:AcknowledgeLevel", "Error"));
        foreach (var sink in pipeline.Sinks)
            sink.Before = (_, stop) => gate.Wait(stop);
        var both = Caller.Start(() => pipeline.Logger.LogError("both"));
        Eventually.True(() => both.IsAsleep && pipeline.StatusOf("a").InFlight + pipeline.StatusOf("b").InFlight == 2);
        gate.Set();
        both.Join();
        Assert.Equal((1L, 1L), (pipeline.StatusOf("a").Written, pipeline.StatusOf("b").Written));

        // Only a acknowledges a Warning: b may hang.
        gate.Reset();
        pipeline.Sinks.Single(static sink => sink.Destination == "x").Before = null;
        pipeline.Logger.LogWarning("one");

        Assert.Equal(2, pipeline.StatusOf("a").Written);
        Assert.Equal((1L, 2L), (pipeline.StatusOf("b").Written, pipeline.StatusOf("b").Enqueued));
        Assert.Equal((0L, 0L), (pipeline.StatusOf("a").Unacknowledged, pipeline.StatusOf("b").Unacknowledged));
        gate.Set();
    }

    [Fact]
    public void The_order_of_a_thread_is_kept_between_records_that_wait_and_those_that_do_not()
    {
        var sink = new TestSink();
        using var pipeline = Acknowledging(sink);

        for (var i = 0; i < 600; i++)
            pipeline.Logger.Log(i % 3 == 0 ? LogLevel.Warning : LogLevel.Information, "{Number}", i);
        pipeline.Logger.LogWarning("600");

        Assert.Equal(Enumerable.Range(0, 601).Select(static number => $"{number}"), sink.Records);
    }

    [Fact]
    public void Every_record_of_many_threads_is_with_the_sink_when_its_Log_returns()
    {
        var records = new ConcurrentDictionary<string, bool>();
        var sink = new TestSink
        {
            Before = batch =>
            {
                for (var i = 0; i < batch.Count; i++)
                    records[Encoding.UTF8.GetString(batch[i].Bytes.Span).TrimEnd('\n')] = true;
            },
        };
        using var pipeline = Throwing(sink);
        var callers = Enumerable.Range(0, 8).Select(thread => Caller.Start(() =>
        {
            for (var i = 0; i < 200; i++)
            {
                pipeline.Logger.LogWarning("{Thread} {Number}", thread, i);
                Assert.True(records.ContainsKey($"{thread} {i}"));
            }
        })).ToList();

        callers.ForEach(static caller => caller.Join());

        Assert.All(callers, static caller => Assert.Null(caller.Error));
        Assert.Equal((1600L, 0L), (pipeline.Status.Written, pipeline.Status.Unacknowledged));
        pipeline.AssertConservation(1600);
    }

    [Fact]
    public void A_batch_delay_ends_for_a_record_whose_caller_waits()
    {
        var sink = new TestSink();
        using var pipeline = Acknowledging(sink, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { BatchDelay = TimeSpan.FromHours(1) });
        pipeline.Logger.LogInformation("would wait an hour");

        pipeline.Logger.LogWarning("audited");

        Assert.Equal(["would wait an hour", "audited"], sink.Records);
        // Both at once: the first one had waited.
        Assert.Equal(1, sink.Calls);
    }

    [Fact]
    public void The_worker_wakes_at_most_once_for_each_wait()
    {
        const int writes = 200;
        var time = new CountedNaps();
        var sink = new TestSink();
        using var pipeline = Acknowledging(sink, timeProvider: time);
        pipeline.Logger.LogWarning("first");
        var before = time.Naps;

        for (var i = 0; i < writes; i++)
            pipeline.Logger.LogWarning("{Number}", i);

        // The clock stands: a nap ends by a wake-up only, and the last one may have begun.
        Assert.InRange(time.Naps - before, 0, writes + 1);
        Assert.Equal((writes + 1, writes + 1L), (sink.Calls, pipeline.Status.Written));
    }

    [Fact]
    public async Task The_sink_is_flushed_by_a_flush_only()
    {
        var sink = new FlushingSink();
        using var pipeline = Acknowledging(sink);

        pipeline.Logger.LogWarning("audited");
        // What the worker did after the first record it did before this one.
        pipeline.Logger.LogWarning("audited");

        Assert.Equal((2, 0), (sink.Written, sink.Flushes));
        Assert.True(await pipeline.Flush());
        Assert.True(sink.Flushes > 0);
    }

    [Fact]
    public void A_record_that_is_logged_while_another_one_is_rendered_is_counted_and_not_waited_for()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, timeProvider: new FakeTimeProvider());

        // The clock stands and the sink hangs: a thread that waited would never return.
        pipeline.Logger.LogInformation("{Value}", new LoggingValue(() => pipeline.Logger.LogWarning("inner")));

        Assert.Equal((2L, 1L, 0L), (pipeline.Status.Enqueued, pipeline.Status.Unacknowledged, pipeline.Status.RenderErrors));
        gate.Set();
    }

    [Fact]
    public void A_record_that_the_sink_logs_is_dropped_and_counted_and_throws_nothing()
    {
        var sink = new TestSink();
        using var pipeline = Throwing(sink, static options => options.GapNotices = false);
        sink.Before = _ => pipeline.Logger.LogWarning("from inside");

        pipeline.Logger.LogInformation("ordinary");
        Eventually.True(() => pipeline.Status.Written == 1);

        Assert.Equal(new DropCount(DropReason.Reentrant, LogLevel.Warning, 1), Assert.Single(pipeline.Status.Drops));
        Assert.Equal((1L, 0), (pipeline.Status.Unacknowledged, pipeline.Status.Errors.Count));
    }

    [Fact]
    public void A_reload_puts_another_level_timeout_and_failure_in_force()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline();
        pipeline.Sinks.Single().Before = (_, stop) => gate.Wait(stop);
        pipeline.Logger.LogCritical("not waited for");
        Assert.Equal(0, pipeline.Status.Unacknowledged);

        pipeline.Edit(("AcknowledgeLevel", "Error"), ("AcknowledgeTimeout", "10ms"), ("AcknowledgeFailureMode", "Throw"));
        pipeline.Logger.LogWarning("below");
        var failure = FailureOf(() => pipeline.Logger.LogError("waited for"));
        Assert.Equal("reload/default did not acknowledge a record of level Error: not written within AcknowledgeTimeout of 10ms.", failure.Message);
        pipeline.Edit(("AcknowledgeFailureMode", null));
        pipeline.Logger.LogError("counted");
        pipeline.Edit(("AcknowledgeLevel", null));
        pipeline.Logger.LogError("not waited for any more");

        Assert.Equal((2L, 5L), (pipeline.Status.Unacknowledged, pipeline.Status.Enqueued));
        Assert.Single(pipeline.Sinks);
        gate.Set();
    }

    [Fact]
    public void A_record_in_a_queue_that_a_reload_replaces_is_acknowledged_by_the_old_queue()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("AcknowledgeLevel", "Error"), ("AcknowledgeTimeout", "1m"), ("AcknowledgeFailureMode", "Throw"), ("ShutdownTimeout", "1m"));
        pipeline.Sinks.Single().Before = (_, stop) => gate.Wait(stop);
        var before = Caller.Start(() => pipeline.Logger.LogError("before"));
        Eventually.True(() => pipeline.Status.InFlight == 1 && before.IsAsleep);

        pipeline.Edit(("MaxQueueLength", "5000"));
        var after = Caller.Start(() => pipeline.Logger.LogError("after"));
        Eventually.True(() => pipeline.Status.Enqueued == 2);
        gate.Set();
        before.Join();
        after.Join();

        Assert.Equal(["before", "after"], pipeline.Sinks.Single().Lines);
        Assert.Equal((null, null, 0L), (before.Error, after.Error, pipeline.Status.Unacknowledged));
    }

    [Fact]
    public void The_drain_at_shutdown_acknowledges()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        var pipeline = Throwing(sink);
        var queue = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;
        pipeline.Logger.LogInformation("keeps the worker busy");
        Eventually.True(() => sink.Calls == 1);
        var caller = Caller.Start(() => pipeline.Logger.LogWarning("drained"));
        Eventually.True(() => pipeline.Status.QueueSize == 1 && caller.IsAsleep);
        var ending = Caller.Start(pipeline.Dispose);
        Eventually.True(() => queue.IsClosed);

        gate.Set();
        ending.Join();
        caller.Join();

        Assert.Null(caller.Error);
        Assert.Equal(["keeps the worker busy", "drained"], sink.Records);
    }

    [Fact]
    public void The_deadline_of_the_shutdown_ends_the_wait()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        var pipeline = Throwing(sink, static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(20));
        var offered = Caller.Start(() => pipeline.Logger.LogWarning("with the sink"));
        Eventually.True(() => sink.Calls == 1);
        var waiting = Caller.Start(() => pipeline.Logger.LogWarning("waiting"));
        Eventually.True(() => pipeline.Status.QueueSize == 1);

        pipeline.Provider.Dispose();
        offered.Join();
        waiting.Join();

        const string message = "test/default did not acknowledge a record of level Warning: lost: shutdown_timeout.";
        Assert.Equal((message, message), (offered.Failure?.Message, waiting.Failure?.Message));
        Assert.Equal(2, pipeline.Status.Unacknowledged);
        gate.Set();
        pipeline.Dispose();
    }

    [Fact]
    public void A_caller_that_is_interrupted_returns_and_keeps_its_interrupt_and_its_record()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Acknowledging(sink);
        var isInterrupted = false;
        var caller = Caller.Start(() =>
        {
            pipeline.Logger.LogWarning("audited");
            try
            {
                Thread.Sleep(0);
            }
            catch (ThreadInterruptedException)
            {
                isInterrupted = true;
            }
        });
        Eventually.True(() => sink.Calls == 1 && caller.IsAsleep);

        caller.Interrupt();
        caller.Join();

        Assert.True(isInterrupted);
        Assert.Equal((1L, 1L, 0L), (pipeline.Status.Unacknowledged, pipeline.Status.InFlight, pipeline.Status.Dropped));
        gate.Set();
        Eventually.True(() => pipeline.Status.Written == 1);
    }

    // Interrupts that hit anywhere: the wake-up after the commit, the wait, the thread that evicts.
    [Theory]
    [InlineData(QueueFullMode.DropWrite)]
    [InlineData(QueueFullMode.DropOldest)]
    public async Task Interrupts_at_any_place_lose_no_record_and_let_nothing_out_of_Log(QueueFullMode mode)
    {
        var sink = new TestSink();
        using var pipeline = Acknowledging(sink, options =>
        {
            (options.MaxQueueLength, options.MaxQueueMemory, options.QueueFullMode) = (50, 256 << 10, mode);
            options.GapNotices = false;
        });
        var offered = 0L;
        var interrupts = 0L;
        var left = 4;
        var mayBegin = false;
        var callers = Enumerable.Range(0, 4).Select(_ => Caller.Start(() =>
        {
            // Not interrupted while it waits here: the first interrupt is there at the first record.
            while (!Volatile.Read(ref mayBegin))
                Thread.Yield();
            for (var i = 0; i < 1000; i++)
            {
                try
                {
                    pipeline.Logger.LogWarning("record {Number}", i);
                    Interlocked.Increment(ref offered);
                    Thread.Sleep(0);
                }
                catch (ThreadInterruptedException)
                {
                    // From Sleep only: a logger throws nothing.
                    Interlocked.Increment(ref interrupts);
                }
            }

            Interlocked.Decrement(ref left);
        })).ToList();
        callers.ForEach(static caller => caller.Interrupt());
        Volatile.Write(ref mayBegin, true);
        while (Volatile.Read(ref left) > 0)
        {
            callers.ForEach(static caller => caller.Interrupt());
            Thread.Yield();
        }

        callers.ForEach(static caller => caller.Join());
        Assert.All(callers, static caller => Assert.Null(caller.Error));
        Assert.True(await pipeline.Flush());

        Assert.Equal(4000, offered);
        Assert.InRange(interrupts, 4, 4000);
        pipeline.AssertConservation(4000);
        Assert.Equal(pipeline.Status.Written, sink.Records.Count);
    }

    [Fact]
    public void A_flush_of_buffered_records_waits_once_and_throws_after_all_of_them_were_logged()
    {
        using var gate = new ManualResetEventSlim();
        var time = new FakeTimeProvider();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, timeProvider: time);
        var logger = (IBufferedLogger)pipeline.Provider.CreateLogger("Buffered");
        var records = Enumerable.Range(0, 20).Select(static number => new Buffered(LogLevel.Warning, $"{number}")).ToList();
        var waiting = Caller.Start(() => logger.LogRecords(records));

        // Each of them waits for nothing: all are accepted while the sink hangs and the clock stands.
        Eventually.True(() => sink.Calls == 1 && pipeline.Status.Enqueued == 20 && time.ArmedOnceCount > 0 && waiting.IsAsleep);
        // The time of one: a second wait would not end.
        time.Advance(Timeout);
        waiting.Join();
        Assert.Equal("test/default did not acknowledge a record of level Warning: not written within AcknowledgeTimeout of 1m.", waiting.Failure?.Message);
        Assert.Equal(20, pipeline.Status.Unacknowledged);

        gate.Set();
        logger.LogRecords(records);
        Assert.Equal(40, sink.Records.Count);
        Assert.Equal(20, pipeline.Status.Unacknowledged);
    }

    [Fact]
    public void A_clock_that_fails_makes_a_record_unacknowledged_and_lets_nothing_out_of_Log()
    {
        using var gate = new ManualResetEventSlim();
        var time = new FailingTimers();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Acknowledging(sink, timeProvider: time);
        pipeline.Logger.LogInformation("ordinary");
        Eventually.True(() => sink.Calls == 1);

        time.IsFailing = true;
        pipeline.Logger.LogWarning("audited");
        time.IsFailing = false;

        Assert.Equal(1, pipeline.Status.Unacknowledged);
        gate.Set();
    }

    [Fact]
    public void The_last_record_of_a_crash_lets_nothing_out()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Throwing(sink, static options => options.AcknowledgeTimeout = TimeSpan.FromMilliseconds(10));

        ((SinkLoggerProvider)pipeline.Provider).RecordCrash(new InvalidOperationException("crash"));

        Assert.Equal(1, pipeline.Status.Unacknowledged);
        gate.Set();
    }

    [Theory]
    [InlineData(LogLevel.Warning, "not sent yet: it is in SpoolPath")]
    [InlineData(LogLevel.Error, "lost: rejected")]
    [InlineData(LogLevel.Critical, "written, but it may not have arrived")]
    public void At_the_end_of_a_drain_each_caller_learns_what_became_of_its_own_record(LogLevel level, string reason)
    {
        var refused = new DropCounts();
        refused.Add(DropReason.Rejected, LogLevel.Error, 1);
        var outcome = new Outcome(level);
        outcome.SettleUnsaved([0, 0, 0, 1, 1, 0], refused, isUncertain: true);
        Assert.Equal(reason, outcome.Reason);
    }

    private sealed class Outcome(LogLevel level) : Acknowledgement(level)
    {
        public string Reason => ReasonOf(Timeout);
    }

    private static TestPipeline Acknowledging(
        ILogSink sink, Action<TestOptions>? configure = null, TimeProvider? timeProvider = null, SinkDefinition<TestOptions>? type = null) => new(
        sink,
        options =>
        {
            (options.AcknowledgeLevel, options.AcknowledgeTimeout) = (LogLevel.Warning, Timeout);
            configure?.Invoke(options);
        },
        timeProvider,
        type: type);

    private static TestPipeline Throwing(
        ILogSink sink, Action<TestOptions>? configure = null, TimeProvider? timeProvider = null, SinkDefinition<TestOptions>? type = null) => Acknowledging(
        sink,
        options =>
        {
            options.AcknowledgeFailureMode = AcknowledgeFailureMode.Throw;
            configure?.Invoke(options);
        },
        timeProvider,
        type);

    // The factory's loggers put what their providers throw into an AggregateException.
    private static LogDeliveryException FailureOf(Action log) => Assert.IsType<LogDeliveryException>(Assert.Single(Assert.Throws<AggregateException>(log).InnerExceptions));

    /// <summary>A thread that logs, and what came out of it.</summary>
    private sealed class Caller
    {
        private readonly Thread _thread;

        private Caller(Action body) => _thread = new Thread(() =>
        {
            try
            {
                body();
            }
            catch (Exception exception)
            {
                Error = exception;
            }
        })
        { IsBackground = true };

        public Exception? Error { get; private set; }

        public LogDeliveryException? Failure => (Error is AggregateException { InnerExceptions: [var inner] } ? inner : Error) as LogDeliveryException;

        public bool IsAsleep => (_thread.ThreadState & ThreadState.WaitSleepJoin) != 0;

        public bool HasEnded => _thread.Join(0);

        public static Caller Start(Action body)
        {
            var caller = new Caller(body);
            caller._thread.Start();
            return caller;
        }

        public void Interrupt() => _thread.Interrupt();

        public void Join() => Assert.True(_thread.Join(TimeSpan.FromSeconds(30)), "the caller does not return");
    }

    private sealed class LoggingValue(Action log)
    {
        public override string ToString()
        {
            log();
            return "value";
        }
    }

    private sealed class Buffered(LogLevel level, string message) : BufferedLogRecord
    {
        public override DateTimeOffset Timestamp => DateTimeOffset.UnixEpoch;

        public override LogLevel LogLevel => level;

        public override EventId EventId => default;

        public override string? FormattedMessage => message;
    }

    /// <summary>A clock that stands, and counts the naps of the worker: each has a timer.</summary>
    private sealed class CountedNaps : TimeProvider
    {
        private readonly FakeTimeProvider _clock = new();
        private int _naps;

        public int Naps => Volatile.Read(ref _naps);

        public override long TimestampFrequency => _clock.TimestampFrequency;

        public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

        public override long GetTimestamp() => _clock.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            if (Thread.CurrentThread.Name == "AsyncLog test/default")
                Interlocked.Increment(ref _naps);
            return _clock.CreateTimer(callback, state, dueTime, period);
        }
    }

    /// <summary>The time, and timers that cannot be made when the test says so.</summary>
    private sealed class FailingTimers : TimeProvider
    {
        [ThreadStatic]
        private static bool _isFailing;

        /// <summary>On this thread.</summary>
        public bool IsFailing
        {
            set => _isFailing = value;
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
            => _isFailing ? throw new InvalidOperationException("no timers") : base.CreateTimer(callback, state, dueTime, period);
    }
}
