using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>A record that hostile input made, as a reader of its format sees it. What a format does not have is null.</summary>
internal sealed record OddRecord
{
    public required int Bytes { get; init; }

    public bool IsValidUtf8 { get; init; } = true;

    public string? Message { get; init; }

    /// <summary>The text of property <c>p</c>.</summary>
    public string? Text { get; init; }

    /// <summary>Containers inside each other, and elements of the outermost one, of property <c>p</c>.</summary>
    public (int Depth, int Elements)? Container { get; init; }

    public int? Properties { get; init; }

    public bool? HasTrace { get; init; }

    public bool? HasCategory { get; init; }

    public string? ScopeName { get; init; }

    public string? MessageId { get; init; }

    public bool? HasEventName { get; init; }

    public string? ExceptionType { get; init; }

    public string? ExceptionMessage { get; init; }

    public string? ExceptionText { get; init; }
}

/// <summary>Compares what became of hostile input with its vector.</summary>
internal static class OddOutcome
{
    /// <summary>What a record has to be read for; each format knows some of them, and each is known to one format at least.</summary>
    private static readonly Dictionary<string, Func<OddRecord, object?>> Readings = new(StringComparer.Ordinal)
    {
        ["text"] = static record => record.Text,
        ["message"] = static record => record.Message,
        ["properties"] = static record => record.Properties,
        ["maxDepth"] = static record => record.Container?.Depth,
        ["elements"] = static record => record.Container?.Elements,
        ["traceFields"] = static record => record.HasTrace,
        ["categoryParameter"] = static record => record.HasCategory,
        ["scopeName"] = static record => record.ScopeName,
        ["msgid"] = static record => record.MessageId,
        ["eventNamePresent"] = static record => record.HasEventName,
        ["exceptionType"] = static record => record.ExceptionType,
        ["exceptionMessage"] = static record => record.ExceptionMessage,
        ["validUtf8"] = static record => record.IsValidUtf8,
        // A record that does not parse fails its reader.
        ["parsesStrictly"] = static _ => true,
    };

    /// <summary>Checks every field.</summary>
    /// <param name="vector">The line.</param>
    /// <param name="fixture">The call.</param>
    /// <param name="read">Reads the records that it made; the queue is flushed.</param>
    /// <param name="status">Reads the status of the instance.</param>
    /// <param name="unknown">Fields that this format does not have.</param>
    public static async Task CheckAsync(JsonElement vector, OddFixture fixture, Func<Task<OddRecord[]>> read, Func<SinkStatus> status, params string[] unknown)
    {
        var expect = vector.GetProperty("expect");
        var hasReturned = fixture.Make();
        Assert.Equal(expect.BoolOf("deadlock"), !hasReturned);
        Assert.Equal(expect.BoolOf("returns", missing: true), hasReturned);
        Assert.Equal(expect.BoolOf("callerException"), fixture.Thrown is not null);
        var records = await read();
        var counters = status();
        Assert.Equal(records.Length, counters.Enqueued);
        if (!expect.TryGetProperty("records", out var wanted))
            Assert.NotEmpty(records);
        else if (wanted.ValueKind == JsonValueKind.Array)
            Assert.Equal(wanted.EnumerateArray().Select(VectorValue.ReadText), records.Select(static record => record.Message));
        else
            Expectations.AssertNumber("records", wanted, records.Length);
        // The library counts what it cuts or cannot render; a line that does not mention it expects none.
        Assert.Equal(("truncated", expect.IntOf("truncated")), ("truncated", (int)counters.Truncated));
        foreach (var field in expect.EnumerateObject())
            Check(field, records, counters, unknown);
    }

    private static void Check(JsonProperty field, OddRecord[] records, SinkStatus status, string[] unknown)
    {
        switch (field.Name)
        {
            case "returns" or "deadlock" or "callerException" or "records" or "truncated":
                break;
            case "formatErrors":
                Expectations.AssertNumber(field.Name, field.Value, status.RenderErrors);
                break;
            case "maxPayloadBytes":
                Assert.NotEmpty(records);
                Assert.All(records, record => Assert.InRange(record.Bytes, 1, field.Value.GetInt32()));
                break;
            case "stackTraceContains":
                Assert.NotEmpty(Texts(field.Value));
                Assert.All(Texts(field.Value), text => Assert.Contains(records, record => record.ExceptionText?.Contains(text, StringComparison.Ordinal) == true));
                break;
            default:
                if (!unknown.Contains(field.Name))
                    CheckReading(field, records);
                else
                    Assert.Contains(field.Name, Readings.Keys);
                break;
        }
    }

    private static string[] Texts(JsonElement value) => value.ValueKind == JsonValueKind.Array ? [.. value.EnumerateArray().Select(VectorValue.ReadText)] : [VectorValue.ReadText(value)];

    // Records that the input itself logged come before the one it is about.
    private static void CheckReading(JsonProperty field, OddRecord[] records)
    {
        Assert.True(Readings.TryGetValue(field.Name, out var reading), $"{field.Name} is not known.");
        Assert.NotEmpty(records);
        object? wanted = field.Value.ValueKind == JsonValueKind.Number ? field.Value.GetInt32() : VectorValue.Read(field.Value);
        if (field.Name is "validUtf8" or "parsesStrictly" or "traceFields")
            Assert.All(records, record => Assert.Equal((field.Name, wanted), (field.Name, reading(record))));
        else
            Assert.Equal((field.Name, wanted), (field.Name, reading(records[^1])));
    }
}
