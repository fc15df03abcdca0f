using System.Text;
using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/values.jsonl, one line each.</summary>
public sealed class ValueVectorTests
{
    private static readonly string[] Fields = ["id", "req", "what", "culture", "value", "text", "json", "otlp"];

    public static TheoryData<string> Lines() => [.. File.ReadLines(Path.Combine(AppContext.BaseDirectory, "vectors", "values.jsonl"))];

    [Theory]
    [MemberData(nameof(Lines))]
    public void SY_19_A_value_has_the_text_and_the_json_of_its_vector(string line)
    {
        using var document = JsonDocument.Parse(line);
        var vector = document.RootElement;
        foreach (var field in vector.EnumerateObject())
            Assert.Contains(field.Name, Fields);
        var culture = vector.TryGetProperty("culture", out var name) ? name.GetString()! : "";
        Cultures.In(culture, () =>
        {
            var value = LogValue.FromObject(VectorValue.Read(vector.GetProperty("value")));
            Assert.Equal(vector.GetProperty("text").GetString(), TextOf(value));
            if (vector.GetProperty("json").GetString() is { } json)
                Assert.Equal(json, JsonOf(value));
        });
    }

    private static string TextOf(LogValue value)
    {
        var output = new RecordBuffer();
        output.Reset(int.MaxValue);
        ValueText.Append(value, output, new FormatScratch());
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    private static string JsonOf(LogValue value) => Raw.Text((ref Utf8Writer writer) => JsonText.Write(ref writer, value, new FormatScratch()));
}
