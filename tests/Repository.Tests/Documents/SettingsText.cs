using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncLog.Tests.Documents;

/// <summary>A block of JSON that shows configuration, as keys and values of an application's configuration.</summary>
/// <remarks>A block that begins with '{' is a whole appsettings.json. Another one is the inside of an object: its keys are put where they belong.</remarks>
internal static class SettingsText
{
    private static readonly JsonDocumentOptions WithComments = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    private static readonly string[] Times = ["{\"@t\":", "{\"Timestamp\":"];

    // Where a key of a fragment belongs.
    private static readonly Dictionary<string, string> Sections = new(StringComparer.Ordinal)
    {
        ["Logging"] = "",
        ["AsyncLog"] = "",
        ["LogLevel"] = "Logging",
        ["AsyncFile"] = "Logging",
        ["AsyncConsole"] = "Logging",
        ["AsyncSyslog"] = "Logging",
        ["AsyncOtlp"] = "Logging",
        ["Console"] = "Logging",
        ["OpenTelemetry"] = "Logging",
        ["Files"] = "Logging:AsyncFile",
        ["Streams"] = "Logging:AsyncConsole",
        ["Servers"] = "Logging:AsyncSyslog",
        ["Collectors"] = "Logging:AsyncOtlp",
        ["Serilog"] = "",
        ["NLog"] = "",
    };

    /// <summary>The keys and values of a block.</summary>
    /// <exception cref="FormatException">The block is neither a whole file nor a fragment whose section is known.</exception>
    public static Dictionary<string, string?> Read(string text)
    {
        var settings = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var isWhole = FirstSign(text) == '{';
        foreach (var (key, value) in JsonNode.Parse(isWhole ? text : $"{{{text}\n}}", documentOptions: WithComments)!.AsObject())
        {
            var section = isWhole || key.StartsWith("OTEL_", StringComparison.Ordinal) ? "" : Sections.GetValueOrDefault(key)
                ?? throw new FormatException($"'{key}' stands in no section: begin the fragment with AsyncFile, Files or the like, or show the whole file");
            Add(settings, section.Length == 0 ? key : $"{section}:{key}", value);
        }

        return settings;
    }

    /// <summary>True if every line begins with the time of a record: what a layout writes, no configuration.</summary>
    public static bool IsRecords(string text)
        => text.Split('\n', StringSplitOptions.RemoveEmptyEntries) is { Length: > 0 } lines
            && Array.TrueForAll(lines, static line => Array.Exists(Times, time => line.StartsWith(time, StringComparison.Ordinal)));

    private static char FirstSign(string text)
        => text.Split('\n').Select(static line => line.Trim()).First(static line => line.Length > 0 && !line.StartsWith("//", StringComparison.Ordinal))[0];

    private static void Add(Dictionary<string, string?> settings, string path, JsonNode? value)
    {
        switch (value)
        {
            case JsonObject members:
                foreach (var (key, member) in members)
                    Add(settings, $"{path}:{key}", member);
                break;
            case JsonArray items:
                for (var index = 0; index < items.Count; index++)
                    Add(settings, $"{path}:{index}", items[index]);
                break;
            default:
                settings.Add(path, value?.ToString());
                break;
        }
    }
}
