using AsyncLog.Tests.Delivery;
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
        Assert.Equal(1, attempts);
        sink.Before = null;
        time.Advance(TimeSpan.FromSeconds(1));
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
