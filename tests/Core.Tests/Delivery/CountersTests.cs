using System.Buffers;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>Every call of a logger is counted, whatever happens inside it.</summary>
public sealed class CountersTests
{
    [Theory]
    [InlineData(5000)]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    [InlineData(-1)]
    public async Task A_formatter_that_advances_wrongly_gives_a_placeholder_and_every_call_is_counted(int beyond)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => (options.Format, options.Template) = ("wrong", null), services: services => services.AddLogging(
            builder => builder.AddAsyncLogFormatter("wrong", new WrongFormatter(beyond))));
        for (var i = 0; i < 10; i++)
            pipeline.Logger.LogInformation("record");
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(10);
        Assert.Equal((10L, 10L), (pipeline.Status.Written, pipeline.Status.RenderErrors));
        Assert.Equal(10, sink.Records.Count);
        Assert.All(sink.Records, static record => Assert.StartsWith("<error formatting record: ", record, StringComparison.Ordinal));
    }

    [Fact]
    public async Task No_more_records_are_uncertain_than_are_written()
    {
        var sink = new TestSink();
        SinkContext? context = null;
        using var pipeline = new TestPipeline(sink, type: new TestDefinition<TestOptions>("test", (_, made) =>
        {
            context = made;
            return sink;
        }));
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        // As a sink does that is cancelled at the deadline: it had sent records that count as lost.
        context!.CountUncertain(3);
        Assert.Equal((1L, 1L), (pipeline.Status.Written, pipeline.Status.Uncertain));
        pipeline.Logger.LogInformation("two");
        Assert.True(await pipeline.Flush());
        Assert.Equal((2L, 2L), (pipeline.Status.Written, pipeline.Status.Uncertain));
    }

    [Fact]
    public async Task An_interrupted_caller_is_counted_in_Wait_and_keeps_its_interrupt()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = new TestPipeline(new TestSink { Before = _ => gate.Wait() }, static options =>
        {
            (options.MaxQueueLength, options.ReservedPercentage) = (10, 0);
            (options.QueueFullMode, options.WaitTimeout) = (QueueFullMode.Wait, TimeSpan.FromMinutes(1));
        });
        var offered = 0L;
        var isInterrupted = false;
        var caller = new Thread(() =>
        {
            while (true)
            {
                pipeline.Logger.LogInformation("record");
                Interlocked.Increment(ref offered);
                try
                {
                    Thread.Sleep(0);
                }
                catch (ThreadInterruptedException)
                {
                    isInterrupted = true;
                    return;
                }
            }
        });
        var queue = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;
        caller.Start();
        await Eventually.Holds(() => queue.WaitingCallers == 1);
        caller.Interrupt();
        caller.Join();
        Assert.True(isInterrupted);
        pipeline.AssertConservation(offered);
        Assert.Equal([new DropCount(DropReason.QueueFull, LogLevel.Information, 1)], pipeline.Status.Drops);
        gate.Set();
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(offered);
    }

    // Interrupts that hit anywhere: locks that callers wait for, the wake-up after a commit, the wait for room.
    [Theory]
    [InlineData(QueueFullMode.DropWrite)]
    [InlineData(QueueFullMode.DropOldest)]
    [InlineData(QueueFullMode.Wait)]
    public async Task Interrupts_at_any_place_lose_no_record_and_no_wake_up(QueueFullMode mode)
    {
        var time = new FakeTimeProvider();
        var sink = new TestSink();
        using var pipeline = new TestPipeline(
            sink,
            options =>
            {
                (options.MaxQueueLength, options.MaxQueueMemory, options.QueueFullMode, options.WaitTimeout) = (200, 256 << 10, mode, TimeSpan.FromMinutes(1));
                options.GapNotices = false;
            },
            time);
        var offered = 0L;
        var interrupts = 0L;
        var left = 4;
        var mayBegin = false;
        var callers = Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            // Not interrupted while it waits here: the first interrupt is there at the first record.
            while (!Volatile.Read(ref mayBegin))
                Thread.Yield();
            for (var i = 0; i < 5000; i++)
            {
                try
                {
                    pipeline.Logger.LogError("record {Number}", i);
                    Interlocked.Increment(ref offered);
                    Thread.Sleep(0);
                }
                catch (ThreadInterruptedException)
                {
                    // From Sleep only: a logger throws nothing.
                    Interlocked.Increment(ref interrupts);
                }
            }

            Interlocked.Decrement(ref left);
        })).ToList();
        callers.ForEach(static caller => caller.Start());
        callers.ForEach(static caller => caller.Interrupt());
        Volatile.Write(ref mayBegin, true);
        while (Volatile.Read(ref left) > 0)
        {
            callers.ForEach(static caller => caller.Interrupt());
            // A worker that sees no record for a second sleeps without end.
            time.Advance(TimeSpan.FromSeconds(2));
            Thread.Yield();
        }

        callers.ForEach(static caller => caller.Join());
        // Before the flush, which wakes the worker itself.
        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(10));
            return pipeline.Status is { QueueSize: 0, InFlight: 0 };
        });
        Assert.True(await pipeline.Flush());
        Assert.Equal(20_000, offered);
        Assert.InRange(interrupts, 4, 20_000);
        pipeline.AssertConservation(20_000);
        Assert.Equal(pipeline.Status.Written, sink.Records.Count);
    }

    private sealed class WrongFormatter(int beyond) : ILogFormatter
    {
        public void Format(LogEvent logEvent, IBufferWriter<byte> output)
        {
            var span = output.GetSpan(16);
            span[..16].Fill((byte)'x');
            output.Advance(beyond < 0 ? beyond : (int)Math.Min((long)span.Length + beyond, int.MaxValue));
        }
    }
}
