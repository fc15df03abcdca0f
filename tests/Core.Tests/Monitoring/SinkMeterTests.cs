using System.Diagnostics.Metrics;
using System.Globalization;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Monitoring;

public sealed class SinkMeterTests
{
    // Renaming anything here breaks somebody's dashboard: it is a breaking change.
    private static readonly string[] Published =
    [
        "asynclog.sink.batch.size Histogram {log_record}",
        "asynclog.sink.caller_wait.time ObservableCounter s",
        "asynclog.sink.dropped ObservableCounter {log_record}",
        "asynclog.sink.enqueued ObservableCounter {log_record}",
        "asynclog.sink.errors ObservableCounter {error}",
        "asynclog.sink.in_flight ObservableUpDownCounter {log_record}",
        "asynclog.sink.last_success.age ObservableGauge s",
        "asynclog.sink.output ObservableCounter By",
        "asynclog.sink.queue.capacity ObservableUpDownCounter {log_record}",
        "asynclog.sink.queue.memory.limit ObservableUpDownCounter By",
        "asynclog.sink.queue.memory.usage ObservableUpDownCounter By",
        "asynclog.sink.queue.oldest.age ObservableGauge s",
        "asynclog.sink.queue.size ObservableUpDownCounter {log_record}",
        "asynclog.sink.recovered ObservableCounter {log_record}",
        "asynclog.sink.render_errors ObservableCounter {error}",
        "asynclog.sink.retries ObservableCounter {attempt}",
        "asynclog.sink.spool.bytes ObservableUpDownCounter By",
        "asynclog.sink.spool.oldest.age ObservableGauge s",
        "asynclog.sink.spool.records ObservableUpDownCounter {log_record}",
        "asynclog.sink.status ObservableUpDownCounter 1",
        "asynclog.sink.truncated ObservableCounter {log_record}",
        "asynclog.sink.unaccounted ObservableUpDownCounter {log_record}",
        "asynclog.sink.unacknowledged ObservableCounter {log_record}",
        "asynclog.sink.uncertain ObservableCounter {log_record}",
        "asynclog.sink.write.duration Histogram s",
        "asynclog.sink.written ObservableCounter {log_record}",
    ];

    private static readonly string[] Reasons =
    [
        "queue_full", "queue_memory", "reentrant", "render_failed", "already_shutdown", "evicted", "disk_low", "oversize", "write_failed",
        "encode_failed", "retry_exhausted", "rejected", "sink_permanent", "shutdown_timeout", "spool_full", "spool_expired", "spool_corrupt", "spool_foreign",
        "crash_uncommitted",
    ];

    // Only for what runs on behalf of one test: the listener is told of the meters of all of them.
    private static readonly AsyncLocal<bool> Thrower = new();

    private static readonly string[] Levels = ["Trace", "Debug", "Information", "Warning", "Error", "Critical"];

