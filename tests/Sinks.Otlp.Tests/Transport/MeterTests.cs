using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace AsyncLog.Tests.Transport;

public sealed class MeterTests
{
    [Fact]
    public void OpenTelemetry_reads_the_meter()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(503), StubAnswer.Code(400), StubAnswer.Ok));
        using var exporter = new KeptMetrics(collector.Address.Port);
        using var reader = new BaseExportingMetricReader(exporter);
        using var provider = Sdk.CreateMeterProviderBuilder().AddMeter(AsyncLogMeter.Name).AddReader(reader).Build();
        pipeline.Log(10);
        pipeline.Settle();
        pipeline.Log(5);
        pipeline.Settle();
        Assert.True(reader.Collect());
        var kept = exporter.Values;
        Assert.Equal("LongSum 5", kept["asynclog.sink.written"]);
        Assert.Equal("LongSum 9", kept["asynclog.sink.dropped asynclog.log.level=Information error.type=sink_permanent"]);
        Assert.Equal("LongSum 1", kept["asynclog.sink.dropped asynclog.log.level=Error error.type=sink_permanent"]);
        Assert.Equal("LongSum 1", kept["asynclog.sink.errors error.type=503"]);
        Assert.Equal("LongSumNonMonotonic 0", kept["asynclog.sink.queue.size"]);
        Assert.Equal("DoubleGauge 0", kept["asynclog.sink.queue.oldest.age"]);
        Assert.Equal("DoubleSum 0", kept["asynclog.sink.caller_wait.time"]);
        Assert.Equal("LongSumNonMonotonic 1", kept["asynclog.sink.status asynclog.sink.state=degraded"]);
        Assert.Equal("Histogram 0.0001..10", kept["asynclog.sink.write.duration"]);
        Assert.Equal("Histogram 1..10000", kept["asynclog.sink.batch.size"]);
    }

    [Fact]
    public void Connections_are_counted()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok));
        using var reading = new MeterReading(new KeyValuePair<string, object?>("server.port", collector.Address.Port));
        pipeline.Log(1);
        pipeline.Settle();
        Assert.Equal([("asynclog.connection.opened", 1L)], pipeline.Status.Measurements.Select(static measurement => (measurement.Name, measurement.Value)));
        pipeline.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, reading.Read()["asynclog.connection.opened{network.transport=tcp}"]);
    }

    [Fact]
    public void Connections_that_cannot_be_made_are_counted_by_class()
    {
        using var collector = new StubCollector();
        var script = new AnswerScript(
            collector, StubAnswer.Failing(StubAnswer.Refused), StubAnswer.Failing(StubAnswer.Refused), StubAnswer.Failing(StubAnswer.Dns));
        var surroundings = new OtlpSurroundings
        {
            Resolve = static host => host == "nobody.invalid" ? throw new SocketException((int)SocketError.HostNotFound) : [IPAddress.Loopback],
        };
        using var pipeline = new OtlpPipeline(
            collector, script, static options => options.ShutdownTimeout = TimeSpan.Zero, time: null, withStartupLine: false, surroundings);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count >= 5, pipeline.Pass);

        // Another attempt may be under way.
        Eventually.True(() => Counted().Sum(static counted => counted.Count) == pipeline.Sink.Thrown.Count && !pipeline.IsWriting);
        Assert.Equal([("dns", pipeline.Sink.Thrown.Count - 2), ("refused", 2)], Counted());

        IEnumerable<(string Class, long Count)> Counted() => pipeline.Status.Measurements
            .Where(static measurement => measurement.Name == "asynclog.connection.opened" && measurement.Value > 0)
            .Select(static measurement => (measurement.Tags.Single(static tag => tag.Key == "error.type").Value, measurement.Value))
            .Order();
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public async Task Exports_are_not_among_the_http_client_metrics_of_the_application(OtlpProtocol protocol)
    {
        var isGrpc = protocol == OtlpProtocol.Grpc;
        using var collector = new StubCollector(isGrpc);
        using var shop = new StubCollector();
        var ports = new ConcurrentQueue<object?>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "System.Net.Http")
                listener.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, _, tags, _) => Keep(tags));
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) => Keep(tags));
        listener.Start();

        // The application's own requests are measured.
        using (var client = new HttpClient())
            (await client.GetAsync(shop.Address, TestContext.Current.CancellationToken)).Dispose();
        using (var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok), options => options.Protocol = protocol))
        {
            pipeline.Log(10);
            Assert.Equal(10, pipeline.Settle().Written);
        }

        Assert.Contains(shop.Port, ports);
        Assert.DoesNotContain(collector.Port, ports);

        void Keep(ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            foreach (var tag in tags)
            {
                if (tag.Key == "server.port")
                    ports.Enqueue(tag.Value);
            }
        }
    }

    // The value of every point, or the bounds of a histogram.
    private sealed class KeptMetrics(int port) : BaseExporter<Metric>
    {
        public Dictionary<string, string> Values { get; } = [];

        public override ExportResult Export(in Batch<Metric> batch)
        {
            foreach (var metric in batch)
            {
                foreach (ref readonly var point in metric.GetMetricPoints())
                    Keep(metric, in point);
            }

            return ExportResult.Success;
        }

        private void Keep(Metric metric, ref readonly MetricPoint point)
        {
            var key = metric.Name;
            var isOurs = false;
            foreach (var tag in point.Tags)
            {
                isOurs |= tag.Key == "server.port" && Equals(tag.Value, port);
                if (tag.Key is not ("server.port" or "server.address" or "asynclog.sink.name" or "asynclog.sink.type"))
                    key = string.Create(CultureInfo.InvariantCulture, $"{key} {tag.Key}={tag.Value}");
            }

            if (isOurs)
                Values[key] = string.Create(CultureInfo.InvariantCulture, $"{metric.MetricType} {ValueOf(metric, in point)}");
        }

        private static string ValueOf(Metric metric, ref readonly MetricPoint point)
        {
            switch (metric.MetricType)
            {
                case MetricType.LongSum or MetricType.LongSumNonMonotonic:
                    return point.GetSumLong().ToString(CultureInfo.InvariantCulture);
                case MetricType.DoubleSum:
                    return point.GetSumDouble().ToString(CultureInfo.InvariantCulture);
                case MetricType.DoubleGauge:
                    return point.GetGaugeLastValueDouble().ToString(CultureInfo.InvariantCulture);
                case MetricType.Histogram:
                    var bounds = new List<double>();
                    foreach (var bucket in point.GetHistogramBuckets())
                        bounds.Add(bucket.ExplicitBound);
                    return string.Create(CultureInfo.InvariantCulture, $"{bounds[0]}..{bounds[^2]}");
                default:
                    return "?";
            }
        }
    }
}
