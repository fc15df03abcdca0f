namespace AsyncLog.Tests.Transport;

public sealed class StartupLineTests
{
    [Fact]
    public void The_start_up_line_names_target_protocol_and_compression()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok), withStartupLine: true);
        Eventually.True(() => collector.Requests.Count == 1);
        string line = FormattableString.Invariant($"otlp \"default\" -> http://localhost:{collector.Port}/v1/logs (http/protobuf, gzip off)");
        Assert.Equal(line, Assert.Single(collector.Requests[0].Bodies));
    }

    [Fact]
    public void A_start_up_line_that_a_server_refuses_for_a_time_is_sent_before_the_records_and_not_earlier()
    {
        using var collector = new StubCollector();
        var busy = StubAnswer.Code(503) with { Headers = [new("Retry-After", "20")] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, busy, StubAnswer.Ok, StubAnswer.Ok), withStartupLine: true);
        Eventually.True(() => pipeline.Sink.Thrown.Count == 1);
        pipeline.Log(1);
        pipeline.Settle();
        Assert.InRange(Assert.Single(pipeline.Delays), TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(30));
        // The clock of the test may run ahead of the worker.
        Assert.True(pipeline.Script.AttemptedAt[1] - pipeline.Script.AttemptedAt[0] >= pipeline.Delays[0]);
        string[] bodies = [.. collector.Requests.Skip(1).SelectMany(static request => request.Bodies)];
        Assert.Equal(2, bodies.Length);
        Assert.StartsWith("otlp \"default\" -> ", bodies[0], StringComparison.Ordinal);
        Assert.Equal("r0", bodies[1]);
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, CompressionMethod.Gzip, "http/protobuf, gzip on")]
    [InlineData(OtlpProtocol.Grpc, CompressionMethod.None, "grpc, gzip off")]
    public void Protocol_and_compression_have_their_names(OtlpProtocol protocol, CompressionMethod compression, string summary)
        => Assert.Equal(summary, new OtlpSinkDefinition().Summarize(new AsyncOtlpLoggerOptions { Protocol = protocol, Compression = compression }));
}
