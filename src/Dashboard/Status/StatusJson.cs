using System.Text.Json;

namespace AsyncLog;

/// <summary>A status as JSON.</summary>
internal static class StatusJson
{
    public static void Write(Utf8JsonWriter writer, AsyncLogStatus status, IReadOnlyList<HistogramReading> histograms)
    {
        writer.WriteStartObject();
        writer.WriteString("capturedAt", status.CapturedAt);
        writer.WriteNumber("queueBytes", status.QueueBytes);
        writer.WriteStartArray("unknownKeys");
        foreach (var key in status.UnknownKeys)
            writer.WriteStringValue(key);
        writer.WriteEndArray();
        writer.WriteStartArray("instances");
        foreach (var instance in status.Instances)
        {
            writer.WriteStartObject();
            InstanceJson.Write(writer, instance);
            FlowJson.Write(writer, instance.Rates, Latency.OfWrites(histograms, instance.Name));
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}
