namespace AsyncLog.Tests.Transport;

public sealed class EarlyRefusalTests
{
    [Fact]
    [NotUnderWine("a refusal arrives although the connection was reset")]
    public void A_request_whose_refusal_is_lost_with_the_connection_is_split_until_the_server_takes_it()
    {
        using var gateway = new EarlyRefusal(100_000);
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok), options => options.Endpoint = gateway.Address);
        pipeline.Log(1000, length: 2000);
        Assert.Equal(1000, pipeline.Settle().Written);
        Assert.Equal(1000, gateway.RecordCount);
        Assert.True(gateway.Refusals > 0);
        Assert.Contains("reset", pipeline.Errors);
    }
}
