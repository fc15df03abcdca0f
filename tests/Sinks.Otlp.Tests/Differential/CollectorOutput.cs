using System.Text.Json;
using AsyncLog.Tests.Vectors;

namespace AsyncLog.Tests.Differential;

/// <summary>What the Collector wrote into its file: one request a line, as OTLP/JSON.</summary>
internal static class CollectorOutput
{
    public static IEnumerable<DeliveredRecord> Read(RealReceiver collector) =>
        from line in WholeLines(collector)
        from resource in line.GetProperty("resourceLogs").EnumerateArray()
        let service = resource.GetProperty("resource").GetProperty("attributes").EnumerateArray().Single(static pair => pair.GetProperty("key").GetString() == "service.name")
        from scope in resource.GetProperty("scopeLogs").EnumerateArray()
        from record in scope.GetProperty("logRecords").EnumerateArray()
        select new DeliveredRecord(
            service.GetProperty("value").GetProperty("stringValue").GetString()!, scope.GetProperty("scope").TextOf("name", "")!, OtlpJson.Record(record));

    // The last line may not be whole yet.
    private static IEnumerable<JsonElement> WholeLines(RealReceiver collector)
    {
        string text = File.ReadAllText(collector.Output);
        return text[..(text.LastIndexOf('\n') + 1)].Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => JsonDocument.Parse(line).RootElement);
    }
}
