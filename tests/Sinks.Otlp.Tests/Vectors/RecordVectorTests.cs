using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/otlp-records.jsonl, one line each, through the whole pipeline up to the sink.</summary>
public sealed class RecordVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("otlp-records.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_record_is_that_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "in", "opt", "record", "hex");
        using var harness = new OtlpHarness(options => Configure(options, vector.Find("opt")));

        VectorRecord.Log(vector.Find("in") ?? JsonDocument.Parse("{}").RootElement, harness);

        var bytes = Assert.Single(await harness.TakeAsync()).Message();
        Assert.Equal(vector.GetProperty("hex").GetString(), Convert.ToHexStringLower(bytes));
        var record = Protocol.LogRecord.Parser.ParseFrom(bytes);
        Assert.Equal(OtlpJson.Sorted(OtlpJson.Record(vector.GetProperty("record"))), OtlpJson.Sorted(record));
        Assert.Equal(0, harness.Status.RenderErrors);
        Assert.Equal(0, harness.Status.Truncated);
    }

    private static void Configure(AsyncOtlpOptions options, JsonElement? vector)
    {
        if (vector is not { } given)
            return;
        VectorFile.RequireKnown(given, "AttributeCountLimit", "AttributeValueLengthLimit", "IncludeTemplate");
        options.AttributeCountLimit = given.IntOf("AttributeCountLimit", 128);
        options.AttributeValueLengthLimit = given.Find("AttributeValueLengthLimit")?.GetInt32();
        options.IncludeTemplate = given.BoolOf("IncludeTemplate", true);
    }
}
