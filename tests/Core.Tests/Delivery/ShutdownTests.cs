using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncLog.Tests.Queue;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Primitives;

namespace AsyncLog.Tests.Delivery;

public sealed class ShutdownTests
{
    [Fact]
    public async Task Records_that_are_logged_after_dispose_are_counted_and_reported_once_at_the_end_of_the_process()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink, type: new TestDefinition<TestOptions>("late", (_, _) => sink));
        pipeline.Logger.LogInformation("in time");
        pipeline.Dispose();
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(
            () =>
            {
                for (var number = 0; number < 1_000; number++)
                    pipeline.Logger.LogError("late {Number}", number);
            },
            TestContext.Current.CancellationToken)));

        Assert.Equal([new DropCount(DropReason.AlreadyShutdown, LogLevel.Error, 4_000)], pipeline.Status.Drops);
        Assert.Equal(["in time"], sink.Records);
        LateRecords.Report("late/default");
        LateRecords.Report("late/default");
        Assert.EndsWith(
            " AsyncLog: warn late/default: 4000 records were logged after dispose, and are lost (already_shutdown).",
            Assert.Single(pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    [Fact]
    public void Dispose_drains_what_was_accepted_and_disposes_the_sink()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink);
        for (var i = 0; i < 1000; i++)
            pipeline.Logger.LogInformation("record {Number}", i);
        pipeline.Dispose();
        Assert.Equal(Enumerable.Range(0, 1000).Select(static i => $"record {i}"), sink.Records);
        Assert.True(sink.IsDisposed);
        Assert.Equal(SinkState.Stopped, pipeline.Status.State);
        pipeline.AssertConservation(1000);
    }

    [Fact]
    public void A_configuration_that_throws_when_it_is_let_go_costs_no_record()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink, services: static services => services.AddSingleton<IConfiguration>(new ThrowingConfiguration()));
        pipeline.Logger.LogInformation("x");
        Assert.Equal("The registration cannot be disposed.", Assert.Throws<InvalidOperationException>(pipeline.Dispose).Message);
        Assert.Equal(["x"], sink.Records);
        Assert.True(sink.IsDisposed);
        pipeline.AssertConservation(1);
    }

    // Empty; a registration for its changes cannot be disposed.
    private sealed class ThrowingConfiguration : IConfigurationRoot, IChangeToken, IDisposable
    {
        public bool HasChanged => false;

        public bool ActiveChangeCallbacks => true;

        public IEnumerable<IConfigurationProvider> Providers => [];

        public string? this[string key]
        {
            get => null;
            set => throw new NotSupportedException();
        }

        public IEnumerable<IConfigurationSection> GetChildren() => [];

        public IChangeToken GetReloadToken() => this;

        public IConfigurationSection GetSection(string key) => new ConfigurationSection(this, key);

        public IDisposable RegisterChangeCallback(Action<object?> callback, object? state) => this;

        public void Reload()
        {
            // Nothing to read.
        }

        public void Dispose() => throw new InvalidOperationException("The registration cannot be disposed.");
    }

    [Fact]
    public async Task A_reload_that_a_shutdown_overtakes_leaves_the_disposed_sink_alone()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        var instance = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance;
        var before = instance.Close(isForGood: true).Single();
        Assert.True(before.Drain(TimeSpan.FromSeconds(30)));
        Assert.True(sink.IsDisposed);

        var late = new SinkPipeline(instance, before.Settings, before.Installed, before) { IsOpened = true };
        var isUsed = false;
        late.PostToSink(_ => isUsed = true);
        Assert.False(instance.Start(late, before));
        await Eventually.Holds(() => late.IsEnded);
        Assert.False(isUsed);
    }

    [Fact]
    public async Task DisposeAsync_drains_too()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("x");
        await pipeline.DisposeAsync();
        Assert.Equal(["x"], sink.Records);
        Assert.True(sink.IsDisposed);
        pipeline.AssertConservation(1);
    }

    [Fact]
    public void Logging_after_dispose_is_counted_and_never_throws()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("before");
        pipeline.Dispose();
        pipeline.Logger.LogInformation("after");
        pipeline.Logger.LogError("after");
        Assert.Equal(
            [new DropCount(DropReason.AlreadyShutdown, LogLevel.Information, 1), new DropCount(DropReason.AlreadyShutdown, LogLevel.Error, 1)],
            pipeline.Status.Drops);
        Assert.Equal(["before"], sink.Records);
        pipeline.AssertConservation(3);
    }

    [Fact]
    public void A_finalizer_that_logs_after_dispose_is_counted()
    {
        var pipeline = new TestPipeline(new TestSink());
        pipeline.Dispose();
        LeaveBehind(pipeline.Logger);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal([new DropCount(DropReason.AlreadyShutdown, LogLevel.Information, 1)], pipeline.Status.Drops);
        pipeline.AssertConservation(1);
    }

    [Fact]
    public void Dispose_returns_within_its_budget_with_a_sink_that_hangs_and_counts_the_remaining_records()
    {
        var budget = TimeSpan.FromSeconds(3);
        using var gate = new ManualResetEventSlim();
        var pipeline = new TestPipeline(new TestSink { Before = _ => gate.Wait() }, options => options.ShutdownTimeout = budget);
        pipeline.Logger.LogInformation("one");
        pipeline.Logger.LogWarning("two");
        var began = Stopwatch.GetTimestamp();
        pipeline.Dispose();
        Assert.InRange(Stopwatch.GetElapsedTime(began), budget / 2, 3 * budget);
        Assert.Equal(
            [new DropCount(DropReason.ShutdownTimeout, LogLevel.Information, 1), new DropCount(DropReason.ShutdownTimeout, LogLevel.Warning, 1)],
            pipeline.Status.Drops);
        Assert.Contains(
            "AsyncLog: error test/default: 2 records were left when the ShutdownTimeout of 3s expired, and are lost.", pipeline.Said, StringComparison.Ordinal);
        pipeline.AssertConservation(2);
        gate.Set();
    }

    [Fact]
    public void What_a_sink_that_hangs_had_delivered_of_its_batch_is_not_counted_as_left()
    {
        using var gate = new ManualResetEventSlim();
        using var others = new ManualResetEventSlim();
        var sink = new TestSink();
        sink.Before = batch =>
        {
            // Held until the others are there, so that they are one batch.
            if (sink.Calls == 1)
            {
                others.Wait();
                return;
            }

            sink.Take(batch, batch[0].Bytes.Length);
            batch.Refuse(0, DropReason.Oversize);
            batch.RefuseCount(1, DropReason.Rejected);
            gate.Wait();
        };
        var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(50));
        pipeline.Logger.LogInformation("first");
        Eventually.True(() => sink.Calls == 1);
        for (var i = 0; i < 5; i++)
            pipeline.Logger.LogInformation("{Number}", i);
        others.Set();
        Eventually.True(() => sink.Calls == 2);
        pipeline.Dispose();

        Assert.Equal(2, pipeline.Status.Written);
        Assert.Equal(
            [(DropReason.Oversize, 1L), (DropReason.Rejected, 1L), (DropReason.ShutdownTimeout, 2L)],
            pipeline.Status.Drops.Select(static drop => (drop.Reason, drop.Count)).OrderBy(static drop => drop.Reason.ToString(), StringComparer.Ordinal));
        Assert.Contains(
            "AsyncLog: error test/default: 2 records were left when the ShutdownTimeout of 50ms expired, and are lost.",
            pipeline.Said, StringComparison.Ordinal);
        pipeline.AssertConservation(6);
        gate.Set();
    }

    [Fact]
    public void A_shutdown_makes_one_last_attempt_however_long_the_destination_asked_to_wait()
    {
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls == 1)
                throw new LogSinkException("503", "asked to wait") { RetryDelay = TimeSpan.FromMinutes(7) };
        };
        var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogError("waits");
        Eventually.True(() => sink.Calls == 1);
        pipeline.Dispose();
        Assert.Equal(["waits"], sink.Records);
        Assert.Equal(2, sink.Calls);
        pipeline.AssertConservation(1);
    }

    [Fact]
    public async Task Dispose_may_be_called_many_times_from_many_threads()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink);
        var provider = pipeline.Factory;
        pipeline.Logger.LogInformation("x");
        await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(async () =>
        {
            if (i % 2 == 0)
                pipeline.Dispose();
            else
                await pipeline.DisposeAsync();
            provider.Dispose();
        })));
        Assert.Equal(["x"], sink.Records);
        Assert.True(sink.IsDisposed);
        pipeline.AssertConservation(1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_flush_after_dispose_answers_whether_anything_was_lost(bool hangs)
    {
        using var gate = new ManualResetEventSlim(!hangs);
        var pipeline = new TestPipeline(
            new TestSink { Before = _ => gate.Wait() }, options => options.ShutdownTimeout = hangs ? TimeSpan.Zero : TimeSpan.FromMinutes(1));
        pipeline.Logger.LogInformation("x");
        pipeline.Dispose();
        Assert.Equal(!hangs, await pipeline.Flush());
        Assert.Equal(hangs ? 1 : 0, pipeline.Status.Dropped);
        gate.Set();
    }

    [Fact]
    public void Disposing_while_threads_write_loses_no_record_uncounted()
    {
        for (var round = 0; round < 50; round++)
        {
            var sink = new TestSink();
            var pipeline = new TestPipeline(sink, static options => options.GapNotices = false);
            using var go = new ManualResetEventSlim();
            var threads = Enumerable.Range(0, 8).Select(_ => new Thread(() =>
            {
                go.Wait();
                for (var i = 0; i < 500; i++)
                    pipeline.Logger.LogInformation("record {Number}", i);
            })).ToList();
            threads.ForEach(static thread => thread.Start());
            go.Set();
            pipeline.Dispose();
            threads.ForEach(static thread => thread.Join());
            pipeline.AssertConservation(8 * 500);
            Assert.Equal(pipeline.Status.Written, sink.Records.Count);
        }
    }

    [Fact]
    public async Task A_caller_suspended_between_claim_and_commit_blocks_neither_flush_nor_shutdown_and_is_counted()
    {
        var sink = new TestSink();
        var pipeline = new TestPipeline(sink, static options => (options.ShutdownTimeout, options.GapNotices) = (TimeSpan.FromSeconds(1), false));
        var queue = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;
        pipeline.Logger.LogInformation("before");
        Assert.True(await pipeline.Flush());
        var commit = SuspendedCaller.Claim(queue, "suspended\n", LogLevel.Error);
        pipeline.Logger.LogInformation("behind it");

        // The worker waits for the commit, other callers do not.
        Assert.False(await pipeline.Control.FlushAsync(TimeSpan.FromMilliseconds(200), TestContext.Current.CancellationToken));
        pipeline.Logger.LogInformation("in the next segment");
        pipeline.Dispose();

        Assert.Equal(["before"], sink.Records);
        // Nobody knows the level of the suspended one.
        Assert.Equal([new DropCount(DropReason.ShutdownTimeout, LogLevel.Information, 3)], pipeline.Status.Drops);
        pipeline.AssertConservation(4);

        // Its segment was not used again: the caller comes to its end.
        commit();
        pipeline.AssertConservation(4);
        pipeline.Logger.LogInformation("too late");
        pipeline.AssertConservation(5);
    }

    [Fact]
    public async Task A_caller_that_commits_late_loses_nothing()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        var queue = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;
        pipeline.Logger.LogInformation("before");
        Assert.True(await pipeline.Flush());
        var commit = SuspendedCaller.Claim(queue, "suspended\n", LogLevel.Error);
        pipeline.Logger.LogInformation("behind it");
        var flush = pipeline.Flush();
        Assert.False(flush.IsCompleted);
        commit();
        Assert.True(await flush);
        Assert.Equal(["before", "suspended", "behind it"], sink.Records);
        pipeline.AssertConservation(3);
    }

    [Fact]
    public void All_instances_drain_at_once_each_within_its_own_budget()
    {
        var disposed = new ConcurrentDictionary<string, TimeSpan>();
        var began = 0L;
        var type = new TestDefinition<TestOptions>("test", (options, context) => new TokenSink(() => disposed[context.Name] = Stopwatch.GetElapsedTime(began)))
        {
            Children = "Files",
        };
        var services = new ServiceCollection();
        services.AddLogging(builder => builder
            .AddSink<TestLoggerProvider, TestOptions>(type, "long", static options => options.ShutdownTimeout = TimeSpan.FromSeconds(12))
            .AddSink<TestLoggerProvider, TestOptions>(type, "same", static options => options.ShutdownTimeout = TimeSpan.FromSeconds(12))
            .AddSink<TestLoggerProvider, TestOptions>(type, "short", static options => options.ShutdownTimeout = TimeSpan.FromSeconds(1))
            .AddSink<TestLoggerProvider, TestOptions>(type, "none", static options => options.ShutdownTimeout = TimeSpan.Zero));
        services.AddSingleton(new SelfReport(LogLevel.None, TimeProvider.System, static () => TextWriter.Null));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash) = (false, false));
        using var provider = services.BuildServiceProvider();
        provider.GetRequiredService<ILoggerFactory>().CreateLogger("Test").LogInformation("stuck");
        began = Stopwatch.GetTimestamp();
        provider.Dispose();
        // Coarsely: timers may fire some milliseconds early, and a busy machine is late.
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.FromSeconds(11), TimeSpan.FromSeconds(36));
        // Cancelled long before the one with the most time.
        Assert.InRange(disposed["test/short"], TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(11));
        Assert.InRange(disposed["test/none"], TimeSpan.Zero, TimeSpan.FromSeconds(11));
        // One after the other, they would end twelve seconds apart.
        Eventually.True(() => disposed.ContainsKey("test/long") && disposed.ContainsKey("test/same"));
        Assert.InRange((disposed["test/same"] - disposed["test/long"]).Duration(), TimeSpan.Zero, TimeSpan.FromSeconds(11));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_provider_that_is_disposed_inside_a_sink_delivers_everything_and_does_not_wait_for_itself(bool isAsync)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.FromMinutes(5));
        var provider = (SinkLoggerProvider)pipeline.Provider;
        sink.Before = _ =>
        {
            if (isAsync)
                provider.DisposeAsync().AsTask().GetAwaiter().GetResult();
            else
                provider.Dispose();
        };
        for (var i = 0; i < 500; i++)
            pipeline.Logger.LogInformation("record {Number}", i);
        await Eventually.Holds(() => sink.IsDisposed);
        // From outside it waits for the same end.
        provider.Dispose();
        Assert.Equal(SinkState.Stopped, pipeline.Status.State);
        Assert.DoesNotContain(pipeline.Status.Drops, static drop => drop.Reason != DropReason.AlreadyShutdown);
        Assert.Equal(pipeline.Status.Written, sink.Records.Count(static record => record.StartsWith("record", StringComparison.Ordinal)));
        pipeline.AssertConservation(500);
    }

    [Fact]
    public async Task A_provider_that_cannot_start_leaves_no_sink_and_no_worker_behind()
    {
        var (created, disposed) = (0, 0);
        var type = new TestDefinition<TestOptions>("fail", (options, context) =>
        {
            Interlocked.Increment(ref created);
            return new StartingSink(
                () => Interlocked.Increment(ref disposed), options.FailFastOnStart ? static () => throw new IOException("no access") : static () => { });
        })
        {
            Children = "Files",
            Main = false,
        };
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var services = new ServiceCollection();
            services.AddLogging(builder => builder
                .AddSink<TestLoggerProvider, TestOptions>(type, "a", static options => { })
                .AddSink<TestLoggerProvider, TestOptions>(type, "b", static options => options.FailFastOnStart = true));
            services.AddSingleton(new SelfReport(LogLevel.None, TimeProvider.System, static () => TextWriter.Null));
            using var provider = services.BuildServiceProvider();
            Assert.Throws<IOException>(provider.GetRequiredService<ILoggerFactory>);
        }

        await Eventually.Holds(() => Volatile.Read(ref disposed) == created);
        // At least those two, three times.
        Assert.True(created >= 6);
        await Eventually.Holds(static () => PressureTests.ThreadsOf("AsyncLog fail/a") + PressureTests.ThreadsOf("AsyncLog fail/b") == 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeaveBehind(ILogger logger) => _ = new Finalized(logger);

    private sealed class StartingSink(Action disposed, Action open) : IOpenableLogSink
    {
        public ValueTask OpenAsync(CancellationToken cancellationToken)
        {
            open();
            return default;
        }

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => default;

        public ValueTask DisposeAsync()
        {
            disposed();
            return default;
        }
    }

    // Hangs until it is cancelled.
    private sealed class TokenSink(Action disposed) : ILogSink
    {
        public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => await Task.Delay(Timeout.Infinite, cancellationToken);

        public ValueTask DisposeAsync()
        {
            disposed();
            return default;
        }
    }

    private sealed class Finalized(ILogger logger)
    {
#pragma warning disable MA0055 // a finalizer is what this is about
        ~Finalized() => logger.LogInformation("from a finalizer");
#pragma warning restore MA0055
    }
}
