using System.Text.Json;

namespace AsyncLog.Tests.Documents;

/// <summary>The fields of a record in JSON by one name for all libraries: CLEF, the JSON of Serilog, of NLog and of AsyncLog.</summary>
internal static class RecordFields
{
    private const string TemplateName = "{OriginalFormat}";

    private static readonly Dictionary<string, string> Levels = new(StringComparer.OrdinalIgnoreCase)
    {
        ["Verbose"] = "Trace",
        ["Info"] = "Information",
        ["Warn"] = "Warning",
        ["Fatal"] = "Critical",
    };

    // What is no property of the call or of its scopes.
    private static readonly Dictionary<string, string> Names = new(StringComparer.Ordinal)
    {
        ["@t"] = "time",
        ["Timestamp"] = "time",
        ["time"] = "time",
        ["@l"] = "level",
        ["Level"] = "level",
        ["LogLevel"] = "level",
        ["level"] = "level",
        ["SourceContext"] = "category",
        ["Category"] = "category",
        ["logger"] = "category",
        ["@m"] = "message",
        ["Message"] = "message",
        ["message"] = "message",
        ["@mt"] = "template",
        ["MessageTemplate"] = "template",
        [TemplateName] = "template",
        ["@x"] = "exception",
        ["Exception"] = "exception",
        ["exception"] = "exception",
    };

    /// <summary>The fields of a line, without its time.</summary>
    public static SortedDictionary<string, string> Of(string line)
    {
        using var record = JsonDocument.Parse(line);
        var fields = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["level"] = "Information" };
        Add(fields, record.RootElement);
        fields.Remove("time");
        fields["level"] = Levels.GetValueOrDefault(fields["level"], fields["level"]).ToUpperInvariant();
        return fields;
    }

    private static void Add(SortedDictionary<string, string> fields, JsonElement members)
    {
        foreach (var member in members.EnumerateObject())
        {
            switch (member.Name)
            {
                case "State" or "Properties":
                    Add(fields, member.Value);
                    break;
                case "Scopes":
                    foreach (var scope in member.Value.EnumerateArray())
                        Add(fields, scope);
                    break;
                case "EventId" when member.Value.ValueKind == JsonValueKind.Object:
                    fields["EventId"] = member.Value.GetProperty("Id").GetRawText();
                    fields["EventName"] = member.Value.GetProperty("Name").GetString()!;
                    break;
                // What is not set.
                case "EventId" when member.Value.GetRawText() == "0":
                    break;
                default:
                    fields[Names.GetValueOrDefault(member.Name, member.Name)] = member.Value.ValueKind == JsonValueKind.String ? member.Value.GetString()! : member.Value.GetRawText();
                    break;
            }
        }
    }
}
