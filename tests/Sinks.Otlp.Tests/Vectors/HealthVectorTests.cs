using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Transport;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>Plays the lines of vectors/health.jsonl about this sink against the real one, and reads the meter.</summary>
public sealed partial class HealthVectorTests
{
    public static TheoryData<string> Lines() => HealthVector.LinesOf("otlp");

    [Theory]
    [MemberData(nameof(Lines))]
    public void The_meter_and_the_status_are_those_of_the_vector(string line)
    {
        var vector = new HealthVector(line);
        Assert.Null(vector.Events.Find("fakeSocket"));
        using var collector = new StubCollector();
        var answers = vector.Events.Find("answers")?.EnumerateArray().Select(AnswerOf).ToList() ?? [];
        using var isOpen = new ManualResetEventSlim(!vector.IsPaused);
        using var pipeline = new OtlpPipeline(
            collector, new AnswerScript(collector, [.. answers, StubAnswer.Ok]), options => Configure(options, vector), time: null, withStartupLine: false,
            new OtlpSurroundings { Instances = vector.Instances, IsOpen = isOpen });
        using var reading = new HealthReading(collector.Port);

        vector.Log(pipeline);
        var duringWait = vector.IsPaused ? reading.Read() : null;
        isOpen.Set();
        if (!vector.IsPaused && vector.ReadsDuringWait)
        {
            // The clock stands still while the retry is waited for.
            Eventually.True(() => pipeline.Delays.Count > 0 && !pipeline.IsWriting, () =>
            {
                if (pipeline.Delays.Count == 0)
                    pipeline.Pass();
            });
            duringWait = reading.Read();
        }

        pipeline.Settle();
        if (vector.CallsAfterDispose > 0)
        {
            pipeline.Services.GetServices<ILoggerProvider>().OfType<AsyncOtlpLoggerProvider>().Single().Dispose();
            vector.LogAfterDispose(pipeline);
        }

        vector.Check(reading.Read(), duringWait, pipeline.Statuses);
    }

    private static void Configure(AsyncOtlpLoggerOptions options, HealthVector vector)
    {
        options.MaxRetryTime = TimeSpan.FromSeconds(60);
        vector.Configure(options);
    }

    // A status; a failure; a status with what comes along: "200, 3 rejected", "503, Retry-After 7"; or an answer as in otlp-transport.jsonl.
    private static StubAnswer AnswerOf(JsonElement answer)
    {
        if (answer.ValueKind == JsonValueKind.Number)
            return StubAnswer.Code(answer.GetInt32()) with { Headers = StubAnswer.Ok.Headers };
        if (answer.ValueKind == JsonValueKind.Object)
            return TransportVector.AnswerOf(answer, isGrpc: false);
        var text = answer.GetString()!;
        if (Rejection().Match(text) is { Success: true } rejection)
            return StubAnswer.Code(int.Parse(rejection.Groups[1].Value, CultureInfo.InvariantCulture)) with { Headers = StubAnswer.Ok.Headers, Body = PartialSuccess(long.Parse(rejection.Groups[2].Value, CultureInfo.InvariantCulture)) };
        if (Delay().Match(text) is { Success: true } delay)
            return StubAnswer.Code(int.Parse(delay.Groups[1].Value, CultureInfo.InvariantCulture)) with { Headers = [new("Retry-After", delay.Groups[2].Value)] };
        Assert.Contains(text, (string[])[StubAnswer.Refused, StubAnswer.Reset, StubAnswer.Closed, StubAnswer.Dns, StubAnswer.Silent]);
        return StubAnswer.Failing(text);
    }

    // ExportLogsServiceResponse: partial_success { rejected_log_records }
    private static byte[] PartialSuccess(long rejected)
    {
        using var inner = new MemoryStream();
        using (var output = new Google.Protobuf.CodedOutputStream(inner, leaveOpen: true))
        {
            output.WriteTag(1, Google.Protobuf.WireFormat.WireType.Varint);
            output.WriteInt64(rejected);
        }

        return [0x0A, (byte)inner.Length, .. inner.ToArray()];
    }

    [GeneratedRegex(@"^(\d+), (\d+) rejected$")]
    private static partial Regex Rejection();

    [GeneratedRegex(@"^(\d+), Retry-After:? (\d+)$")]
    private static partial Regex Delay();
}
