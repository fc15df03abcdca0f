using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>Reads vectors/*.jsonl and the lines of the same kind in vectors/own: every line is a case, and an unknown field is an error.</summary>
internal static class VectorFile
{
    private static readonly string[] CommonFields = ["id", "req", "what"];

    public static string Folder => Path.Combine(Repository.Root, "tests", "vectors");

    /// <summary>The lines of a file, then those of the file of that name in <c>own</c>.</summary>
    public static IEnumerable<string> Lines(string name)
    {
        var own = Path.Combine(Folder, "own", name);
        return File.ReadLines(Path.Combine(Folder, name)).Concat(File.Exists(own) ? File.ReadLines(own) : []);
    }

    /// <summary>Those lines of a file that a runner takes.</summary>
    public static IEnumerable<string> Lines(string name, Func<JsonElement, bool> isTaken) => Lines(name).Where(line => isTaken(JsonDocument.Parse(line).RootElement));

    /// <summary>Reads a line that has no other fields than these, and those that every line has.</summary>
    public static JsonElement Parse(string line, params ReadOnlySpan<string> fields)
    {
        var vector = JsonDocument.Parse(line, new JsonDocumentOptions { AllowDuplicateProperties = false }).RootElement;
        RequireKnown(vector, [.. CommonFields, .. fields]);
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

    /// <summary>The texts of an array; none where it is missing.</summary>
    public static string[] TextsOf(this JsonElement element, string name) => element.Find(name) is { } items ? [.. items.EnumerateArray().Select(VectorValue.ReadText)] : [];
}
