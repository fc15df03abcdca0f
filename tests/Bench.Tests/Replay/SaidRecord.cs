using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Replay;

/// <summary>One record as text that can be compared: what a call said, and what a layout wrote of it.</summary>
internal static class SaidRecord
{
    private const string Template = "{OriginalFormat}";
    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false };

    /// <summary>What MEL's own formatter and the state say.</summary>
    public static string OfCall(LogLevel level, string category, EventId id, string message, IReadOnlyList<KeyValuePair<string, object?>> state)
        => Of(level.ToString(), category, id.Id, id.Name, message, (string)state[^1].Value!, state.SkipLast(1).Select(static pair => Pair(pair.Key, pair.Value is long, pair.Value)));

    /// <summary>The part of a call that stands in a line of text.</summary>
    public static string TextOf(string said) => string.Join('|', said.Split('\u0001').Take(3));

    /// <summary>What a line of the JSON layout says; its members are checked.</summary>
    public static string OfJson(string line)
    {
        using var document = JsonDocument.Parse(line, Strict);
        var root = document.RootElement;
        var state = root.GetProperty("State");
        string[] expected = ["Timestamp", "EventId", .. root.TryGetProperty("EventName", out var name) ? ["EventName"] : Array.Empty<string>(), "LogLevel", "Category", "Message", "State"];
        Assert.Equal(expected, root.EnumerateObject().Select(static member => member.Name));
        Assert.True(DateTimeOffset.TryParseExact(root.GetProperty("Timestamp").GetString(), "O", CultureInfo.InvariantCulture, DateTimeStyles.None, out _));
        return Of(
            root.GetProperty("LogLevel").GetString()!, root.GetProperty("Category").GetString()!, root.GetProperty("EventId").GetInt32(),
            name.ValueKind == JsonValueKind.String ? name.GetString() : null, root.GetProperty("Message").GetString()!, state.GetProperty(Template).GetString()!,
            Pairs(state.EnumerateObject().Where(static member => member.Name != Template)));
    }

    /// <summary>What a line of the CLEF layout says; a template without a hole is the message.</summary>
    public static string OfClef(string line)
    {
        using var document = JsonDocument.Parse(line, Strict);
        var root = document.RootElement;
        var properties = root.EnumerateObject().SkipWhile(static member => member.Name.StartsWith('@')).ToArray();
        Assert.Equal("SourceContext", properties[0].Name);
        Assert.Matches(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$", root.GetProperty("@t").GetString());
        root.TryGetProperty("EventId", out var id);
        var message = root.GetProperty("@m").GetString()!;
        return Of(
            Level(root.TryGetProperty("@l", out var level) ? level.GetString() : null), properties[0].Value.GetString()!,
            id.ValueKind == JsonValueKind.Object && id.TryGetProperty("Id", out var number) ? number.GetInt32() : 0,
            id.ValueKind == JsonValueKind.Object && id.TryGetProperty("Name", out var name) ? name.GetString() : null, message,
            root.TryGetProperty("@mt", out var template) ? template.GetString()! : message,
            Pairs(properties.Skip(1).Where(static member => member.Name != "EventId")));
    }

    private static string Of(string level, string category, int id, string? name, string message, string template, IEnumerable<string> pairs)
        => string.Join('\u0001', [level, category, message, id.ToString(CultureInfo.InvariantCulture), name, template, .. pairs]);

    private static IEnumerable<string> Pairs(IEnumerable<JsonProperty> members)
        => members.Select(static member => Pair(member.Name, member.Value.ValueKind == JsonValueKind.Number, member.Value));

    private static string Pair(string name, bool isNumber, object? value) => string.Create(CultureInfo.InvariantCulture, $"{name}={(isNumber ? "#" : "")}{value}");

    private static string Level(string? name) => name switch { null => "Information", "Fatal" => "Critical", "Verbose" => "Trace", _ => name };
}
