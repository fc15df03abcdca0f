using System.Diagnostics;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

public sealed class CrashFlushTests
{
    [Fact]
    public void A_process_that_ends_in_two_ways_at_once_reports_what_was_left_once()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("stuck");
        var provider = (TestLoggerProvider)pipeline.Provider;
        Task.WaitAll(
            [Task.Run(() => provider.FlushWithin(TimeSpan.FromMilliseconds(300))), Task.Run(() => provider.FlushWithin(TimeSpan.FromMilliseconds(300)))],
            TestContext.Current.CancellationToken);
        Assert.Single(pipeline.Said.Split(Environment.NewLine), static line => line.EndsWith("1 record was left when the process ended, and is lost.", StringComparison.Ordinal));
        gate.Set();
    }

    [Fact]
    public async Task Sinks_that_hang_share_the_time_of_a_dying_process_and_keep_no_other_from_its_last_record()
    {
        using var gate = new ManualResetEventSlim();
        using var first = await Full(gate);
        using var second = await Full(gate);
        using var third = await Full(gate);
        var sink = new TestSink();
        using var working = new TestPipeline(sink);
        TestPipeline[] pipelines = [first, second, third, working];

        // Comes back, although each full queue would hold its caller for a minute.
        var began = Stopwatch.GetTimestamp();
        CrashFlush.End(
            Array.ConvertAll(pipelines, static pipeline => (SinkLoggerProvider)pipeline.Provider),
            static provider => provider.RecordCrash(new InvalidOperationException("no way on")));

        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, TimeSpan.FromSeconds(30));
        Assert.Equal(["Unhandled exception; the process ends."], sink.Records);
        Assert.All((TestPipeline[])[first, second, third], static hanging => Assert.Equal(0, hanging.Status.Written));
        gate.Set();
    }

    [Fact]
    public async Task A_second_signal_is_not_delayed_while_the_first_is_handled()
    {
        using var gate = new ManualResetEventSlim();
        using var pipeline = await Full(gate);
        SinkLoggerProvider[] providers = [(SinkLoggerProvider)pipeline.Provider];
        var first = new Thread(() => CrashFlush.EndOnSignal(providers));
        var second = new Thread(() => CrashFlush.EndOnSignal(providers));
        first.Start();
        await Eventually.Holds(() => providers[0].Find("test/default")!.Instance.Pipeline!.Queue.Flushes.Count == 1);
        second.Start();
        second.Join();
        Assert.True(first.IsAlive);
        gate.Set();
        first.Join();
    }

    [Fact]
    public void What_was_logged_before_is_delivered_when_a_process_dies()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("last");
        CrashFlush.End([(SinkLoggerProvider)pipeline.Provider]);
        Assert.Equal(["last"], sink.Records);
    }

    [Fact]
    public void A_record_that_a_later_handler_of_the_process_logs_is_delivered_when_the_call_returns()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink);
        // All of these calls share the budget: that of a process is two seconds, which a busy machine may need for them.
        ((SinkLoggerProvider)pipeline.Provider).FlushWithin(TimeSpan.FromMinutes(1), isLast: true);
        for (var number = 1; number <= 100; number++)
        {
            pipeline.Logger.LogInformation("stopped {Number}", number);
            Assert.Equal(number, sink.Records.Count);
        }

        Assert.Equal(0, pipeline.Status.Unacknowledged);
        Assert.Empty(pipeline.Said);
    }

    [Fact]
    public void A_record_that_a_later_handler_of_the_process_logs_is_reported_when_it_cannot_be_delivered()
    {
        using var gate = new ManualResetEventSlim();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("stuck");
        CrashFlush.End([(SinkLoggerProvider)pipeline.Provider], isLast: true);
        // It waits no longer than its budget, even for its own report.
        Eventually.True(() => pipeline.Said.Contains("1 record was left", StringComparison.Ordinal));
        pipeline.Logger.LogInformation("stopped");
        Assert.Equal(
            ["1 record was left when the process ended, and is lost.", "2 records were left when the process ended, and are lost."],
            pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries).Select(static line => line[(line.IndexOf("default: ", StringComparison.Ordinal) + 9)..]));
        gate.Set();
    }

    // Not one record more fits in, and the next caller would wait for a minute.
    private static async Task<TestPipeline> Full(ManualResetEventSlim gate)
    {
        const int Places = 10;
        var pipeline = new TestPipeline(new TestSink { Before = _ => gate.Wait() }, static options =>
        {
            (options.MaxQueueLength, options.ReservedPercentage) = (Places, 0);
            (options.QueueFullMode, options.WaitTimeout) = (QueueFullMode.Wait, TimeSpan.FromMinutes(1));
            options.ShutdownTimeout = TimeSpan.FromMilliseconds(100);
        });
        var filling = new Thread(() =>
        {
            for (var number = 0; number < 2 * Places; number++)
                pipeline.Logger.LogInformation("record {Number}", number);
        })
        { IsBackground = true };
        filling.Start();
        await Eventually.Holds(() => pipeline.Status is { } status && status.QueueSize + status.InFlight >= Places);
        return pipeline;
    }
}
