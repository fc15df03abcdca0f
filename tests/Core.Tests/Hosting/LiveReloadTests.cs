using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

public sealed class LiveReloadTests
{
    [Fact]
    public async Task A_level_change_takes_effect_and_the_sink_stays()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Logger.LogDebug("one");
        pipeline.Edit(("LogLevel:Default", "Warning"));
        Assert.False(pipeline.Logger.IsEnabled(LogLevel.Information));
        pipeline.Logger.LogInformation("two");
        pipeline.Logger.LogWarning("three");
        pipeline.Edit(("LogLevel:Default", "Debug"));
        pipeline.Logger.LogDebug("four");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["one", "three", "four"], pipeline.Sinks.Single().Lines);
        pipeline.AssertConservation(3);
    }

    [Fact]
    public async Task MaxLevel_takes_effect_live()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("MaxLevel", "Information"));
        pipeline.Logger.LogWarning("above");
        pipeline.Logger.LogInformation("below");
        pipeline.Edit(("MaxLevel", null));
        pipeline.Logger.LogWarning("again");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["below", "again"], pipeline.Sinks.Single().Lines);
    }

    [Fact]
    public async Task QueueFullMode_takes_effect_live()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("MaxQueueMemory", "1MB"), ("ReservedPercentage", "0"), ("GapNotices", "false"));
        pipeline.Sinks.Single().Before = (_, _) => gate.Wait(TestContext.Current.CancellationToken);
        // Many segments: the one in the sink's hands cannot be evicted.
        var text = new string('x', 1000);
        for (var i = 0; i < 2000; i++)
            pipeline.Logger.LogInformation("first {Text}", text);
        Assert.Equal(DropReason.QueueMemory, Assert.Single(pipeline.Status.Drops).Reason);
        pipeline.Edit(("QueueFullMode", "DropOldest"));
        for (var i = 0; i < 2000; i++)
            pipeline.Logger.LogInformation("second {Text}", text);
        Assert.Contains(pipeline.Status.Drops, static drop => drop.Reason == DropReason.Evicted);
        gate.Set();
        Assert.True(await pipeline.Flush());
        Assert.StartsWith("second", pipeline.Sinks.Single().Lines[^1], StringComparison.Ordinal);
        pipeline.AssertConservation(4000);
    }

    [Fact]
    public async Task An_option_of_the_sink_reaches_the_running_sink()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("Tuning", "7"));
        await Eventually.Holds(() => pipeline.Sinks.Single().Tuning == 7);
        pipeline.Edit(("Tuning", "8"), ("MaxQueueLength", "50"));
        await Eventually.Holds(() => pipeline.Sinks.Single().Tuning == 8);
    }

    [Fact]
    public async Task A_change_of_MaxQueueLength_under_load_loses_nothing_and_keeps_the_order_of_a_thread_over_all_its_loggers()
    {
        using var pipeline = new ReloadPipeline(("QueueFullMode", "Wait"), ("WaitTimeout", "1m"));
        var load = new Load(pipeline.Factory, threads: 4, categories: 500);
        for (var i = 0; i < 40; i++)
        {
            var before = load.Offered;
            pipeline.Edit(("MaxQueueLength", i % 2 == 0 ? "5000" : "20000"));
            await Eventually.Holds(() => load.Offered > before + 50);
        }

        var offered = load.Stop();
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(offered);
        Assert.Equal(offered, pipeline.Status.Written);
        var sink = pipeline.Sinks.Single();
        Assert.Equal(offered, sink.Lines.Length);
        Load.AssertOrder(sink.Lines);
    }

    [Fact]
    public async Task A_change_of_Template_under_load_begins_a_new_file_and_no_record_has_the_layout_of_another_file()
    {
        using var pipeline = new ReloadPipeline(("QueueFullMode", "Wait"), ("WaitTimeout", "1m"), ("Template", "0 {Message}{NewLine}"));
        var load = new Load(pipeline.Factory, threads: 4, categories: 50);
        for (var i = 1; i <= 20; i++)
        {
            var before = load.Offered;
            pipeline.Edit(("Template", $"{i} {{Message}}{{NewLine}}"));
            await Eventually.Holds(() => load.Offered > before + 50);
        }

        var offered = load.Stop();
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(offered);
        var files = pipeline.Sinks.Single().Text.Split($"{ReloadSink.Roll}\n");
        Assert.Equal(21, files.Length);
        var lines = 0;
        for (var i = 0; i < files.Length; i++)
        {
            var own = files[i].Split('\n', StringSplitOptions.RemoveEmptyEntries);
            lines += own.Length;
            Assert.DoesNotContain(own, line => !line.StartsWith($"{i} ", StringComparison.Ordinal));
        }

        Assert.Equal(offered, lines);
        Load.AssertOrder(pipeline.Sinks.Single().Lines);
    }

    [Theory]
    [InlineData("MaxQueueMemory", "1MB")]
    [InlineData("MaxQueueLength", "5000")]
    [InlineData("MaxRecordSize", "8KB")]
    public async Task A_template_that_changes_with_the_queue_begins_a_new_file(string key, string value)
    {
        using var pipeline = new ReloadPipeline(("Template", "0 {Message}{NewLine}"));
        pipeline.Logger.LogInformation("one");
        pipeline.Edit(("Template", "1 {Message}{NewLine}"), (key, value));
        pipeline.Logger.LogInformation("two");

        Assert.True(await pipeline.Flush());
        Assert.Equal($"0 one\n{ReloadSink.Roll}\n1 two\n", pipeline.Sinks.Single().Text);
    }

    [Fact]
    public async Task A_loss_that_only_the_replaced_queue_was_told_of_makes_the_next_flush_false()
    {
        var losses = new ConcurrentQueue<bool>([true]);
        using var pipeline = new ReloadPipeline();
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        pipeline.Sinks.Single().Flushing = () => !losses.TryDequeue(out _);

        pipeline.Edit(("MaxQueueLength", "5000"));
        pipeline.Logger.LogInformation("two");
        await Eventually.Holds(() => pipeline.Status.Written == 2);
        Assert.Empty(losses);

        Assert.False(await pipeline.Flush());
        Assert.True(await pipeline.Flush());
    }

    [Fact]
    public async Task Another_destination_under_load_loses_nothing()
    {
        using var pipeline = new ReloadPipeline(("QueueFullMode", "Wait"), ("WaitTimeout", "1m"), ("ShutdownTimeout", "1m"));
        var load = new Load(pipeline.Factory, threads: 4, categories: 50);
        for (var i = 0; i < 20; i++)
        {
            var before = load.Offered;
            pipeline.Edit(("Destination", $"d{i}"));
            await Eventually.Holds(() => load.Offered > before + 50);
        }

        var offered = load.Stop();
        Assert.True(await pipeline.Flush());
        await Eventually.Holds(() => pipeline.Sinks.SkipLast(1).All(static sink => sink.IsDisposed));
        pipeline.AssertConservation(offered);
        Assert.Equal(offered, pipeline.Sinks.Sum(static sink => sink.Lines.Length));
        Load.AssertOrder(pipeline.Sinks.SelectMany(static sink => sink.Lines));
        Assert.Equal("d19", pipeline.Status.Target);
    }

    [Fact]
    public async Task An_instance_comes_and_goes_and_its_totals_stay()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("Files:extra:Destination", "b"));
        pipeline.Logger.LogInformation("both");
        pipeline.Edit(("Files:extra:Enabled", "false"));
        pipeline.Logger.LogInformation("one");
        Assert.Equal(SinkState.Stopped, pipeline.StatusOf("extra").State);
        await Eventually.Holds(() => pipeline.StatusOf("extra").Written == 1);
        pipeline.Edit(("Files:extra:Enabled", "true"));
        pipeline.Logger.LogInformation("both again");
        Assert.True(await pipeline.Flush());
        Assert.Equal(2, pipeline.StatusOf("extra").Written);
        Assert.Equal(0, pipeline.StatusOf("extra").Dropped);
        Assert.Equal(SinkState.Healthy, pipeline.StatusOf("extra").State);
        Assert.Equal(["both", "both again"], pipeline.Sinks.Where(static sink => sink.Destination == "b").SelectMany(static sink => sink.Lines).Where(static line => !IsNotice(line)));
        Assert.Equal(["both", "one", "both again"], pipeline.Sinks.First().Lines);
    }

    [Fact]
    public async Task Switching_an_instance_off_and_on_under_load_keeps_its_counters()
    {
        using var pipeline = new ReloadPipeline(("QueueFullMode", "Wait"), ("WaitTimeout", "1m"), ("ShutdownTimeout", "1m"));
        var load = new Load(pipeline.Factory, threads: 4, categories: 500);
        for (var i = 0; i < 10; i++)
        {
            pipeline.Edit(("Enabled", i % 2 == 0 ? "false" : "true"));
            var before = load.Offered;
            await Eventually.Holds(() => load.Offered > before + 50);
        }

        var calls = load.Stop();
        Assert.True(await pipeline.Flush());
        var status = pipeline.Status;
        Assert.Null(Counters.FaultOf(status));
        // While it was on, at least 50 calls ended each time; those that began before may have found it off.
        Assert.InRange(status.Written, 5 * (50 - 4), calls);
        Assert.Equal(status.Written, pipeline.Sinks.Sum(static sink => sink.Lines.Count(static line => !IsNotice(line))));
        Load.AssertOrder(pipeline.Sinks.SelectMany(static sink => sink.Lines).Where(static line => !IsNotice(line)));
        Assert.InRange(status.Dropped, 0, 4 * 10);
    }

    [Fact]
    public async Task An_instance_that_was_switched_off_and_on_says_so_in_its_output_and_on_stderr()
    {
        using var pipeline = new ReloadPipeline(("UseUtcTimestamp", "true"));
        pipeline.Logger.LogInformation("before");
        // A record that still waits is delivered by the sink that comes next, behind its notice.
        Assert.True(await pipeline.Flush());
        pipeline.Edit(("Enabled", "false"));
        Assert.EndsWith("AsyncLog: info reload/default: was switched off: it takes no records." + Environment.NewLine, pipeline.Said, StringComparison.Ordinal);
        pipeline.Logger.LogInformation("nobody takes this");
        pipeline.Edit(("Enabled", "true"));
        pipeline.Logger.LogInformation("after");
        Assert.True(await pipeline.Flush());
        var lines = pipeline.Sinks.SelectMany(static sink => sink.Lines).ToList();
        Assert.Equal(3, lines.Count);
        Assert.Equal(("before", "after"), (lines[0], lines[2]));
        const string Time = @"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}";
        Assert.Matches($"^no records were taken from {Time} to {Time}: the instance was switched off$", lines[1]);
        Assert.Contains($"info reload/default: was switched on again: {lines[1][..lines[1].LastIndexOf(':')]}.", pipeline.Said, StringComparison.Ordinal);
        pipeline.AssertConservation(2);
    }

    [Fact]
    public async Task Without_gap_notices_only_stderr_says_that_an_instance_was_switched_off()
    {
        using var pipeline = new ReloadPipeline(("GapNotices", "false"));
        pipeline.Edit(("Enabled", "false"));
        pipeline.Edit(("Enabled", "true"));
        pipeline.Logger.LogInformation("after");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["after"], pipeline.Sinks.SelectMany(static sink => sink.Lines));
        Assert.Contains("info reload/default: was switched on again: no records were taken from ", pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_invalid_edit_keeps_the_last_good_settings_until_the_next_good_edit()
    {
        using var pipeline = new ReloadPipeline();
        pipeline.Edit(("MaxQueueLength", "many"), ("Destination", "b"));
        pipeline.Logger.LogInformation("still there");
        Assert.True(await pipeline.Flush());
        Assert.Equal("a", pipeline.Status.Target);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        Assert.Equal("Logging:Reload:MaxQueueLength 'many' is not valid: expected a whole number", pipeline.Status.ConfigurationProblem);
        pipeline.Edit(("MaxQueueLength", "1000"));
        pipeline.Logger.LogInformation("moved");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["still there"], pipeline.Sinks.First().Lines);
        Assert.Equal(["moved"], pipeline.Sinks.Last().Lines);
        Assert.Equal(("b", 1000), (pipeline.Status.Target, pipeline.Status.QueueCapacity));
        Assert.Null(pipeline.Status.ConfigurationProblem);
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
    }

    [Fact]
    public async Task Three_hundred_reloads_leave_one_worker_and_one_queue()
    {
        // All queues of the instance share the memory: a caller waits for those that drain.
        using var pipeline = new ReloadPipeline("leaky", ("MaxQueueMemory", "256KB"), ("QueueFullMode", "Wait"));
        for (var i = 0; i < 300; i++)
        {
            pipeline.Logger.LogInformation("record {Number}", i);
            pipeline.Edit((i % 3) switch
            {
                0 => ("MaxQueueLength", $"{1000 + i}"),
                1 => ("Destination", $"d{i}"),
                _ => ("Enabled", i % 2 == 0 ? "false" : "true"),
            });
            if (i % 3 == 2)
                pipeline.Edit(("Enabled", "true"));
        }

        Assert.True(await pipeline.Flush());
        await Eventually.Holds(() => pipeline.Sinks.Count(static sink => !sink.IsDisposed) == 1);
        await Eventually.Holds(() => pipeline.Provider.Find("leaky/default")!.Instance.Queues.Count == 1);
        if (OperatingSystem.IsLinux())
            await Eventually.Holds(() => WorkersOf("leaky") == 1);
        pipeline.AssertConservation(300);
        Assert.Empty(pipeline.Status.Drops);
        Assert.Equal(300, pipeline.Status.Written);
    }

    // The kernel keeps 15 characters of a name: those of the longest type that fits, which is of this test only.
    private static int WorkersOf(string type)
        => Directory.GetDirectories("/proc/self/task").Count(task => Comm(task).StartsWith($"AsyncLog {type}/", StringComparison.Ordinal));

    private static string Comm(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm"));
        }
        catch (IOException)
        {
            // The thread ended between listing and reading, which is what the test waits for.
            return "";
        }
    }

    // Records of AsyncLog itself.
    private static bool IsNotice(string line) => line.Contains("dropped", StringComparison.Ordinal) || line.StartsWith("no records were taken", StringComparison.Ordinal);
}
