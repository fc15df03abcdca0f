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

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, OtlpCompression.Gzip, "http/protobuf, gzip on")]
    [InlineData(OtlpProtocol.Grpc, OtlpCompression.None, "grpc, gzip off")]
    public void Protocol_and_compression_have_their_names(OtlpProtocol protocol, OtlpCompression compression, string summary)
        => Assert.Equal(summary, new OtlpSinkDefinition().Summarize(new AsyncOtlpOptions { Protocol = protocol, Compression = compression }));
}
