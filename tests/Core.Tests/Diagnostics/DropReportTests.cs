using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Diagnostics;

/// <summary>What stderr says of lost records.</summary>
public sealed class DropReportTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly ManualResetEventSlim _gate = new();
    private readonly TestPipeline _pipeline;

    public DropReportTests()
    {
        var sink = new TestSink { Before = _ => _gate.Wait() };
        _pipeline = new TestPipeline(
            sink,
            static options => (options.MaxQueueLength, options.ReservedPercentage, options.ShutdownTimeout) = (10, 0, TimeSpan.FromMilliseconds(100)),
            _time);
        for (var number = 0; number < 10; number++)
            _pipeline.Logger.LogInformation("fills the queue");
    }

    [Fact]
    public async Task Losses_begin_and_end_with_a_line_and_the_last_line_has_the_total_by_reason()
    {
        Lose(3, LogLevel.Information);
        Lose(2, LogLevel.Error);
        Seconds(1);
        Assert.Equal(["warn test/default: records are being dropped (queue_full): the queue holds as many records as MaxQueueLength and ReservedPercentage allow."], Said);
        Seconds(8);
        Assert.Single(Said);
        Seconds(1);
        Assert.Equal("warn test/default: 5 records were dropped 12:31:07.482–12:31:07.482 (queue_full): Information 3, Error 2.", Said[1]);
        await GoOn();
        _pipeline.Dispose();
        Assert.Equal("warn test/default: 5 records were lost in all: queue_full 5.", Said[^1]);
        Assert.Equal(3, Said.Length);
    }

    [Fact]
    public async Task Losses_of_the_highest_level_alone_are_reported_and_in_the_total()
    {
        Lose(2, LogLevel.Critical);
        Seconds(10);
        Assert.Equal("warn test/default: 2 records were dropped 12:31:07.482–12:31:07.482 (queue_full): Critical 2.", Said[^1]);
        await GoOn();
        _pipeline.Dispose();
        Assert.Equal("warn test/default: 2 records were lost in all: queue_full 2.", Said[^1]);
    }

    [Fact]
    public void At_shutdown_what_was_not_said_yet_is_said_and_the_total_has_every_reason()
    {
        Lose(4, LogLevel.Information);
        _pipeline.Dispose();
        _gate.Set();
        Assert.Equal(
            [
                "error test/default: 10 records were left when the ShutdownTimeout of 100ms expired, and are lost.",
                "warn test/default: 4 records were dropped 12:31:07.482–12:31:07.482 (queue_full): Information 4.",
                "warn test/default: 14 records were lost in all: queue_full 4, shutdown_timeout 10.",
            ],
            Said);
    }

    [Fact]
    public async Task Losses_that_come_and_go_fill_no_screen_and_every_record_is_in_a_line()
    {
        for (var burst = 0; burst < 20; burst++)
        {
            Lose(1, LogLevel.Information);
            Seconds(12);
        }

        Assert.InRange(Said.Length, 4, 12);
        await GoOn();
        _pipeline.Dispose();
        var told = Said.Where(static line => line.Contains("(queue_full): Information", StringComparison.Ordinal)).Sum(static line => int.Parse(line.Split(' ')[2], System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(20, told);
        Assert.Equal("warn test/default: 20 records were lost in all: queue_full 20.", Said[^1]);
    }

    [Fact]
    public void Losses_that_last_are_counted_once_a_minute()
    {
        for (var second = 0; second < 150; second++)
        {
            Lose(1, LogLevel.Information);
            Seconds(1);
        }

        Assert.Equal(3, Said.Length);
        Assert.Equal("warn test/default: 61 records were dropped so far (queue_full).", Said[1]);
        Assert.Equal("warn test/default: 121 records were dropped so far (queue_full).", Said[2]);
    }

    [Theory]
    [InlineData(true, "the process has no memory for a larger queue")]
    [InlineData(false, "the queue holds as many bytes as MaxQueueMemory and ReservedPercentage allow")]
    public void A_queue_without_memory_is_told_by_what_lacks_it(bool lacksMemory, string cause)
    {
        var said = new StringWriter();
        var report = new SelfReport(LogLevel.Warning, _time, () => said);
        var metrics = new SinkMetrics { LacksMemory = lacksMemory };
        metrics.Drops.AddBefore(DropReason.QueueMemory, LogLevel.Information, _time);
        new DropReporter("file/default", metrics, report, _time, new SteadyAge(_time)).Sample(isLast: false);
        Eventually.True(report.Flush);
        Assert.Equal(
            $"2026-11-20 12:31:07.482 +00:00 AsyncLog: warn file/default: records are being dropped (queue_memory): {cause}.{Environment.NewLine}",
            said.ToString());
    }

    [Fact]
    public async Task Losses_have_the_times_of_their_records_on_stderr_as_in_the_log()
    {
        var sink = new TestSink
        {
            Before = batch =>
            {
                _gate.Wait();
                if (batch[0].Category != "AsyncLog")
                    batch.RefuseRest(DropReason.DiskLow);
            },
        };
        using var pipeline = new TestPipeline(sink, timeProvider: _time);
        pipeline.Logger.LogInformation("refused");
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromMilliseconds(1));
            return sink.Calls == 1;
        });
        Seconds(11);
        _gate.Set();
        await Eventually.Holds(() =>
        {
            Seconds(1);
            return sink.Records.Count > 0 && pipeline.Said.Contains("was dropped", StringComparison.Ordinal);
        });
        Assert.Equal(["1 records dropped 12:31:07.482–12:31:07.482 (disk_low): Information 1"], sink.Records);
        Assert.Contains("1 record was dropped 12:31:07.482–12:31:07.482 (disk_low): Information 1.", pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_losses_nothing_is_said()
    {
        await GoOn();
        Seconds(20);
        _pipeline.Dispose();
        Assert.Empty(Said);
    }

    public void Dispose()
    {
        _gate.Set();
        _pipeline.Dispose();
        _gate.Dispose();
    }

    // Delivers what was accepted: the ShutdownTimeout is for the test that uses it up.
    private async Task GoOn()
    {
        _gate.Set();
        Assert.True(await _pipeline.Flush());
    }

    // Without the lines on the sink, which hangs.
    private string[] Said => [.. _pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
        .Select(static line => line[(line.IndexOf("AsyncLog: ", StringComparison.Ordinal) + 10)..])
        .Where(static line => !line.Contains("has not answered", StringComparison.Ordinal) && !line.Contains("delivery works again", StringComparison.Ordinal))];

    private void Lose(int records, LogLevel level)
    {
        for (var number = 0; number < records; number++)
            _pipeline.Logger.Log(level, "does not fit in");
    }

    private void Seconds(int seconds) => _time.Advance(TimeSpan.FromSeconds(seconds));
}