    [Fact]
    public void Names_kinds_and_units_are_a_promise()
    {
        using var pipeline = new WatchedPipeline();
        using var reading = new MeterReading(pipeline.Name, static instrument => instrument.Name.StartsWith("asynclog.sink.", StringComparison.Ordinal));
        Assert.Equal(Published, reading.Instruments.Values.Select(Describe).Order(StringComparer.Ordinal));
        Assert.All(reading.Instruments.Values, static instrument => Assert.False(string.IsNullOrWhiteSpace(instrument.Description)));
        Assert.DoesNotContain(reading.Instruments.Keys, static name => name.StartsWith("otel.sdk.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Tags_are_a_promise()
    {
        using var pipeline = new WatchedPipeline(created: static context => context.SetServer("logs.example.com", 6514));
        using var reading = new MeterReading(pipeline.Name);
        pipeline.Logger.LogWarning("one");
        Assert.True(await pipeline.Flush());
        const string Server = "server.address=logs.example.com,server.port=6514";
        string[] expected =
        [
            .. Levels.Select(static level => $"asynclog.sink.enqueued{{{Server},asynclog.log.level={level}}}"),
            .. Reasons.SelectMany(static _ => Levels, static (reason, level) => $"asynclog.sink.dropped{{{Server},error.type={reason},asynclog.log.level={level}}}"),
            .. new[] { "healthy", "degraded", "failed", "stopped" }.Select(static state => $"asynclog.sink.status{{{Server},asynclog.sink.state={state}}}"),
            .. Published.Select(static line => line.Split(' ')[0])
                .Except(["asynclog.sink.enqueued", "asynclog.sink.dropped", "asynclog.sink.status", "asynclog.sink.errors"])
                .Select(static name => $"{name}{{{Server}}}"),
        ];
        var read = reading.Read();
        Assert.Equal(expected.Order(StringComparer.Ordinal), read.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(1, read[$"asynclog.sink.enqueued{{{Server},asynclog.log.level=Warning}}"]);
        Assert.Equal(1, read[$"asynclog.sink.written{{{Server}}}"]);
        Assert.Equal(1, read[$"asynclog.sink.status{{{Server},asynclog.sink.state=healthy}}"]);
    }

    [Fact]
    public void Every_reason_has_its_series()
        => Assert.Equal(Reasons, Enum.GetValues<DropReason>().Select(static reason => new DropCount(reason, LogLevel.Information, 1).ReasonName));

    [Fact]
    public void Failures_carry_their_class()
    {
        var time = new FakeTimeProvider();
        using var pipeline = new WatchedPipeline(time);
        using var reading = new MeterReading(pipeline.Name);
        var failures = 0;
        pipeline.Sink.Before = _ =>
        {
            if (failures++ < 2)
                throw new LogSinkException("no_space", "full");
        };
        _ = pipeline.Offer(1);
        Eventually.True(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return pipeline.Status.Written == 1;
        });
        var read = reading.Read();
        Assert.Equal(2, read["asynclog.sink.errors{error.type=no_space}"]);
        Assert.Equal(2, read["asynclog.sink.retries"]);
        Assert.Contains("asynclog.sink.write.duration{error.type=no_space}", read.Keys);
        Assert.Contains("asynclog.sink.write.duration", read.Keys);
        Assert.Equal(1, read["asynclog.sink.batch.size"]);
    }

    [Fact]
    public void A_sink_brings_instruments_of_its_own_that_outlive_it()
    {
        var time = new FakeTimeProvider();
        var tag = new KeyValuePair<string, string>("reason", "size");
        SinkContext? context = null;
        using var pipeline = new WatchedPipeline(time, created: made => context = made);
        using var reading = new MeterReading(pipeline.Name);
        var name = $"asynclog.{pipeline.Type}.rolled";
        context!.CreateInstrument(name, SinkInstrumentKind.Counter, "{file}", "Files finished.").Add(2, tag);
        context.CreateInstrument(name, SinkInstrumentKind.Counter, "{file}", "Files finished.").Add(1, tag);
        context.CreateInstrument($"{name}.size", SinkInstrumentKind.Gauge, "By", "Size.").Set(7);
        time.Advance(TimeSpan.FromSeconds(1));
        var read = reading.Read();
        Assert.Equal(3, read[$"{name}{{reason=size}}"]);
        Assert.Equal(7, read[$"{name}.size"]);
        Assert.Equal($"{name} ObservableCounter {{file}}", Describe(reading.Instruments[name]));
        Assert.Equal([3L, 7L], pipeline.Status.Measurements.Select(static measurement => measurement.Value));

        using var reloaded = new ReloadPipeline();
        Rolled().Add(2, tag);
        reloaded.Edit(("Destination", "b"));
        Assert.Equal(2, reloaded.Contexts.Count);
        Assert.Equal([2L], reloaded.Status.Measurements.Select(static measurement => measurement.Value));
        Rolled().Add(1, tag);
        Assert.Equal([3L], reloaded.Status.Measurements.Select(static measurement => measurement.Value));

        SinkInstrument Rolled() => reloaded.Contexts.Last().CreateInstrument("asynclog.reload.rolled", SinkInstrumentKind.Counter, "{file}", "Files finished.");
    }

    [Fact]
    public async Task Every_reading_of_all_instruments_balances_while_records_flow_and_others_read()
    {
        using var pipeline = new WatchedPipeline(configure: static options => options.MaxQueueLength = 500);
        using var reading = new MeterReading(pipeline.Name, static instrument => instrument is not Histogram<double> and not Histogram<int>);
        using var stop = new CancellationTokenSource();
        // Another listener in the same process, as an exporter and a diagnostic tool are side by side.
        using var otherReading = new MeterReading(pipeline.Name);
        var other = Task.Factory.StartNew(
            () =>
            {
                while (!stop.IsCancellationRequested)
                    otherReading.Read();
            },
            TaskCreationOptions.LongRunning);
        var logged = 0L;
        var load = Task.Run(
            () =>
            {
                for (; !stop.IsCancellationRequested; Interlocked.Increment(ref logged))
                    pipeline.Logger.LogInformation("record");
            },
            TestContext.Current.CancellationToken);
        await Eventually.Holds(() => Interlocked.Read(ref logged) > 0);
        for (var i = 0; i < 200; i++)
        {
            var read = reading.Read();
            Assert.Equal(0, read["asynclog.sink.unaccounted"]);
            var enqueued = Sum(read, "asynclog.sink.enqueued{");
            var after = Reasons.Skip(5).Sum(reason => Sum(read, $"asynclog.sink.dropped{{error.type={reason},"));
            Assert.Equal(enqueued, read["asynclog.sink.written"] + after + read["asynclog.sink.queue.size"] + read["asynclog.sink.in_flight"]);
            var least = Interlocked.Read(ref logged);
            var status = pipeline.Status;
            // One call may be counted by one of the two only.
            Assert.InRange(status.Offered, least, Interlocked.Read(ref logged) + 1);
            Assert.Null(Counters.FaultOf(status));
        }

        await stop.CancelAsync();
        await load;
        await other;

        Assert.True(await pipeline.Flush());
        var last = reading.Read();
        Assert.Equal(Sum(last, "asynclog.sink.enqueued{"), last["asynclog.sink.written"]);
        Assert.Equal(Counters.AssertAddUp(pipeline.Status, logged).DroppedBeforeAcceptance, Sum(last, "asynclog.sink.dropped{"));
    }

    [Fact]
    public async Task The_look_once_a_second_does_not_cut_a_reading_in_two()
    {
        var time = new FakeTimeProvider();
        using var pipeline = new WatchedPipeline(time);
        var read = new Dictionary<string, long>(StringComparer.Ordinal);
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == AsyncLogMeter.Name && instrument.IsObservable)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        // Between any two instruments a second passes, and a record comes.
        var logged = 5;
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (var tag in tags)
            {
                if (!Equals(tag.Value, pipeline.Name))
                    continue;
                read[instrument.Name] = read.GetValueOrDefault(instrument.Name) + value;
                pipeline.Logger.LogInformation("record");
                logged++;
                time.Advance(TimeSpan.FromSeconds(1));
            }
        });
        listener.Start();
        Assert.True(await pipeline.Offer(5));
        listener.RecordObservableInstruments();
        Assert.Equal(5, read["asynclog.sink.enqueued"]);
        Assert.Equal(5, read["asynclog.sink.written"] + read["asynclog.sink.queue.size"] + read["asynclog.sink.in_flight"] + read["asynclog.sink.dropped"]);
        read.Clear();
        var before = logged;
        Assert.True(before > 5);
        listener.RecordObservableInstruments();
        Assert.Equal(before, read["asynclog.sink.enqueued"]);
        Assert.Equal(
            before, read["asynclog.sink.written"] + read["asynclog.sink.queue.size"] + read["asynclog.sink.in_flight"] + read["asynclog.sink.dropped"]);
    }

