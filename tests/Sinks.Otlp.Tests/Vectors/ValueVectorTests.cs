using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/values.jsonl as attributes of a record.</summary>
public sealed class ValueVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("values.jsonl").Where(static line => VectorFile.Parse(line, Fields).Find("otlp") is { ValueKind: not JsonValueKind.Null })];

    private static string[] Fields => ["id", "req", "what", "culture", "value", "text", "json", "otlp"];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task OT_10_A_value_has_the_type_and_content_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, Fields);
        using var harness = new OtlpHarness();
        var record = JsonDocument.Parse(
            $$"""{"message":"","culture":"{{vector.TextOf("culture", "")}}","state":[["p",{{vector.GetProperty("value").GetRawText()}}]]}""").RootElement;

        VectorRecord.Log(record, harness);

        var decoded = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal(OtlpJson.Value(vector.GetProperty("otlp")), Assert.Single(decoded.Attributes).Value);
    }
}
