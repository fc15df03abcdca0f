using System.Text.Json;

namespace AsyncLog;

/// <summary>The history as JSON: columns, a value per step between two points.</summary>
internal static class HistoryJson
{
    public static void Write(Utf8JsonWriter writer, IReadOnlyList<HistoryPoint> points)
    {
        writer.WriteStartObject();
        writer.WriteNumber("stepSeconds", StatusHistory.Step.TotalSeconds);
        writer.WriteNumber("lengthSeconds", StatusHistory.Length.TotalSeconds);
        writer.WriteStartArray("at");
        foreach (var point in points.Skip(1))
            writer.WriteStringValue(point.At);
        writer.WriteEndArray();
        writer.WriteStartObject("instances");
        foreach (var name in points.SelectMany(static point => point.Instances.Keys).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal))
        {
            writer.WriteStartObject(name);
            WriteInstance(writer, points, name);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    private static void WriteInstance(Utf8JsonWriter writer, IReadOnlyList<HistoryPoint> points, string name)
    {
        WriteRates(writer, points, name, "in", static point => point.Offered);
        WriteRates(writer, points, name, "out", static point => point.Written);
        WriteRates(writer, points, name, "lost", static point => point.Dropped);
        WriteColumn(writer, points, name, "waiting", static (_, point, _) => point.QueueSize);
        WriteColumn(writer, points, name, "writeP95", static (before, point, _) => point.Writes.Since(before.Writes).Quantile(0.95));
    }

    private static void WriteRates(Utf8JsonWriter writer, IReadOnlyList<HistoryPoint> points, string name, string column, Func<InstancePoint, long> count)
        => WriteColumn(writer, points, name, column, (before, point, seconds) => seconds > 0 ? Math.Round((count(point) - count(before)) / seconds, 2) : 0);

    private static void WriteColumn(
        Utf8JsonWriter writer, IReadOnlyList<HistoryPoint> points, string name, string column, Func<InstancePoint, InstancePoint, double, double?> value)
    {
        writer.WriteStartArray(column);
        for (var index = 1; index < points.Count; index++)
        {
            var seconds = (points[index].At - points[index - 1].At).TotalSeconds;
            if (points[index - 1].Instances.TryGetValue(name, out var before) && points[index].Instances.TryGetValue(name, out var point) && value(before, point, seconds) is { } number)
                writer.WriteNumberValue(number);
            else
                writer.WriteNullValue();
        }

        writer.WriteEndArray();
    }
}
