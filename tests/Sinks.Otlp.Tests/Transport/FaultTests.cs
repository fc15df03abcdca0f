using System.Text;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace AsyncLog.Tests.Transport;

public sealed class FaultTests
{
    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public void Fault_F70_An_export_ends_on_the_workers_own_thread(OtlpProtocol protocol)
    {
        bool isGrpc = protocol == OtlpProtocol.Grpc;
        using var collector = new StubCollector(isGrpc);
        var answer = isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok;
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, answer), options => options.Protocol = protocol);
        for (int i = 0; i < 5; i++)
        {
            pipeline.Log(10);
            pipeline.Settle();
        }

        Assert.Equal(50, pipeline.Status.Written);
        Assert.False(pipeline.Sink.HasLeftWorker);
    }

    [Theory]
    [InlineData(502)]
    [InlineData(504)]
    public void Fault_F125_Gateway_failures_are_tried_again(int code)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(code), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Script.Attempts);
    }

    [Theory]
    [InlineData(400, SinkState.Degraded)]
    [InlineData(401, SinkState.Failed)]
    [InlineData(403, SinkState.Failed)]
    [InlineData(404, SinkState.Failed)]
    [InlineData(501, SinkState.Degraded)]
    public void Fault_F126_Refusals_are_final_and_told_once(int code, SinkState state)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(code)));
        for (int i = 0; i < 3; i++)
        {
            pipeline.Log(10);
            pipeline.Settle();
        }

        Assert.Equal(30, pipeline.Dropped(DropReason.SinkPermanent));
        Assert.Equal(collector.Requests.Count, pipeline.Script.Attempts);
        Assert.Equal(state, pipeline.Status.State);
        Assert.Equal(FormattableString.Invariant($"{code}"), pipeline.Status.Reason);
        Assert.Empty(pipeline.Sink.Thrown);
    }

    [Fact]
    public void Fault_F127_A_record_that_is_too_large_alone_is_dropped_and_the_rest_is_not()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, StubAnswer.Code(413), StubAnswer.Code(413), StubAnswer.Code(413), StubAnswer.Ok));
        pipeline.Log(4);
        SinkStatus status = pipeline.Settle();
        Assert.Equal([4, 2, 1, 1, 2], collector.Requests.Select(static request => request.RecordCount));
        Assert.Equal(1, pipeline.Dropped(DropReason.Oversize));
        Assert.Equal(3, status.Written);
    }

    [Fact]
    public void Fault_F127_A_server_that_finds_everything_too_large_ends_in_a_count()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(413)));
        pipeline.Log(100);
        pipeline.Settle();
        Assert.Equal(100, pipeline.Dropped(DropReason.Oversize));
    }

    [Theory]
    [InlineData(8, "grpc: received message larger than max (5000000 vs. 4194304)")]
    [InlineData(8, "grpc: received message after decompression larger than max (5000000 vs. 4194304)")]
    [InlineData(8, "gRPC message exceeds maximum size 4194304: 5000000")]
    [InlineData(8, "Received message exceeds the maximum configured message size.")]
    [InlineData(8, "Frame size 5000000 exceeds maximum: 4194304.")]
    [InlineData(11, "Error, decoded message length too large: found 5000000 bytes, the limit is: 4194304 bytes")]
    public void OT_35_B5_A_gRPC_message_that_is_larger_than_the_server_takes_is_halved(int code, string text)
    {
        using var collector = new StubCollector(isGrpc: true);
        var refusal = StubAnswer.Grpc(code);
        refusal = refusal with { Headers = [.. refusal.Headers, new("grpc-message", Uri.EscapeDataString(text))] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, refusal, refusal, StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(8);
        Assert.Equal(8, pipeline.Settle().Written);
        Assert.Equal([8, 4, 2, 2, 4], collector.Requests.Select(static request => request.RecordCount));
    }

    [Fact]
    public void OT_35_B5_A_proxy_before_a_gRPC_server_that_answers_413_gets_smaller_requests()
    {
        using var collector = new StubCollector(isGrpc: true);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(413), StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(8);
        Assert.Equal(8, pipeline.Settle().Written);
        Assert.Equal([8, 4, 4], collector.Requests.Select(static request => request.RecordCount));
    }

    [Theory]
    [InlineData("quota of the tenant exceeds maximum")]
    [InlineData("")]
    public void OT_34_Exhausted_resources_of_another_kind_are_final(string text)
    {
        using var collector = new StubCollector(isGrpc: true);
        var refusal = StubAnswer.Grpc(8);
        refusal = refusal with { Headers = [.. refusal.Headers, new("grpc-message", Uri.EscapeDataString(text))] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, refusal), UseGrpc);
        pipeline.Log(8);
        pipeline.Settle();
        Assert.Equal((8, 1), (pipeline.Dropped(DropReason.SinkPermanent), collector.Requests.Count));
    }

    [Fact]
    public void Fault_F128_A_message_without_rejected_records_is_told_and_nothing_is_dropped()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok with { Body = [0x0A, 0x05, 0x12, 0x03, .. "use"u8] }));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Contains(pipeline.Told, static told => told.Contains("use", StringComparison.Ordinal));
    }

    [Fact]
    public void Fault_F128_Rejected_records_and_a_later_refusal_in_one_batch_are_counted_apart()
    {
        using var collector = new StubCollector();
        var rejecting = StubAnswer.Ok with { Body = [0x0A, 0x02, 0x08, 0x03] };
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, rejecting, StubAnswer.Code(400), StubAnswer.Ok), static options => options.MaxExportBatchSize = 10);
        pipeline.Log(30);
        SinkStatus status = pipeline.Settle();
        Assert.Equal((3, 10, 17), (pipeline.Dropped(DropReason.Rejected), pipeline.Dropped(DropReason.SinkPermanent), status.Written));
    }

    [Fact]
    public void Fault_F129_A_200_counts_as_delivered_however_large_its_body()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, new StubAnswer { Body = new byte[64 << 10], Repeat = 1000 }, StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        pipeline.Log(1);
        Assert.Equal(11, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Script.Attempts);
    }

    [Theory]
    [InlineData(200, 10)]
    [InlineData(400, 0)]
    public void Fault_F130_A_status_has_decided_although_its_body_never_ends(int status, int written)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, new StubAnswer { Status = status, Body = "half"u8.ToArray(), Stalls = true }));
        pipeline.Log(10);
        Assert.Equal(written, pipeline.Settle().Written);
        Assert.Equal(1, pipeline.Script.Attempts);
    }

    [Fact]
    public void Fault_F130_A_call_whose_trailers_never_come_is_made_again()
    {
        using var collector = new StubCollector(isGrpc: true);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.GrpcOk with { Stalls = true }, StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(["timeout"], pipeline.Errors);
    }

    [Fact]
    public void Fault_F131_What_was_taken_without_an_answer_is_sent_again_byte_for_byte()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(StubAnswer.Closed), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(collector.Requests[0].Body, collector.Requests[1].Body);
    }

    [Fact]
    public void Fault_F132_F133_Neither_redirects_nor_proxies_nor_cookies_are_followed_by_default()
    {
        using var handler = Assert.IsType<SocketsHttpHandler>(ExportHandler.Create(
            new OtlpTransportSettings { Address = new Uri("http://localhost:4318/v1/logs"), UserAgent = "x" }, new ExportLink()));
        Assert.False(handler.AllowAutoRedirect);
        Assert.False(handler.UseProxy);
        Assert.False(handler.UseCookies);
        Assert.Null(handler.ActivityHeadersPropagator);
    }

    [Theory]
    [InlineData(StubAnswer.ResetStream)]
    [InlineData(StubAnswer.Closed)]
    public void Fault_F134_A_broken_stream_or_connection_of_HTTP_2_is_tried_again(string failure)
    {
        using var collector = new StubCollector(isGrpc: true);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(failure), StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
    }

    [Fact]
    public void Fault_F134_The_error_of_HTTP_2_is_told_once()
    {
        using var collector = new StubCollector(isGrpc: true);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(StubAnswer.ResetStream), StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(10);
        pipeline.Settle();
        string told = Assert.Single(pipeline.Told);
        Assert.Equal(2, told.Split("REFUSED_STREAM").Length);
        Assert.Equal(2, told.Split("server reset the stream").Length);
    }

    [Fact]
    public void Fault_F134_OT_42_A_server_without_HTTP_2_is_tried_again_and_the_likely_cause_is_told()
    {
        using var collector = new StubCollector(isGrpc: true, protocols: HttpProtocols.Http1);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.GrpcOk), static options =>
        {
            UseGrpc(options);
            options.MaxRetryTime = TimeSpan.FromSeconds(60);
        });
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(10, pipeline.Dropped(DropReason.RetryExhausted));
        Assert.Contains(pipeline.Told, static told => told.Contains("does this port speak gRPC", StringComparison.Ordinal));
    }

    [Fact]
    public void OT_42_HTTP_to_the_port_of_gRPC_is_told_with_its_likely_cause()
    {
        using var collector = new StubCollector();
        using var server = new SettingsServer();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok), options => (options.Endpoint, options.MaxRetryTime) = (server.Address, TimeSpan.FromSeconds(60)));
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(10, pipeline.Dropped(DropReason.RetryExhausted));
        Assert.Contains(pipeline.Told, static told => told.Contains("does this port speak gRPC", StringComparison.Ordinal));
    }

    [Fact]
    public void Fault_F135_An_unexpected_exception_of_the_handler_loses_nothing()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(StubAnswer.Unexpected), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal([nameof(InvalidTimeZoneException)], pipeline.Errors);
    }

    [Fact]
    public void Fault_F137_F138_A_server_that_never_answers_keeps_neither_callers_nor_shutdown()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(StubAnswer.Silent)), static options =>
        {
            options.ShutdownTimeout = TimeSpan.FromMilliseconds(300);
            options.MaxQueueLength = 1000;
        }, TimeProvider.System);
        pipeline.Log(2000);
        Eventually.True(() => collector.Held is not null);
        pipeline.Dispose();
        SinkStatus status = pipeline.AssertConservation();
        Assert.Equal(2000, status.Offered);
        Assert.Equal(0, status.Written);
        Assert.Equal(status.Enqueued, pipeline.Dropped(DropReason.ShutdownTimeout));
        Assert.NotEqual(0, pipeline.Dropped(DropReason.QueueFull));
    }

    [Fact]
    public void OB_30_Delivery_that_gave_up_is_not_told_to_work_again_until_it_does()
    {
        using var collector = new StubCollector();
        var script = new AnswerScript(collector, [.. Enumerable.Repeat(StubAnswer.Code(503), 2), StubAnswer.Ok]);
        using var pipeline = new OtlpPipeline(collector, script, static options => options.MaxRetryTime = TimeSpan.Zero);
        pipeline.Log(1);
        Assert.Equal(1, pipeline.Settle().DroppedAfter);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        pipeline.Log(1);
        Assert.Equal(2, pipeline.Settle().DroppedAfter);
        pipeline.Log(1);
        Assert.Equal(1, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Dropped(DropReason.RetryExhausted));
    }

    [Fact]
    public void OB_61_A_gap_is_announced_when_the_server_is_back_and_no_batch_waits_for_ever_behind_its_notice()
    {
        using var collector = new StubCollector();
        var script = new AnswerScript(collector, [.. Enumerable.Repeat(StubAnswer.Failing(StubAnswer.Refused), 60), StubAnswer.Ok]);
        using var pipeline = new OtlpPipeline(collector, script, static options => (options.GapNotices, options.MaxQueueLength, options.MaxRetryTime) = (true, 100, TimeSpan.FromSeconds(60)));
        pipeline.Log(300);
        SinkStatus status = pipeline.Settle();
        Assert.Equal(300, status.Offered);
        Assert.NotEqual(0, pipeline.Dropped(DropReason.RetryExhausted));
        Eventually.True(() => script.Attempts > 60, () =>
        {
            pipeline.Log(1);
            pipeline.Settle();
        });
        // What was announced into the outage is lost with its notice; the next gap is announced.
        pipeline.Log(300);
        Eventually.True(
            () => collector.Requests.SelectMany(static request => request.Bodies).Any(static body => body.Contains("records dropped", StringComparison.Ordinal)),
            pipeline.Pass);
    }

    [Fact]
    public void Security_S15_Neither_headers_nor_credentials_of_the_endpoint_are_told()
    {
        using var collector = new StubCollector();
        var echo = new StubAnswer { Status = 401, Body = Encoding.UTF8.GetBytes("unknown key top-secret") };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, echo), options =>
        {
            options.Headers["api-key"] = "top-secret";
            options.Endpoint = new UriBuilder(collector.Address) { UserName = "me", Password = "pass-word" }.Uri;
        });
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal("top-secret", collector.Requests[0].Headers["api-key"]);
        Assert.DoesNotContain(pipeline.Told, static told => told.Contains("secret", StringComparison.Ordinal) || told.Contains("pass-word", StringComparison.Ordinal));
        Assert.DoesNotContain("pass-word", pipeline.Status.Target, StringComparison.Ordinal);
    }

    private static void UseGrpc(AsyncOtlpOptions options) => options.Protocol = OtlpProtocol.Grpc;
}
