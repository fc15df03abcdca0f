using System.Text.Json;
using AsyncLog.Tests.Formatting;
using AsyncLog.Tests.Vectors;

namespace AsyncLog.Tests.Receivers;

/// <summary>Compares what a real receiver parsed with what a strict parser makes of the same bytes.</summary>
internal static class ReceivedRecord
{
    public static void AssertParsed(string kind, JsonElement received, ParsedRecord wanted)
    {
        string nil = kind == "rsyslog" ? "-" : "";
        Assert.Equal(wanted.Pri, int.Parse(Text(received, "pri"), System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(Field(wanted.HostName, nil), Text(received, "hostname"));
        Assert.Equal(Field(wanted.AppName, nil), Text(received, "appname"));
        Assert.Equal(Field(wanted.ProcId, nil), Text(received, "procid"));
        Assert.Equal(Field(wanted.MsgId, nil), Text(received, "msgid"));
        Assert.Equal(wanted.Message ?? "", Text(received, "msg"));
        Assert.Equal(DateTimeOffset.Parse(wanted.Time, System.Globalization.CultureInfo.InvariantCulture), DateTimeOffset.Parse(Text(received, "timestamp"), System.Globalization.CultureInfo.InvariantCulture));
        var data = new Dictionary<string, string>(StringComparer.Ordinal);
        if (received.Find(kind == "rsyslog" ? "rfc5424-sd" : "SDATA") is { } tree)
            Flatten("", tree, data);
        var elements = wanted.Data.SelectMany(static element => element.Parameters, static (element, parameter) => KeyValuePair.Create($"{element.Id}.{parameter.Name}", parameter.Value));
        Assert.Equal(elements.OrderBy(static pair => pair.Key, StringComparer.Ordinal), data.OrderBy(static pair => pair.Key, StringComparer.Ordinal));
        if (kind == "rsyslog")
            Assert.Equal("1", Text(received, "version"));
    }

    private static string Field(string value, string nil) => value == "-" ? nil : value;

    private static string Text(JsonElement record, string name) => record.Find(name) is { } value ? value.ToString() : "";

    // A dot in a name is nesting in the output of syslog-ng.
    private static void Flatten(string path, JsonElement element, Dictionary<string, string> data)
    {
        foreach (JsonProperty property in element.EnumerateObject())
        {
            string name = path.Length == 0 ? property.Name : $"{path}.{property.Name}";
            if (property.Value.ValueKind == JsonValueKind.Object)
                Flatten(name, property.Value, data);
            else
                data[name] = property.Value.ToString();
        }
    }
}
