namespace AsyncLog.Tests.Transport;

public sealed class RefusalTests
{
    [Theory]
    [InlineData(3, SinkState.Degraded)]
    [InlineData(5, SinkState.Failed)]
    [InlineData(12, SinkState.Failed)]
    [InlineData(13, SinkState.Degraded)]
    public void A_refusal_is_the_reason_of_the_state_until_a_request_is_accepted(int code, SinkState state)
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
        // Records were lost a moment ago.
        Assert.Equal((SinkState.Degraded, "drops"), (pipeline.Status.State, pipeline.Status.Reason));
    }

    [Theory]
    [InlineData(401)]
    [InlineData(403)]
    public void A_refused_credential_keeps_the_records_and_the_state_is_failed(int code)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(code), StubAnswer.Ok));
        AssertCredentialIsReported(pipeline, FormattableString.Invariant($"{code}"));
    }

    [Theory]
    [InlineData(7)]
    [InlineData(16)]
    public void A_credential_that_is_refused_over_gRPC_keeps_the_records_and_the_state_is_failed(int code)
    {
        using var collector = new StubCollector(isGrpc: true);
        var script = new AnswerScript(collector, StubAnswer.Grpc(code), StubAnswer.GrpcOk);
        using var pipeline = new OtlpPipeline(collector, script, static options => options.Protocol = OtlpProtocol.Grpc);
        AssertCredentialIsReported(pipeline, FormattableString.Invariant($"grpc_{code}"));
    }

    [Theory]
    [InlineData(401)]
    [InlineData(403)]
    public void A_refused_credential_costs_the_records_without_RetryUnauthorized(int code)
    {
        using var collector = new StubCollector();
        var script = new AnswerScript(collector, StubAnswer.Code(code));
        using var pipeline = new OtlpPipeline(collector, script, static options => options.RetryUnauthorized = false);
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(10, pipeline.Dropped(DropReason.SinkPermanent));
        Assert.Single(collector.Requests);
        Assert.Equal(SinkState.Failed, pipeline.Status.State);
    }

    [Theory]
    [InlineData(400)]
    [InlineData(500)]
    public void A_server_that_refuses_every_request_for_a_minute_has_failed(int code)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(code), StubAnswer.Code(code), StubAnswer.Ok));
        Assert.Equal(SinkState.Degraded, StateAfterARecord());
        pipeline.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(SinkState.Failed, StateAfterARecord());
        Assert.Equal(FormattableString.Invariant($"{code}"), pipeline.Status.Reason);
        Assert.Equal(SinkState.Degraded, StateAfterARecord());
        Assert.Equal(1, pipeline.Status.Written);

        SinkState StateAfterARecord()
        {
            pipeline.Log(1);
            return pipeline.Settle().State;
        }
    }

    [Theory]
    [InlineData("text/html")]
    [InlineData("Text/HTML; charset=utf-8")]
    public void A_web_page_in_place_of_an_answer_is_reported_and_the_records_are_uncertain(string contentType)
    {
        using var collector = new StubCollector();
        var page = new StubAnswer { Headers = [new("Content-Type", contentType)], Body = [.. "<!DOCTYPE html><title>Log in</title>"u8] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, page, StubAnswer.Ok));
        pipeline.Log(10);
        SinkStatus status = pipeline.Settle();
        Assert.Equal((10, 10, 0), (status.Written, status.Uncertain, status.Dropped));
        Assert.Equal((SinkState.Degraded, "web_page"), (status.State, status.Reason));
        Assert.Equal(
            [
                $"http://localhost:{collector.Port}/v1/logs answers 200 with a web page, so the records may not have arrived. "
                + "Check Endpoint, and whether a login page or a proxy answers.",
            ],
            pipeline.Told);
        pipeline.Log(10);
        status = pipeline.Settle();
        Assert.Equal((20, 10, SinkState.Healthy), (status.Written, status.Uncertain, status.State));
        Assert.Single(pipeline.Diagnostics.Resolved, static condition => condition == "web_page");
    }

    [Theory]
    [InlineData("text/plain")]
    [InlineData("application/json")]
    [InlineData(null)]
    public void Another_content_type_of_a_success_is_accepted(string? contentType)
    {
        using var collector = new StubCollector();
        var answer = new StubAnswer { Headers = contentType is null ? [] : [new("Content-Type", contentType)] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, answer));
        pipeline.Log(10);
        SinkStatus status = pipeline.Settle();
        Assert.Equal((10, 0, SinkState.Healthy), (status.Written, status.Uncertain, status.State));
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

        Assert.Equal(["refused"], pipeline.Diagnostics.Reports.Select(static report => report.Condition));
        Assert.DoesNotContain("refused", pipeline.Diagnostics.Resolved);
    }

    [Fact]
    public void Another_refusal_is_no_end_of_the_one_before()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(404), StubAnswer.Code(415), StubAnswer.Ok));
        pipeline.Log(1);
        pipeline.Settle();
        pipeline.Log(1);
        pipeline.Settle();
        Assert.Equal("415", pipeline.Status.Reason);
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
        Assert.Equal(
            $"http://localhost:{collector.Port}/v1/logs answers 404 (is the path right? OTLP over HTTP usually ends in /v1/logs): no such thing",
            error.Message);
        Assert.InRange(error.At, pipeline.Time.GetUtcNow() - TimeSpan.FromMinutes(1), pipeline.Time.GetUtcNow());
    }

    private static void AssertCredentialIsReported(OtlpPipeline pipeline, string reason)
    {
        pipeline.Log(10);
        // Time ends the nap of the worker, and not the delay after the attempt.
        Eventually.True(() => pipeline.Status.State == SinkState.Failed, () =>
        {
            if (pipeline.Script.Attempts == 0)
                pipeline.Time.Advance(TimeSpan.FromMilliseconds(1));
        });
        Assert.Equal(reason, pipeline.Status.Reason);
        Assert.Contains("is the credential in Headers right", pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
        Assert.Equal((10, 0), (pipeline.Settle().Written, pipeline.Status.Dropped));
    }
}
