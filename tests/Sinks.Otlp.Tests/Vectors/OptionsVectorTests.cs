using System.Text.Json;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() =>
        [.. VectorFile.Lines("options.jsonl").Where(static line => JsonDocument.Parse(line).RootElement.TextOf("sink", null) == "otlp")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "sink", "options", "result", "mentions");
        // A name of its own finds the warnings of this case.
        var name = vector.TextOf("id", null)!;
        string[] mentions = [.. vector.Find("mentions")?.EnumerateArray().Select(static text => text.GetString()!) ?? []];
        var values = vector.GetProperty("options").EnumerateObject().SelectMany(static option => Flat(option.Name, option.Value))
            .Select(pair => ($"Logging:AsyncOtlp:Collectors:{name}:{pair.Key}", (string?)pair.Value))
            .Append(($"Logging:AsyncOtlp:Collectors:{name}:ShutdownTimeout", "1s"));

        if (vector.TextOf("result", null) == "refused")
        {
            var exception = Assert.ThrowsAny<OptionsValidationException>(() => OtlpProvider.Start(values).Dispose());
            Assert.All(mentions, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
            return;
        }

        using var provider = OtlpProvider.Start(values);
        Assert.True(provider.Options.ContainsKey("otlp/" + name));
        foreach (var text in mentions)
            Assert.Single(StandardError.LinesWith($"otlp/{name}"), report => report.Contains(text, StringComparison.Ordinal));
    }

    private static IEnumerable<(string Key, string Value)> Flat(string key, JsonElement value) => value.ValueKind == JsonValueKind.Object
        ? value.EnumerateObject().SelectMany(child => Flat($"{key}:{child.Name}", child.Value))
        : [(key, value.ToString())];
}
