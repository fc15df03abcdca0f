using System.Text.Json;

namespace AsyncLog;

/// <summary>A status as JSON.</summary>
internal static class StatusJson
{
    public static void Write(Utf8JsonWriter writer, AsyncLogStatus status, StatusHistory history)
    {
        var now = history.PointOf(status);
        var points = history.Points();
        writer.WriteStartObject();
        writer.WriteString("capturedAt", status.CapturedAt);
        writer.WriteNumber("queueBytes", status.QueueBytes);
        writer.WriteNumber("historyMissed", history.Missed);
        writer.WriteStartArray("instances");
        foreach (var instance in status.Instances)
        {
            writer.WriteStartObject();
            InstanceJson.Write(writer, instance);
            RecentJson.Write(writer, RecentValues.Of(points, now, instance.Name));
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}
