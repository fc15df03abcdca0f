namespace AsyncLog.Tests.Transport;

public sealed class RefusalTests
{
    [Theory]
    [InlineData(3, SinkState.Degraded)]
    [InlineData(5, SinkState.Failed)]
    [InlineData(7, SinkState.Failed)]
    [InlineData(12, SinkState.Failed)]
    [InlineData(13, SinkState.Degraded)]
    [InlineData(16, SinkState.Failed)]
    public void A_refusal_that_needs_somebodys_hand_is_a_failure_until_a_request_is_taken(int code, SinkState state)
    {
        using var collector = new StubCollector(isGrpc: true);
        var script = new AnswerScript(collector, StubAnswer.Grpc(code), StubAnswer.GrpcOk);
        using var pipeline = new OtlpPipeline(collector, script, static options => options.Protocol = OtlpProtocol.Grpc);
        pipeline.Log(1);
        pipeline.Settle();
        Assert.Equal(state, pipeline.Status.State);
        Assert.Equal(FormattableString.Invariant($"grpc_{code}"), pipeline.Status.Reason);
        pipeline.Log(1);
        Assert.Equal(1, pipeline.Settle().Written);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
    }

    [Fact]
    public void Rejected_records_are_over_when_a_request_is_taken_whole()
    {
        using var collector = new StubCollector();

        // ExportLogsServiceResponse: partial_success { rejected_log_records = 3 }, then one with a message alone.
        var rejecting = StubAnswer.Ok with { Body = [0x0A, 0x02, 0x08, 0x03] };
        var warning = StubAnswer.Ok with { Body = [0x0A, 0x05, 0x12, 0x03, .. "use"u8] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, rejecting, warning, StubAnswer.Ok));
        for (int i = 0; i < 2; i++)
        {
            pipeline.Log(10);
            pipeline.Settle();
        }

        Assert.DoesNotContain("rejected", pipeline.Diagnostics.Resolved);
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Single(pipeline.Diagnostics.Resolved, static condition => condition == "rejected");
    }

    [Fact]
    public void A_sink_that_is_disposed_does_not_say_that_requests_are_taken_again()
    {
        using var collector = new StubCollector();
        var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(404)));
        using (pipeline)
        {
            pipeline.Log(10);
            pipeline.Settle();
        }

        Assert.DoesNotContain("refused", pipeline.Diagnostics.Resolved);
    }

    [Fact]
    public void Another_refusal_is_no_end_of_the_one_before()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(404), StubAnswer.Code(401), StubAnswer.Ok));
        pipeline.Log(1);
        pipeline.Settle();
        pipeline.Log(1);
        pipeline.Settle();
        Assert.Equal("401", pipeline.Status.Reason);
        Assert.DoesNotContain("refused", pipeline.Diagnostics.Resolved);
        pipeline.Log(1);
        pipeline.Settle();
        Assert.Single(pipeline.Diagnostics.Resolved, static condition => condition == "refused");
    }

    [Fact]
    public void What_a_server_says_of_its_refusal_is_the_last_error()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(404) with { Body = [.. "no such thing"u8] }));
        pipeline.Log(10);
        SinkError error = pipeline.Settle().LastError!;
        Assert.Equal("404", error.Type);
        Assert.Contains("/v1/logs answers 404", error.Message, StringComparison.Ordinal);
        Assert.EndsWith("no such thing", error.Message, StringComparison.Ordinal);
        Assert.InRange(error.At, pipeline.Time.GetUtcNow() - TimeSpan.FromMinutes(1), pipeline.Time.GetUtcNow());
    }
}
