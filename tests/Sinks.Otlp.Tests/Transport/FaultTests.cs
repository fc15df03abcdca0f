using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

public sealed class FaultTests
{
    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public void An_export_ends_on_the_workers_own_thread(OtlpProtocol protocol)
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
    public void Gateway_failures_are_retried(int code)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(code), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Script.Attempts);
    }

    [Theory]
    [InlineData(4, null)]
    [InlineData(11, null)]
    // A google.rpc.Status with a RetryInfo of 7 s.
    [InlineData(8, "CA4SCXNsb3cgZG93bhowCih0eXBlLmdvb2dsZWFwaXMuY29tL2dvb2dsZS5ycGMuUmV0cnlJbmZvEgQKAggH")]
    public void An_expired_deadline_a_request_out_of_range_and_an_exhausted_resource_with_RetryInfo_are_retried(int code, string? details)
    {
        using var collector = new StubCollector(isGrpc: true);
        StubAnswer failing = StubAnswer.Grpc(code);
        if (details is not null)
            failing = failing with { Headers = [.. failing.Headers, new("grpc-status-details-bin", details)] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, failing, StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal([FormattableString.Invariant($"grpc_{code}")], pipeline.Errors);
        Assert.Equal([10, 10], collector.Requests.Select(static request => request.RecordCount));
        if (details is not null)
            Assert.InRange(Assert.Single(pipeline.Delays), TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(10.5));
    }

    [Fact]
    public void An_instance_has_one_request_in_flight_however_many_records_wait()
    {
        const int Threads = 4;
        const int PerThread = 100;
        using var collector = new StubCollector { AnswerTo = static _ => StubAnswer.Ok with { After = TimeSpan.FromMilliseconds(2) } };
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, new StubAnswer { IsForEver = true }), static options => options.MaxRequestSize = 128 << 10);
        // Its text is in the body and in an attribute: more than 8,000 bytes a record, so at most 16 in a request.
        Parallel.For(0, Threads, _ => pipeline.Log(PerThread, length: 4000));
        Assert.Equal(Threads * PerThread, pipeline.Settle().Written);
        Assert.InRange(collector.Requests.Count, Threads * PerThread / 16, int.MaxValue);
        Assert.Equal(1, collector.MostAtOnce);
    }

    [Fact]
    public void Only_a_delay_that_the_server_requests_forbids_a_sooner_attempt()
    {
        using var collector = new StubCollector();
        StubAnswer asking = StubAnswer.Code(503) with { Headers = [new("Retry-After", "7")] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Code(503), asking, StubAnswer.Failing(StubAnswer.Reset), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal([true, false, true], pipeline.Sink.Thrown.Select(static thrown => thrown.MayRetrySooner));
    }

    [Theory]
    [InlineData(400, SinkState.Degraded)]
    [InlineData(404, SinkState.Failed)]
    [InlineData(501, SinkState.Degraded)]
    public void Refusals_are_final_and_reported_once_a_minute(int code, SinkState state)
    {
        StandardError.Keep();
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, StubAnswer.Code(code)), configure: null, time: null, withStartupLine: false,
            new OtlpSurroundings { Services = static services => services.PostConfigure<AsyncLogOptions>(static options => options.SelfReportLevel = LogLevel.Warning) });
        for (int i = 0; i < 3; i++)
        {
            pipeline.Log(10);
            pipeline.Settle();
        }

        Assert.Equal(30, pipeline.Dropped(DropReason.SinkPermanent));
        Assert.Equal((3, 3), (collector.Requests.Count, pipeline.Script.Attempts));
        Assert.Equal(state, pipeline.Status.State);
        Assert.Equal(FormattableString.Invariant($"{code}"), pipeline.Status.Reason);
        Assert.Empty(pipeline.Sink.Thrown);

        string told = FormattableString.Invariant($"localhost:{collector.Port}/v1/logs answers {code}");
        // A thread of its own writes to stderr.
        Eventually.True(() => StandardError.LinesWith(told).Length > 0);
        string line = Assert.Single(StandardError.LinesWith(told));
        Assert.EndsWith("Its records are dropped.", line, StringComparison.Ordinal);
        pipeline.Time.Advance(TimeSpan.FromMinutes(1));
        pipeline.Log(10);
        pipeline.Settle();
        Eventually.True(() => StandardError.LinesWith(told).Length == 2);
        Assert.EndsWith("(3 times since the last report)", StandardError.LinesWith(told)[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_record_that_is_too_large_alone_is_dropped_and_the_rest_is_not()
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
    public void Records_for_a_server_that_finds_every_request_too_large_are_counted()
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
    public void A_gRPC_message_that_is_larger_than_the_server_takes_is_halved(int code, string text)
    {
        using var collector = new StubCollector(isGrpc: true);
        var refusal = StubAnswer.Grpc(code);
        refusal = refusal with { Headers = [.. refusal.Headers, new("grpc-message", Uri.EscapeDataString(text))] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, refusal, refusal, StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(8);
        Assert.Equal(8, pipeline.Settle().Written);
        // The size of four was refused, so it is not sent again.
        Assert.Equal([8, 4, 2, 2, 2, 2], collector.Requests.Select(static request => request.RecordCount));
    }

    [Fact]
    public void A_proxy_before_a_gRPC_server_that_answers_413_gets_smaller_requests()
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
    public void Exhausted_resources_of_another_kind_are_final(string text)
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
    public void A_server_message_without_rejected_records_is_reported_and_nothing_is_dropped()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok with { Body = [0x0A, 0x05, 0x12, 0x03, .. "use"u8] }));
        pipeline.Log(10);
        SinkStatus status = pipeline.Settle();
        Assert.Equal((10, 0), (status.Written, status.Dropped));
        Assert.Equal([$"http://localhost:{collector.Port}/v1/logs rejected 0 of 10 records: use"], pipeline.Told);
    }

    [Fact]
    public void Rejected_records_and_a_later_refusal_in_one_batch_are_counted_separately()
    {
        using var collector = new StubCollector();
        var rejecting = StubAnswer.Ok with { Body = [0x0A, 0x02, 0x08, 0x03] };
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, rejecting, StubAnswer.Code(400), StubAnswer.Ok), static options => options.MaxRequestSize = 128 << 10);
        // Its text is in the body and in an attribute: ten records of 12,400 bytes and their fields fit, eleven do not.
        pipeline.Log(30, length: 6200);
        SinkStatus status = pipeline.Settle();
        Assert.Equal([10, 10, 10], collector.Requests.Select(static request => request.RecordCount));
        Assert.Equal((3, 10, 17), (pipeline.Dropped(DropReason.Rejected), pipeline.Dropped(DropReason.SinkPermanent), status.Written));
    }

    [Fact]
    public void Status_200_counts_as_delivered_however_large_its_body()
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
    public void A_compressed_response_is_not_decompressed(int status, int written)
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.SmallestSize, leaveOpen: true))
        {
            byte[] block = new byte[1 << 20];
            block.AsSpan().Fill((byte)'b');
            for (int i = 0; i < 64; i++)
                gzip.Write(block);
        }

        using var collector = new StubCollector();
        var bomb = new StubAnswer { Status = status, Body = packed.ToArray(), Headers = [new("Content-Encoding", "gzip"), new("Content-Type", "text/plain")] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, bomb));
        pipeline.Log(10);
        Assert.Equal(written, pipeline.Settle().Written);
        Assert.Equal(1, pipeline.Script.Attempts);
        // The report of a refusal has the text of the server, as it came.
        Assert.Equal(status == 400, pipeline.Told.Any());
        Assert.DoesNotContain(pipeline.Told, static told => told.Contains("bbbbbbbb", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(200, 10)]
    [InlineData(400, 0)]
    public void The_status_decides_even_if_the_body_never_ends(int status, int written)
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, new StubAnswer { Status = status, Body = "half"u8.ToArray(), Stalls = true }));
        pipeline.Log(10);
        Assert.Equal(written, pipeline.Settle().Written);
        Assert.Equal(1, pipeline.Script.Attempts);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Status_200_whose_body_breaks_off_counts_as_delivered_and_is_not_sent_again(int recordsBefore)
    {
        using var collector = new StubCollector();
        var broken = new StubAnswer { Raw = "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100\r\n\r\n0123456789"u8.ToArray() };
        // Over an open connection the response is read by the worker itself.
        var script = new AnswerScript(collector, [.. Enumerable.Repeat(StubAnswer.Ok, recordsBefore), broken, StubAnswer.Ok]);
        using var pipeline = new OtlpPipeline(collector, script);
        for (int i = 0; i < recordsBefore; i++)
        {
            pipeline.Log(1);
            pipeline.Settle();
        }

        pipeline.Log(10);
        Assert.Equal(recordsBefore + 10, pipeline.Settle().Written);
        Assert.Equal(recordsBefore + 1, collector.Requests.Count);
        Assert.Equal(10, collector.Requests[^1].RecordCount);
        Assert.Empty(pipeline.Errors);
    }

    [Fact]
    public void A_server_that_stalls_on_an_open_connection_is_given_up_after_the_timeout_even_if_no_timer_fires()
    {
        using var collector = new StubCollector();
        // The clock of the timers stands while a request is on its way.
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, StubAnswer.Ok, StubAnswer.Failing(StubAnswer.Silent), StubAnswer.Ok),
            static options => options.Timeout = TimeSpan.FromSeconds(0.5));
        pipeline.Log(1);
        pipeline.Settle();
        long began = Stopwatch.GetTimestamp();
        pipeline.Log(10);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0, () =>
        {
            if (!pipeline.IsWriting)
                pipeline.Time.Advance(TimeSpan.FromMilliseconds(100));
        });
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.FromSeconds(0.5), TimeSpan.MaxValue);
        Assert.Equal("timeout", Assert.Single(pipeline.Sink.Thrown).ErrorType);
        Assert.Equal(11, pipeline.Settle().Written);
    }

    [Fact]
    public void A_call_whose_trailers_never_arrive_is_retried()
    {
        using var collector = new StubCollector(isGrpc: true);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.GrpcOk with { Stalls = true }, StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(["timeout"], pipeline.Errors);
    }

    [Fact]
    public void A_large_request_that_is_not_answered_in_time_is_halved_until_it_is_small()
    {
        const int records = 1000;
        using var collector = new StubCollector();
        // One each: time passes when the request of the current answer has arrived.
        var silent = Enumerable.Range(0, 4).Select(static _ => StubAnswer.Failing(StubAnswer.Silent));
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, [.. silent, StubAnswer.Ok]));
        pipeline.Log(records, length: 200);
        Assert.Equal(records, pipeline.Settle().Written);
        // About 300 bytes a record: below 64 KB a request stays as it is.
        Assert.Equal([1000, 500, 250, 125, 125, 125, 250, 500], collector.Requests.Select(static request => request.RecordCount));
        Assert.Equal(Enumerable.Range(0, records).Select(static i => $"r{i}".PadRight(200, '.')), collector.Requests.Skip(4).SelectMany(static request => request.Records)
            .Select(static record => record.Attributes.Single(static attribute => attribute.Key == "Text").Value.StringValue));
    }

    [Fact]
    public void A_request_whose_response_was_lost_is_sent_again_byte_for_byte()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(StubAnswer.Closed), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal(2, collector.Requests.Count);
        Assert.Equal(collector.Requests[0].Wire, collector.Requests[1].Wire);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_proxy_is_used_only_by_option(bool isUsed)
    {
        using var proxy = new StubCollector();
        using var use = new ProxyFor("proxied-collector.invalid", proxy.Port);
        var script = new AnswerScript(proxy, StubAnswer.Ok);
        using var pipeline = new OtlpPipeline(proxy, script, options => (options.Endpoint, options.UseProxy) = (use.Target, isUsed));
        pipeline.Log(10);
        if (isUsed)
        {
            Assert.Equal(10, pipeline.Settle().Written);
            Assert.Equal(10, proxy.Requests.Sum(static request => request.RecordCount));
            return;
        }

        Eventually.True(() => pipeline.Sink.Thrown.Count > 0, pipeline.Pass);
        Assert.Equal("dns", pipeline.Sink.Thrown[0].ErrorType);
        Assert.Empty(proxy.Requests);
    }

    [Fact]
    public void Requests_to_a_dead_proxy_are_retried_and_reported_without_secrets()
    {
        using var collector = new StubCollector();
        using var use = new ProxyFor("dead-proxy.invalid", port: 1);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok), options =>
        {
            (options.Endpoint, options.UseProxy) = (use.Target, true);
            options.Headers["api-key"] = "top-secret";
        });
        pipeline.Log(10);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 2, pipeline.Pass);
        Assert.All(pipeline.Sink.Thrown, static thrown => Assert.Equal("refused", thrown.ErrorType));
        Assert.DoesNotContain(pipeline.Told, static told => told.Contains("secret", StringComparison.Ordinal));
        Assert.Equal((0, 10), (pipeline.Status.Dropped, pipeline.Status.QueueSize + pipeline.Status.InFlight));
    }

    [Fact]
    public void A_proxy_that_asks_for_credentials_gets_none_and_the_refusal_is_final()
    {
        using var proxy = new StubCollector();
        using var use = new ProxyFor("asking-proxy.invalid", proxy.Port);
        var asking = new StubAnswer { Status = 407, Headers = [new("Proxy-Authenticate", "Basic realm=\"proxy\"")] };
        using var pipeline = new OtlpPipeline(proxy, new AnswerScript(proxy, asking), options => (options.Endpoint, options.UseProxy) = (use.Target, true));
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(10, pipeline.Dropped(DropReason.SinkPermanent));
        Assert.Equal("407", pipeline.Status.LastError!.Type);
        Assert.DoesNotContain("Proxy-Authorization", Assert.Single(proxy.Requests).Headers.Keys, StringComparer.OrdinalIgnoreCase);
    }

    [Fact]
    public void A_redirect_is_a_refusal_and_its_target_gets_nothing()
    {
        using var target = new StubCollector();
        using var collector = new StubCollector();
        // It asks for the same method and body.
        var redirect = StubAnswer.Code(307) with { Headers = [new("Location", target.Address.AbsoluteUri)] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, redirect, StubAnswer.Ok));
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(10, pipeline.Dropped(DropReason.SinkPermanent));
        Assert.Equal("307", pipeline.Status.LastError!.Type);
        Assert.Single(collector.Requests);
        Assert.Empty(target.Requests);
    }

    [Fact]
    public void A_cookie_of_the_server_is_not_sent_back()
    {
        using var collector = new StubCollector();
        var setting = StubAnswer.Ok with { Headers = [.. StubAnswer.Ok.Headers, new("Set-Cookie", "session=1")] };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, setting, StubAnswer.Ok));
        for (int i = 0; i < 2; i++)
        {
            pipeline.Log(1);
            pipeline.Settle();
        }

        Assert.Equal(2, collector.Requests.Count);
        Assert.DoesNotContain("Cookie", collector.Requests[1].Headers.Keys, StringComparer.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData(StubAnswer.ResetStream)]
    [InlineData(StubAnswer.Closed)]
    public void A_request_over_a_broken_HTTP_2_stream_or_connection_is_retried(string failure)
    {
        using var collector = new StubCollector(isGrpc: true);
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(failure), StubAnswer.GrpcOk), UseGrpc);
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        // .NET itself repeats a request whose stream was refused.
        Assert.Equal(2, pipeline.Script.Attempts);
        Assert.Single(pipeline.Errors);
    }

    [Fact]
    public void An_HTTP_2_error_is_reported_once()
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
    public void A_server_without_HTTP_2_is_retried_and_the_likely_cause_is_reported()
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
        Assert.NotEmpty(pipeline.Sink.Thrown);
        Assert.All(
            pipeline.Sink.Thrown,
            static thrown => Assert.EndsWith("(does this port speak gRPC? Usually 4317 is for gRPC, 4318 for HTTP)", thrown.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void HTTP_to_the_port_of_gRPC_is_told_with_its_likely_cause()
    {
        using var collector = new StubCollector();
        using var server = new SettingsServer();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Ok), options => (options.Endpoint, options.MaxRetryTime) = (server.Address, TimeSpan.FromSeconds(60)));
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal(10, pipeline.Dropped(DropReason.RetryExhausted));
        Assert.NotEmpty(pipeline.Sink.Thrown);
        Assert.All(
            pipeline.Sink.Thrown,
            static thrown => Assert.EndsWith("(does this port speak gRPC? Usually 4318 is for HTTP, 4317 for gRPC)", thrown.Message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(StubAnswer.Reset)]
    [InlineData(StubAnswer.Closed)]
    public void Only_a_port_that_never_took_a_request_may_speak_the_other_protocol(string failure)
    {
        const string Hint = "does this port speak gRPC";
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(failure), StubAnswer.Ok, StubAnswer.Failing(failure), StubAnswer.Ok));
        pipeline.Log(10);
        pipeline.Settle();
        pipeline.Log(10);
        Assert.Equal(20, pipeline.Settle().Written);
        Assert.Equal(2, pipeline.Sink.Thrown.Count);
        Assert.Contains(Hint, pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Hint, pipeline.Sink.Thrown[1].Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_unexpected_exception_from_the_handler_loses_nothing()
    {
        using var collector = new StubCollector();
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, StubAnswer.Failing(StubAnswer.Unexpected), StubAnswer.Ok));
        pipeline.Log(10);
        Assert.Equal(10, pipeline.Settle().Written);
        Assert.Equal([nameof(InvalidTimeZoneException)], pipeline.Errors);
    }

    [Fact]
    public void A_server_that_never_answers_blocks_neither_callers_nor_shutdown()
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
        Assert.Equal((0, TimeSpan.Zero), (status.Written, status.CallerWait));
        Assert.Equal(2000, pipeline.Dropped(DropReason.ShutdownTimeout) + pipeline.Dropped(DropReason.QueueFull));
        // What was in the queue.
        Assert.InRange(pipeline.Dropped(DropReason.ShutdownTimeout), 1, 1000);
    }

    [Fact]
    public void Several_receivers_that_never_answer_delay_dispose_no_longer_than_one()
    {
        TimeSpan budget = TimeSpan.FromSeconds(2);
        using var silent = new StubCollector { Answer = StubAnswer.Failing(StubAnswer.Silent) };
        using var silentGrpc = new StubCollector(isGrpc: true) { Answer = StubAnswer.Failing(StubAnswer.Silent) };
        using var deaf = new TcpListener(IPAddress.Loopback, 0);
        deaf.Start();
        Uri deafAddress = new(FormattableString.Invariant($"http://127.0.0.1:{((IPEndPoint)deaf.LocalEndpoint).Port}"));
        (string Name, Uri Endpoint, OtlpProtocol Protocol)[] collectors =
        [
            ("http", silent.Address, OtlpProtocol.HttpProtobuf), ("grpc", silentGrpc.Address, OtlpProtocol.Grpc), ("deaf", deafAddress, OtlpProtocol.HttpProtobuf),
            ("deaf-grpc", deafAddress, OtlpProtocol.Grpc), ("deaf-tls", new Uri("https" + deafAddress.AbsoluteUri[4..]), OtlpProtocol.HttpProtobuf),
        ];
        using var services = new ServiceCollection().AddLogging(builder =>
        {
            builder.AddAsyncOtlp(static options => options.Main = false);
            foreach (var (name, endpoint, protocol) in collectors)
                builder.AddAsyncOtlp(name, options => (options.Endpoint, options.Protocol, options.ShutdownTimeout) = (endpoint, protocol, budget));
        }).Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None)).BuildServiceProvider();
        var control = services.GetRequiredService<IAsyncLogControl>();
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("C");
        for (int i = 0; i < 100; i++)
            logger.LogError("record {Number}", i);
        Eventually.True(() => control.GetStatus().Instances.All(static sink => sink.InFlight > 0));

        long began = Stopwatch.GetTimestamp();
        services.Dispose();
        TimeSpan taken = Stopwatch.GetElapsedTime(began);

        Assert.InRange(taken, TimeSpan.Zero, budget * 3);
        Assert.Equal(collectors.Length, control.GetStatus().Instances.Count);
        Assert.All(control.GetStatus().Instances, static sink =>
            Assert.Equal((100, 100), (sink.Offered, sink.Drops.Where(static drop => drop.Reason == DropReason.ShutdownTimeout).Sum(static drop => drop.Count))));
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public async Task Exports_start_no_activity_and_carry_no_trace_context(OtlpProtocol protocol)
    {
        var isGrpc = protocol == OtlpProtocol.Grpc;
        using var collector = new StubCollector(isGrpc);
        using var shop = new StubCollector();
        var ports = new ConcurrentQueue<object?>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "System.Net.Http",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = activity => ports.Enqueue(activity.GetTagItem("server.port")),
        };
        ActivitySource.AddActivityListener(listener);
        using var request = new Activity("request").Start();

        // The application's own requests are traced.
        using (var client = new HttpClient())
            (await client.GetAsync(shop.Address, TestContext.Current.CancellationToken)).Dispose();
        using (var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok), options => options.Protocol = protocol))
        {
            pipeline.Log(10);
            Assert.Equal(10, pipeline.Settle().Written);
        }

        Assert.Contains(shop.Port, ports);
        Assert.Contains("traceparent", Assert.Single(shop.Requests).Headers.Keys, StringComparer.OrdinalIgnoreCase);
        Assert.DoesNotContain(collector.Port, ports);
        Assert.NotEmpty(collector.Requests);
        Assert.All(collector.Requests, static sent => Assert.DoesNotContain("traceparent", sent.Headers.Keys, StringComparer.OrdinalIgnoreCase));
    }

    [Fact]
    public async Task Exports_beside_AddHttpClient_at_Trace_log_nothing_and_cause_no_loop()
    {
        using var collector = new StubCollector();
        using var shop = new StubCollector();
        var categories = new ConcurrentQueue<string>();
        using var services = new ServiceCollection().AddHttpClient().AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace).AddProvider(new CategoryProvider(categories)).AddAsyncOtlp(options =>
        {
            options.Endpoint = collector.Address;
            options.ScheduledDelay = TimeSpan.Zero;
        })).Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None)).BuildServiceProvider();
        var control = services.GetRequiredService<IAsyncLogControl>();
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop");

        // The application's own requests are logged: so would be those of the exporter, if they went that way.
        using (HttpClient client = services.GetRequiredService<IHttpClientFactory>().CreateClient())
            (await client.GetAsync(shop.Address, TestContext.Current.CancellationToken)).Dispose();
        int own = categories.Count(static category => category.StartsWith("System.Net.Http", StringComparison.Ordinal));
        Assert.NotEqual(0, own);
        for (int i = 0; i < 10; i++)
        {
            logger.LogTrace("record {Number}", i);
            Assert.True(await control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        }

        Assert.Equal(own, categories.Count(static category => category.StartsWith("System.Net.Http", StringComparison.Ordinal)));
        Assert.Equal(categories.Count, collector.Requests.Sum(static request => request.RecordCount));
        Assert.InRange(collector.Requests.Count, 1, 10 + own);
    }

    [Fact]
    public void Delivery_that_gave_up_is_not_told_to_work_again_until_it_does()
    {
        using var collector = new StubCollector();
        var script = new AnswerScript(collector, [.. Enumerable.Repeat(StubAnswer.Code(503), 2), StubAnswer.Ok]);
        using var pipeline = new OtlpPipeline(collector, script, static options => options.MaxRetryTime = TimeSpan.Zero);
        pipeline.Log(1);
        Assert.Equal(1, pipeline.Settle().DroppedAfterAcceptance);
        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        pipeline.Log(1);
        Assert.Equal(2, pipeline.Settle().DroppedAfterAcceptance);
        Assert.Equal(2, pipeline.Dropped(DropReason.RetryExhausted));
        Assert.Contains(pipeline.Diagnostics.Reports, static report => report.Condition == "retry_exhausted");
        Assert.DoesNotContain("retry_exhausted", pipeline.Diagnostics.Resolved);
        pipeline.Log(1);
        Assert.Equal(1, pipeline.Settle().Written);
        Assert.Single(pipeline.Diagnostics.Resolved, static condition => condition == "retry_exhausted");
    }

    [Fact]
    public void A_gap_is_announced_when_the_server_is_back_and_no_batch_waits_for_ever_behind_its_notice()
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

    [Theory]
    [InlineData(true, "too_many_files")]
    [InlineData(false, "OutOfMemoryException")]
    public void A_process_without_handles_is_told_the_limit_that_it_reached(bool hasThread, string reason)
    {
        Exception cause = hasThread ? new SocketException((int)SocketError.TooManyOpenSockets) : new OutOfMemoryException();
        AttemptResult result = TransportFailure.Of(
            new HttpRequestException("not sent", cause), new AsyncOtlpLoggerOptions { Endpoint = new Uri("http://collector:4318/v1/logs") }, hasDelivered: false);
        Assert.Equal((ExportOutcome.Retry, reason), (result.Outcome, result.ErrorType));
        Assert.Contains("ulimit -n", result.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Headers_and_credentials_of_the_endpoint_are_never_reported()
    {
        using var collector = new StubCollector();
        var echo = new StubAnswer { Status = 401, Body = Encoding.UTF8.GetBytes("unknown key top-secret") };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, echo), options =>
        {
            options.RetryUnauthorized = false;
            options.Headers["api-key"] = "top-secret";
            options.Endpoint = new UriBuilder(collector.Address) { UserName = "me", Password = "pass-word" }.Uri;
        });
        pipeline.Log(10);
        pipeline.Settle();
        Assert.Equal("top-secret", collector.Requests[0].Headers["api-key"]);
        Assert.Contains(pipeline.Told, static told => told.Contains("unknown key ***", StringComparison.Ordinal));
        Assert.DoesNotContain(pipeline.Told, static told => told.Contains("secret", StringComparison.Ordinal) || told.Contains("pass-word", StringComparison.Ordinal));
        Assert.Equal($"http://localhost:{collector.Port}/v1/logs", pipeline.Status.Target);
    }

    private static void UseGrpc(AsyncOtlpLoggerOptions options) => options.Protocol = OtlpProtocol.Grpc;

    private sealed class CategoryProvider(ConcurrentQueue<string> categories) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => new CategoryLogger(categoryName, categories);

        public void Dispose()
        {
        }

        private sealed class CategoryLogger(string category, ConcurrentQueue<string> categories) : ILogger
        {
            public IDisposable? BeginScope<TState>(TState state)
                where TState : notnull
                => null;

            public bool IsEnabled(LogLevel logLevel) => true;

            public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => categories.Enqueue(category);
        }
    }
}
