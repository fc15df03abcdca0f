using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>Races while a sink that hangs is replaced, step by step.</summary>
public sealed class TakeOverTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    [Fact]
    public async Task A_sink_that_the_worker_has_claimed_is_left_to_the_worker()
    {
        using var gate = new ManualResetEventSlim();
        var (old, next) = (new TestSink { Before = _ => gate.Wait() }, new TestSink());
        using var pipeline = new TestPipeline(old);
        var line = LineOf(pipeline);
        pipeline.Logger.LogInformation("in its hands");
        await Eventually.Holds(() => pipeline.Status.InFlight == 1);

        // The thread that would take over has ended when nothing refers to the replacement any more.
        var replacement = ClaimAndTakeOver(line, next);
        Eventually.True(() => !replacement.IsAlive, GC.Collect);

        Assert.Same(old, line.Installed.Sink);
        Assert.False(next.IsDisposed);
        gate.Set();
        Assert.True(await pipeline.Flush());
        Assert.Equal(["in its hands"], old.Records);
        Assert.Empty(next.Records);
        Assert.Equal((1, 0), (pipeline.Status.Written, pipeline.Status.Dropped));
        pipeline.AssertConservation(1);
    }

    [Fact]
    public async Task After_the_shutdown_deadline_nothing_is_taken_over_and_the_new_sink_is_disposed()
    {
        using var gate = new ManualResetEventSlim();
        var (old, next) = (new TestSink { Before = _ => gate.Wait() }, new TestSink());
        var pipeline = new TestPipeline(old, static options => options.ShutdownTimeout = TimeSpan.Zero);
        var line = LineOf(pipeline);
        pipeline.Logger.LogInformation("in its hands");
        await Eventually.Holds(() => pipeline.Status.InFlight == 1);
        var replacement = new SinkReplacement(next, line.Installed.Context, line.Installed.Backoff);
        line.Installed.Post(replacement);

        line.Queue.Stop();
        line.TakeOverBehind(replacement, TimeSpan.Zero);

        Assert.True(replacement.Wait(Patience));
        Assert.Same(old, line.Installed.Sink);
        await Eventually.Holds(() => next.IsDisposed);
        Assert.Equal(0, next.Calls);
        Assert.False(old.IsDisposed);
        Assert.DoesNotContain("did not answer", pipeline.Said, StringComparison.Ordinal);
        pipeline.Dispose();
        Assert.Equal([(DropReason.ShutdownTimeout, 1L)], pipeline.Status.Drops.Select(static drop => (drop.Reason, drop.Count)));
        pipeline.AssertConservation(1);
        gate.Set();
    }

    [Fact]
    public async Task A_second_sink_that_hangs_is_replaced_like_the_first_one_and_each_costs_only_what_it_held()
    {
        using var gate = new ManualResetEventSlim();
        var (first, second, third) = (new TestSink { Before = _ => gate.Wait() }, new TestSink { Before = _ => gate.Wait() }, new TestSink());
        using var pipeline = new TestPipeline(first, static options => options.GapNotices = false);
        var line = LineOf(pipeline);
        pipeline.Logger.LogInformation("one");
        await Eventually.Holds(() => first.Calls == 1);
        TakeOver(line, second);
        pipeline.Logger.LogInformation("two");
        await Eventually.Holds(() => second.Calls == 1);
        TakeOver(line, third);
        pipeline.Logger.LogInformation("three");
        Assert.True(await pipeline.Flush());
        Assert.Equal([(DropReason.ShutdownTimeout, 2L)], pipeline.Status.Drops.Select(static drop => (drop.Reason, drop.Count)));

        // Both return from their calls, and leave the third one alone.
        gate.Set();
        await Eventually.Holds(() => first.IsDisposed && second.IsDisposed);
        pipeline.Logger.LogInformation("four");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["three", "four"], third.Records);
        Assert.False(third.IsDisposed);
        Assert.Equal((2, 2, 0), (pipeline.Status.Written, pipeline.Status.Dropped, pipeline.Status.Unaccounted));
        pipeline.AssertConservation(4);
    }

    [Fact]
    public async Task A_sink_that_hangs_in_its_last_flush_is_taken_away_and_its_worker_leaves_the_new_sink_alone()
    {
        using var gate = new ManualResetEventSlim();
        var old = new FlushingSink
        {
            Flush = () =>
            {
                gate.Wait();
                return true;
            },
        };
        var next = new FlushingSink();
        using var pipeline = new TestPipeline(old);
        var line = LineOf(pipeline);
        var replacement = new SinkReplacement(next, line.Installed.Context, line.Installed.Backoff);
        line.Installed.Post(replacement);
        line.Queue.Wake();
        await Eventually.Holds(() => old.Flushes == 1);

        line.TakeOverBehind(replacement, TimeSpan.Zero);
        Assert.True(replacement.Wait(Patience));

        Assert.Same(next, line.Installed.Sink);
        pipeline.Logger.LogInformation("one");
        // What the old sink held may be lost: one flush says so.
        Assert.False(await pipeline.Flush());
        Assert.True(await pipeline.Flush());
        gate.Set();
        await Eventually.Holds(() => old.IsDisposed);
        pipeline.Logger.LogInformation("two");
        Assert.True(await pipeline.Flush());
        Assert.Equal((0, 2), (old.Written, next.Written));
        Assert.False(next.IsDisposed);
        Assert.Equal((2, 0), (pipeline.Status.Written, pipeline.Status.Dropped));
        pipeline.AssertConservation(2);
    }

    [Fact]
    public async Task The_drain_does_not_wait_for_a_replaced_sink_that_hangs_when_nothing_is_left_of_the_budget()
    {
        var budget = TimeSpan.FromMinutes(10);
        var time = new FakeTimeProvider();
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        var line = LineOf(pipeline);
        // The drain takes the whole budget.
        sink.Before = _ =>
        {
            Eventually.True(() => line.Queue.IsClosed);
            time.Advance(budget);
        };
        line.DisposeBehind(new SinkThatHangsInDispose(gate));
        pipeline.Logger.LogInformation("record");

        var drained = Task.Run(() => line.Drain(budget), TestContext.Current.CancellationToken);
        try
        {
            Assert.True(await drained.WaitAsync(Patience, TestContext.Current.CancellationToken));
        }
        finally
        {
            gate.Set();
        }

        Assert.Equal(["record"], sink.Records);
        Assert.True(sink.IsDisposed);
    }

    private static SinkPipeline LineOf(TestPipeline pipeline) => ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!;

    private static void TakeOver(SinkPipeline line, TestSink next)
    {
        var replacement = new SinkReplacement(next, line.Installed.Context, line.Installed.Backoff);
        line.Installed.Post(replacement);
        line.TakeOverBehind(replacement, TimeSpan.Zero);
        Assert.True(replacement.Wait(Patience));
    }

    // The test claims in the place of the worker, which is about to put the sink in force.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference ClaimAndTakeOver(SinkPipeline line, TestSink next)
    {
        var replacement = new SinkReplacement(next, line.Installed.Context, line.Installed.Backoff);
        Assert.True(replacement.TryClaim());
        line.TakeOverBehind(replacement, TimeSpan.Zero);
        return new WeakReference(replacement);
    }

    private sealed class SinkThatHangsInDispose(ManualResetEventSlim gate) : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => default;

        public ValueTask DisposeAsync()
        {
            gate.Wait();
            return default;
        }
    }
}
