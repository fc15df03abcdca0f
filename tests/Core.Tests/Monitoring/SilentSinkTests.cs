using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Diagnostics;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Monitoring;

/// <summary>A sink that neither returns nor throws.</summary>
public sealed class SilentSinkTests
{
    private const string Target = "/mnt/logs/shop.log";
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task A_sink_that_hangs_for_five_seconds_is_told_by_stderr_state_metric_event_and_health_and_so_is_its_return()
    {
        using var pipeline = NewPipeline();
        using var reading = new MeterReading(pipeline.Name);
        using var events = new EventReading(pipeline.Name);
        await Hang(pipeline);
        var began = _time.GetUtcNow();
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal((SinkState.Healthy, null), (pipeline.Status.State, pipeline.Status.Reason));
        Assert.Empty(pipeline.Said);

        _time.Advance(TimeSpan.FromSeconds(2));
        var status = pipeline.Status;
        Assert.Equal((SinkState.Degraded, "timeout", began), (status.State, status.Reason, status.ReasonSince));
        Assert.Equal(("timeout", Target + " has not answered for 5 s"), (status.LastError?.Type, status.LastError?.Message));
        Assert.Equal(1, status.Errors["timeout"]);
        Assert.Equal(1, reading.Read()["asynclog.sink.status{asynclog.sink.state=degraded}"]);
        Assert.Equal([pipeline.Name, "healthy", "degraded", "timeout"], events.Of("SinkStateChanged").Single());
        var entry = await pipeline.CheckHealth();
        Assert.Equal((HealthStatus.Degraded, $"{pipeline.Name}: degraded (timeout) since {began:HH:mm:ss}Z"), (entry.Status, entry.Description));
        Assert.Equal([$"warn {pipeline.Name}: {Target} has not answered for 5 s (timeout). Records wait in the queue."], pipeline.Said);

        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((SinkState.Failed, "timeout", began), (pipeline.Status.State, pipeline.Status.Reason, pipeline.Status.ReasonSince));
        Assert.Single(pipeline.Said);

        pipeline.Release();
        await Eventually.Holds(() => pipeline.Status.Written == 1);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((SinkState.Degraded, "timeout", began), (pipeline.Status.State, pipeline.Status.Reason, pipeline.Status.ReasonSince));
        Assert.Equal($"info {pipeline.Name}: delivery works again.", pipeline.Said[^1]);
        Assert.Equal(2, pipeline.Said.Length);
        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(SinkState.Healthy, pipeline.Status.State);
    }

    [Fact]
    public async Task A_queue_that_fills_while_the_sink_hangs_is_not_called_too_small()
    {
        using var pipeline = NewPipeline(static options => (options.MaxQueueLength, options.ReservedPercentage) = (10, 0));
        await Hang(pipeline);
        _time.Advance(TimeSpan.FromSeconds(6));
        for (var i = 0; i < 20; i++)
            pipeline.Logger.LogInformation("record");
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal($"warn {pipeline.Name}: records are being dropped (queue_full): the queue is full, because nothing is delivered (timeout).", pipeline.Said[^1]);
        Assert.Equal(2, pipeline.Said.Length);
    }

    [Fact]
    public async Task A_call_that_fails_in_the_end_is_one_outage_until_a_delivery()
    {
        using var pipeline = NewPipeline();
        var failed = 0;
        var hang = pipeline.Sink.Before!;
        pipeline.Sink.Before = batch =>
        {
            hang(batch);
            if (failed++ == 0)
                throw new LogSinkException("timeout", "no answer within 10s");
        };
        await Hang(pipeline);
        _time.Advance(TimeSpan.FromSeconds(10));
        pipeline.Release();
        await Eventually.Holds(() => pipeline.Status.Errors["timeout"] == 2);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Single(pipeline.Said);
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            return pipeline.Status.Written == 1;
        });
        Assert.Equal([$"warn {pipeline.Name}: {Target} has not answered for 5 s (timeout). Records wait in the queue.", $"info {pipeline.Name}: delivery works again."], pipeline.Said);
    }

    [Theory]
    [InlineData("open")]
    [InlineData("due")]
    [InlineData("flush")]
    public async Task Whatever_call_of_the_sink_hangs_is_told(string call)
    {
        using var gate = new ManualResetEventSlim();
        await using var sink = new HangingSink(call, gate);
        using var pipeline = new TestPipeline(sink, timeProvider: _time);
        pipeline.Logger.LogInformation("record");
        _ = pipeline.Flush();
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromMilliseconds(10));
            return sink.IsHanging;
        });
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal((SinkState.Degraded, "timeout"), (pipeline.Status.State, pipeline.Status.Reason));
        Assert.Contains("the destination has not answered for 5 s (timeout)", pipeline.Said, StringComparison.Ordinal);
        gate.Set();
        await Eventually.Holds(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            return pipeline.Said.Contains("delivery works again.", StringComparison.Ordinal);
        });
    }

    private static async Task Hang(WatchedPipeline pipeline)
    {
        pipeline.Stall();
        _ = pipeline.Offer(1);
        await Eventually.Holds(() => pipeline.Sink.Calls == 1);
    }

    private WatchedPipeline NewPipeline(Action<TestOptions>? configure = null)
        => new(_time, configure, created: static context => context.SetTarget(Target));

    /// <summary>Hangs in one of its calls until the gate opens.</summary>
    private sealed class HangingSink(string call, ManualResetEventSlim gate) : IOpenableLogSink, IFlushableLogSink, IScheduledLogSink
    {
        public bool IsHanging { get; private set; }

        public DateTimeOffset? NextDue => call == "due" && !gate.IsSet ? DateTimeOffset.MinValue : null;

        public ValueTask OpenAsync(CancellationToken cancellationToken) => HangIn("open");

        public ValueTask RunDueAsync(CancellationToken cancellationToken) => HangIn("due");

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => default;

        public async ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
        {
            await HangIn("flush");
            return true;
        }

        public ValueTask DisposeAsync() => default;

        private ValueTask HangIn(string present)
        {
            if (present != call)
                return default;
            IsHanging = true;
            gate.Wait();
            return default;
        }
    }
}
