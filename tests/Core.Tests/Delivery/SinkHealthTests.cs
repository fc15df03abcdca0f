using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class SinkHealthTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly SinkHealth _health;

    public SinkHealthTests() => _health = new SinkHealth(new DropLedger(), _time, new SteadyAge(_time));

    [Fact]
    public void Healthy_needs_a_clean_minute_after_a_failure()
    {
        _health.Failed("no_space", isPermanent: false);
        Assert.Equal((SinkState.Degraded, "no_space"), Now());
        _health.Recovered();
        _time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal((SinkState.Degraded, "no_space"), Now());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Healthy, null), Now());
    }

    [Fact]
    public void Healthy_needs_a_clean_minute_after_what_a_sink_got_over_too()
    {
        _health.AddTransientError("io_error");
        Assert.Equal((SinkState.Degraded, "io_error"), Now());
        _time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal((SinkState.Degraded, "io_error"), Now());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Healthy, null), Now());
    }

    [Fact]
    public void When_the_trouble_ended_and_when_the_state_is_healthy_again_is_known_meanwhile()
    {
        var ended = _time.GetUtcNow();
        _health.AddTransientError("io_error");
        Now();
        Assert.Equal((null, null), _health.Recovery);
        _time.Advance(TimeSpan.FromSeconds(2));
        Now();
        Assert.Equal((ended, ended + TimeSpan.FromSeconds(60)), _health.Recovery);
        _health.Failed("reset", isPermanent: false);
        Now();
        Assert.Equal((null, null), _health.Recovery);
        _health.Recovered();
        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((SinkState.Healthy, null), Now());
        Assert.Equal((null, null), _health.Recovery);
    }

    [Fact]
    public void A_minute_without_a_delivery_while_records_wait_is_a_failure()
    {
        _health.Failed("reset", isPermanent: false);
        _time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal((SinkState.Degraded, "reset"), Now(TimeSpan.FromSeconds(59)));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Failed, "reset"), Now(TimeSpan.FromSeconds(60)));
        Assert.Equal((SinkState.Degraded, "reset"), Now());
    }

    [Fact]
    public void A_minute_in_which_every_batch_is_refused_is_a_failure_until_one_is_written()
    {
        var began = _time.GetUtcNow();
        _health.Settled(isRefused: true);
        _time.Advance(TimeSpan.FromSeconds(59));
        _health.Settled(isRefused: true);
        // No batch came since: it may be accepted.
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Healthy, null), Now());
        _health.Settled(isRefused: true);
        Assert.Equal((SinkState.Failed, "drops", began), _health.Evaluate());
        _health.Degrade(this, "400");
        Assert.Equal((SinkState.Failed, "400"), Now());
        _health.Settled(isRefused: false);
        Assert.Equal((SinkState.Degraded, "400"), Now());
        _health.Restore(this, "400");
        Assert.Equal((SinkState.Healthy, null), Now());
    }

    [Fact]
    public void A_batch_of_which_a_record_is_written_begins_the_minute_again()
    {
        _health.Settled(isRefused: true);
        _time.Advance(TimeSpan.FromSeconds(50));
        _health.Settled(isRefused: false);
        _health.Settled(isRefused: true);
        _time.Advance(TimeSpan.FromSeconds(50));
        _health.Settled(isRefused: true);
        Assert.Equal((SinkState.Healthy, null), Now());
        _time.Advance(TimeSpan.FromSeconds(10));
        _health.Settled(isRefused: true);
        Assert.Equal((SinkState.Failed, "drops"), Now());
    }

    [Fact]
    public void A_condition_that_needs_somebodys_hand_is_a_failure_until_it_ends()
    {
        _health.Degrade(this, "401", isPermanent: true);
        _health.Degrade(this, "disk_low");
        Assert.Equal((SinkState.Failed, "401"), Now());
        _health.Restore(this, "401");
        Assert.Equal((SinkState.Degraded, "disk_low"), Now());
        _health.Degrade(this, "disk_low", isPermanent: true);
        Assert.Equal((SinkState.Failed, "disk_low"), Now());
        _health.Restore(this, "disk_low");
        Assert.Equal((SinkState.Healthy, null), Now());
    }

    [Fact]
    public void The_start_beside_a_reason_is_that_of_the_reason()
    {
        var lost = _time.GetUtcNow();
        _health.AddTransientError("reset");
        Assert.Equal((SinkState.Degraded, "reset", lost), _health.Evaluate());
        _time.Advance(TimeSpan.FromSeconds(9));
        var full = _time.GetUtcNow();
        Assert.Equal((SinkState.Degraded, "queue_near_full", full), _health.Evaluate(fill: 0.9));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Degraded, "queue_near_full", full), _health.Evaluate(fill: 0.9));

        _time.Advance(TimeSpan.FromSeconds(1));
        var low = _time.GetUtcNow();
        _health.Degrade(this, "disk_low");
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Degraded, "disk_low", low), _health.Evaluate(fill: 0.9));
        var failed = _time.GetUtcNow();
        _health.Failed("no_space", isPermanent: false);
        _time.Advance(TimeSpan.FromSeconds(70));
        _health.Failed("no_space", isPermanent: false);
        Assert.Equal((SinkState.Failed, "no_space", failed), _health.Evaluate(unservedFor: _time.GetUtcNow() - failed));

        _health.Recovered();
        _health.Restore(this, "disk_low");
        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((SinkState.Healthy, null, _time.GetUtcNow()), _health.Evaluate());
    }

    [Fact]
    public void The_start_of_a_failure_stays_when_it_is_over_however_long_its_attempts_were_apart()
    {
        var failed = _time.GetUtcNow();
        _health.Failed("refused", isPermanent: false);
        _time.Advance(TimeSpan.FromSeconds(5));
        // Another trouble between two attempts.
        _health.Evaluate(fill: 0.9);
        _time.Advance(TimeSpan.FromSeconds(5));
        _health.Failed("refused", isPermanent: false);
        Assert.Equal((SinkState.Degraded, "refused", failed), _health.Evaluate());
        _health.Recovered();
        Assert.Equal((SinkState.Degraded, "refused", failed), _health.Evaluate());
        _time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal((SinkState.Degraded, "refused", failed), _health.Evaluate());
    }

    [Fact]
    public void A_failure_ends_with_the_delivery_that_works_and_not_with_its_last_attempt()
    {
        var failed = _time.GetUtcNow();
        _health.Failed("refused", isPermanent: false);
        _time.Advance(TimeSpan.FromSeconds(20));
        var ended = _time.GetUtcNow();
        _health.Recovered();
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((SinkState.Degraded, "refused", failed), _health.Evaluate());
        Assert.Equal((ended, ended + TimeSpan.FromSeconds(60)), _health.Recovery);
    }

    [Fact]
    public void A_failure_of_another_reason_and_one_after_a_recovery_begin_anew()
    {
        _health.Failed("reset", isPermanent: false);
        _time.Advance(TimeSpan.FromSeconds(5));
        var refused = _time.GetUtcNow();
        _health.Failed("tls", isPermanent: false);
        Assert.Equal((SinkState.Degraded, "tls", refused), _health.Evaluate());
        _health.Recovered();
        _time.Advance(TimeSpan.FromSeconds(5));
        var again = _time.GetUtcNow();
        _health.Failed("tls", isPermanent: false);
        Assert.Equal((SinkState.Degraded, "tls", again), _health.Evaluate());
    }

    [Fact]
    public void A_full_queue_that_loses_records_is_not_near_full_and_losing_by_turns()
    {
        var drops = new DropLedger();
        var health = new SinkHealth(drops, _time, new SteadyAge(_time));
        var began = _time.GetUtcNow();
        for (var second = 0; second < 5; second++)
        {
            drops.AddBefore(DropReason.QueueFull, LogLevel.Information, _time);
            Assert.Equal((SinkState.Degraded, "drops", began), health.Evaluate(fill: 1));
            // Another reader of the same second.
            Assert.Equal((SinkState.Degraded, "drops", began), health.Evaluate(fill: 1));
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Degraded, "queue_near_full"), (health.Evaluate(fill: 1).State, health.Evaluate(fill: 1).Reason));
    }

    [Fact]
    public async Task A_worker_that_hangs_in_its_sink_is_noticed()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink, timeProvider: _time);
        pipeline.Logger.LogInformation("stuck");
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromMilliseconds(10));
            return sink.Calls == 1;
        });
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
        _time.Advance(TimeSpan.FromSeconds(61));
        Assert.Equal((SinkState.Failed, "timeout"), (pipeline.Status.State, pipeline.Status.Reason));
        gate.Set();
        Assert.True(await pipeline.Flush());
        Assert.Equal((SinkState.Degraded, "timeout"), (pipeline.Status.State, pipeline.Status.Reason));
        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
    }

    [Fact]
    public void A_destination_that_does_not_answer_for_five_seconds_is_degraded_since_it_was_asked()
    {
        var (asked, call) = (_time.GetUtcNow(), _time.GetTimestamp());
        Assert.Equal((SinkState.Healthy, null), Call(call, 4));
        Assert.Equal((SinkState.Degraded, "timeout"), Call(call, 1));
        Call(call, 90);
        Assert.Equal((SinkState.Degraded, "timeout", asked), _health.Evaluate(calledAt: call));
        Assert.Equal((SinkState.Failed, "timeout", asked), _health.Evaluate(unservedFor: TimeSpan.FromSeconds(60), calledAt: call));

        // The start of the reason stays while the state waits for a clean minute.
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Degraded, "timeout", asked), _health.Evaluate());
    }

    [Fact]
    public void A_call_of_a_process_that_was_frozen_has_not_lasted_long()
    {
        var call = _time.GetTimestamp();
        Call(call, 1);
        _time.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal((SinkState.Healthy, null), Call(call, 0));
        Assert.Equal((SinkState.Healthy, null), Call(call, 1));
        Assert.Equal((SinkState.Degraded, "timeout"), Call(call, 1));
    }

    [Fact]
    public void Calls_that_return_do_not_add_up()
    {
        for (var second = 0; second < 20; second++)
            Assert.Equal((SinkState.Healthy, null), Call(_time.GetTimestamp(), 1));
    }

    [Fact]
    public void Records_that_wait_for_five_seconds_without_a_delivery_are_degraded_as_long_as_they_wait()
    {
        Assert.Equal((SinkState.Healthy, null), Now(TimeSpan.FromSeconds(4.9)));
        Assert.Equal((SinkState.Degraded, "timeout"), Now(TimeSpan.FromSeconds(5)));
        Assert.Equal((SinkState.Healthy, null), Now());
    }

    [Fact]
    public void In_an_outage_an_attempt_that_takes_long_does_not_change_the_reason_until_it_takes_a_minute()
    {
        _health.Failed("dns", isPermanent: false);
        var call = _time.GetTimestamp();
        Assert.Equal((SinkState.Degraded, "dns"), Call(call, 59));
        Assert.Equal("dns", _health.Outage);
        Assert.Equal((SinkState.Degraded, "timeout"), Call(call, 1));
        Assert.Equal("timeout", _health.Outage);
        _health.Failed("401", isPermanent: true);
        Assert.Equal((SinkState.Failed, "401"), Call(call, 1));
    }

    // A call goes on for some seconds, while somebody looks once a second.
    private (SinkState State, string? Reason) Call(long began, int seconds)
    {
        (SinkState State, string? Reason, DateTimeOffset Since) seen = _health.Evaluate(calledAt: began);
        for (; seconds > 0; seconds--)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            seen = _health.Evaluate(calledAt: began);
        }

        return (seen.State, seen.Reason);
    }

    private (SinkState State, string? Reason) Now(TimeSpan? unservedFor = null)
    {
        var (state, reason, _) = _health.Evaluate(unservedFor: unservedFor);
        return (state, reason);
    }
}
