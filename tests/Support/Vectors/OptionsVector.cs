using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Vectors;

/// <summary>One line of vectors/options.jsonl.</summary>
internal sealed partial class OptionsVector
{
    private const string Code = "code:";
    private const string Warning = "AsyncLog: warn ";

    // The default enterprise number warns at every start; the lines leave it as it is and speak of something else.
    private const string StandingWarning = "32473";
    private readonly string _result;
    private readonly string[] _mentions;
    private readonly JsonProperty[] _options;

    private OptionsVector(JsonElement vector)
    {
        // A name of its own finds the warnings of this case.
        Name = NotInNames().Replace(vector.TextOf("id", null)!, "_");
        _result = vector.TextOf("result", null)!;
        _mentions = vector.TextsOf("mentions");
        _options = [.. vector.GetProperty("options").EnumerateObject()];
        Assert.Contains(_result, (string[])["ok", "refused", "warning"]);
        Assert.Equal(_result != "ok", _mentions.Length > 0);
    }

    /// <summary>The instance's name.</summary>
    public string Name { get; }

    /// <summary>The keys below the instance and their values.</summary>
    public IEnumerable<(string Key, string? Value)> Configured => _options.Where(static option => !IsCode(option)).SelectMany(static option => Flat(option.Name, option.Value));

    /// <summary>The lines for a sink.</summary>
    public static TheoryData<string> LinesOf(string sink) => [.. VectorFile.Lines("options.jsonl", vector => vector.TextOf("sink", null) == sink)];

    public static OptionsVector Parse(string line) => new(VectorFile.Parse(line, "sink", "options", "result", "mentions"));

    /// <summary>Starts the provider and asserts what the line says.</summary>
    /// <param name="sink">The first part of the instance's full name.</param>
    /// <param name="start">Starts it with options that are set in code.</param>
    public void Check<TProvider, TOptions>(string sink, Func<Action<TOptions>, StartedProvider<TProvider, TOptions>> start)
        where TProvider : SinkLoggerProvider<TOptions>
        where TOptions : SinkOptions, new()
    {
        if (_result == "refused")
        {
            var exception = Assert.ThrowsAny<OptionsValidationException>(() => start(Configure).Dispose());
            Assert.NotEmpty(_mentions);
            Assert.All(_mentions, text => Assert.Contains(text, exception.Message, StringComparison.Ordinal));
            return;
        }

        using var provider = start(Configure);
        Assert.True(provider.Options.ContainsKey($"{sink}/{Name}"));
        var warnings = StandardError.LinesWith($"{Warning}{sink}/{Name}: ");
        if (!Array.Exists(_mentions, static text => text.Contains(StandingWarning, StringComparison.Ordinal)))
            warnings = [.. warnings.Where(static warning => !warning.Contains(StandingWarning, StringComparison.Ordinal))];
        if (_result == "ok")
        {
            Assert.Empty(warnings);
            return;
        }

        var told = Assert.Single(warnings);
        Assert.NotEmpty(_mentions);
        Assert.All(_mentions, text => Assert.Contains(text, told, StringComparison.Ordinal));
    }

    private static bool IsCode(JsonProperty option) => option.Name.StartsWith(Code, StringComparison.Ordinal);

    private static IEnumerable<(string Key, string? Value)> Flat(string key, JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object when value.EnumerateObject().Any(static child => child.Name is "utf16" or "repeat" or "concat") => [(key, VectorValue.ReadText(value))],
        JsonValueKind.Object => value.EnumerateObject().SelectMany(child => Flat($"{key}:{child.Name}", child.Value)),
        JsonValueKind.Array => value.EnumerateArray().SelectMany((item, index) => Flat(FormattableString.Invariant($"{key}:{index}"), item)),
        JsonValueKind.String => [(key, value.GetString())],
        JsonValueKind.Null => [(key, null)],
        _ => [(key, value.GetRawText())],
    };

    private void Configure<TOptions>(TOptions options)
        where TOptions : SinkOptions
    {
        foreach (var option in _options.Where(IsCode))
        {
            var name = option.Name[Code.Length..];
            // Options of a section may be named alone.
            VectorOption.Set(options, typeof(TOptions).GetProperty(name) is null && !name.Contains(':', StringComparison.Ordinal) ? "Tls:" + name : name, option.Value);
        }
    }

    [GeneratedRegex("[^A-Za-z0-9_.-]")]
    private static partial Regex NotInNames();
}
