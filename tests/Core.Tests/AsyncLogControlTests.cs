using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

public sealed class AsyncLogControlTests
{
    [Fact]
    public async Task A_flush_takes_any_time_to_wait_and_throws_at_none()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new TestPipeline(new TestSink { Before = _ => gate.Wait() });
        pipeline.Logger.LogInformation("held back");
        TimeSpan[] tooShort = [TimeSpan.MinValue, TimeSpan.FromDays(-1), TimeSpan.FromMilliseconds(-2)];
        foreach (var time in tooShort)
            Assert.False(await pipeline.Control.FlushAsync(time, TestContext.Current.CancellationToken));
        TimeSpan[] endless = [TimeSpan.MaxValue, TimeSpan.FromDays(50), Timeout.InfiniteTimeSpan];
        var flushes = Array.ConvertAll(endless, time => pipeline.Control.FlushAsync(time, TestContext.Current.CancellationToken));
        Assert.All(flushes, static flush => Assert.False(flush.IsCompleted));
        gate.Set();
        Assert.All(await Task.WhenAll(flushes), static isDelivered => Assert.True(isDelivered));
    }

    [Fact]
    public async Task Flushes_that_are_not_waited_for_any_more_do_not_pile_up()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new TestPipeline(new TestSink { Before = _ => gate.Wait() });
        pipeline.Logger.LogInformation("held back");
        var queue = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;
        using var cancelled = new CancellationTokenSource();
        for (var i = 0; i < 100; i++)
            Assert.False(await pipeline.Control.FlushAsync(TimeSpan.FromTicks(i), TestContext.Current.CancellationToken));
        var waiting = pipeline.Control.FlushAsync(TimeSpan.FromMinutes(5), cancelled.Token);
        Assert.Equal(1, queue.Flushes.Count);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(0, queue.Flushes.Count);
        gate.Set();
        Assert.True(await pipeline.Flush());
        Assert.Equal(0, queue.Flushes.Count);
    }

    [Fact]
    public async Task A_flush_of_one_instance_waits_for_no_other()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new ReloadPipeline(
            sink => sink.Before = (_, _) =>
            {
                if (sink.Destination == "slow")
                    gate.Wait(CancellationToken.None);
            },
            ("Files:slow:Destination", "slow"));
        pipeline.Logger.LogInformation("for both");

        Assert.True(await pipeline.Control.FlushAsync("reload/default", TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.False(await pipeline.Control.FlushAsync("Reload/Slow", TimeSpan.Zero, TestContext.Current.CancellationToken));
        Assert.Equal((1, 0), (pipeline.Status.Written, pipeline.StatusOf("slow").Written));
        gate.Set();
        Assert.True(await pipeline.Control.FlushAsync("Reload/Slow", TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal(1, pipeline.StatusOf("slow").Written);
    }

    [Fact]
    public async Task A_flush_of_an_instance_that_does_not_exist_is_answered_with_those_that_do()
    {
        using var pipeline = new ReloadPipeline(("Files:errors:Destination", "b"));

        var mistake = await Assert.ThrowsAsync<ArgumentException>("instance", () => pipeline.Control.FlushAsync("reload/erors", cancellationToken: TestContext.Current.CancellationToken));

        Assert.Equal("There is no instance 'reload/erors'; expected reload/default or reload/errors. (Parameter 'instance')", mistake.Message);
    }

    [Fact]
    public void Unknown_keys_are_in_the_status_with_their_full_paths_until_they_are_gone()
    {
        using var pipeline = new ReloadPipeline(("Wibble", "1"), ("Files:a:Wobble", "1"), ("AsyncLog:Strickt", "1"));
        Assert.Equal(
            ["AsyncLog:Strickt", "Logging:Reload:Files:a:Wobble", "Logging:Reload:Wibble"],
            pipeline.Control.GetStatus().UnknownKeys.Order(StringComparer.Ordinal));
        pipeline.Edit(("Wibble", null), ("AsyncLog:Strickt", null));
        Assert.Equal(["Logging:Reload:Files:a:Wobble"], pipeline.Control.GetStatus().UnknownKeys);
        pipeline.Edit(("Files:a:Wobble", null), ("Files:a:Tuning", "1"));
        Assert.Empty(pipeline.Control.GetStatus().UnknownKeys);
    }
}
