using System.Collections.Concurrent;
using AsyncLog.Tests.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

public sealed class ReloadTroubleTests
{
    [Fact]
    public async Task A_destination_that_cannot_be_opened_leaves_the_old_one_in_use_until_a_later_edit_can_open_it()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Making = static sink => sink.Opening = static () => throw new LogSinkException("permission", "no permission");
        pipeline.Edit(("Destination", "b"));
        Assert.Contains("no permission. The old one stays in use; retrying.", pipeline.Said, StringComparison.Ordinal);
        Assert.Equal("a", pipeline.Status.Target);
        pipeline.Logger.LogInformation("stays");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["stays"], pipeline.Sinks.First().Lines);
        pipeline.Making = null;
        pipeline.Edit(("Tuning", "1"));
        pipeline.Logger.LogInformation("moved");
        Assert.True(await pipeline.Flush());
        Assert.Equal("b", pipeline.Status.Target);
        Assert.Equal(["moved"], pipeline.Sinks.Last().Lines);
    }

    [Fact]
    public async Task A_sink_that_cannot_even_be_made_on_reload_harms_nobody()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Making = static sink => throw new InvalidOperationException($"no {sink.Destination}");
        pipeline.Edit(("Files:extra:Destination", "x"), ("Tuning", "3"));
        pipeline.Edit(("Destination", "b"));
        Assert.Contains("no x", pipeline.Said, StringComparison.Ordinal);
        Assert.Contains("no b", pipeline.Said, StringComparison.Ordinal);
        await Eventually.Holds(() => pipeline.Sinks.Single().Tuning == 3);
        pipeline.Logger.LogInformation("still there");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["still there"], pipeline.Sinks.Single().Lines);
        pipeline.Making = null;
        pipeline.Edit(("Files:extra:Tuning", "1"));
        pipeline.Logger.LogInformation("all");
        Assert.True(await pipeline.Flush());
        Assert.Equal(1, pipeline.StatusOf("extra").Written);
    }

    [Fact]
    public async Task Reloads_while_the_destination_hangs_keep_the_bound_of_one_queue()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("MaxQueueMemory", "1MB"), ("ReservedPercentage", "0"));
        pipeline.Sinks.Single().Before = (_, _) => gate.Wait(CancellationToken.None);
        var text = new string('x', 1000);
        var offered = 0;
        for (var round = 0; round < 6; round++)
        {
            for (var i = 0; i < 2000; i++, offered++)
                pipeline.Logger.LogInformation("{Text}", text);
            var status = pipeline.Status;
            Assert.InRange(status.QueueBytes, 1, 1 << 20);
            Assert.InRange(status.QueueFill, 0, 1);
            Assert.InRange(status.QueueSize + status.InFlight, 900, (1 << 20) / 1000);
            pipeline.AssertConservation(offered);
            pipeline.Edit(("MaxQueueLength", $"{200_000 + round}"));
        }

        // What the earlier queues held made room for the last one.
        gate.Set();
        await Eventually.Holds(() => pipeline.Status is { QueueSize: 0, InFlight: 0 });
        Assert.InRange(pipeline.Status.Dropped, offered - ((1 << 20) / 1000), offered - 900);
        for (var i = 0; i < 900; i++, offered++)
            pipeline.Logger.LogInformation("{Text}", text);
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(offered);
        Assert.Equal(pipeline.Status.Written, pipeline.Sinks.Single().Lines.Count(line => line == text));
    }

    [Fact]
    public async Task Reloads_keep_the_bound_in_records_and_waiting_callers_go_on()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("MaxQueueLength", "100"), ("QueueFullMode", "Wait"), ("WaitTimeout", "1m"), ("ReservedPercentage", "0"));
        pipeline.Sinks.Single().Before = (_, _) => gate.Wait(CancellationToken.None);
        for (var i = 0; i < 100; i++)
            pipeline.Logger.LogInformation("{Number}", i);
        pipeline.Edit(("MaxQueueLength", "101"));
        pipeline.Logger.LogInformation("100");
        var last = Task.Factory.StartNew(() => pipeline.Logger.LogInformation("101"), TaskCreationOptions.LongRunning);
        await Eventually.Holds(() => pipeline.Status.QueueSize + pipeline.Status.InFlight == 101);
        Assert.False(last.IsCompleted);
        gate.Set();
        await last;
        Assert.True(await pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 102).Select(static i => $"{i}"), pipeline.Sinks.Single().Lines);
        pipeline.AssertConservation(102);
    }

    [Fact]
    public async Task What_a_replaced_sink_said_of_its_state_ends_with_it()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Contexts.Single().Degrade("certificate_expires", isPermanent: true);
        Assert.Equal((SinkState.Failed, "certificate_expires"), (pipeline.Status.State, pipeline.Status.Reason));

        pipeline.Edit(("Tuning", "5"));
        Assert.Equal(SinkState.Failed, pipeline.Status.State);
        pipeline.Edit(("Destination", "b"));
        Assert.Equal((SinkState.Healthy, null), (pipeline.Status.State, pipeline.Status.Reason));

        // Whatever of it still runs.
        pipeline.Contexts.First().Degrade("certificate_expires", isPermanent: true);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
        pipeline.Contexts.Last().Degrade("disk_low");
        Assert.Equal((SinkState.Degraded, "disk_low"), (pipeline.Status.State, pipeline.Status.Reason));
        pipeline.Logger.LogInformation("moved");
        Assert.True(await pipeline.Flush());
    }

    [Fact]
    public async Task An_instance_that_cannot_be_switched_on_again_is_switched_on_by_the_next_edit()
    {
        using var pipeline = new ReloadPipeline(("GapNotices", "false"));
        pipeline.Edit(("Enabled", "false"));
        pipeline.Making = static _ => throw new InvalidOperationException("not now");
        pipeline.Edit(("Enabled", "true"));
        Assert.Equal(SinkState.Stopped, pipeline.Status.State);
        pipeline.Making = null;
        pipeline.Edit(("MaxQueueLength", "77"));
        pipeline.Logger.LogInformation("back");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["back"], pipeline.Sinks.Last().Lines);
        Assert.Equal(77, pipeline.Status.QueueCapacity);
    }

    [Fact]
    public void A_mistake_is_the_problem_of_the_instance_it_was_made_in_and_all_of_them_are_told()
    {
        using var pipeline = new ReloadPipeline(("Files:a:Destination", "x"), ("Files:b:Destination", "y"));
        pipeline.Edit(("Files:a:MaxQueueLength", "many"), ("Files:a:WaitTimeout", "long"));
        var problem = pipeline.StatusOf("a").ConfigurationProblem;
        Assert.Equal(
            "Logging:Reload:Files:a:MaxQueueLength 'many' is not valid: expected a whole number; "
            + "Logging:Reload:Files:a:WaitTimeout 'long' is not valid: expected a time such as 500ms, 5s, 7d or 00:00:05",
            problem);
        Assert.Equal(SinkState.Degraded, pipeline.StatusOf("a").State);
        foreach (var other in (string[])["default", "b"])
        {
            Assert.Null(pipeline.StatusOf(other).ConfigurationProblem);
            Assert.Equal(SinkState.Healthy, pipeline.StatusOf(other).State);
        }
    }

    [Fact]
    public void A_mistake_that_no_running_instance_made_alone_is_the_problem_of_all()
    {
        using var pipeline = new ReloadPipeline(("Files:a:Destination", "x"));
        pipeline.Edit(("ReservedPercentage", "60"));
        Assert.Equal(["reload/default", "reload/a"], pipeline.Control.GetStatus().Instances.Select(static status => status.Name));
        Assert.All(
            pipeline.Control.GetStatus().Instances,
            static status => Assert.Equal("Logging:Reload:ReservedPercentage '60' is not valid: must be from 0 to 50", status.ConfigurationProblem));
        pipeline.Edit(("ReservedPercentage", null), ("Files:new:Destination", "z"), ("Files:new:MaxQueueLength", "0"));
        Assert.Equal(["reload/default", "reload/a"], pipeline.Control.GetStatus().Instances.Select(static status => status.Name));
        Assert.All(
            pipeline.Control.GetStatus().Instances,
            static status => Assert.Equal("Logging:Reload:Files:new:MaxQueueLength '0' is not valid: must be from 1 to 10000000", status.ConfigurationProblem));
    }

    [Fact]
    public void Once_everything_that_was_wrong_is_repaired_stderr_says_so()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("MaxQueueLength", "many"), ("ReservedPercentage", "99"));
        Assert.Contains("MaxQueueLength 'many' is not valid: expected a whole number. The last good settings remain in effect.", pipeline.Said, StringComparison.Ordinal);
        pipeline.Edit(("MaxQueueLength", "7"));
        Assert.DoesNotContain("valid again", pipeline.Said, StringComparison.Ordinal);
        pipeline.Edit(("ReservedPercentage", "9"));
        Assert.Contains("AsyncLog: info configuration: Logging:Reload:ReservedPercentage is valid again and in effect.", pipeline.Said, StringComparison.Ordinal);
        Assert.Equal(1, pipeline.Said.Split("valid again").Length - 1);
    }

    [Fact]
    public void After_a_live_change_of_the_destination_stderr_says_where_it_goes_on()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("Tuning", "1"));
        Assert.Empty(pipeline.Said);
        pipeline.Edit(("Destination", "b"));
        Assert.Contains("AsyncLog: info reload/default: was changed from a to b.", pipeline.Said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, false, 1)]
    [InlineData(true, false, 0)]
    [InlineData(false, true, 0)]
    public async Task A_server_that_nobody_chose_and_that_fails_beside_a_named_one_that_works_names_the_cure(bool isChosen, bool namedFails, int lines)
    {
        using var pipeline = new ReloadPipeline(("Files:b:Destination", "b"));
        if (!isChosen)
            pipeline.Edit(("Destination", null));
        if (namedFails)
            pipeline.Sinks.Single(static sink => sink.Destination == "b").Before = static (_, _) => throw new LogSinkException("refused", "b does not listen");
        pipeline.Sinks.Last(static sink => sink.Destination != "b").Before = (_, _) =>
        {
            SpinWait.SpinUntil(() => !namedFails || pipeline.StatusOf("b").State == SinkState.Degraded, TimeSpan.FromSeconds(20));
            throw new LogSinkException("refused", "nobody listens");
        };
        pipeline.Logger.LogInformation("record");

        await Eventually.Holds(() => pipeline.Said.Contains("reload/default: nobody listens (refused). Records wait in the queue; retrying.", StringComparison.Ordinal));
        Assert.Equal(lines, pipeline.Said.Split("retrying. If only the named Files are meant, set Logging:Reload:Main to false.").Length - 1);
    }

    [Fact]
    public void A_hint_ends_with_one_mark()
    {
        using var pipeline = new ReloadPipeline(("MaxQueueLenght", "7"));
        Assert.Contains("Logging:Reload:MaxQueueLenght is not a known option; did you mean 'MaxQueueLength'? It is ignored.", pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_slip_of_Default_in_the_levels_is_reported_on_a_reload_unless_a_category_has_that_name()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Factory.CreateLogger("Defaults.Prices");
        pipeline.Edit(("LogLevel:Defualt", "Debug"), ("Logging:LogLevel:Defaults", "Debug"));
        Assert.Contains(
            "AsyncLog: warn configuration: Logging:Reload:LogLevel:Defualt applies only to categories with this name; did you mean 'Default'?", pipeline.Said, StringComparison.Ordinal);
        Assert.DoesNotContain("Logging:LogLevel:Defaults", pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_wrong_edit_of_the_root_section_is_told_and_is_a_problem_until_it_is_repaired()
    {
        using var rejected = new EventReading("AsyncLog:SelfReportLevel", Thread.CurrentThread);
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("AsyncLog:SelfReportLevel", "loud"));
        Assert.Contains("AsyncLog: error configuration: AsyncLog:SelfReportLevel 'loud' is not valid", pipeline.Said, StringComparison.Ordinal);
        Assert.Contains("The last good settings remain in effect.", pipeline.Said, StringComparison.Ordinal);
        Assert.Equal(1, pipeline.Said.Split("'loud'").Length - 1);
        var told = rejected.Of("ConfigurationRejected").Single();
        Assert.Equal(("AsyncLog:SelfReportLevel", true), (told[0], told[2]));
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        Assert.StartsWith("AsyncLog:SelfReportLevel 'loud' is not valid", pipeline.Status.ConfigurationProblem, StringComparison.Ordinal);
        pipeline.Edit(("AsyncLog:SelfReportLevel", null));
        Assert.Null(pipeline.Status.ConfigurationProblem);
    }

    [Fact]
    public void Changed_options_of_the_process_that_wait_for_the_next_start_are_named()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("AsyncLog:CrashBufferPath", "/nowhere"), ("AsyncLog:Strict", "true"), ("AsyncLog:Strickt", "true"));
        Assert.Contains(
            "AsyncLog: warn configuration: AsyncLog:Strict, AsyncLog:CrashBufferPath changed; applies at the next start.", pipeline.Said, StringComparison.Ordinal);
        Assert.Contains("AsyncLog:Strickt is not a known option; did you mean 'Strict'?", pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_new_destination_ends_the_failure_of_the_old_one()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Sinks.First().Before = static (_, _) => throw new LogSinkException("permission", "no permission", isPermanent: true);
        pipeline.Logger.LogInformation("for the old one");
        await Eventually.Holds(() => pipeline.Status.State == SinkState.Failed);
        pipeline.Edit(("Destination", "b"));
        pipeline.Logger.LogInformation("for the new one");
        await Eventually.Holds(() => pipeline.Sinks.Last().Lines.Length == 2);
        Assert.Equal(["for the old one", "for the new one"], pipeline.Sinks.Last().Lines);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        await Eventually.Holds(() => pipeline.Sinks.First().IsDisposed);
        pipeline.AssertConservation(2);
        Assert.Equal(2, pipeline.Status.Written);
    }

    [Fact]
    public async Task The_failures_of_an_old_destination_whose_records_have_another_layout_do_not_set_the_state()
    {
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "1m"));
        var isBroken = true;
        pipeline.Sinks.First().Before = (_, _) =>
        {
            if (Volatile.Read(ref isBroken))
                throw new LogSinkException("permission", "no permission", isPermanent: true);
        };
        pipeline.Logger.LogInformation("for the old one");
        await Eventually.Holds(() => pipeline.Status.State == SinkState.Failed);
        pipeline.Edit(("Destination", "b"), ("Format", "Json"), ("Template", null));
        pipeline.Logger.LogInformation("for the new one");
        await Eventually.Holds(() => pipeline.Sinks.Last().Lines.Length == 1);
        // The old one goes on failing behind it, which is no longer the instance's state.
        var retries = pipeline.Status.Retries;
        await Eventually.Holds(() => pipeline.Status.Retries > retries + 1);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        Volatile.Write(ref isBroken, false);
        await Eventually.Holds(() => pipeline.Sinks.First().IsDisposed);
        pipeline.AssertConservation(2);
        Assert.Equal(2, pipeline.Status.Written);
    }

    [Fact]
    public async Task What_the_old_destination_lost_is_announced_in_the_new_one_and_on_stderr()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "50ms"));
        pipeline.Sinks.First().Before = (_, _) => gate.Wait(CancellationToken.None);
        pipeline.Logger.LogInformation("one");
        pipeline.Logger.LogInformation("two");
        pipeline.Edit(("Destination", "b"), ("Format", "Json"), ("Template", null));
        await Eventually.Holds(() => pipeline.Said.Contains("2 records were left", StringComparison.Ordinal));
        await Eventually.Holds(() =>
        {
            pipeline.Logger.LogInformation("next");
            return pipeline.Sinks.Last().Text.Contains("2 records dropped ", StringComparison.Ordinal);
        });
        Assert.Contains("(shutdown_timeout): Information 2", pipeline.Sinks.Last().Text, StringComparison.Ordinal);
        gate.Set();
    }

    [Fact]
    public async Task Records_of_an_instance_switched_off_and_on_stay_in_order()
    {
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "1m"), ("GapNotices", "false"));
        var order = new ConcurrentQueue<string>();
        using var isBack = new ManualResetEventSlim();
        pipeline.Sinks.First().Before = (_, _) =>
        {
            isBack.Wait(CancellationToken.None);
            // Room for the new one to be faster; it never is.
            SpinWait.SpinUntil(() => !order.IsEmpty, TimeSpan.FromMilliseconds(200));
            order.Enqueue("old");
        };
        pipeline.Making = sink => sink.Before = (_, _) => order.Enqueue("new");
        pipeline.Logger.LogInformation("old");
        pipeline.Edit(("Enabled", "false"));
        pipeline.Edit(("Enabled", "true"));
        pipeline.Logger.LogInformation("new");
        isBack.Set();
        Assert.True(await pipeline.Flush());
        Assert.Equal(["old", "new"], order);
    }

    [Fact]
    public async Task Dispose_does_not_wait_for_a_reload_that_hangs()
    {
        using var gate = new ManualResetEventSlim();
        using var entered = new ManualResetEventSlim();
        var pipeline = new ReloadPipeline(("ShutdownTimeout", "100ms"));
        pipeline.Making = sink => sink.Opening = () =>
        {
            entered.Set();
            gate.Wait(CancellationToken.None);
        };
        var reload = Task.Factory.StartNew(() => pipeline.Edit(("Destination", "b")), TaskCreationOptions.LongRunning);
        await Task.Run(entered.Wait);
        pipeline.Logger.LogInformation("last");
        await Task.Run(pipeline.Dispose).WaitAsync(TimeSpan.FromSeconds(20));
        Assert.Equal(["last"], pipeline.Sinks.First().Lines);
        gate.Set();
        await reload;
        await Eventually.Holds(() => pipeline.Sinks.All(static sink => sink.IsDisposed));
        pipeline.Logger.LogInformation("too late");
        Assert.Equal(DropReason.AlreadyShutdown, pipeline.Status.Drops.Single().Reason);
    }
}
