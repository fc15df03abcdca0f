using System.Text.Json;

namespace AsyncLog;

/// <summary>The last ten minutes as JSON: the samples of each instance in columns, oldest first; totals, so that a reader makes rates of any width.</summary>
internal static class HistoryJson
{
    public static void Write(Utf8JsonWriter writer, IAsyncLogControl control)
    {
        writer.WriteStartObject();
        writer.WriteStartObject("instances");
        foreach (var instance in control.GetStatus().Instances)
        {
            writer.WriteStartObject(instance.Name);
            WriteSamples(writer, control.GetHistory(instance.Name));
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    private static void WriteSamples(Utf8JsonWriter writer, IReadOnlyList<SinkSample> samples)
    {
        Column(writer, "at", samples, static sample => sample.At.ToUnixTimeMilliseconds());
        Column(writer, "queueSize", samples, static sample => sample.QueueSize);
        Column(writer, "enqueued", samples, static sample => sample.Enqueued);
        Column(writer, "written", samples, static sample => sample.Written);
        Column(writer, "dropped", samples, static sample => sample.Dropped);
        Column(writer, "batches", samples, static sample => sample.Batches);
        Column(writer, "writeMicroseconds", samples, static sample => (long)sample.WriteTime.TotalMicroseconds);
    }

    private static void Column(Utf8JsonWriter writer, string name, IReadOnlyList<SinkSample> samples, Func<SinkSample, long> value)
    {
        writer.WriteStartArray(name);
        foreach (var sample in samples)
            writer.WriteNumberValue(value(sample));
        writer.WriteEndArray();
    }
}
