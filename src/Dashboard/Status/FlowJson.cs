using System.Text.Json;

namespace AsyncLog;

/// <summary>What flows through one instance, and how long writes take, as JSON.</summary>
internal static class FlowJson
{
    public static void Write(Utf8JsonWriter writer, SinkRates rates, Latency writes)
    {
        writer.WriteStartObject("rates");
        writer.WriteNumber("enqueuedPerSecond", Math.Round(rates.EnqueuedPerSecond, 2));
        writer.WriteNumber("writtenPerSecond", Math.Round(rates.WrittenPerSecond, 2));
        writer.WriteNumber("droppedPerSecond", Math.Round(rates.DroppedPerSecond, 2));
        writer.WriteNumber("outputBytesPerSecond", Math.Round(rates.OutputBytesPerSecond, 2));
        writer.WriteEndObject();
        writer.WriteStartObject("writeSeconds");
        writer.WriteNumber("count", writes.Count);
        WriteSeconds(writer, "mean", rates.MeanWriteTime > TimeSpan.Zero ? rates.MeanWriteTime.TotalSeconds : null);
        WriteSeconds(writer, "p50", writes.Quantile(0.5));
        WriteSeconds(writer, "p95", writes.Quantile(0.95));
        WriteSeconds(writer, "p99", writes.Quantile(0.99));
        writer.WriteEndObject();
    }

    private static void WriteSeconds(Utf8JsonWriter writer, string name, double? seconds)
    {
        if (seconds is { } value)
            writer.WriteNumber(name, Math.Round(value, 6));
        else
            writer.WriteNull(name);
    }
}
