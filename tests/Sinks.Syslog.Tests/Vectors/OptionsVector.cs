using System.Text.Json;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests;

/// <summary>One line of vectors/options.jsonl.</summary>
/// <param name="Name">For the instance: a name of its own finds the warnings of this case.</param>
/// <param name="Options">The keys below the instance and their values.</param>
/// <param name="IsRefused">Whether the provider does not start.</param>
/// <param name="Mentions">What the error or the warnings say.</param>
internal sealed record OptionsVector(string Name, (string Key, string Value)[] Options, bool IsRefused, string[] Mentions)
{
    /// <summary>The lines for a sink.</summary>
    public static TheoryData<string> LinesOf(string sink) =>
        [.. VectorFile.Lines("options.jsonl").Where(line => JsonDocument.Parse(line).RootElement.TextOf("sink", null) == sink)];

    public static OptionsVector Parse(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "sink", "options", "result", "mentions");
        return new OptionsVector(
            vector.TextOf("id", null)!,
            [.. vector.GetProperty("options").EnumerateObject().SelectMany(static option => Flat(option.Name, option.Value))],
            vector.TextOf("result", null) == "refused",
            [.. vector.Find("mentions")?.EnumerateArray().Select(static text => text.GetString()!) ?? []]);
    }

    /// <summary>Starts the provider and asserts what the line says.</summary>
    /// <param name="sink">The first part of the instance's full name.</param>
    /// <param name="start">Starts it.</param>
    public void Check<TProvider, TOptions>(string sink, Func<StartedProvider<TProvider, TOptions>> start)
        where TProvider : SinkLoggerProvider<TOptions>
        where TOptions : SinkOptions, new()
    {
        if (IsRefused)
        {
            var exception = Assert.ThrowsAny<OptionsValidationException>(() => start().Dispose());
            Assert.All(Mentions, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
            return;
        }

        using var provider = start();
        Assert.True(provider.Options.ContainsKey($"{sink}/{Name}"));
        foreach (var text in Mentions)
            Assert.Single(StandardError.LinesWith($"{sink}/{Name}"), report => report.Contains(text, StringComparison.Ordinal));
    }

    private static IEnumerable<(string Key, string Value)> Flat(string key, JsonElement value) => value.ValueKind == JsonValueKind.Object
        ? value.EnumerateObject().SelectMany(child => Flat($"{key}:{child.Name}", child.Value))
        : [(key, value.ToString())];
}
