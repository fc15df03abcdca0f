namespace AsyncLog.Tests.Transport;

public sealed class RequestTests
{
    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, CompressionMethod.None)]
    [InlineData(OtlpProtocol.HttpProtobuf, CompressionMethod.Gzip)]
    [InlineData(OtlpProtocol.Grpc, CompressionMethod.None)]
    [InlineData(OtlpProtocol.Grpc, CompressionMethod.Gzip)]
    public void Large_requests_arrive_whole_one_after_the_other(OtlpProtocol protocol, CompressionMethod compression)
    {
        bool isGrpc = protocol == OtlpProtocol.Grpc;
        using var collector = new StubCollector(isGrpc);
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok), options => (options.Protocol, options.Compression) = (protocol, compression));
        for (int round = 0; round < 3; round++)
        {
            pipeline.Log(100, length: 4000);
            pipeline.Settle();
        }

        Assert.Equal(300, pipeline.Status.Written);
        string[] bodies = [.. Enumerable.Range(0, 100).Select(static i => $"r{i}".PadRight(4000, '.'))];
        Assert.Equal([.. bodies, .. bodies, .. bodies], collector.Requests.SelectMany(static request => request.Bodies));
        Assert.All(collector.Requests, request => CheckHeaders(request, isGrpc, compression == CompressionMethod.Gzip));
    }

    [Fact]
    public void A_request_holds_the_records_that_wait()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok));
        pipeline.Log(2000, length: 200);
        pipeline.Settle();

        Assert.Equal([2000], collector.Requests.Select(static request => request.RecordCount));
    }

    [Fact]
    public void A_backlog_is_split_by_MaxRequestSize()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, StubAnswer.Ok), static options => options.MaxRequestSize = 200_000);
        pipeline.Log(2000, length: 200);
        pipeline.Settle();

        Assert.Equal(2000, collector.Requests.Sum(static request => request.RecordCount));
        Assert.All(collector.Requests, static request => Assert.InRange(request.Body.Length, 1, 200_000));
        // Full but for the last: another record would not have fitted.
        Assert.InRange(collector.Requests.Count, 3, 100);
        Assert.All(collector.Requests.SkipLast(1), static request => Assert.InRange(request.Body.Length, 199_000, 200_000));
    }

    [Fact]
    public void Under_load_a_request_holds_at_most_1_MB_of_records()
    {
        const int Megabyte = 1 << 20;
        using var collector = new StubCollector();
        using var isOpen = new ManualResetEventSlim();
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, StubAnswer.Ok), configure: null, time: null, withStartupLine: false, new OtlpSurroundings { IsOpen = isOpen });
        // Its text is in the body and in an attribute: about 8 KB a record, and 4 MB wait.
        pipeline.Log(500, length: 4000);
        isOpen.Set();
        Assert.Equal(500, pipeline.Settle().Written);

        int[] sizes = [.. collector.Requests.Select(static request => request.Body.Length)];
        // The names of resource and scope come on top.
        Assert.InRange(sizes.Max(), Megabyte - (16 << 10), Megabyte + 1024);
        Assert.InRange(sizes.Length, 4, 6);
    }

    private static void CheckHeaders(StubRequest request, bool isGrpc, bool isCompressed)
    {
        Assert.Equal("POST", request.Method);
        Assert.Equal(isGrpc ? "HTTP/2" : "HTTP/1.1", request.Protocol);
        Assert.Equal(isGrpc ? "application/grpc" : "application/x-protobuf", request.Headers["Content-Type"]);
        Assert.Equal(isCompressed && !isGrpc, request.Headers.ContainsKey("Content-Encoding"));
        Assert.Equal(isCompressed && isGrpc, request.Headers.ContainsKey("grpc-encoding"));
        Assert.Equal(isCompressed, request.BytesSent < request.Body.Length);
        Assert.DoesNotContain("traceparent", request.Headers.Keys);
        if (!isGrpc)
            return;
        Assert.Equal("/opentelemetry.proto.collector.logs.v1.LogsService/Export", request.Path);
        Assert.Equal("trailers", request.Headers["te"]);
        Assert.Equal("10000m", request.Headers["grpc-timeout"]);
    }
}
