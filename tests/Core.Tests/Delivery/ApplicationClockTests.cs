using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>The container has a TimeProvider of the application's: records get its time, and nothing waits for it.</summary>
public sealed class ApplicationClockTests
{
    [Fact]
    public async Task Records_are_written_while_the_applications_clock_stands_still()
    {
        var time = new FakeTimeProvider();
        var stamps = new List<DateTimeOffset>();
        var sink = new TestSink { Before = batch => stamps.Add(batch[0].Timestamp) };
        using var pipeline = With(time, sink);
        pipeline.Logger.LogInformation("one");
        await Eventually.Holds(() => sink.Records.Count == 1);
        pipeline.Logger.LogInformation("two");
        await Eventually.Holds(() => sink.Records.Count == 2);
        Assert.Equal([time.GetUtcNow(), time.GetUtcNow()], stamps);
    }

    [Fact]
    public async Task A_failed_delivery_is_tried_again_while_the_applications_clock_stands_still()
    {
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls == 1)
                throw new IOException("gone");
        };
        using var pipeline = With(new FakeTimeProvider(), sink);
        pipeline.Logger.LogInformation("one");
        await Eventually.Holds(() => sink.Records.Count == 1);
        Assert.Equal(2, sink.Calls);
    }

    [Fact]
    public async Task A_caller_that_waits_for_room_comes_back_while_the_applications_clock_stands_still()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = With(new FakeTimeProvider(), sink, static options =>
            (options.QueueFullMode, options.WaitTimeout, options.MaxQueueLength) = (QueueFullMode.Wait, TimeSpan.FromMilliseconds(50), 10));
        var logged = 0;
        var last = TimeSpan.Zero;
        await OnThread(() =>
        {
            for (; pipeline.Status.DroppedBeforeAcceptance == 0; logged++)
            {
                var began = Stopwatch.GetTimestamp();
                pipeline.Logger.LogInformation("more");
                last = Stopwatch.GetElapsedTime(began);
            }
        });
        Assert.True(last >= TimeSpan.FromMilliseconds(50));
        Assert.Equal([new DropCount(DropReason.QueueFull, LogLevel.Information, 1)], pipeline.Status.Drops);
        pipeline.AssertConservation(logged);
        gate.Set();
    }

    [Fact]
    public async Task A_caller_that_waits_for_its_record_comes_back_while_the_applications_clock_stands_still()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = With(new FakeTimeProvider(), sink, static options =>
            (options.AcknowledgeLevel, options.AcknowledgeTimeout) = (LogLevel.Critical, TimeSpan.FromMilliseconds(50)));
        var began = Stopwatch.GetTimestamp();
        await OnThread(() => pipeline.Logger.LogCritical("stuck"));
        Assert.True(Stopwatch.GetElapsedTime(began) >= TimeSpan.FromMilliseconds(50));
        Assert.Empty(sink.Records);
        Assert.Equal(1, pipeline.Status.Unacknowledged);
        gate.Set();
    }

    [Fact]
    public async Task The_applications_clock_is_asked_for_no_timer()
    {
        var time = new CountedTimers();
        var sink = new TestSink();
        using var pipeline = With(time, sink);
        for (var i = 1; i <= 20; i++)
        {
            pipeline.Logger.LogInformation("record");
            await Eventually.Holds(() => sink.Records.Count == i);
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal(0, time.Timers);
        // It is in use: each record has its time.
        Assert.True(time.Readings >= 20);
    }

    [Fact]
    public async Task A_clock_that_always_throws_reaches_no_caller_and_loses_no_record()
    {
        var sink = new TestSink();
        using var pipeline = With(new BrokenClock(), sink, static options => options.Template = "{Timestamp:yyyy zzz} {Message}{NewLine}");
        for (var i = 0; i < 20; i++)
            pipeline.Logger.LogInformation("record {Number}", i);
        Assert.True(await pipeline.Flush());
        Assert.Equal(
            Enumerable.Range(0, 20).Select(static i => $"record {i}"),
            sink.Records.Select(static record => record[record.IndexOf("record", StringComparison.Ordinal)..]));
        pipeline.AssertConservation(20);
        Assert.EndsWith(
            " AsyncLog: warn clock: the TimeProvider of the application threw ObjectDisposedException: no clock. "
                + "The system's clock is used whenever it throws.",
            Assert.Single(pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_record_that_is_dropped_while_the_clock_throws_is_counted_once()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = With(new BrokenClock(), sink, static options => (options.MaxQueueLength, options.ReservedPercentage, options.GapNotices) = (10, 0, false));
        for (var i = 0; i < 1_000; i++)
            pipeline.Logger.LogInformation("more");
        Assert.Equal([new DropCount(DropReason.QueueFull, LogLevel.Information, 990)], pipeline.Status.Drops);
        pipeline.AssertConservation(1_000);
        gate.Set();
    }

    private static TestPipeline With(TimeProvider time, ILogSink sink, Action<TestOptions>? configure = null)
        => new(sink, configure, services: services => services.AddSingleton(time));

    private static Task OnThread(Action action)
        => Task.Factory.StartNew(action, TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            .WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

    private sealed class BrokenClock : TimeProvider
    {
        public override TimeZoneInfo LocalTimeZone => throw Disposed();

        public override DateTimeOffset GetUtcNow() => throw Disposed();

        private static ObjectDisposedException Disposed() => new(null, "no clock");
    }

    private sealed class CountedTimers : TimeProvider
    {
        private int _timers;
        private int _readings;

        public int Timers => Volatile.Read(ref _timers);

        public int Readings => Volatile.Read(ref _readings);

        public override DateTimeOffset GetUtcNow()
        {
            Interlocked.Increment(ref _readings);
            return base.GetUtcNow();
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Interlocked.Increment(ref _timers);
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }
}
