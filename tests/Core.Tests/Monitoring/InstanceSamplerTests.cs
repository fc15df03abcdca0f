using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Monitoring;

public sealed class InstanceSamplerTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task A_sample_is_taken_every_second_and_ten_minutes_are_kept()
    {
        using var pipeline = new WatchedPipeline(_time);
        Assert.Empty(pipeline.Control.GetHistory(pipeline.Name));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(await pipeline.Offer(30));
        await pipeline.LoseOne();
        _time.Advance(TimeSpan.FromSeconds(2));
        var samples = pipeline.Control.GetHistory(pipeline.Name.ToUpperInvariant());
        Assert.Equal([0L, 34L, 34L], samples.Select(static sample => sample.Enqueued));
        Assert.Equal([0L, 34L, 34L], samples.Select(static sample => sample.Written));
        Assert.Equal([0L, 1L, 1L], samples.Select(static sample => sample.Dropped));
        Assert.Equal(TimeSpan.FromSeconds(1), samples[2].At - samples[1].At);
        _time.Advance(TimeSpan.FromMinutes(20));
        Assert.Equal(601, pipeline.Control.GetHistory(pipeline.Name).Count);
        Assert.Empty(pipeline.Control.GetHistory("file/nobody"));
    }

    [Fact]
    public async Task Rates_are_those_of_the_last_second()
    {
        using var pipeline = new WatchedPipeline(_time);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(await pipeline.Offer(30));
        _time.Advance(TimeSpan.FromSeconds(1));
        var rates = pipeline.Status.Rates;
        Assert.Equal((30, 30, 0), (rates.EnqueuedPerSecond, rates.WrittenPerSecond, rates.DroppedPerSecond));
        // "record 0" to "record 29", each with a line end.
        Assert.Equal((10 * 8) + (20 * 9) + 30, rates.OutputBytesPerSecond);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(default, pipeline.Status.Rates);
    }

    [Fact]
    public void Rates_are_per_second_whatever_the_time_between_two_samples()
    {
        var before = new SinkSample { Enqueued = 100, Written = 80, Dropped = 7, OutputBytes = 1_000, Batches = 3, WriteTime = TimeSpan.FromSeconds(3) };
        var after = new SinkSample { Enqueued = 150, Written = 120, Dropped = 17, OutputBytes = 2_000, Batches = 7, WriteTime = TimeSpan.FromSeconds(11) };
        Assert.Equal(
            new SinkRates { EnqueuedPerSecond = 10, WrittenPerSecond = 8, DroppedPerSecond = 2, OutputBytesPerSecond = 200, MeanWriteTime = TimeSpan.FromSeconds(2) },
            SinkRates.Between(before, after, TimeSpan.FromSeconds(5)));
    }

    [Fact]
    public void Rates_between_two_samples_at_one_instant_are_zero()
    {
        var before = new SinkSample { Enqueued = 100, Written = 80, OutputBytes = 1_000, Batches = 3, WriteTime = TimeSpan.FromSeconds(3) };
        var after = new SinkSample { Enqueued = 150, Written = 120, OutputBytes = 2_000, Batches = 7, WriteTime = TimeSpan.FromSeconds(11) };
        Assert.Equal(default, SinkRates.Between(before, after, TimeSpan.Zero));
    }

    [Fact]
    public async Task Losses_are_remembered_for_ten_minutes_by_reason_and_level()
    {
        using var pipeline = new WatchedPipeline(_time);
        await pipeline.LoseOne();
        _time.Advance(TimeSpan.FromMinutes(5));
        await pipeline.LoseOne();
        Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 2)], pipeline.Status.RecentDrops);
        Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Control.GetDrops(pipeline.Name, TimeSpan.FromMinutes(1)));
        _time.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Status.RecentDrops);
        _time.Advance(TimeSpan.FromMinutes(5));
        Assert.Empty(pipeline.Status.RecentDrops);
        Assert.Equal(2, pipeline.Status.Dropped);
    }

    [Fact]
    public void A_worker_that_hangs_is_noticed_although_nobody_asks()
    {
        using var pipeline = new WatchedPipeline(_time);
        using var events = new EventReading(pipeline.Name);
        pipeline.Stall();
        _ = pipeline.Offer(1);
        Eventually.True(() => pipeline.Sink.Calls == 1);
        _time.Advance(TimeSpan.FromSeconds(62));
        Assert.Equal([[pipeline.Name, "healthy", "degraded", "timeout"], [pipeline.Name, "degraded", "failed", "timeout"]], events.Of("SinkStateChanged"));
    }

    [Fact]
    public async Task A_queue_that_fills_again_after_it_was_emptied_is_reported_again()
    {
        using var pipeline = new WatchedPipeline(_time, static options => (options.MaxQueueLength, options.ReservedPercentage) = (10, 0));
        using var events = new EventReading(pipeline.Name);
        for (var times = 1; times <= 2; times++)
        {
            var calls = pipeline.Sink.Calls;
            pipeline.Stall();
            _ = pipeline.Offer(1);
            Eventually.True(() => pipeline.Sink.Calls == calls + 1);
            var flush = pipeline.Offer(8);
            _time.Advance(TimeSpan.FromSeconds(3));
            Assert.Equal(Enumerable.Repeat<object?>(80, times), events.Of("QueueHighWater").Select(static payload => payload[1]));
            pipeline.Release();
            Assert.True(await flush);
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }

    [Fact]
    public void A_provider_that_begins_after_the_end_starts_no_timer()
    {
        var report = new SelfReport(LogLevel.None, TimeProvider.System, static () => TextWriter.Null);
        using var running = new InstanceSampler(_time, report);
        running.Start(meters: null);
        Assert.Equal(1, _time.TimerCount);
        running.Dispose();
        Assert.Equal(0, _time.TimerCount);
        running.Start(meters: null);
        using var disposed = new InstanceSampler(_time, report);
        disposed.Dispose();
        disposed.Start(meters: null);
        Assert.Equal(0, _time.TimerCount);
    }

    [Fact]
    public void The_last_provider_ends_the_sampling()
    {
        var pipeline = new TestPipeline(new TestSink(), timeProvider: _time);
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(2, pipeline.Control.GetHistory("test/default").Count);
        pipeline.Dispose();
        // The last sample is of the end.
        Assert.Equal(3, pipeline.Control.GetHistory("test/default").Count);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(3, pipeline.Control.GetHistory("test/default").Count);
        Assert.Equal(SinkState.Stopped, pipeline.Status.State);
    }
}
