using System.Net;

namespace AsyncLog.Tests.Transport;

public sealed class SeveralAddressesTests
{
    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public void A_dead_first_address_leaves_time_for_the_second_one_within_the_same_attempt(OtlpProtocol protocol)
    {
        bool isGrpc = protocol == OtlpProtocol.Grpc;
        using var dead = new FullBacklog();
        var alive = IPAddress.Parse("127.0.0.2");
        using var collector = new StubCollector(isGrpc, endPoint: new IPEndPoint(alive, dead.Port));
        using var pipeline = new OtlpPipeline(
            collector,
            new AnswerScript(collector, isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok),
            options =>
            {
                (options.Endpoint, options.Protocol) = (new Uri(FormattableString.Invariant($"http://collector.example:{dead.Port}")), protocol);
                options.Timeout = TimeSpan.FromSeconds(4);
            },
            time: null,
            withStartupLine: false,
            new OtlpSurroundings { Resolve = _ => [IPAddress.Loopback, alive] });
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Empty(pipeline.Errors);
        Assert.Equal(1, pipeline.Script.Attempts);
        Assert.Equal(10, collector.Requests.Sum(static request => request.RecordCount));
    }
}
