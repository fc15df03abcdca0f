using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class BackoffTests
{
    [Fact]
    public async Task FI_90_Attempts_come_after_a_tenth_of_a_second_then_less_often_but_always_more_than_once_a_second()
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
        await Eventually.True(() =>
        {
            if (time.Rests.Count > seen)
            {
                seen = time.Rests.Count;
                Volatile.Write(ref isBroken, seen < 5);
                time.Advance(TimeSpan.FromSeconds(1));
            }

            return seen == 5;
        });
        Assert.True(await flush);
        Assert.Equal([100, 200, 400, 800, 800], time.Rests.Take(5).Select(static rest => rest.TotalMilliseconds));
    }
}
