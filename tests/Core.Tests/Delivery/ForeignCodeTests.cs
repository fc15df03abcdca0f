using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Text;
using AsyncLog.Tests.Monitoring;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>Whatever a sink's member or a listener throws: the worker lives, the process lives, and the counters add up.</summary>
public sealed class ForeignCodeTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_listener_of_the_meter_that_throws_costs_no_record(bool isBatchRefused)
    {
        using var pipeline = new WatchedPipeline();
        using var listener = ThrowingListener(pipeline.Name);
        using var gate = new SemaphoreSlim(0);
        pipeline.Sink.Before = batch =>
        {
            // Not for the notice of the losses.
            if (batch[0].Category != "AsyncLog")
                gate.Wait();
            if (isBatchRefused)
                batch.RefuseRest(DropReason.WriteFailed);
        };

        for (var i = 0; i < 3; i++)
        {
            pipeline.Logger.LogInformation("record {Number}", i);
            // A record that was refused before the flush began is not the flush's.
            var flush = pipeline.Flush();
            gate.Release();
            Assert.Equal(!isBatchRefused, await flush);
        }

        var status = pipeline.Status;
        Assert.Equal(isBatchRefused ? (0L, 3L) : (3L, 0L), (status.Written, status.DroppedAfterAcceptance));
        Counters.AssertAddUp(status, 3);
        Assert.True(status.Errors[nameof(InvalidOperationException)] >= 3);
        Assert.NotEqual(SinkState.Failed, status.State);
    }

    [Fact]
    public async Task A_listener_of_the_meter_that_throws_does_not_delay_dispose()
    {
        // The clock stands still, so that any delay lasts forever.
        var pipeline = new WatchedPipeline(new FakeTimeProvider(), static options => options.ShutdownTimeout = TimeSpan.FromMinutes(5));
        using var listener = ThrowingListener(pipeline.Name);
        pipeline.Logger.LogInformation("last");
        await Task.Run(pipeline.Dispose, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        Assert.Equal((1L, 0L), (pipeline.Status.Written, pipeline.Status.Dropped));
        Assert.True(pipeline.Status.Errors[nameof(InvalidOperationException)] > 0);
    }

    [Theory]
    [InlineData(null, "text", nameof(LogSinkException))]
    [InlineData("", "text", nameof(LogSinkException))]
    [InlineData("odd", null, "odd")]
    public async Task A_failure_without_a_class_or_text_is_one_like_any_other(string? errorType, string? text, string counted)
    {
        var sink = new TestSink();
        sink.Before = _ =>
        {
            if (sink.Calls == 1)
                throw new LogSinkException(errorType!, text!);
        };
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("once");

        Assert.True(await pipeline.Flush());

        Assert.Equal(["once"], sink.Records);
        Assert.Equal(1, pipeline.Status.Errors[counted]);
        pipeline.AssertConservation(1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_NextDue_that_throws_neither_stops_delivery_nor_ends_the_process(int throwsEvery)
    {
        var asked = 0;
        var sink = new ForeignSink { Due = () => ++asked % throwsEvery == 0 ? throw new ObjectDisposedException("schedule") : null };
        using var pipeline = new TestPipeline(sink);
        for (var i = 0; i < 20; i++)
        {
            pipeline.Logger.LogInformation("record {Number}", i);
            if (i % 5 == 0)
                Assert.True(await pipeline.Flush());
        }

        pipeline.Dispose();

        Assert.True(sink.IsDisposed);
        Assert.Equal((20L, 0L), (pipeline.Status.Written, pipeline.Status.Dropped));
        Assert.True(pipeline.Status.Errors[nameof(ObjectDisposedException)] > 0);
        pipeline.AssertConservation(20);
    }

    [Fact]
    public async Task A_NextDue_that_throws_is_asked_again_while_no_record_comes()
    {
        var asked = 0;
        var ran = 0;
        var sink = new ForeignSink();
        var due = DateTimeOffset.UtcNow;
        sink.Due = () => Interlocked.Increment(ref asked) < 4 ? throw new InvalidOperationException("not yet") : Volatile.Read(ref ran) == 0 ? due : null;
        sink.RunDue = () => Interlocked.Increment(ref ran);
        using var pipeline = new TestPipeline(sink);
        await Eventually.Holds(() => Volatile.Read(ref ran) == 1);
    }

    [Fact]
    public async Task Work_that_is_due_and_fails_rests_while_records_are_written()
    {
        var time = new FakeTimeProvider();
        var ran = 0;
        var sink = new ForeignSink { Due = () => time.GetUtcNow().AddSeconds(-1) };
        sink.RunDue = () =>
        {
            Interlocked.Increment(ref ran);
            throw new LogSinkException("busy", "not now") { RetryDelay = TimeSpan.FromMinutes(1) };
        };
        using var pipeline = new TestPipeline(sink, timeProvider: time);
        await Eventually.Holds(() => Volatile.Read(ref ran) == 1);
        // The clock stands: each flush is a step of the worker.
        for (var i = 0; i < 20; i++)
        {
            pipeline.Logger.LogError("written");
            Assert.True(await pipeline.Flush());
        }

        Assert.Equal((1, 20L), (Volatile.Read(ref ran), pipeline.Status.Written));
        time.Advance(TimeSpan.FromSeconds(59));
        Assert.True(await pipeline.Flush());
        Assert.Equal(1, Volatile.Read(ref ran));
        time.Advance(TimeSpan.FromSeconds(1));
        // The worker may have computed its sleep before the clock moved.
        Assert.True(await pipeline.Flush());
        await Eventually.Holds(() => Volatile.Read(ref ran) == 2);
    }

    // Worker death is impossible: each member of a sink throws at its first calls, at every second one, or always.
    [Theory]
    [MemberData(nameof(Members))]
    public async Task Whatever_a_member_of_a_sink_throws_the_worker_survives_and_the_counters_add_up(string member, string pattern)
    {
        var calls = 0;
        void Throw()
        {
            var call = Interlocked.Increment(ref calls);
            if (pattern == "always" || (pattern == "at first" ? call <= 2 : call % 2 == 1))
                throw new InvalidOperationException(member);
        }

        var sink = new ForeignSink();
        switch (member)
        {
            case nameof(ILogSink.WriteAsync):
                sink.Write = Throw;
                break;
            case nameof(IOpenableLogSink.OpenAsync):
                sink.Open = Throw;
                break;
            case nameof(IScheduledLogSink.NextDue):
                sink.Due = () =>
                {
                    Throw();
                    return null;
                };
                break;
            case nameof(IScheduledLogSink.RunDueAsync):
                sink.Due = static () => DateTimeOffset.MinValue;
                sink.RunDue = Throw;
                break;
            case nameof(IFlushableLogSink.FlushAsync):
                sink.Flush = Throw;
                break;
            case nameof(IAsyncDisposable.DisposeAsync):
                sink.Disposing = Throw;
                break;
        }

        var neverDelivers = member == nameof(ILogSink.WriteAsync) && pattern == "always";
        var pipeline = new TestPipeline(sink, options => options.ShutdownTimeout = neverDelivers ? TimeSpan.FromMilliseconds(50) : TimeSpan.FromMinutes(1));
        for (var i = 0; i < 10; i++)
        {
            pipeline.Logger.LogInformation("record {Number}", i);
            if (i == 4 && !neverDelivers)
                await Eventually.Holds(() => pipeline.Status.Written == 5);
        }

        pipeline.Dispose();

        var status = pipeline.Status;
        Assert.Equal((neverDelivers ? 0L : 10L, neverDelivers ? 10L : 0L), (status.Written, status.Dropped));
        Assert.Equal((0L, 0L), (status.QueueSize, status.InFlight));
        Assert.True(calls > 0);
        Assert.True(status.Errors[nameof(InvalidOperationException)] > 0);
        Assert.True(neverDelivers || sink.IsDisposed);
        pipeline.AssertConservation(10);
    }

    [Fact]
    public async Task A_sink_whose_task_fails_late_is_called_again_with_the_remaining_records()
    {
        using var gate = new ManualResetEventSlim();
        var failed = new TaskCompletionSource();
        var sink = new LateSink(gate, failed.Task);
        using var pipeline = new TestPipeline(sink);
        pipeline.Logger.LogInformation("holds the worker");
        await Eventually.Holds(() => sink.Offered.Count == 1);
        pipeline.Logger.LogInformation("taken");
        pipeline.Logger.LogInformation("left");
        gate.Set();
        await Eventually.Holds(() => sink.Offered.Count == 2);
        // Meanwhile callers and the status go on.
        pipeline.Logger.LogInformation("meanwhile");
        Assert.Equal((4L, 1L), (pipeline.Status.Enqueued, pipeline.Status.Written));

        failed.SetException(new InvalidOperationException("late"));

        Assert.True(await pipeline.Flush());
        Assert.Equal(["holds the worker\n", "taken\nleft\n", "left\n", "meanwhile\n"], sink.Offered);
        Assert.Equal(4, pipeline.Status.Written);
        Assert.Equal(1, pipeline.Status.Errors[nameof(InvalidOperationException)]);
        Assert.Equal(nameof(InvalidOperationException), pipeline.Status.LastError!.Type);
        pipeline.AssertConservation(4);
    }

    public static TheoryData<string, string> Members()
    {
        var data = new TheoryData<string, string>();
        string[] members =
        [
            nameof(ILogSink.WriteAsync), nameof(IOpenableLogSink.OpenAsync), nameof(IScheduledLogSink.NextDue), nameof(IScheduledLogSink.RunDueAsync),
            nameof(IFlushableLogSink.FlushAsync), nameof(IAsyncDisposable.DisposeAsync),
        ];
        foreach (var member in members)
        {
            data.Add(member, "at first");
            data.Add(member, "every second");
            data.Add(member, "always");
        }

        return data;
    }

    // Throws only at what belongs to one instance: other tests have the same meter.
    private static MeterListener ThrowingListener(string sink)
    {
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == AsyncLogMeter.Name && !instrument.IsObservable)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, _, tags, _) => Throw(tags));
        listener.SetMeasurementEventCallback<int>((_, _, tags, _) => Throw(tags));
        listener.Start();
        return listener;

        void Throw(ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            foreach (var tag in tags)
            {
                if (Equals(tag.Value, sink))
                    throw new InvalidOperationException("a bug of an exporter");
            }
        }
    }

    /// <summary>Its first call waits for the gate. Its second one takes one record and ends as the given task does, on another thread.</summary>
    private sealed class LateSink(ManualResetEventSlim gate, Task second) : ILogSink
    {
        /// <summary>The text of each call.</summary>
        public ConcurrentQueue<string> Offered { get; } = new();

        public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            var call = Offered.Count + 1;
            Offered.Enqueue(Encoding.UTF8.GetString(batch.Bytes.Span));
            if (call == 1)
                gate.Wait(CancellationToken.None);
            if (call != 2)
                return;
            batch.Advance(batch[0].Bytes.Length);
            await second;
        }

        public ValueTask DisposeAsync() => default;
    }

    private sealed class ForeignSink : IScheduledLogSink, IFlushableLogSink, IOpenableLogSink
    {
        public Func<DateTimeOffset?> Due { get; set; } = static () => null;

        public Action Write { get; set; } = static () => { };

        public Action Open { get; set; } = static () => { };

        public Action RunDue { get; set; } = static () => { };

        public Action Flush { get; set; } = static () => { };

        public Action Disposing { get; set; } = static () => { };

        public bool IsDisposed { get; private set; }

        public DateTimeOffset? NextDue => Due();

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            Write();
            return default;
        }

        public ValueTask OpenAsync(CancellationToken cancellationToken)
        {
            Open();
            return default;
        }

        public ValueTask RunDueAsync(CancellationToken cancellationToken)
        {
            RunDue();
            return default;
        }

        public ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
        {
            Flush();
            return ValueTask.FromResult(true);
        }

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            Disposing();
            return default;
        }
    }
}
