using System.Text.Json.Serialization;

namespace NativeTool;

internal sealed record Summary(int Files, string? Note, Outcome Outcome, TimeSpan Time, Dictionary<string, long> Sizes, string[] Skipped);

internal enum Outcome
{
    Complete,
    Partial,
}

[JsonSerializable(typeof(Summary))]
internal sealed partial class ToolJson : JsonSerializerContext;
