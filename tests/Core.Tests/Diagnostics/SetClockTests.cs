using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Monitoring;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Diagnostics;

/// <summary>An operator or NTP sets the wall clock: state, windows and notices go by the time that passed.</summary>
public sealed class SetClockTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private readonly FakeTimeProvider _time = new();
    private readonly SettableClock _clock;

    public SetClockTests() => _clock = new SettableClock(_time);

    public static TheoryData<int> Minutes => [-60, 60];

    [Theory]
    [MemberData(nameof(Minutes))]
    public void A_state_is_healthy_again_after_a_clean_minute(int minutes)
    {
        var health = new SinkHealth(new DropLedger(), _clock, new SteadyAge(_clock));
        health.AddTransientError("io_error");
        _clock.Set(TimeSpan.FromMinutes(minutes));
        _time.Advance(59 * Second);
        Assert.Equal(SinkState.Degraded, health.Evaluate().State);
        Assert.Equal(_clock.GetUtcNow() + Second, health.Recovery.HealthyAt);
        _time.Advance(Second);
        Assert.Equal(SinkState.Healthy, health.Evaluate().State);
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task A_loss_counts_for_the_minute_after_it(int minutes)
    {
        // A notice that is being written while the clock moves would be a call that does not return.
        using var pipeline = new WatchedPipeline(_clock, static options => options.GapNotices = false);
        await pipeline.CheckHealth();
        await pipeline.LoseOne();
        Pass(Second);
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Pass(58 * Second);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
        Assert.Equal(1, pipeline.Control.GetDrops(pipeline.Name, TimeSpan.FromMinutes(1)).Sum(static drop => drop.Count));
        Pass(Second);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        Assert.Empty(pipeline.Control.GetDrops(pipeline.Name, TimeSpan.FromMinutes(1)));
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task A_loss_that_no_sample_saw_before_the_clock_was_set_counts_for_a_minute_too(int minutes)
    {
        using var pipeline = new WatchedPipeline(_clock, static options => options.GapNotices = false);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
        await pipeline.LoseOne();
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        _time.Advance(59 * Second);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        _time.Advance(Second);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task The_history_keeps_ten_minutes(int minutes)
    {
        using var pipeline = new WatchedPipeline(_clock);
        await pipeline.CheckHealth();
        Pass(TimeSpan.FromMinutes(2));
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Pass(TimeSpan.FromMinutes(1));
        Assert.Equal(180, pipeline.Control.GetHistory(pipeline.Name).Count);
        Pass(TimeSpan.FromMinutes(12));
        Assert.Equal(601, pipeline.Control.GetHistory(pipeline.Name).Count);
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task A_record_in_flight_is_no_time_out_and_not_old_because_of_it(int minutes)
    {
        using var pipeline = new WatchedPipeline(_clock);
        await pipeline.CheckHealth();
        pipeline.Stall();
        var flush = pipeline.Offer(1);
        await Eventually.Holds(() => pipeline.Status.InFlight == 1);
        pipeline.Logger.LogInformation("behind it");
        Pass(2 * Second);
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Pass(Second);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        Assert.Equal((3 * Second, 3 * Second), (pipeline.Status.TimeWithoutDelivery, pipeline.Status.OldestAge));
        pipeline.Release();
        Assert.True(await flush);
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task A_sink_that_hangs_is_a_time_out_after_five_seconds_and_failed_after_a_minute(int minutes)
    {
        using var pipeline = new WatchedPipeline(_clock);
        await pipeline.CheckHealth();
        pipeline.Stall();
        var flush = pipeline.Offer(1);
        await Eventually.Holds(() => pipeline.Status.InFlight == 1);
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Pass(4 * Second);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
        Pass(Second);
        Assert.Equal((SinkState.Degraded, "timeout"), (pipeline.Status.State, pipeline.Status.Reason));
        Pass(54 * Second);
        Assert.Equal((SinkState.Degraded, "timeout"), (pipeline.Status.State, pipeline.Status.Reason));
        Pass(Second);
        Assert.Equal((SinkState.Failed, "timeout"), (pipeline.Status.State, pipeline.Status.Reason));
        pipeline.Release();
        // It waited for 30 s.
        Assert.False(await flush);
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task A_notice_of_losses_comes_after_a_quiet_second(int minutes)
    {
        using var pipeline = new WatchedPipeline(_clock);
        await pipeline.LoseOne();
        _clock.Set(TimeSpan.FromMinutes(minutes));
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.DoesNotContain(pipeline.Sink.Records, IsNotice);
        // It is given up long before an hour has passed.
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromMilliseconds(100));
            return pipeline.Sink.Records.Any(IsNotice);
        });

        static bool IsNotice(string record) => record.Contains("records dropped", StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public void Losses_are_reported_ten_quiet_seconds_after_the_last_one(int minutes)
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink, static options => (options.MaxQueueLength, options.ReservedPercentage) = (10, 0), _clock);
        for (var number = 0; number < 11; number++)
            pipeline.Logger.LogInformation("does not fit in");
        Pass(Second);
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Pass(8 * Second);
        Assert.DoesNotContain("was dropped", pipeline.Said, StringComparison.Ordinal);
        Pass(Second);
        Assert.Contains("1 record was dropped", pipeline.Said, StringComparison.Ordinal);
        gate.Set();
    }

    [Theory]
    [MemberData(nameof(Minutes))]
    public async Task Rates_go_by_the_time_between_two_samples(int minutes)
    {
        using var pipeline = new WatchedPipeline(_clock);
        await pipeline.CheckHealth();
        Pass(Second);
        Assert.True(await pipeline.Offer(10));
        _clock.Set(TimeSpan.FromMinutes(minutes));
        Pass(Second);
        Assert.Equal(10, pipeline.Status.Rates.EnqueuedPerSecond);
    }

    // A sample every second.
    private void Pass(TimeSpan time) => _time.Advance(time);
}
