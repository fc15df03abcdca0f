using System.Collections.ObjectModel;
using AsyncLog.Tests.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Monitoring;

public sealed class HealthCheckTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task Degraded_within_two_seconds_of_the_first_drop_and_healthy_after_a_clean_window()
    {
        // A notice that is being written while the clock moves would be a call that does not return, here and below.
        using var pipeline = new WatchedPipeline(_time, static options => options.GapNotices = false);
        using var events = new EventReading(pipeline.Name);
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        await pipeline.LoseOne();
        Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal([pipeline.Name, "healthy", "degraded", "drops"], events.Of("SinkStateChanged").Single());
        _time.Advance(TimeSpan.FromSeconds(57));
        var entry = await pipeline.CheckHealth();
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal($"{pipeline.Name}: 1 records lost within 60 s: reentrant 1", entry.Description);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([pipeline.Name, "degraded", "healthy", ""], events.Of("SinkStateChanged").Last());
    }

    [Fact]
    public async Task A_loss_is_seen_and_remembered_as_long_when_the_instance_has_run_for_longer_than_its_history()
    {
        using var pipeline = new WatchedPipeline(_time, static options => options.GapNotices = false);
        _time.Advance(TimeSpan.FromMinutes(11));
        await pipeline.LoseOne();
        Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
        _time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        _time.Advance(TimeSpan.FromMinutes(9) - TimeSpan.FromSeconds(1));
        Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Status.RecentDrops);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(pipeline.Status.RecentDrops);

        // The second loss, after the first one was forgotten.
        _time.Advance(TimeSpan.FromMinutes(11));
        await pipeline.LoseOne();
        Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
        Assert.Equal([new DropCount(DropReason.Reentrant, LogLevel.Information, 1)], pipeline.Status.RecentDrops);
        Assert.Equal(2, pipeline.Status.Dropped);
    }

    [Fact]
    public async Task Losses_again_and_again_do_not_let_the_result_flap()
    {
        using var pipeline = new WatchedPipeline(_time, static options => options.GapNotices = false);
        using var events = new EventReading(pipeline.Name);
        for (var i = 0; i < 10; i++)
        {
            await pipeline.LoseOne();
            for (var second = 0; second < 40; second++)
            {
                _time.Advance(TimeSpan.FromSeconds(1));
                Assert.Equal(HealthStatus.Degraded, (await pipeline.CheckHealth()).Status);
            }
        }

        Assert.Single(events.Of("SinkStateChanged"));
    }

    [Fact]
    public async Task Records_that_are_held_back_to_fill_a_batch_are_neither_old_nor_unserved()
    {
        var delay = TimeSpan.FromSeconds(60);
        using var pipeline = new WatchedPipeline(_time, batchDelay: delay);
        pipeline.Logger.LogInformation("record");
        for (var second = 0; second < 200; second++)
        {
            // Step by step with the worker: it has looked when it naps again.
            await Eventually.Holds(() => _time.ArmedOnceCount > 0);
            Assert.Equal((SinkState.Healthy, null), (pipeline.Status.State, pipeline.Status.Reason));
            Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
            Assert.InRange(pipeline.Status.OldestAge, TimeSpan.Zero, delay + TimeSpan.FromSeconds(3));
            pipeline.Logger.LogInformation("record");
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.InRange(pipeline.Sink.Calls, 2, 4);

        // One that hangs is noticed all the same.
        pipeline.Stall();
        pipeline.Logger.LogError("stuck");
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            return pipeline.Status.State == SinkState.Failed;
        });
        Assert.Equal("timeout", pipeline.Status.Reason);
    }

    [Fact]
    public async Task The_result_tells_what_an_operator_needs()
    {
        using var pipeline = new WatchedPipeline(_time, created: static context => context.SetTarget("/var/log/shop.log"));
        pipeline.Sink.Before = static _ => throw new LogSinkException("permission", "cannot open /var/log/shop.log", isPermanent: true);
        var flush = pipeline.Offer(1);
        Eventually.True(() => pipeline.Status.State == SinkState.Failed);
        var since = pipeline.Status.ReasonSince;
        pipeline.LoseOneOfFive();
        var entry = await pipeline.CheckHealth();
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal($"{pipeline.Name}: failed (permission) since {since:HH:mm:ss}Z; 1 records lost within 60 s: reentrant 1", entry.Description);
        Assert.Equal(["asynclog"], entry.Tags);
        var data = Assert.IsAssignableFrom<IReadOnlyDictionary<string, object?>>(entry.Data[pipeline.Name]);
        Assert.Equal("failed", data["state"]);
        Assert.Equal("permission", data["reason"]);
        Assert.Equal("/var/log/shop.log", data["target"]);
        Assert.Equal(100_000L, data["queueCapacity"]);
        Assert.Equal("permission", data["lastErrorType"]);
        Assert.Equal("cannot open /var/log/shop.log", data["lastErrorMessage"]);
        Assert.Equal(new Dictionary<string, long> { ["reentrant"] = 1 }, data["dropsInWindow"]);
        Assert.Equal(new Dictionary<string, long> { ["reentrant"] = 1 }, data["dropped"]);
        Assert.Null(data["lastSuccess"]);
        Assert.False(flush.IsCompleted);
        pipeline.Sink.Before = null;
    }

    [Fact]
    public async Task A_queue_that_was_nearly_full_within_the_window_is_degraded()
    {
        using var pipeline = new WatchedPipeline(_time, static options => (options.MaxQueueLength, options.ReservedPercentage) = (10, 0));
        pipeline.Stall();
        var flush = FillTo(pipeline, 8);
        var entry = await pipeline.CheckHealth();
        Assert.Equal((HealthStatus.Degraded, $"{pipeline.Name}: queue 80 % full within 60 s"), (entry.Status, entry.Description));
        Assert.Equal((SinkState.Degraded, "queue_near_full"), (pipeline.Status.State, pipeline.Status.Reason));
        _time.Advance(TimeSpan.FromSeconds(1));
        pipeline.Release();
        Assert.True(await flush);
        _time.Advance(TimeSpan.FromSeconds(59));
        entry = await pipeline.CheckHealth();
        Assert.Equal((HealthStatus.Degraded, $"{pipeline.Name}: queue 80 % full within 60 s"), (entry.Status, entry.Description));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
    }

    [Fact]
    public async Task A_bound_that_was_lowered_since_does_not_change_how_full_the_queue_was()
    {
        using var pipeline = new WatchedPipeline(_time, static options => (options.MaxQueueLength, options.ReservedPercentage) = (10, 0));
        pipeline.Stall();
        var flush = FillTo(pipeline, 8);
        _time.Advance(TimeSpan.FromSeconds(1));
        pipeline.Release();
        Assert.True(await flush);
        var after = pipeline.Status;
        (after.State, after.Reason, after.QueueCapacity, after.QueueBytesLimit) = (SinkState.Healthy, null, 1, 1);
        var verdict = HealthVerdict.Of(after, [], pipeline.Control.GetHistory(pipeline.Name), new AsyncLogHealthOptions { UnhealthyQueuePercentage = 81 });
        Assert.Equal((HealthStatus.Degraded, $"{pipeline.Name}: queue 80 % full within 60 s"), (verdict.Status, verdict.Text));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(-1)]
    public void Counters_that_do_not_add_up_are_unhealthy_and_ask_for_a_report(long unaccounted)
    {
        using var pipeline = new WatchedPipeline(_time);
        var status = pipeline.Status;
        Assert.Equal(HealthStatus.Healthy, HealthVerdict.Of(status, [], [], new AsyncLogHealthOptions()).Status);
        status.Unaccounted = unaccounted;
        var verdict = HealthVerdict.Of(status, [], [], new AsyncLogHealthOptions());
        Assert.Equal(
            (HealthStatus.Unhealthy, $"{pipeline.Name}: {unaccounted} records unaccounted for: report it as a defect of AsyncLog"),
            (verdict.Status, verdict.Text));
    }

    [Fact]
    public async Task A_record_that_waits_too_long_is_degraded()
    {
        using var pipeline = new WatchedPipeline(_time);
        pipeline.Stall();
        _ = FillTo(pipeline, 1);
        var began = _time.GetUtcNow();
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        // That the sink does not answer is told sooner.
        _time.Advance(TimeSpan.FromSeconds(29));
        Assert.Equal($"{pipeline.Name}: degraded (timeout) since {began:HH:mm:ss}Z", (await pipeline.CheckHealth()).Description);
        _time.Advance(TimeSpan.FromSeconds(1));
        var entry = await pipeline.CheckHealth();
        Assert.Equal(
            (HealthStatus.Degraded, $"{pipeline.Name}: degraded (timeout) since {began:HH:mm:ss}Z; a record waited 30 s"), (entry.Status, entry.Description));
    }

    [Fact]
    public async Task A_failure_that_is_over_is_told_with_its_end_and_when_the_result_is_healthy_again()
    {
        using var pipeline = new WatchedPipeline(_time, created: context => context.CountError("refused"));
        var at = _time.GetUtcNow();
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal($"{pipeline.Name}: degraded (refused) since {at:HH:mm:ss}Z", (await pipeline.CheckHealth()).Description);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            $"{pipeline.Name}: degraded (refused) until {at:HH:mm:ss}Z, healthy again at {at.AddMinutes(1):HH:mm:ss}Z if it does not come back", (await pipeline.CheckHealth()).Description);
    }

    [Theory]
    [InlineData(HealthStatus.Unhealthy, HealthStatus.Unhealthy)]
    [InlineData(null, HealthStatus.Degraded)]
    public async Task Unhealthy_only_where_it_is_asked_for(HealthStatus? failureStatus, HealthStatus expected)
    {
        using var pipeline = new WatchedPipeline(_time, failureStatus: failureStatus);
        await pipeline.LoseOne();
        Assert.Equal(expected, (await pipeline.CheckHealth()).Status);
    }

    [Fact]
    public async Task Thresholds_and_an_own_rule_make_it_unhealthy()
    {
        var isUnhealthy = false;
        using var pipeline = new WatchedPipeline(_time, static options => options.GapNotices = false, health: options =>
        {
            options.DegradedDropCount = 2;
            options.UnhealthyDropCount = 3;
            options.UnhealthyWhen = _ => isUnhealthy;
        });
        var seen = new Collection<HealthStatus>();
        for (var i = 0; i < 3; i++)
        {
            await pipeline.LoseOne();
            seen.Add((await pipeline.CheckHealth()).Status);
        }

        Assert.Equal([HealthStatus.Healthy, HealthStatus.Degraded, HealthStatus.Unhealthy], seen);
        _time.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        isUnhealthy = true;
        Assert.Equal(HealthStatus.Unhealthy, (await pipeline.CheckHealth()).Status);
    }

    [Fact]
    public async Task Only_the_named_instances_are_watched_and_a_name_that_nobody_has_is_told()
    {
        using var pipeline = new WatchedPipeline(_time, health: static options => options.Instances.Add("file/audit"));
        await pipeline.LoseOne();
        var entry = await pipeline.CheckHealth();
        Assert.Equal((HealthStatus.Degraded, "file/audit: there is no such instance"), (entry.Status, entry.Description));
        Assert.Empty(entry.Data);
    }

    [Fact]
    public async Task The_description_names_every_instance_in_trouble()
    {
        WatchedPipeline? watched = null;
        using var pipeline = watched = new WatchedPipeline(_time, health: options =>
        {
            options.Instances.Add("file/audit");
            options.Instances.Add(watched!.Name);
            options.Instances.Add("syslog/default");
        });
        await pipeline.LoseOne();
        var entry = await pipeline.CheckHealth();
        Assert.Equal(
            (HealthStatus.Degraded, $"file/audit: there is no such instance. syslog/default: there is no such instance. {pipeline.Name}: 1 records lost within 60 s: reentrant 1"),
            (entry.Status, entry.Description));
    }

    [Fact]
    public async Task A_record_in_flight_grows_old_like_one_that_waits()
    {
        using var pipeline = new WatchedPipeline(_time);
        pipeline.Stall();
        _ = pipeline.Offer(1);
        await Eventually.Holds(() => pipeline.Status is { InFlight: 1, QueueSize: 0 });
        _time.Advance(TimeSpan.FromSeconds(18));
        Assert.Equal(TimeSpan.FromSeconds(18), pipeline.Status.OldestAge);
        Assert.Equal((1, 0), (pipeline.Control.GetHistory(pipeline.Name)[^1].InFlight, pipeline.Control.GetHistory(pipeline.Name)[^1].QueueSize));

        using var waiting = new WatchedPipeline(_time, batchDelay: TimeSpan.FromMinutes(1));
        waiting.Logger.LogInformation("waits");
        _time.Advance(TimeSpan.FromSeconds(18));
        Assert.Equal(TimeSpan.FromSeconds(18), waiting.Status.OldestAge);
        Assert.Equal((0, 1), (waiting.Status.InFlight, waiting.Status.QueueSize));
    }

    [Fact]
    public async Task Calls_of_the_sink_that_fail_do_not_count_as_writes()
    {
        using var pipeline = new WatchedPipeline();
        pipeline.Sink.Before = static _ => throw new LogSinkException("refused", "no");
        pipeline.Logger.LogError("one");
        await Eventually.Holds(() => pipeline.Status.Errors.ContainsKey("refused"));
        Assert.Equal((0, TimeSpan.Zero), (pipeline.Status.Batches, pipeline.Status.WriteTime));
        pipeline.Sink.Before = null;
        Assert.True(await pipeline.Flush());
        Assert.Equal(1, pipeline.Status.Batches);
    }

    [Fact]
    public void Options_without_sense_are_refused_by_name_value_and_rule()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddHealthChecks().AddAsyncLog(
            static options =>
            {
                options.DegradedQueuePercentage = 0;
                options.UnhealthyQueuePercentage = 101;
                options.DegradedDropCount = 0;
                options.UnhealthyDropCount = -1;
                options.DegradedOldestAge = TimeSpan.Zero;
                options.Window = TimeSpan.FromHours(1);
                options.Instances.Add(" ");
            },
            name: "logs");
        using var provider = services.BuildServiceProvider();
        var exception = Assert.Throws<OptionsValidationException>(() => provider.GetRequiredService<IOptionsMonitor<AsyncLogHealthOptions>>().Get("logs"));
        const string Place = "AddHealthChecks().AddAsyncLog(name: \"logs\"): ";
        Assert.Equal(
            [
                Place + "DegradedQueuePercentage '0' is not valid: must be 1 to 100.",
                Place + "UnhealthyQueuePercentage '101' is not valid: must be DegradedQueuePercentage to 100, or null.",
                Place + "DegradedDropCount '0' is not valid: must be at least 1.",
                Place + "UnhealthyDropCount '-1' is not valid: must be at least DegradedDropCount, or null.",
                Place + "DegradedOldestAge '00:00:00' is not valid: must be more than zero.",
                Place + "Window '01:00:00' is not valid: must be 00:00:01 to 00:10:00.",
                Place + "Instances ' ' is not valid: must be names of instances, for example file/default.",
            ],
            exception.Failures);
        Assert.Throws<OptionsValidationException>(() => provider.GetRequiredService<IStartupValidator>().Validate());
    }

    [Fact]
    public void Both_ends_of_every_range_are_accepted_and_what_lies_just_outside_is_refused()
    {
        Action<AsyncLogHealthOptions>[] accepted =
        [
            static options => options.DegradedQueuePercentage = 1,
            static options => (options.DegradedQueuePercentage, options.UnhealthyQueuePercentage) = (100, 100),
            static options => (options.DegradedQueuePercentage, options.UnhealthyQueuePercentage) = (1, 1),
            static options => options.DegradedDropCount = 1,
            static options => options.UnhealthyDropCount = 1,
            static options => (options.DegradedDropCount, options.UnhealthyDropCount) = (5, 5),
            static options => options.DegradedOldestAge = TimeSpan.FromTicks(1),
            static options => options.Window = TimeSpan.FromSeconds(1),
            static options => options.Window = TimeSpan.FromMinutes(10),
        ];
        foreach (var configure in accepted)
            Assert.Null(RefusalOf(configure));

        (string Option, Action<AsyncLogHealthOptions> Configure)[] refused =
        [
            ("DegradedQueuePercentage", static options => options.DegradedQueuePercentage = 0),
            ("DegradedQueuePercentage", static options => options.DegradedQueuePercentage = 101),
            ("UnhealthyQueuePercentage", static options => (options.DegradedQueuePercentage, options.UnhealthyQueuePercentage) = (1, 0)),
            ("UnhealthyQueuePercentage", static options => options.UnhealthyQueuePercentage = 101),
            ("UnhealthyQueuePercentage", static options => (options.DegradedQueuePercentage, options.UnhealthyQueuePercentage) = (50, 49)),
            ("DegradedDropCount", static options => options.DegradedDropCount = 0),
            ("UnhealthyDropCount", static options => options.UnhealthyDropCount = 0),
            ("UnhealthyDropCount", static options => (options.DegradedDropCount, options.UnhealthyDropCount) = (5, 4)),
            ("DegradedOldestAge", static options => options.DegradedOldestAge = TimeSpan.Zero),
            ("Window", static options => options.Window = TimeSpan.FromSeconds(1) - TimeSpan.FromTicks(1)),
            ("Window", static options => options.Window = TimeSpan.FromMinutes(10) + TimeSpan.FromTicks(1)),
        ];
        foreach (var (option, configure) in refused)
            Assert.StartsWith($"AddHealthChecks().AddAsyncLog(name: \"logs\"): {option} '", RefusalOf(configure), StringComparison.Ordinal);

        static string? RefusalOf(Action<AsyncLogHealthOptions> configure)
        {
            var options = new AsyncLogHealthOptions();
            configure(options);
            return new HealthOptionsValidator().Validate("logs", options).Failures?.Single();
        }
    }

    [Fact]
    public async Task Without_any_instance_it_is_healthy()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddHealthChecks().AddAsyncLog();
        using var provider = services.BuildServiceProvider();
        var report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HealthStatus.Healthy, report.Entries["asynclog"].Status);
    }

    // One record is in the hands of the sink, the others wait.
    private static Task<bool> FillTo(WatchedPipeline pipeline, int waiting)
    {
        _ = pipeline.Offer(1);
        Eventually.True(() => pipeline.Sink.Calls == 1);
        return pipeline.Offer(waiting);
    }
}
