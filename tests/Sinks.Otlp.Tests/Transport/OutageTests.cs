using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Long outages on a fake clock, with real connections.</summary>
public sealed class OutageTests
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public void Five_minutes_without_a_collector_cost_nothing_at_ten_records_a_second(OtlpProtocol protocol)
    {
        const int Records = 5 * 60 * 10;
        bool isGrpc = protocol == OtlpProtocol.Grpc;
        using var collector = new StubCollector(isGrpc);
        List<StubAnswer> answer = [StubAnswer.Failing(StubAnswer.Refused)];
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, answer), options => (options.Protocol, options.GapNotices) = (protocol, true), time: null, withStartupLine: false,
            new OtlpSurroundings { Random = static () => 1 });
        int failures = 0;
        TimeSpan now = TimeSpan.Zero;
        TimeSpan attempt = TimeSpan.FromSeconds(2);
        for (int i = 0; i < Records; i++)
        {
            pipeline.Logger.LogInformation("record number {Number} of a text that has an ordinary length", i);
            pipeline.Time.Advance(Step);
            now += Step;
            if (now < attempt)
                continue;
            // The worker makes its attempt before more time passes.
            Eventually.True(() => pipeline.Sink.Thrown.Count > failures, Pass);
            failures = pipeline.Sink.Thrown.Count;
            attempt = now + pipeline.Sink.Thrown[^1].RetryDelay!.Value;
        }

        // The longest delays: after 31 s every 30 s.
        double[] delays = [.. pipeline.Delays.Select(static delay => delay.TotalSeconds)];
        Assert.InRange(delays.Length, 10, int.MaxValue);
        Assert.Equal([1, 2, 4, 8, 16, .. Enumerable.Repeat(30, delays.Length - 5)], delays);
        Assert.InRange(delays.SkipLast(1).Sum(), 0, now.TotalSeconds);
        SinkStatus status = pipeline.Status;
        Assert.Equal((Records, 0, 0), (status.Offered, status.Written, status.Dropped));
        answer[0] = isGrpc ? StubAnswer.GrpcOk : StubAnswer.Ok;
        Eventually.True(() => pipeline.Status.Written == Records, pipeline.Pass);
        Assert.Equal(0, pipeline.AssertConservation().Dropped);

        void Pass()
        {
            if (pipeline.IsWriting)
                return;
            pipeline.Time.Advance(Step);
            now += Step;
        }
    }
}
