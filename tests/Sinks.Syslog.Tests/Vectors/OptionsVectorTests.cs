using System.Text.Json;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() =>
        [.. VectorFile.Lines("options.jsonl").Where(static line => JsonDocument.Parse(line).RootElement.TextOf("sink", null) == "syslog")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "sink", "options", "result", "mentions");
        // A name of its own finds the warnings of this case.
        var name = vector.TextOf("id", null)!;
        string[] mentions = [.. vector.Find("mentions")?.EnumerateArray().Select(static text => text.GetString()!) ?? []];
        var settings = vector.GetProperty("options").EnumerateObject().SelectMany(static option => Flat(option.Name, option.Value)).ToArray();
        var values = settings.Where(static pair => !pair.Key.StartsWith("code:", StringComparison.Ordinal))
            .Select(pair => ($"Servers:{name}:{pair.Key}", (string?)pair.Value)).Append(($"Servers:{name}:MaxQueueLength", "1000"));
        var isSetInCode = settings.Any(static pair => pair.Key == "code:DangerousAcceptAnyServerCertificate");
        Assert.Equal(isSetInCode, settings.Any(static pair => pair.Key.StartsWith("code:", StringComparison.Ordinal)));

        if (vector.TextOf("result", null) == "refused")
        {
            var exception = Assert.ThrowsAny<OptionsValidationException>(() => SyslogProvider.Start(values).Dispose());
            Assert.All(mentions, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
            return;
        }

        using var provider = SyslogProvider.Start(values, options => options.Tls.DangerousAcceptAnyServerCertificate = isSetInCode);
        Assert.True(provider.Options.ContainsKey("syslog/" + name));
        foreach (var text in mentions)
            Assert.Single(StandardError.LinesWith($"syslog/{name}"), report => report.Contains(text, StringComparison.Ordinal));
    }

    private static IEnumerable<(string Key, string Value)> Flat(string key, JsonElement value) => value.ValueKind == JsonValueKind.Object
        ? value.EnumerateObject().SelectMany(child => Flat($"{key}:{child.Name}", child.Value))
        : [(key, value.ToString())];
}