    [Fact]
    public async Task A_listener_that_throws_when_it_is_told_of_an_instrument_does_not_stop_the_application()
    {
        var thrown = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name != AsyncLogMeter.Name || !Thrower.Value)
                    return;
                Interlocked.Increment(ref thrown);
                throw new InvalidOperationException("a bug of an exporter");
            },
        };
        listener.Start();
        Thrower.Value = true;
        try
        {
            using var pipeline = new WatchedPipeline();
            Assert.True(thrown > 0);
            Assert.True(await pipeline.Offer(1));
            Assert.Equal(1, pipeline.Status.Written);
        }
        finally
        {
            Thrower.Value = false;
        }
    }

    [Fact]
    public void Batches_are_measured_for_the_meter_only_while_somebody_listens()
    {
        // No other test listens to a meter of this name.
        using var meter = new Meter(nameof(Batches_are_measured_for_the_meter_only_while_somebody_listens));
        var histograms = new MeterHistograms();
        Assert.False(histograms.IsEnabled);
        histograms.Attach(meter);
        Assert.False(histograms.IsEnabled);
        var measured = new List<string>();
        using (var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter == meter)
                    self.EnableMeasurementEvents(instrument);
            },
        })
        {
            listener.SetMeasurementEventCallback<int>((instrument, value, _, _) => measured.Add(FormattableString.Invariant($"{instrument.Name} {value}")));
            listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => measured.Add(FormattableString.Invariant($"{instrument.Name} {value}")));
            listener.Start();
            Assert.True(histograms.IsEnabled);
            histograms.Record([], TimeSpan.FromSeconds(2), 7, errorType: null);
        }

        Assert.Equal(["asynclog.sink.batch.size 7", "asynclog.sink.write.duration 2"], measured);
        Assert.False(histograms.IsEnabled);
    }

    private static double Sum(IReadOnlyDictionary<string, double> read, string prefix)
        => read.Where(value => value.Key.StartsWith(prefix, StringComparison.Ordinal)).Sum(static value => value.Value);

    private static string Describe(Instrument instrument)
        => string.Create(CultureInfo.InvariantCulture, $"{instrument.Name} {instrument.GetType().Name.Split('`')[0]} {instrument.Unit}");
}
