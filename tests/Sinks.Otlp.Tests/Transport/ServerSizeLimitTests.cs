using System.Globalization;

namespace AsyncLog.Tests.Transport;

/// <summary>A gateway that accepts smaller requests than <see cref="AsyncOtlpLoggerOptions.MaxRequestSize"/>.</summary>
public sealed class ServerSizeLimitTests
{
    private const int RecordLength = 2000;
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public void Only_the_first_batch_pays_for_the_limit_of_a_server_and_the_instance_is_healthy()
    {
        const int Limit = 100_000;
        const int Records = 4000;
        using var collector = new StubCollector { AnswerTo = static request => request.Body.Length > Limit ? StubAnswer.Code(413) : StubAnswer.Ok };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, new StubAnswer { IsForEver = true }));
        pipeline.Log(Records / 2, RecordLength);
        pipeline.Settle();
        int refused = Refused(collector, Limit);
        Assert.InRange(refused, 1, 5);
        Assert.Equal(Enumerable.Repeat("413", refused), pipeline.Diagnostics.Errors);
        pipeline.Time.Advance(TimeSpan.FromSeconds(60));
        pipeline.Log(Records / 2, RecordLength);
        SinkStatus status = pipeline.Settle();
        Assert.Equal((Records, 0), (status.Written, status.Dropped));
        Assert.Equal(refused, Refused(collector, Limit));
        Assert.Equal(SinkState.Healthy, status.State);
        string report = Assert.Single(pipeline.Diagnostics.Reports, static report => report.Condition == "request_size").Message;
        Assert.Contains("Raise the limit of the server", report, StringComparison.Ordinal);
    }

    [Fact]
    public void The_report_names_a_MaxRequestSize_that_the_server_accepts()
    {
        const int Limit = 600_000;
        using var collector = new StubCollector { AnswerTo = static request => request.Body.Length > Limit ? StubAnswer.Code(413) : StubAnswer.Ok };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, new StubAnswer { IsForEver = true }));
        pipeline.Log(1000, RecordLength);
        Assert.Equal(1000, pipeline.Settle().Written);
        string report = Assert.Single(pipeline.Diagnostics.Reports, static report => report.Condition == "request_size").Message;
        const string Before = "Lower MaxRequestSize to ";
        int begin = report.IndexOf(Before, StringComparison.Ordinal) + Before.Length;
        int named = int.Parse(report[begin..report.IndexOf(',', begin)], CultureInfo.InvariantCulture);
        Assert.InRange(named, Limit / 2, Limit);
    }

    [Fact]
    public void The_limit_that_a_gRPC_server_names_is_used_at_once()
    {
        const int Limit = 400_000;
        using var collector = new StubCollector(isGrpc: true)
        {
            AnswerTo = static request => request.Body.Length <= Limit ? StubAnswer.GrpcOk : StubAnswer.Grpc(8) with
            {
                Headers =
                [
                    new("grpc-status", "8"), new("Content-Type", "application/grpc"),
                    new("grpc-message", FormattableString.Invariant($"grpc: received message larger than max ({request.Body.Length} vs. {Limit})")),
                ],
            },
        };
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, new StubAnswer { IsForEver = true }), static options => options.Protocol = OtlpProtocol.Grpc);
        pipeline.Log(2000, RecordLength);
        Assert.Equal(2000, pipeline.Settle().Written);
        Assert.Single(collector.Requests, static request => request.Body.Length > Limit);
        // Near the limit, not half of it.
        Assert.Contains(collector.Requests, static request => request.Body.Length is > Limit * 9 / 10 and <= Limit);
    }

    [Fact]
    public void A_record_above_the_remembered_size_is_still_sent_alone()
    {
        const int Limit = 30_000;
        using var collector = new StubCollector { AnswerTo = static request => request.Body.Length > Limit ? StubAnswer.Code(413) : StubAnswer.Ok };
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, new StubAnswer { IsForEver = true }));
        pipeline.Log(200, RecordLength);
        pipeline.Settle();
        int refused = Refused(collector, Limit);
        int accepted = collector.Requests.Select(static request => request.Body.Length).Where(static length => length <= Limit).Max();
        // Its text is in the body and in an attribute.
        pipeline.Log(1, 14_500);
        Assert.Equal((201, 0), (pipeline.Settle().Written, pipeline.Status.Dropped));
        Assert.Equal(1, collector.Requests[^1].RecordCount);
        Assert.InRange(collector.Requests[^1].Body.Length, accepted + 1, Limit);
        Assert.Equal(refused, Refused(collector, Limit));
    }

    [Fact]
    public void The_next_request_is_smaller_than_a_refused_one_and_not_larger_than_one_that_was_accepted_near_it()
    {
        var limit = new ServerSizeLimit(_time);
        limit.Accept(300);
        Assert.Equal(int.MaxValue, limit.MaxBytes);
        Assert.True(limit.Refuse(1_000_000, named: null));
        Assert.Equal(999_999, limit.MaxBytes);
        Assert.True(limit.Refuse(500_000, named: null));
        Assert.Equal(499_999, limit.MaxBytes);
        Assert.False(limit.Accept(260_000));
        Assert.Equal(260_000, limit.MaxBytes);
    }

    [Theory]
    [InlineData(250_000, 250_000)]
    [InlineData(249_999, 999_999)]
    public void A_request_that_was_accepted_is_the_limit_from_a_quarter_of_the_refused_size_on(int accepted, int expected)
    {
        var limit = new ServerSizeLimit(_time);
        limit.Accept(accepted);
        limit.Refuse(1_000_000, named: null);
        Assert.Equal(expected, limit.MaxBytes);
    }

    [Fact]
    public void A_larger_request_is_tried_after_ten_minutes_and_its_refusal_is_no_news()
    {
        var limit = new ServerSizeLimit(_time);
        limit.Refuse(1_000_000, named: null);
        limit.Accept(500_000);
        _time.Advance(TimeSpan.FromMinutes(10) - TimeSpan.FromMilliseconds(1));
        Assert.Equal(500_000, limit.MaxBytes);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1_000_000, limit.MaxBytes);
        Assert.False(limit.Refuse(990_000, named: null));
        Assert.Equal(500_000, limit.MaxBytes);
        _time.Advance(TimeSpan.FromMinutes(10));
        Assert.True(limit.Accept(990_000));
        Assert.Equal(int.MaxValue, limit.MaxBytes);
    }

    [Fact]
    public void A_limit_that_is_lowered_is_news()
    {
        var limit = new ServerSizeLimit(_time);
        limit.Refuse(1_000_000, named: null);
        limit.Accept(500_000);
        Assert.True(limit.Refuse(400_000, named: null));
        Assert.Equal(399_999, limit.MaxBytes);
    }

    [Theory]
    [InlineData(400_000, 400_000)]
    [InlineData(2_000_000, 999_999)]
    public void A_limit_that_the_server_names_counts_if_it_is_below_the_refused_size(int named, int expected)
    {
        var limit = new ServerSizeLimit(_time);
        limit.Refuse(1_000_000, named);
        Assert.Equal(expected, limit.MaxBytes);
    }

    private static int Refused(StubCollector collector, int limit) => collector.Requests.Count(request => request.Body.Length > limit);
}
