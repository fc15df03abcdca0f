using System.Text;
using AsyncLog.Tests.Formatting;

namespace AsyncLog.Tests.Vectors;

/// <summary>The samples of vectors/values.jsonl, one line each.</summary>
public sealed class ValueVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("values.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void A_value_has_the_text_and_the_json_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "culture", "value", "text", "json", "otlp");
        Cultures.In(vector.TextOf("culture", "")!, () =>
        {
            var value = LogValue.FromObject(VectorValue.Read(vector.GetProperty("value")));
            Assert.Equal(vector.TextOf("text", null), TextOf(value));
            if (vector.TextOf("json", null) is { } json)
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
