namespace AsyncLog.Tests.Transport;

public sealed class GoAwayTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 11)]
    [InlineData(1, 0)]
    [InlineData(1, 2)]
    public void A_request_that_meets_GOAWAY_is_delivered_over_the_next_connection(byte lastStream, byte error)
    {
        using var collector = new StubCollector(isGrpc: true);
        using var proxy = new GoAwayProxy(collector.Port, lastStream, error);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.GrpcOk), options =>
        {
            options.Protocol = OtlpProtocol.Grpc;
            options.Endpoint = proxy.Address;
        });
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.True(proxy.HasSent);
        Assert.Equal(10, collector.Requests.Sum(static request => request.RecordCount));
    }
}
