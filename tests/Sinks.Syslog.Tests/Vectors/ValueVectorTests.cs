using System.Text.Json;
using AsyncLog.Tests.Formatting;

namespace AsyncLog.Tests.Vectors;

/// <summary>The samples of vectors/values.jsonl as parameters of a record.</summary>
public sealed class ValueVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("values.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_value_has_the_text_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "culture", "value", "text", "json", "otlp");
        using var harness = new SyslogHarness(static options => VectorOptions.Set(options, null));
        var record = JsonDocument.Parse(
            $$"""{"message":"","culture":"{{vector.TextOf("culture", "")}}","state":[["p",{{vector.GetProperty("value").GetRawText()}}]]}""").RootElement;

        VectorRecord.Log(record, harness);

        var parsed = Rfc5424Parser.Parse(Assert.Single(await harness.TakeAsync()));
        Assert.Equal(vector.TextOf("text", null), parsed.Value("prop@32473", "p"));
    }

    [Theory]
    [InlineData("memory", "AP8=", "AP8=")]
    [InlineData("Uri", "HTTP://Example.com/%7Ea", "HTTP://Example.com/%7Ea")]
    [InlineData("char", "x", "x")]
    [InlineData("float", "0.1", "0.1")]
    [InlineData("double", "1E-05", "1E-05")]
    [InlineData("decimal", "1.50", "1.50")]
    [InlineData("Guid", "0123abcd-0000-0000-0000-000000000001", "0123abcd-0000-0000-0000-000000000001")]
    [InlineData("TimeOnly", "03:04:05.6", "03:04:05.6000000")]
    [InlineData("BigInteger", "123456789012345678901234567890", "123456789012345678901234567890")]
    public async Task Other_kinds_have_their_text_in_the_invariant_culture(string type, string value, string text)
    {
        using var harness = new SyslogHarness(static options => VectorOptions.Set(options, null));

        VectorRecord.Log(JsonDocument.Parse($$"""{"culture":"de-DE","state":[["p",{"t":"{{type}}","v":"{{value}}"}]]}""").RootElement, harness);

        Assert.Equal(text, Rfc5424Parser.Parse(Assert.Single(await harness.TakeAsync())).Value("prop@32473", "p"));
    }
}
