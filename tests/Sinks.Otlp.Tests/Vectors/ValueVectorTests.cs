using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/values.jsonl as attributes of a record.</summary>
public sealed class ValueVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("values.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_value_has_the_type_and_content_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "culture", "value", "text", "json", "otlp");
        using var harness = new OtlpHarness();
        var record = JsonDocument.Parse(
            $$"""{"message":"","culture":"{{vector.TextOf("culture", "")}}","state":[["p",{{vector.GetProperty("value").GetRawText()}}]]}""").RootElement;

        VectorRecord.Log(record, harness);

        var decoded = Assert.Single(await harness.TakeAsync()).Decoded();
        var attribute = Assert.Single(decoded.Attributes);
        Assert.Equal("p", attribute.Key);
        // Null is written where the line does not say.
        if (vector.Find("otlp") is { ValueKind: not JsonValueKind.Null } wanted)
            Assert.Equal(OtlpJson.Value(wanted), attribute.Value);
    }
}
