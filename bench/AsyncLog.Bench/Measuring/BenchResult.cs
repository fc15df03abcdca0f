using System.Text.Json;
using System.Text.Json.Serialization;

namespace AsyncLog.Bench;

/// <summary>One JSON line of an invocation: the figures of one library under one load in one round; or, without figures, why an attempt failed or what the invocation ran on.</summary>
/// <param name="Mode">Name of the mode; <see cref="Bench.Invocation.Line"/> for the line of an invocation.</param>
/// <param name="Load">What was asked of it, unique in its mode.</param>
/// <param name="Library">Name of the library's configuration.</param>
/// <param name="Round">From 1.</param>
/// <param name="Values">Figures by their key; none for a failed attempt.</param>
internal sealed record BenchResult(string Mode, string Load, string Library, int Round, IReadOnlyDictionary<string, double> Values)
{
    /// <summary>Which invocation measured it.</summary>
    public string Invocation { get; init; } = "";

    /// <summary>Which attempt of its round it is, from 1.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>Why there are no figures.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Failure { get; init; }

    /// <summary>What the invocation ran on, on its own line only.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, string>? Facts { get; init; }

    [JsonIgnore]
    public bool IsMeasured => Values.Count > 0;

    public static IEnumerable<BenchResult> Read(string file) => File.ReadLines(file).Select(static line => JsonSerializer.Deserialize<BenchResult>(line)!);

    public string ToLine() => JsonSerializer.Serialize(this);
}
