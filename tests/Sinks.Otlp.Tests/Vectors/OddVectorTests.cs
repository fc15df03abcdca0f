using System.Text.Json;
using AsyncLog.Tests.Protocol;
using Kind = AsyncLog.Tests.Protocol.AnyValue.ValueOneofCase;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/odd.jsonl: hostile input that a fixture builds, and what becomes of it.</summary>
public sealed class OddVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("odd.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Hostile_input_has_the_outcome_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "fixture", "expect");
        var expect = vector.GetProperty("expect");
        VectorFile.RequireKnown(
            expect, "text", "callerException", "maxDepth", "returns", "message", "properties", "formatErrors", "validUtf8", "maxPayloadBytes", "truncated",
            "traceFields", "categoryParameter", "scopeName", "exceptionType", "exceptionMessage", "parsesStrictly");
        using var harness = new OtlpHarness();

        // No exception may reach the caller, whatever the vector says besides.
        OddCalls.Make(vector.TextOf("fixture", null)!, harness);

        LogRecord[] records = await harness.TakeAsync();
        Assert.NotEmpty(records);
        foreach (var record in records)
            Check(expect, record);
        Assert.Equal(expect.IntOf("truncated"), harness.Status.Truncated);
        if (expect.Find("formatErrors") is { } errors)
            Assert.Equal(errors.GetInt32(), harness.Status.RenderErrors);
    }

    private static void Check(JsonElement expect, LogRecord logged)
    {
        var record = logged.Decoded();
        // The reader replaces what is not UTF-8: then it would write something else than it read.
        Assert.Equal(logged.Message().Length, record.CalculateSize());
        if (expect.TextOf("message", null) is { } message)
            Assert.Equal(message, record.Body.StringValue);
        if (expect.Find("properties") is { } count)
            Assert.Equal(count.GetInt32(), record.Attributes.Count);
        if (expect.Find("maxDepth") is { } depth)
            Assert.Equal(depth.GetInt32(), DepthOf(Attribute(record, "p")));
        if (expect.Find("maxPayloadBytes") is { } most)
            Assert.True(logged.Bytes.Length <= most.GetInt32());
        if (expect.Find("traceFields") is { } hasTrace)
            Assert.Equal(hasTrace.GetBoolean(), record.TraceId.Length + record.SpanId.Length + record.Flags > 0);
        if (expect.TextOf("scopeName", null) is { } scope)
            Assert.Equal(scope, logged.Category);
        CheckTexts(expect, record);
    }

    private static void CheckTexts(JsonElement expect, Protocol.LogRecord record)
    {
        foreach (var (field, key) in (ReadOnlySpan<(string, string)>)[("text", "p"), ("exceptionType", "exception.type"), ("exceptionMessage", "exception.message")])
        {
            if (expect.TextOf(field, null) is { } text)
                Assert.Equal(new AnyValue { StringValue = text }, Attribute(record, key));
        }
    }

    private static AnyValue Attribute(Protocol.LogRecord record, string key) => record.Attributes.Single(attribute => attribute.Key == key).Value;

    private static int DepthOf(AnyValue value) => value.ValueCase == Kind.ArrayValue ? 1 + value.ArrayValue.Values.Max(DepthOf) : 0;
}
