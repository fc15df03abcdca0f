using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

/// <summary>Edits of the configuration while the destination does not work.</summary>
public sealed class RepairTests
{
    [Fact]
    public async Task An_option_reaches_a_sink_that_fails()
    {
        using var pipeline = new ReloadPipeline();
        var sink = pipeline.Sinks.Single();
        sink.Before = (_, _) => FailUnless(sink.Tuning == 7);
        Log(pipeline, 0, 100);
        await Eventually.Holds(() => pipeline.Status.Retries > 1);

        pipeline.Edit(("Tuning", "7"));

        Assert.True(await pipeline.Flush());
        Assert.Equal(Numbers(0, 100), sink.Lines);
    }

    [Fact]
    public async Task An_option_reaches_a_sink_that_fails_in_the_middle_of_a_record()
    {
        using var pipeline = new ReloadPipeline();
        var sink = pipeline.Sinks.Single();
        sink.Before = (batch, _) =>
        {
            if (sink.Tuning == 7)
                return;
            if (sink.Text.Length == 0)
                sink.Take(batch, 1);
            throw new LogSinkException("no_space", "no space");
        };
        pipeline.Logger.LogInformation("whole");
        await Eventually.Holds(() => pipeline.Status.Retries > 1);

        pipeline.Edit(("Tuning", "7"));

        Assert.True(await pipeline.Flush());
        Assert.Equal(["whole"], sink.Lines);
    }

    [Fact]
    public async Task An_option_ends_a_long_delay_before_the_next_attempt()
    {
        using var pipeline = new ReloadPipeline();
        var sink = pipeline.Sinks.Single();
        sink.Before = (_, _) =>
        {
            if (sink.Tuning != 7)
                throw new LogSinkException("away", "away") { RetryDelay = TimeSpan.FromHours(1) };
        };
        pipeline.Logger.LogInformation("waits");
        await Eventually.Holds(() => pipeline.Status.LastError is not null);

        pipeline.Edit(("Tuning", "7"));

        Assert.True(await pipeline.Flush());
        Assert.Equal(["waits"], sink.Lines);
    }

