using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Sinks;

public sealed class BackoffTests
{
    [Fact]
    public async Task Attempts_come_after_a_tenth_of_a_second_then_less_often_but_always_more_than_once_a_second()
    {
        var time = new RestRecorder();
        var isBroken = true;
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (Volatile.Read(ref isBroken))
                throw new LogSinkException("no_space", "full");
        };
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        pipeline.Logger.LogInformation("record");
        var flush = pipeline.Flush();
        var seen = 0;
        await Eventually.Holds(() =>
        {
            if (time.Rests.Count > seen)
            {
                seen = time.Rests.Count;
                Volatile.Write(ref isBroken, seen < 5);
                // No further than the rest: a worker that is quick would rest again within the same second.
                time.Advance(time.Rests[seen - 1]);
            }

            return seen == 5;
        });
        Assert.True(await flush);
        Assert.Equal([100, 200, 400, 800, 800], time.Rests.Take(5).Select(static rest => rest.TotalMilliseconds));
    }

    [Fact]
    public async Task A_notice_that_cannot_be_written_is_not_tried_without_a_rest()
    {
        var time = new RestRecorder();
        var attempts = 0;
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        time.IsRecording = () => Volatile.Read(ref attempts) > 0;
        pipeline.Logger.LogInformation("outer {Value}", new DropsOne(pipeline.Logger, 5));
        Assert.True(await pipeline.Flush());
        sink.Before = _ =>
        {
            Interlocked.Increment(ref attempts);
            throw new LogSinkException("no_space", "full");
        };
        await Eventually.Holds(() =>
        {
            if (Volatile.Read(ref attempts) == 0)
                time.Advance(TimeSpan.FromMilliseconds(70));
            return time.Rests.Count > 0;
        });
        Assert.Equal((1, TimeSpan.FromMilliseconds(100)), (attempts, time.Rests[0]));
        sink.Before = null;
        time.Advance(TimeSpan.FromSeconds(1));
    }

    [Theory]
    [InlineData(0.0, 1.0)]
    [InlineData(0.25, 1.5)]
    [InlineData(0.5, 2.0)]
    [InlineData(0.75, 2.5)]
    public async Task Near_a_full_queue_a_long_delay_becomes_one_of_one_to_three_seconds(double random, double seconds)
        => Assert.Equal(TimeSpan.FromSeconds(seconds), await RestNearFullQueue(random, new LogSinkException("away", "away")));

    [Theory]
    [InlineData(true, 2)]
    [InlineData(false, 50)]
    public async Task Near_a_full_queue_a_delay_that_the_sink_requests_is_shortened_only_if_the_sink_allows_it(bool isAllowed, int seconds)
    {
        var failure = new LogSinkException("away", "away") { RetryDelay = TimeSpan.FromSeconds(50), MayRetrySooner = isAllowed };
        Assert.Equal(TimeSpan.FromSeconds(seconds), await RestNearFullQueue(0.5, failure));
    }

    // The rest after a failure of a sink whose own delay is 40 s, with four of four segments in use.
    private static async Task<TimeSpan> RestNearFullQueue(double random, LogSinkException failure)
    {
        var time = new RestRecorder { LongestRest = TimeSpan.FromMinutes(1) };
        using var isFull = new ManualResetEventSlim();
        time.IsRecording = () => isFull.IsSet;
        var sink = new TestSink
        {
            Before = _ =>
            {
                isFull.Wait();
                throw failure;
            },
        };
        var definition = new TestDefinition<TestOptions>("test", (_, _) => sink) { Retry = new Backoff(TimeSpan.FromSeconds(40), TimeSpan.FromSeconds(40)) };
        using var pipeline = new TestPipeline(
            sink,
            static options =>
            {
                options.MaxQueueMemory = 256 << 10;
                options.ShutdownTimeout = TimeSpan.Zero;
            },
            time, type: definition, services: services => services.AddKeyedSingleton<Random>(InstanceServices.RandomKey, new FixedRandom(random)));
        pipeline.Logger.LogInformation("first");
        await Eventually.Holds(() =>
        {
            if (sink.Calls == 0)
                time.Advance(TimeSpan.FromMilliseconds(1));
            return sink.Calls > 0;
        });
        for (var i = 0; i < 3; i++)
            pipeline.Logger.LogInformation("{Text}", new string('x', 40_000));
        isFull.Set();
        await Eventually.Holds(() => time.Rests.Count > 0);
        return time.Rests[0];
    }

    private sealed class FixedRandom(double number) : Random
    {
        public override double NextDouble() => number;
    }

    // Logs from inside its own rendering, one level deeper than is allowed.
    private sealed class DropsOne(ILogger logger, int depth)
    {
        public override string ToString()
        {
            if (depth > 1)
                logger.LogInformation("nested {Value}", new DropsOne(logger, depth - 1));
            return "value";
        }
    }
}
