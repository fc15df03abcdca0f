using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>Reads vectors/*.jsonl: every line is a case, and an unknown field is an error, so that nothing is skipped silently.</summary>
internal static class VectorFile
{
    public static IEnumerable<string> Lines(string name) => File.ReadLines(Path.Combine(AppContext.BaseDirectory, "vectors", name));

    public static JsonElement Parse(string line, params ReadOnlySpan<string> fields)
    {
        var vector = JsonDocument.Parse(line).RootElement;
        RequireKnown(vector, fields);
        return vector;
    }

    public static void RequireKnown(JsonElement element, params ReadOnlySpan<string> fields)
    {
        foreach (var field in element.EnumerateObject())
            Assert.Contains(field.Name, fields.ToArray());
    }

    /// <summary>A property, or null where it is missing.</summary>
    public static JsonElement? Find(this JsonElement element, string name) => element.TryGetProperty(name, out var value) ? value : null;

    public static string? TextOf(this JsonElement element, string name, string? missing) => element.Find(name) is { } value
        ? value.ValueKind == JsonValueKind.Null ? null : VectorValue.ReadText(value)
        : missing;

    public static int IntOf(this JsonElement element, string name, int missing = 0) => element.Find(name)?.GetInt32() ?? missing;

    public static bool BoolOf(this JsonElement element, string name, bool missing = false) => element.Find(name)?.GetBoolean() ?? missing;
}
