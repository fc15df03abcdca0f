using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/odd.jsonl: hostile input that a fixture builds, and what becomes of it.</summary>
public sealed class OddVectorTests
{
    private const string Property = "prop@32473";

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
        // The largest limit there is, as the vector of the largest message has it.
        using var harness = new SyslogHarness(static options =>
        {
            VectorOptions.Set(options, null);
            (options.Endpoint, options.MaxMessageBytes, options.MaxParamValueBytes) = (new Uri("unix:///dev/log"), 65536, 65536);
            options.Format = "Rfc5424";
        });

        // No exception may reach the caller, whatever the vector says besides.
        OddCalls.Make(vector.TextOf("fixture", null)!, harness);

        foreach (var bytes in await harness.TakeAsync())
            Check(expect, Rfc5424Parser.Parse(bytes), bytes.Length);
        Assert.Equal(expect.IntOf("truncated"), harness.Status.Truncated);
        if (expect.Find("formatErrors") is { } errors)
            Assert.Equal(errors.GetInt32(), harness.Status.RenderErrors);
    }

    private static void Check(JsonElement expect, ParsedRecord record, int bytes)
    {
        if (expect.TextOf("text", null) is { } text)
            Assert.Equal(text, record.Value(Property, "p"));
        if (expect.TextOf("message", null) is { } message)
            Assert.Equal(message, record.Message);
        if (expect.Find("properties") is { } count)
            Assert.Equal(count.GetInt32(), record.Parameters(Property).Count);
        if (expect.Find("maxDepth") is { } depth)
            Assert.Equal(depth.GetInt32(), record.Value(Property, "p")!.Count(static c => c == '['));
        if (expect.Find("maxPayloadBytes") is { } most)
            Assert.True(bytes <= most.GetInt32());
        if (expect.Find("traceFields") is { } hasTrace)
            Assert.Equal(hasTrace.GetBoolean(), record.Ids.Contains("opentelemetry"));
        if (expect.Find("categoryParameter") is { } hasCategory)
            Assert.Equal(hasCategory.GetBoolean(), record.Value("log@32473", "category") is not null);
        if (expect.TextOf("exceptionType", null) is { } type)
            Assert.Equal(type, record.Value("log@32473", "exceptionType"));
        if (expect.TextOf("exceptionMessage", null) is { } exceptionMessage)
            Assert.Equal(exceptionMessage, record.Value("log@32473", "exceptionMessage"));
    }
}
