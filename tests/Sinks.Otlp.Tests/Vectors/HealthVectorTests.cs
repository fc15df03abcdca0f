using System.Text.Json;
using AsyncLog.Tests.Diagnostics;
using AsyncLog.Tests.Transport;

namespace AsyncLog.Tests;

/// <summary>Plays the lines of vectors/health.jsonl about this sink against the real one, and reads the meter.</summary>
public sealed class HealthVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("health.jsonl").Where(static line => EventsOf(line).TextOf("sink", null) == "otlp")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void The_meter_says_what_the_vector_says(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "events", "expect");
        var events = vector.GetProperty("events");
        VectorFile.RequireKnown(events, "sink", "records", "answers");
        using var collector = new StubCollector();
        var answers = events.Find("answers")?.EnumerateArray().Select(AnswerOf).ToList() ?? [];
        using var pipeline = new OtlpPipeline(collector, new AnswerScript(collector, [.. answers, StubAnswer.Ok]));
        using var reading = new MeterReading(new KeyValuePair<string, object?>("server.port", collector.Address.Port));
        pipeline.Log(events.IntOf("records"));
        pipeline.Settle();
        var read = reading.Read();
        foreach (var expected in vector.GetProperty("expect").EnumerateObject())
            Check(expected, read, reading, pipeline.Status);
    }

    private static JsonElement EventsOf(string line) => JsonDocument.Parse(line).RootElement.GetProperty("events");

    private static StubAnswer AnswerOf(JsonElement answer) => answer.ValueKind == JsonValueKind.Number ? StubAnswer.Code(answer.GetInt32()) : answer.GetString() switch
    {
        // ExportLogsServiceResponse: partial_success { rejected_log_records = 3 }
        "200, 3 rejected" => StubAnswer.Ok with { Body = [0x0A, 0x02, 0x08, 0x03] },
        "refused" => StubAnswer.Failing(StubAnswer.Refused),
        _ => throw new NotSupportedException(answer.GetString()),
    };

    private static void Check(JsonProperty expected, IReadOnlyDictionary<string, double> read, MeterReading reading, SinkStatus status)
    {
        switch (expected.Name)
        {
            case "meter":
                Assert.All(reading.Instruments.Values, instrument => Assert.Equal(expected.Value.GetString(), instrument.Meter.Name));
                break;
            case "units":
                foreach (var unit in expected.Value.EnumerateObject())
                    Assert.Equal(unit.Value.GetString(), reading.Instruments[unit.Name].Unit);
                break;
            case "noInstrumentStartsWith":
                Assert.DoesNotContain(reading.Instruments.Keys, name => name.StartsWith(expected.Value.GetString()!, StringComparison.Ordinal));
                break;
            case "recordsSeenBySink":
                Assert.Equal(expected.Value.GetInt64(), status.Offered);
                Assert.Equal(expected.Value.GetInt64(), status.Written);
                break;
            default:
                CheckValue(expected, read);
                break;
        }
    }

    private static void CheckValue(JsonProperty expected, IReadOnlyDictionary<string, double> read)
    {
        if (expected.Value.ValueKind == JsonValueKind.Number)
        {
            Assert.Equal(expected.Value.GetDouble(), read[expected.Name]);
            return;
        }

        foreach (var tag in expected.Value.EnumerateObject())
        {
            var sum = read.Where(value => value.Key.StartsWith(expected.Name + "{", StringComparison.Ordinal) && value.Key.Contains(tag.Name, StringComparison.Ordinal)).Sum(static value => value.Value);
            Assert.Equal(tag.Value.GetDouble(), sum);
        }

        var all = read.Where(value => value.Key.StartsWith(expected.Name + "{", StringComparison.Ordinal)).Sum(static value => value.Value);
        Assert.Equal(expected.Value.EnumerateObject().Sum(static tag => tag.Value.GetDouble()), all);
    }
}
