using System.Diagnostics;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Queue;

/// <summary>What a process does to itself: no thread of the pool left, no processor left, no memory left. Alone, because it does it to every test.</summary>
[Collection(nameof(PressureTests))]
[CollectionDefinition(nameof(PressureTests), DisableParallelization = true)]
public sealed class PressureTests
{
    [Fact]
    public void With_every_thread_of_the_pool_blocked_records_are_written_flushed_and_drained_by_dispose()
    {
        using var gate = new ManualResetEventSlim(initialState: true);
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pool = new StarvedPool();
        var pipeline = new TestPipeline(sink);

        pipeline.Logger.LogInformation("written");
        Eventually.True(() => sink.Records.Count == 1);
        gate.Reset();
        pipeline.Logger.LogInformation("flushed");
        var flush = pipeline.Control.FlushAsync(TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.False(flush.IsCompleted);
        gate.Set();
        Assert.True(flush.Wait(TimeSpan.FromSeconds(30), CancellationToken.None) && flush.Result, "the flush does not end");
        Assert.Equal(2, sink.Records.Count);
        pipeline.Logger.LogInformation("drained");
        pipeline.Dispose();

        Assert.Equal(["written", "flushed", "drained"], sink.Records);
        pool.RequireStarved();
        pipeline.AssertConservation(3);
    }

    // Only of dispose: the deadline of a flush is a timer's, and timers need the pool.
    [Fact]
    public void With_every_thread_of_the_pool_blocked_dispose_keeps_its_deadline_behind_a_sink_that_hangs()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pool = new StarvedPool();
        var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(100));
        pipeline.Logger.LogInformation("stuck");

        var started = Stopwatch.GetTimestamp();
        pipeline.Dispose();

