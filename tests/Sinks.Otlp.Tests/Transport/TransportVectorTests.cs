using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>Plays vectors/otlp-transport.jsonl: every line against the real sink, its books included; the clock moves only when the sink waits.</summary>
public sealed class TransportVectorTests
{
    public static TheoryData<string> Lines => [.. File.ReadLines(Path.Combine(AppContext.BaseDirectory, "vectors", "otlp-transport.jsonl"))];

    [Theory]
    [MemberData(nameof(Lines))]
    public void OT_33_to_42_Every_answer_leads_to_the_action_of_its_vector(string line)
    {
        var vector = TransportVector.Parse(line);
        using var collector = new StubCollector(vector.IsGrpc);
        using var spans = new SpanCounter();
        var script = new AnswerScript(collector, [.. vector.Answers]);
        using var pipeline = new OtlpPipeline(collector, script, vector.Configure, vector.Clock);
        pipeline.Log(vector.Batch);
        if (vector.DisposesAtOnce)
            EndWithinDeadline(pipeline, vector);
        else if (!vector.IsEndlessOutage)
            pipeline.Settle();
        Check(vector, pipeline, collector, spans);
    }

    private static void EndWithinDeadline(OtlpPipeline pipeline, TransportVector vector)
    {
        // The clock stands still: whatever needs the deadline to end would never end.
        DateTimeOffset began = pipeline.Time.GetUtcNow();
        pipeline.Dispose();
        Assert.InRange(pipeline.Time.GetUtcNow() - began, TimeSpan.Zero, vector.Deadline);
    }

    private static void Check(TransportVector vector, OtlpPipeline pipeline, StubCollector collector, SpanCounter spans)
    {
        SinkStatus status = pipeline.AssertConservation();
        foreach (JsonProperty expected in vector.Expect.EnumerateObject())
        {
            JsonElement value = expected.Value;
            switch (expected.Name)
            {
                case "action":
                    Assert.Equal(value.GetString(), ActionOf(pipeline, status, collector));
                    break;
                case "attempts":
                    Assert.Equal(value.GetInt32(), pipeline.Script.Attempts);
                    break;
                case "delayMs":
                    Assert.InRange(pipeline.Delays[0].TotalMilliseconds, value[0].GetInt32(), value[1].GetInt32());
                    break;
                case "exported":
                    Assert.Equal(value.GetInt64(), status.Written);
                    break;
                case "rejected":
                    Assert.Equal(value.GetInt64(), pipeline.Dropped(DropReason.Rejected));
                    break;
                case "dropped":
                    Assert.Equal(value.GetInt64(), status.DroppedAfter - pipeline.Dropped(DropReason.Rejected));
                    break;
                case "dropReason":
                    Assert.NotEqual(0, pipeline.Dropped(Enum.Parse<DropReason>(value.GetString()!.Replace("_", "", StringComparison.Ordinal), ignoreCase: true)));
                    break;
                case "errorType":
                    Assert.All(pipeline.Errors, error => Assert.Equal(value.GetString(), error));
                    Assert.NotEmpty(pipeline.Errors);
                    break;
                case "reports":
                    Assert.Contains(pipeline.Told, told => told.Contains(value.GetString()!, StringComparison.Ordinal));
                    break;
                case "maxReportBytes":
                    Assert.All(pipeline.Voice.Reports, report => Assert.InRange(report.Message.Length, 1, value.GetInt32() + 200));
                    break;
                case "maxReadBytes":
                    Assert.Equal(value.GetInt32(), AnswerBody.Limit);
                    break;
                case "recordsPerRequest":
                    Assert.Equal(value.EnumerateArray().Select(static count => count.GetInt32()), collector.Requests.Select(static request => request.RecordCount));
                    break;
                case "request":
                    RequestExpectation.Check(value, Assert.Single(collector.Requests));
                    break;
                case "spansFromExporter":
                    Assert.Equal(value.GetInt32(), spans.Count);
                    break;
                case "logRecordsFromExporter":
                    Assert.Equal(vector.Batch + value.GetInt32(), status.Offered);
                    break;
                case "endsWithinDeadline":
                    Assert.Equal(SinkState.Stopped, status.State);
                    break;
                case "callerBlocked":
                    Assert.Equal(0, pipeline.Sink.Unexpected.Count);
                    Assert.Equal(vector.Batch, status.Offered);
                    break;
                case "enqueued":
                    // The law of AssertConservation.
                    Assert.Equal("= written + dropped(after) + queue.size + in_flight", value.GetString());
                    break;
                default:
                    Assert.Fail("unknown expectation " + expected.Name);
                    break;
            }
        }
    }

    private static string ActionOf(OtlpPipeline pipeline, SinkStatus status, StubCollector collector)
    {
        int[] counts = [.. collector.Requests.Select(static request => request.RecordCount)];
        return status.DroppedAfter - pipeline.Dropped(DropReason.Rejected) > 0 ? "drop"
            : pipeline.Delays.Count > 0 ? "retry"
            : counts.Length > 1 && counts[^1] < counts[0] ? "split"
            : "success";
    }
}
