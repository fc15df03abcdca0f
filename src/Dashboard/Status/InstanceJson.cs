using System.Text.Json;

namespace AsyncLog;

/// <summary>The state and the books of one instance as JSON.</summary>
internal static class InstanceJson
{
    public static void Write(Utf8JsonWriter writer, SinkStatus status)
    {
        writer.WriteString("name", status.Name);
        writer.WriteString("type", status.Type);
        writer.WriteString("target", status.Target);
        writer.WriteString("state", Words.Of(status.State));
        writer.WriteString("reason", status.Reason);
        writer.WriteString("since", status.Since);
        if (status is { TroubleEnded: { } ended, HealthyAt: { } healthy })
        {
            writer.WriteString("troubleEnded", ended);
            writer.WriteString("healthyAt", healthy);
        }

        WriteServer(writer, status);
        WriteQueue(writer, status);
        WriteBooks(writer, status);
        WriteTroubles(writer, status);
        WriteMeasurements(writer, status.Measurements);
        writer.WriteStartObject("effectiveLevels");
        foreach (var (category, effective) in status.EffectiveLevels.OrderBy(static entry => entry.Key, StringComparer.Ordinal))
        {
            writer.WriteStartObject(category);
            writer.WriteString("level", Words.Of(effective.Level));
            writer.WriteString("rule", effective.Rule);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    }

    private static void WriteDrops(Utf8JsonWriter writer, string name, IReadOnlyList<DropCount> drops)
    {
        writer.WriteStartArray(name);
        foreach (var drop in drops)
        {
            writer.WriteStartObject();
            writer.WriteString("reason", drop.ReasonName);
            writer.WriteString("level", Words.Of(drop.Level));
            writer.WriteNumber("count", drop.Count);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static void WriteServer(Utf8JsonWriter writer, SinkStatus status)
    {
        if (status.ServerAddress is null)
            return;
        writer.WriteString("serverAddress", status.ServerAddress);
        if (status.ServerPort is { } port)
            writer.WriteNumber("serverPort", port);
    }

    private static void WriteQueue(Utf8JsonWriter writer, SinkStatus status)
    {
        writer.WriteStartObject("queue");
        writer.WriteNumber("size", status.QueueSize);
        writer.WriteNumber("capacity", status.QueueCapacity);
        writer.WriteNumber("bytes", status.QueueBytes);
        writer.WriteNumber("bytesLimit", status.QueueBytesLimit);
        writer.WriteNumber("oldestAgeSeconds", status.OldestAge.TotalSeconds);
        writer.WriteEndObject();
        writer.WriteNumber("unservedSeconds", status.UnservedFor.TotalSeconds);
    }

    private static void WriteBooks(Utf8JsonWriter writer, SinkStatus status)
    {
        writer.WriteNumber("offered", status.Offered);
        writer.WriteNumber("enqueued", status.Enqueued);
        writer.WriteStartObject("enqueuedByLevel");
        foreach (var (level, count) in status.EnqueuedByLevel.OrderBy(static entry => entry.Key))
            writer.WriteNumber(Words.Of(level), count);
        writer.WriteEndObject();
        writer.WriteNumber("inFlight", status.InFlight);
        writer.WriteNumber("written", status.Written);
        writer.WriteNumber("uncertain", status.Uncertain);
        writer.WriteNumber("dropped", status.Dropped);
        writer.WriteNumber("droppedBefore", status.DroppedBefore);
        writer.WriteNumber("droppedAfter", status.DroppedAfter);
        WriteDrops(writer, "drops", status.Drops);
        WriteDrops(writer, "recentDrops", status.RecentDrops);
        writer.WriteNumber("truncated", status.Truncated);
        writer.WriteNumber("propertiesLeftOut", status.PropertiesLeftOut);
        writer.WriteNumber("renderErrors", status.RenderErrors);
        writer.WriteNumber("outputBytes", status.OutputBytes);
        writer.WriteNumber("batches", status.Batches);
        writer.WriteNumber("writeMicroseconds", (long)status.WriteTime.TotalMicroseconds);
    }

    private static void WriteTroubles(Utf8JsonWriter writer, SinkStatus status)
    {
        writer.WriteStartObject("errors");
        foreach (var (type, count) in status.Errors.OrderBy(static entry => entry.Key, StringComparer.Ordinal))
            writer.WriteNumber(type, count);
        writer.WriteEndObject();
        writer.WriteNumber("retries", status.Retries);
        writer.WriteNumber("callerWaitSeconds", status.CallerWait.TotalSeconds);
        if (status.LastSuccess is { } success)
            writer.WriteString("lastSuccess", success);
        else
            writer.WriteNull("lastSuccess");
        WriteError(writer, status.LastError);
        writer.WriteString("configurationProblem", status.ConfigurationProblem);
    }

    private static void WriteMeasurements(Utf8JsonWriter writer, IReadOnlyList<SinkMeasurement> measurements)
    {
        writer.WriteStartArray("measurements");
        foreach (var measurement in measurements)
        {
            writer.WriteStartObject();
            writer.WriteString("name", measurement.Name);
            writer.WriteString("unit", measurement.Unit);
            writer.WriteString("description", measurement.Description);
            writer.WriteStartObject("tags");
            foreach (var (tag, value) in measurement.Tags)
                writer.WriteString(tag, value);
            writer.WriteEndObject();
            writer.WriteNumber("value", measurement.Value);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static void WriteError(Utf8JsonWriter writer, SinkError? error)
    {
        if (error is null)
        {
            writer.WriteNull("lastError");
            return;
        }

        writer.WriteStartObject("lastError");
        writer.WriteString("type", error.Type);
        writer.WriteString("message", error.Message);
        writer.WriteString("at", error.At);
        writer.WriteEndObject();
    }
}
