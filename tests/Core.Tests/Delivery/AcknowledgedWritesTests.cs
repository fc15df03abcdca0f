using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

public sealed class AcknowledgedWritesTests
{
    [Fact]
    public void AK_1_Log_returns_after_the_sink_has_settled_the_record()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Acknowledging(sink);
        var caller = StartedThread(() => pipeline.Logger.LogWarning("audited"));
        Eventually.True(() => sink.Calls == 1);
        Eventually.True(() => IsAsleep(caller));

        gate.Set();
        caller.Join();

        Assert.Equal((1L, 0L, 0L), (pipeline.Status.Written, pipeline.Status.InFlight, pipeline.Status.Unacknowledged));
    }

    [Fact]
    public void AK_1_Log_of_a_record_below_the_level_does_not_wait()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = Acknowledging(sink);

        pipeline.Logger.LogInformation("ordinary");

        Assert.Equal((1L, 0L), (pipeline.Status.Enqueued, pipeline.Status.Written));
        gate.Set();
    }

    private static TestPipeline Acknowledging(ILogSink sink, Action<TestOptions>? configure = null, TimeProvider? timeProvider = null) => new(
        sink,
        options =>
        {
            (options.AcknowledgeLevel, options.AcknowledgeTimeout, options.FlushLevel) = (LogLevel.Warning, TimeSpan.FromMinutes(1), LogLevel.None);
            configure?.Invoke(options);
        },
        timeProvider);

    private static Thread StartedThread(ThreadStart body)
    {
        var thread = new Thread(body) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private static bool IsAsleep(Thread thread) => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0;
}
