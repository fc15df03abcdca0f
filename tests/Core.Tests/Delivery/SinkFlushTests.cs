using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class SinkFlushTests
{
    [Fact]
    public async Task A_flush_ends_after_the_sink_was_flushed_with_all_that_was_accepted_before()
    {
        var sink = new FlushingSink();
        using var pipeline = new TestPipeline(sink);
        for (var i = 0; i < 500; i++)
            pipeline.Logger.LogInformation("{Number}", i);

        Assert.True(await pipeline.Flush());

        Assert.True(sink.Flushes > 0);
        Assert.Equal(500, sink.WrittenAtFlush);
    }

    [Fact]
    public async Task A_flush_asks_the_sink_also_when_everything_was_written_long_ago()
    {
        var sink = new FlushingSink();
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("once");
        Assert.True(await pipeline.Flush());
        var flushes = sink.Flushes;

        Assert.True(await pipeline.Flush());

        Assert.True(sink.Flushes > flushes);
    }

    [Fact]
    public async Task A_sink_that_says_no_makes_this_flush_false_and_not_the_next()
    {
        var answers = new Queue<bool>([false]);
        var sink = new FlushingSink { Flush = () => !answers.TryDequeue(out _) };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("one");

        Assert.False(await pipeline.Flush());
        Assert.True(await pipeline.Flush());
    }

    [Fact]
    public async Task A_sink_that_throws_makes_the_flush_false_and_the_error_is_counted()
    {
        var sink = new FlushingSink { Flush = static () => throw new LogSinkException("io_error", "broken") };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("one");

        Assert.False(await pipeline.Flush());

        Assert.Equal(1, pipeline.Status.Errors["io_error"]);
        Assert.Equal(1, pipeline.Status.Written);
    }

    [Fact]
    public async Task A_sink_that_hangs_in_its_flush_delays_neither_callers_nor_the_deadline()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new FlushingSink { Flush = () => gate.Wait(TimeSpan.FromMinutes(1)) };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("one");

        // Sooner than the sink answers.
        Assert.False(await pipeline.Control.FlushAsync(TimeSpan.FromMilliseconds(50), TestContext.Current.CancellationToken)
            .WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        await Eventually.Holds(() => sink.Flushes == 1);
        pipeline.Logger.LogInformation("two");
        Assert.Equal(2, pipeline.Status.Enqueued);
        Assert.Equal(1, pipeline.Status.Written);

        gate.Set();
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(2);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Dispose_flushes_the_sink_last_and_a_later_flush_says_how_that_went(bool isFlushed)
    {
        var sink = new FlushingSink { Flush = () => isFlushed };
        var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("one");
        var provider = pipeline.Provider;
        var control = pipeline.Control;

        provider.Dispose();

        Assert.Equal(1, sink.WrittenAtFlush);
        Assert.True(sink.IsDisposed);
        Assert.Equal(isFlushed, await control.FlushAsync(cancellationToken: TestContext.Current.CancellationToken));
        pipeline.Dispose();
    }

    [Fact]
    public async Task A_flush_that_waits_for_the_sink_when_the_shutdown_budget_ends_is_false()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new FlushingSink { Flush = () => gate.Wait(TimeSpan.FromMinutes(1)) };
        var pipeline = new TestPipeline(sink, static options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(50));
        pipeline.Logger.LogInformation("one");
        // Its own time does not end it.
        var flush = pipeline.Control.FlushAsync(TimeSpan.FromMinutes(10), TestContext.Current.CancellationToken);
        await Eventually.Holds(() => sink.Flushes == 1);
        Assert.False(flush.IsCompleted);

        pipeline.Provider.Dispose();

        Assert.False(await flush.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        gate.Set();
        pipeline.Dispose();
    }

    [Fact]
    public void What_a_sink_says_of_itself_degrades_the_state_until_it_ends()
    {
        SinkContext? context = null;
        var type = new TestDefinition<TestOptions>("test", (_, created) =>
        {
            context = created;
            return new FlushingSink();
        });
        using var pipeline = new TestPipeline(new FlushingSink(), type: type);

        context!.Degrade("disk_low");
        context.Degrade("fallback");
        context.Degrade("fallback");
        Assert.Equal((SinkState.Degraded, "fallback"), (pipeline.Status.State, pipeline.Status.Reason));
        context.Restore("fallback");
        Assert.Equal((SinkState.Degraded, "disk_low"), (pipeline.Status.State, pipeline.Status.Reason));
        context.Restore("disk_low");
        Assert.Equal((SinkState.Healthy, null), (pipeline.Status.State, pipeline.Status.Reason));
    }
}
