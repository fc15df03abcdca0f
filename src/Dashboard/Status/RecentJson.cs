using System.Text.Json;

namespace AsyncLog;

/// <summary>The recent values of one instance as JSON.</summary>
internal static class RecentJson
{
    public static void Write(Utf8JsonWriter writer, RecentValues recent)
    {
        writer.WriteStartObject("recent");
        writer.WriteNumber("inPerSecond", Math.Round(recent.In, 2));
        writer.WriteNumber("outPerSecond", Math.Round(recent.Out, 2));
        writer.WriteNumber("lostPerSecond", Math.Round(recent.Lost, 2));
        writer.WriteNumber("dropWindowSeconds", Math.Round(recent.DropWindow.TotalSeconds, 1));
        InstanceJson.WriteDrops(writer, recent.Drops);
        writer.WriteStartObject("writeSeconds");
        writer.WriteNumber("count", recent.Writes.Count);
        WriteSeconds(writer, "p50", recent.Writes.Quantile(0.5));
        WriteSeconds(writer, "p95", recent.Writes.Quantile(0.95));
        WriteSeconds(writer, "p99", recent.Writes.Quantile(0.99));
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    public static void WriteSeconds(Utf8JsonWriter writer, string name, double? seconds)
    {
        if (seconds is { } value)
            writer.WriteNumber(name, Math.Round(value, 6));
        else
            writer.WriteNull(name);
    }
}