        // A tenth of a second: timers may fire early and the machine may be busy, but nothing may wait for the pool.
        Assert.InRange(Stopwatch.GetElapsedTime(started), TimeSpan.FromMilliseconds(50), TimeSpan.FromSeconds(20));
        pool.RequireStarved();
        Assert.Equal([new DropCount(DropReason.ShutdownTimeout, LogLevel.Information, 1)], pipeline.Status.Drops);
        pipeline.AssertConservation(1);
        gate.Set();
    }

    [Fact]
    public void Five_hundred_callers_that_wait_for_a_full_queue_all_return_at_their_timeout_and_are_counted()
    {
        const int callers = 500;
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Waiting(sink, TimeSpan.FromMilliseconds(300));
        var before = Fill(pipeline, sink);

        // Joined, so each call ended although the sink still hangs.
        var times = new TimeSpan[callers];
        RunThreads(callers, caller =>
        {
            var started = Stopwatch.GetTimestamp();
            pipeline.Logger.LogInformation("waits");
            times[caller] = Stopwatch.GetElapsedTime(started);
        });
        Assert.InRange(times.Min(), TimeSpan.FromMilliseconds(300), TimeSpan.FromSeconds(30));
        Assert.InRange(times.Max(), TimeSpan.FromMilliseconds(300), TimeSpan.FromSeconds(30));

        pipeline.AssertConservation(before + callers);
        Assert.Equal([new DropCount(DropReason.QueueFull, LogLevel.Information, callers)], pipeline.Status.Drops);
        gate.Set();
        pipeline.Logger.LogInformation("goes on");
        Assert.True(Flush(pipeline, TimeSpan.FromMinutes(1)));
        Assert.Equal("goes on", sink.Records[^1]);
        pipeline.AssertConservation(before + callers + 1);
    }

    [Fact]
    public void Five_hundred_requests_that_wait_on_the_pool_are_all_written_when_the_sink_resumes()
    {
        const int requests = 500;
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Waiting(sink, TimeSpan.FromMinutes(1));
        var before = Fill(pipeline, sink);
        using var ended = new CountdownEvent(requests);

        // Each blocks a thread of the pool, so that nothing but them can run on it.
        for (var i = 0; i < requests; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    pipeline.Logger.LogInformation("waits");
                    ended.Signal();
                },
                null);
        }

        Eventually.True(() => ThreadPool.PendingWorkItemCount > 0);
        gate.Set();
        Assert.True(ended.Wait(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken), $"{ended.CurrentCount} requests are frozen");
        Assert.True(Flush(pipeline, TimeSpan.FromMinutes(1)));
        Assert.Empty(pipeline.Status.Drops);
        pipeline.AssertConservation(before + requests);
        Assert.Equal(before + requests, sink.Records.Count);
    }

    [Fact]
    public void With_spinning_threads_on_every_processor_every_record_is_counted_and_no_wake_up_is_lost()
    {
        var sink = new TestSink();
        using var pipeline = Dropping(sink);
        using var stop = new CancellationTokenSource();
        var spinning = Enumerable.Range(0, 8 * Environment.ProcessorCount).Select(_ => Start(() =>
        {
            while (!stop.IsCancellationRequested)
                Thread.SpinWait(1_000);
        })).ToList();
        var calls = 0;
        for (; calls < 20_000; calls++)
            pipeline.Logger.LogInformation("{Number}", calls);
        // Without a flush: what woke the worker is the record alone, again and again when it was at rest.
        for (var round = 0; round < 20; round++)
        {
            Eventually.True(() => pipeline.Status is { QueueSize: 0, InFlight: 0 }, pollMilliseconds: 10);
            var written = pipeline.Status.Written;
            pipeline.Logger.LogInformation("{Number}", calls++);
            Eventually.True(() => pipeline.Status.Written == written + 1, pollMilliseconds: 10);
        }

        stop.Cancel();
        spinning.ForEach(static thread => thread.Join());
        pipeline.AssertConservation(calls);
        Assert.Equal(pipeline.Status.Written, sink.Records.Count);
        Assert.Equal(calls, pipeline.Status.Written + pipeline.Status.Dropped);
        Assert.DoesNotContain(pipeline.Status.Drops, static drop => drop.Reason != DropReason.QueueFull);
    }

    [Fact]
    public void Every_record_of_a_storm_of_64_threads_is_written_or_counted()
    {
        const int threads = 64;
        var records = ReleaseRun.Count(usual: 5_000, release: 1_000_000);
        var sink = new CountingSink();
        using var pipeline = Dropping(sink);
        RunThreads(threads, thread =>
        {
            for (var i = 0; i < records; i++)
                pipeline.Logger.LogInformation("{Thread} {Number}", thread, i);
        });
        Assert.True(Flush(pipeline, TimeSpan.FromMinutes(1)));

        pipeline.AssertConservation((long)threads * records);
        Assert.Equal(sink.Count, pipeline.Status.Written);
        Assert.Equal((long)threads * records, pipeline.Status.Written + pipeline.Status.Dropped);
        Assert.DoesNotContain(pipeline.Status.Drops, static drop => drop.Reason is not (DropReason.QueueFull or DropReason.QueueMemory));
    }

    [Theory]
    [InlineData(QueueFullMode.DropWrite)]
    [InlineData(QueueFullMode.DropOldest)]
    public void A_caller_waits_for_nothing_when_the_sink_is_dead_and_the_queue_full(QueueFullMode mode)
    {
        const int threads = 4;
        const int calls = 50_000;
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink, options =>
        {
            options.MaxQueueLength = 1_000;
            options.QueueFullMode = mode;
            options.ShutdownTimeout = TimeSpan.Zero;
        });
        var before = Fill(pipeline, sink);
        RunThreads(threads, _ => pipeline.Logger.LogInformation("warm-up"));
        var times = new long[threads][];
        RunThreads(threads, thread =>
        {
            var own = new long[calls];
            for (var i = 0; i < calls; i++)
            {
                var start = Stopwatch.GetTimestamp();
                pipeline.Logger.LogInformation("{Number}", i);
                own[i] = Stopwatch.GetTimestamp() - start;
            }

            times[thread] = own;
        });

        // 99.9 of 100 calls: a machine takes the processor away from some, and from every thread alike.
        long[] sorted = [.. times.SelectMany(static own => own).Order()];
        var usual = TimeSpan.FromSeconds((double)sorted[(int)(sorted.Length * 0.999)] / Stopwatch.Frequency);
        Assert.True(usual < TimeSpan.FromMilliseconds(5), $"one call in a thousand takes more than {usual.TotalMilliseconds} ms");
        Assert.Equal(TimeSpan.Zero, pipeline.Status.CallerWait);
        Assert.Equal(1, sink.Calls);
        pipeline.AssertConservation(before + threads + (threads * calls));
        gate.Set();
    }

    [Fact]
    public void While_the_garbage_collector_runs_constantly_every_record_is_counted_and_the_order_of_each_thread_holds()
    {
        const int threads = 4;
        const int records = 5_000;
        var sink = new TestSink();
        using var pipeline = Dropping(sink);
        using var stop = new CancellationTokenSource();
        var collector = Start(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                _ = new byte[1 << 20];
                GC.Collect();
            }
        });
        RunThreads(threads, thread =>
        {
            for (var i = 0; i < records; i++)
                pipeline.Logger.LogInformation("{Thread} {Number}", thread, i);
        });
        Assert.True(Flush(pipeline, TimeSpan.FromMinutes(1)));
        stop.Cancel();
        collector.Join();

        pipeline.AssertConservation(threads * records);
        Assert.Equal(threads * records, pipeline.Status.Written + pipeline.Status.Dropped);
        Assert.Equal(pipeline.Status.Written, sink.Records.Count);
        for (var thread = 0; thread < threads; thread++)
        {
            int[] numbers = [.. sink.Records.Where(record => record.StartsWith($"{thread} ", StringComparison.Ordinal)).Select(static record => int.Parse(record.AsSpan(2), System.Globalization.CultureInfo.InvariantCulture))];
            Assert.Equal(numbers.Order().Distinct(), numbers);
        }
    }

    [Fact]
    public void A_hundred_providers_made_and_disposed_leave_no_thread_and_no_provider()
    {
        using (new TestPipeline(new TestSink()))
            Eventually.True(static () => !OperatingSystem.IsLinux() || ThreadsOf("AsyncLog test/d") > 0, pollMilliseconds: 10);
        var providers = Enumerable.Range(0, 100).Select(static _ => MakeAndDispose()).ToList();
        Eventually.True(() => ThreadsOf("AsyncLog test/d") == 0, pollMilliseconds: 10);
        Eventually.True(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return providers.TrueForAll(static provider => !provider.IsAlive);
            },
            pollMilliseconds: 10);
    }

    private static WeakReference MakeAndDispose()
    {
        using var pipeline = new TestPipeline(new TestSink(), process: static options => options.FlushOnCrash = true);
        pipeline.Logger.LogInformation("x");
        return new WeakReference(pipeline.Provider);
    }

    // The kernel keeps fifteen characters of a thread's name; elsewhere than on Linux nothing is seen.
    internal static int ThreadsOf(string name) => !Directory.Exists("/proc/self/task") ? 0 : Directory.GetDirectories("/proc/self/task").Count(task =>
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm")).TrimEnd() == name;
        }
        catch (IOException)
        {
            // It ended between the list and the reading.
            return false;
        }
    });

    // Without gap notices: every record is one that the test logged.
    private static TestPipeline Dropping(ILogSink sink) => new(sink, static options =>
    {
        options.MaxQueueLength = 1_000;
        options.GapNotices = false;
    });

    private static TestPipeline Waiting(TestSink sink, TimeSpan timeout) => new(sink, options =>
    {
        options.QueueFullMode = QueueFullMode.Wait;
        options.WaitTimeout = timeout;
        options.MaxQueueLength = 100;
        options.ReservedPercentage = 0;
    });

    // The worker has one record in hand, and behind it the queue is full. Returns how many were logged.
    private static int Fill(TestPipeline pipeline, TestSink sink)
    {
        pipeline.Logger.LogInformation("in hand");
        Eventually.True(() => sink.Calls == 1);
        var logged = 1;
        var capacity = pipeline.Status.QueueCapacity;
        for (; pipeline.Status is { } status && status.QueueSize + status.InFlight < capacity && status.Dropped == 0; logged++)
            pipeline.Logger.LogInformation("fills");
        return logged;
    }

    private static bool Flush(TestPipeline pipeline, TimeSpan timeout) => pipeline.Control.FlushAsync(timeout, CancellationToken.None).GetAwaiter().GetResult();

    private static void RunThreads(int count, Action<int> body)
    {
        var threads = Enumerable.Range(0, count).Select(number => Start(() => body(number))).ToList();
        threads.ForEach(static thread => thread.Join());
    }

    private static Thread Start(ThreadStart body)
    {
        var thread = new Thread(body, 256 << 10) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private sealed class CountingSink : ILogSink
    {
        public long Count { get; private set; }

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            Count += batch.Count;
            return default;
        }

        public ValueTask DisposeAsync() => default;
    }
}