    [Fact]
    public async Task Another_destination_gets_all_records_that_wait_for_one_that_fails_in_order()
    {
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "50ms"));
        pipeline.Sinks.Single().Before = static (_, _) => throw new LogSinkException("no_space", "no space");
        Log(pipeline, 0, 5000);
        await Eventually.Holds(() => pipeline.Status.Retries > 1);

        pipeline.Edit(("Destination", "b"));
        Log(pipeline, 5000, 5010);

        Assert.True(await pipeline.Flush());
        Assert.Empty(pipeline.Sinks.First().Lines);
        Assert.Equal(Numbers(0, 5010), pipeline.Sinks.Last().Lines);
        Assert.Equal((5010, 0, "b"), (pipeline.Status.Written, pipeline.Status.Dropped, pipeline.Status.Target));
        Assert.Contains("reload/default: another destination is in use.", pipeline.Said, StringComparison.Ordinal);
        await Eventually.Holds(() => pipeline.Sinks.First().IsDisposed);
        pipeline.AssertConservation(5010);
    }

    [Fact]
    public async Task Another_destination_gets_a_record_whole_that_the_old_one_took_in_part()
    {
        using var pipeline = new ReloadPipeline();
        var old = pipeline.Sinks.Single();
        old.Before = (batch, _) =>
        {
            if (old.Text.Length == 0)
                old.Take(batch, "whole".Length);
            throw new LogSinkException("no_space", "no space");
        };
        pipeline.Logger.LogInformation("whole record");
        await Eventually.Holds(() => pipeline.Status.Retries > 1);

        pipeline.Edit(("Destination", "b"));

        Assert.True(await pipeline.Flush());
        Assert.Equal(["whole record"], pipeline.Sinks.Last().Lines);
        Assert.Equal(1, pipeline.Status.Written);
    }

    [Fact]
    public async Task Another_destination_and_another_bound_in_one_edit_lose_nothing()
    {
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "50ms"));
        pipeline.Sinks.Single().Before = static (_, _) => throw new LogSinkException("no_space", "no space");
        Log(pipeline, 0, 1000);
        await Eventually.Holds(() => pipeline.Status.Retries > 1);

        pipeline.Edit(("Destination", "b"), ("MaxQueueLength", "7000"));
        Log(pipeline, 1000, 2000);

        Assert.True(await pipeline.Flush());
        Assert.Equal(Numbers(0, 2000), pipeline.Sinks.Last().Lines);
        Assert.Equal(7000, pipeline.Status.QueueCapacity);
    }

    [Fact]
    public async Task Another_destination_gets_what_a_queue_holds_that_was_replaced_while_its_destination_failed()
    {
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "50ms"));
        pipeline.Sinks.Single().Before = static (_, _) => throw new LogSinkException("no_space", "no space");
        Log(pipeline, 0, 1000);
        await Eventually.Holds(() => pipeline.Status.Retries > 1);
        pipeline.Edit(("MaxQueueLength", "7000"));
        Log(pipeline, 1000, 2000);

        pipeline.Edit(("Destination", "b"));
        Log(pipeline, 2000, 2010);

        Assert.True(await pipeline.Flush());
        Assert.Equal(Numbers(0, 2010), pipeline.Sinks.Last().Lines);
        pipeline.AssertConservation(2010);
    }

    [Fact]
    public async Task A_destination_that_hangs_is_replaced_and_only_the_batch_in_its_hands_is_lost()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "50ms"));
        var old = pipeline.Sinks.Single();
        old.Before = (_, _) => gate.Wait(CancellationToken.None);
        pipeline.Logger.LogInformation("in its hands");
        await Eventually.Holds(() => pipeline.Status.InFlight == 1);
        Log(pipeline, 0, 100);

        pipeline.Edit(("Destination", "b"));
        Log(pipeline, 100, 110);

        await Eventually.Holds(() => pipeline.Said.Contains("1 record that it held is lost", StringComparison.Ordinal));
        // The old destination could not be flushed: one flush is told.
        Assert.False(await pipeline.Flush());
        Assert.True(await pipeline.Flush());
        Assert.Equal(Numbers(0, 110), pipeline.Sinks.Last().Lines.Where(static line => !line.Contains("dropped", StringComparison.Ordinal)));
        Assert.Equal([DropReason.ShutdownTimeout], pipeline.Status.Drops.Select(static drop => drop.Reason));
        gate.Set();
        await Eventually.Holds(() => old.IsDisposed);
        Assert.Equal((110, 1), (pipeline.Status.Written, pipeline.Status.Dropped));
        pipeline.AssertConservation(111);
    }

    [Fact]
    public async Task A_queue_with_a_crash_buffer_takes_and_delivers_all_it_holds_after_a_destination_that_hangs_was_replaced()
    {
        // Only Linux has crash buffers, in memory only.
        var buffers = Directory.CreateDirectory($"{(OperatingSystem.IsLinux() ? "/dev/shm" : Path.GetTempPath())}/asynclog-repair-{Guid.NewGuid():n}");
        try
        {
            using var first = new ManualResetEventSlim();
            using var second = new ManualResetEventSlim();
            using var pipeline = new ReloadPipeline(
                made => made.Before = (_, _) => (made.Destination == "a" ? first : second).Wait(CancellationToken.None),
                ("ShutdownTimeout", "50ms"), ("MaxQueueLength", "100000"), ("MaxQueueMemory", "1MiB"), ("CrashBuffer", "true"), ("AsyncLog:CrashBufferPath", buffers.FullName));
            var old = pipeline.Sinks.Single();
            pipeline.Logger.LogInformation("in its hands");
            await Eventually.Holds(() => pipeline.Status.InFlight == 1);
            Assert.Equal(OperatingSystem.IsLinux(), buffers.EnumerateFiles("*", SearchOption.AllDirectories).Any());

            pipeline.Edit(("Destination", "b"));
            await Eventually.Holds(() => pipeline.Said.Contains("1 record that it held is lost", StringComparison.Ordinal));
            var logged = 1;
            for (; pipeline.Status.Dropped == 1; logged++)
                Log(pipeline, logged, logged + 1);
            Assert.InRange(pipeline.Status.QueueSize + pipeline.Status.InFlight, 1000, 100_000);

            second.Set();
            // Records that were dropped since make no flush false, but the one that the old destination held does.
            Assert.False(await pipeline.Flush());
            Assert.True(await pipeline.Flush());
            var status = pipeline.Status;
            Assert.Equal(0, status.QueueSize + status.InFlight);
            Assert.Equal(status.Written, pipeline.Sinks.Last().Lines.Count(static line => int.TryParse(line, out _)));
            // A busy machine needs so long to fill the queue that the destination counts as silent.
            Assert.Empty(status.Errors.Keys.Except(["timeout"]));
            pipeline.AssertConservation(logged);
            first.Set();
            await Eventually.Holds(() => old.IsDisposed);
        }
        finally
        {
            buffers.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task A_destination_that_hangs_until_it_is_cancelled_loses_nothing_when_it_is_replaced()
    {
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "50ms"));
        pipeline.Sinks.Single().Before = static (_, cancellationToken) =>
        {
            cancellationToken.WaitHandle.WaitOne();
            cancellationToken.ThrowIfCancellationRequested();
        };
        Log(pipeline, 0, 100);
        await Eventually.Holds(() => pipeline.Status.InFlight > 0);

        pipeline.Edit(("Destination", "b"));

        Assert.True(await pipeline.Flush());
        Assert.Equal(Numbers(0, 100), pipeline.Sinks.Last().Lines);
    }

    [Fact]
    public async Task A_destination_that_cannot_be_opened_is_a_problem_of_the_instance_and_is_tried_again()
    {
        using var pipeline = new ReloadPipeline();
        var isBroken = true;
        pipeline.Making = sink => sink.Opening = () => FailUnless(!Volatile.Read(ref isBroken));
        pipeline.Edit(("Destination", "b"));
        Assert.Contains("the new destination cannot be opened: not yet. The old one stays in use", pipeline.Status.ConfigurationProblem, StringComparison.Ordinal);
        Assert.Equal((SinkState.Degraded, "configuration", "a"), (pipeline.Status.State, pipeline.Status.Reason, pipeline.Status.Target));
        pipeline.Logger.LogInformation("to the old one");
        Assert.True(await pipeline.Flush());

        Volatile.Write(ref isBroken, false);

        await Eventually.Holds(() => pipeline.Status.ConfigurationProblem is null);
        pipeline.Logger.LogInformation("to the new one");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["to the old one"], pipeline.Sinks.First().Lines);
        Assert.Equal(["to the new one"], pipeline.Sinks.Last().Lines);
        Assert.Contains("all changes to the destination are in effect", pipeline.Said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cannot be opened: not yet")]
    [InlineData("was not opened within 1s, because it does not answer")]
    public async Task While_a_destination_is_not_open_everything_else_that_changes_is_in_force(string problem)
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "1s"), ("LogLevel:Default", "Information"), ("Files:other:Destination", "o"), ("Files:other:LogLevel:Default", "None"));
        pipeline.Making = sink => sink.Opening = () =>
        {
            if (problem.StartsWith("cannot", StringComparison.Ordinal))
                FailUnless(gate.IsSet);
            else
                gate.Wait(CancellationToken.None);
        };
        pipeline.Edit(("Destination", "b"), ("Tuning", "2"));
        Assert.Contains($"the new destination {problem}. The old one stays in use", pipeline.Status.ConfigurationProblem, StringComparison.Ordinal);
        pipeline.Edit(("LogLevel:Default", "Warning"));
        pipeline.Logger.LogInformation("below the level");
        pipeline.Edit(("Template", "new {Message}{NewLine}"), ("MaxQueueLength", "77"));
        pipeline.Edit(("Files:other:LogLevel:Default", "Warning"), ("Files:other:Template", "{Message}{NewLine}"));
        pipeline.Logger.LogWarning("to the old one");

        Assert.True(await pipeline.Flush());
        Assert.Equal([ReloadSink.Roll, "new to the old one"], pipeline.Sinks.First().Lines);
        Assert.Equal(["to the old one"], pipeline.Sinks.Single(static sink => sink.Destination == "o").Lines.Where(static line => line != ReloadSink.Roll));
        Assert.Equal((2, 77, "a"), (pipeline.Sinks.First().Tuning, pipeline.Status.QueueCapacity, pipeline.Status.Target));
        Assert.Contains($"the new destination {problem}", pipeline.Status.ConfigurationProblem, StringComparison.Ordinal);

        gate.Set();
        await Eventually.Holds(() => pipeline.Status.ConfigurationProblem is null);
        pipeline.Logger.LogWarning("to the new one");
        Assert.True(await pipeline.Flush());
        Assert.Equal(("b", "new to the new one"), (pipeline.Status.Target, pipeline.Sinks.Last(static sink => sink.Lines.Length > 0 && sink.Destination == "b").Lines.Single()));
        await Eventually.Holds(() => pipeline.Sinks.First().IsDisposed);
    }

    [Fact]
    public async Task A_destination_that_is_set_back_before_the_other_one_is_open_stays_in_use()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "1s"));
        pipeline.Making = sink => sink.Opening = () => gate.Wait(CancellationToken.None);
        pipeline.Edit(("Destination", "b"));
        pipeline.Edit(("Destination", "a"), ("Tuning", "3"));
        Assert.Null(pipeline.Status.ConfigurationProblem);
        pipeline.Logger.LogInformation("record");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["record"], pipeline.Sinks.First().Lines);
        Assert.Equal(3, pipeline.Sinks.First().Tuning);
        Assert.Equal(2, pipeline.Sinks.Count);

        gate.Set();
        await Eventually.Holds(() => pipeline.Sinks.Last().IsDisposed);
        pipeline.Logger.LogInformation("later");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["record", "later"], pipeline.Sinks.First().Lines);
        Assert.False(pipeline.Sinks.First().IsDisposed);
    }

    [Fact]
    public async Task Edits_while_a_destination_hangs_open_it_once_and_a_third_destination_is_used_at_once()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(("ShutdownTimeout", "1s"));
        pipeline.Making = sink =>
        {
            if (sink.Destination == "b")
                sink.Opening = () => gate.Wait(CancellationToken.None);
        };
        pipeline.Edit(("Destination", "b"));
        for (var edit = 0; edit < 5; edit++)
            pipeline.Edit(("Tuning", $"{edit}"));
        Assert.Equal(["a", "b"], pipeline.Sinks.Select(static sink => sink.Destination));

        pipeline.Edit(("Destination", "c"));
        Assert.Equal(("c", null), (pipeline.Status.Target, pipeline.Status.ConfigurationProblem));
        pipeline.Logger.LogInformation("record");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["record"], pipeline.Sinks.Last().Lines);
        Assert.Equal(["a", "b", "c"], pipeline.Sinks.Select(static sink => sink.Destination));
        gate.Set();
        await Eventually.Holds(() => pipeline.Sinks.ElementAt(1).IsDisposed);
    }

    [Fact]
    public async Task An_instance_that_was_switched_off_with_a_loss_does_not_make_later_flushes_false()
    {
        using var pipeline = new ReloadPipeline(("Files:extra:Destination", "x"), ("Files:extra:ShutdownTimeout", "50ms"));
        pipeline.Sinks.Last().Before = static (_, _) => throw new LogSinkException("away", "away");
        pipeline.Logger.LogInformation("one");
        await Eventually.Holds(() => pipeline.StatusOf("extra").Retries > 0);

        pipeline.Edit(("Files:extra:Enabled", "false"));
        await Eventually.Holds(() => pipeline.Said.Contains("1 record was left", StringComparison.Ordinal));

        Assert.Equal(1, pipeline.StatusOf("extra").Dropped);
        pipeline.Logger.LogInformation("two");
        Assert.True(await pipeline.Flush());
        pipeline.Edit(("Files:extra:Enabled", "true"));
        pipeline.Logger.LogInformation("three");
        Assert.True(await pipeline.Flush());
    }

    [Fact]
    public async Task A_record_that_the_code_of_a_sink_cannot_take_is_dropped_and_the_next_ones_are_written()
    {
        using var pipeline = new ReloadPipeline();
        var lines = new ConcurrentQueue<string>();
        pipeline.Sinks.Single().Before = (batch, _) =>
        {
            while (batch.Count > 0)
            {
                var text = System.Text.Encoding.UTF8.GetString(batch[0].Bytes.Span).TrimEnd();
                ArgumentOutOfRangeException.ThrowIfEqual(text, "poison");
                lines.Enqueue(text);
                batch.Advance(batch[0].Bytes.Length);
            }
        };
        pipeline.Logger.LogInformation("before");
        pipeline.Logger.LogInformation("poison");
        pipeline.Logger.LogInformation("after");

        await Eventually.Holds(() => lines.Contains("after"));
        Assert.Equal(["before", "after"], lines.Where(static line => !line.Contains("dropped", StringComparison.Ordinal)));
        await Eventually.Holds(() => pipeline.Status.Written == 2);
        var status = Counters.AssertAddUp(pipeline.Status, 3);
        Assert.Equal([(DropReason.EncodeFailed, LogLevel.Information, 1L)], status.Drops.Select(static drop => (drop.Reason, drop.Level, drop.Count)));
        Assert.Contains("the same record", pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exceptions_of_an_outage_never_cost_a_record()
    {
        using var pipeline = new ReloadPipeline();
        var attempts = 0;
        pipeline.Sinks.Single().Before = (_, _) =>
        {
            if (++attempts < 15)
                throw new InvalidOperationException("not connected");
        };
        pipeline.Logger.LogInformation("waits");

        await Eventually.Holds(() => pipeline.Status.Written == 1);
        Assert.Equal((0, 14), (pipeline.Status.Dropped, pipeline.Status.Retries));
        Assert.Equal(["waits"], pipeline.Sinks.Single().Lines);
    }

    private static void Log(ReloadPipeline pipeline, int from, int to)
    {
        for (var i = from; i < to; i++)
            pipeline.Logger.LogInformation("{Number}", i);
    }

    private static IEnumerable<string> Numbers(int from, int to) => Enumerable.Range(from, to - from).Select(static i => $"{i}");

    private static void FailUnless(bool isRepaired)
    {
        if (!isRepaired)
            throw new LogSinkException("not_yet", "not yet");
    }
}
