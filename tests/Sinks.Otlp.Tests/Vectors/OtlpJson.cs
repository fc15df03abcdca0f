using System.Globalization;
using System.Text.Json;
using AsyncLog.Tests.Protocol;
using Google.Protobuf;

namespace AsyncLog.Tests.Vectors;

/// <summary>Reads OTLP/JSON of vectors as messages of the protocol.</summary>
internal static class OtlpJson
{
    public static Protocol.LogRecord Record(JsonElement json)
    {
        VectorFile.RequireKnown(
            json, "severityNumber", "severityText", "timeUnixNano", "observedTimeUnixNano", "body", "attributes", "droppedAttributesCount", "flags", "traceId", "spanId", "eventName");
        var record = new Protocol.LogRecord
        {
            TimeUnixNano = ulong.Parse(json.GetProperty("timeUnixNano").GetString()!, CultureInfo.InvariantCulture),
            ObservedTimeUnixNano = ulong.Parse(json.GetProperty("observedTimeUnixNano").GetString()!, CultureInfo.InvariantCulture),
            SeverityNumber = json.GetProperty("severityNumber").GetInt32(),
            SeverityText = json.GetProperty("severityText").GetString(),
            Body = json.Find("body") is { } body ? Value(body) : null,
            DroppedAttributesCount = (uint)json.IntOf("droppedAttributesCount"),
            Flags = (uint)json.IntOf("flags"),
            TraceId = Hex(json, "traceId"),
            SpanId = Hex(json, "spanId"),
            EventName = json.TextOf("eventName", ""),
        };
        if (json.Find("attributes") is { } attributes)
            record.Attributes.AddRange(attributes.EnumerateArray().Select(Pair));
        return record;
    }

    public static AnyValue Value(JsonElement json)
    {
        if (!json.EnumerateObject().Any())
            return new AnyValue();
        var field = Assert.Single(json.EnumerateObject());
        return field.Name switch
        {
            "stringValue" => new AnyValue { StringValue = field.Value.GetString() },
            "boolValue" => new AnyValue { BoolValue = field.Value.GetBoolean() },
            "intValue" => new AnyValue { IntValue = long.Parse(field.Value.GetString()!, CultureInfo.InvariantCulture) },
            "doubleValue" => new AnyValue { DoubleValue = Double(field.Value) },
            "bytesValue" => new AnyValue { BytesValue = ByteString.FromBase64(field.Value.GetString()) },
            "arrayValue" => new AnyValue { ArrayValue = new ArrayValue { Values = { Items(field.Value).Select(Value) } } },
            "kvlistValue" => new AnyValue { KvlistValue = new KeyValueList { Values = { Items(field.Value).Select(Pair) } } },
            _ => throw new NotSupportedException(field.Name),
        };
    }

    /// <summary>A record whose attributes stand in the order of their keys, for they are compared by key.</summary>
    public static Protocol.LogRecord Sorted(Protocol.LogRecord record)
    {
        var sorted = record.Clone();
        sorted.Attributes.Clear();
        sorted.Attributes.AddRange(record.Attributes.OrderBy(static pair => pair.Key, StringComparer.Ordinal));
        return sorted;
    }

    // Receivers that write JSON leave out what is empty.
    private static KeyValue Pair(JsonElement json) => new() { Key = json.TextOf("key", ""), Value = json.Find("value") is { } value ? Value(value) : new AnyValue() };

    private static IEnumerable<JsonElement> Items(JsonElement json) => json.Find("values") is { } values ? values.EnumerateArray() : [];

    private static double Double(JsonElement json) =>
        json.ValueKind == JsonValueKind.String && json.GetString() == "NaN" ? BitConverter.UInt64BitsToDouble(0x7FF8000000000000) : json.ValueKind == JsonValueKind.String ? double.Parse(json.GetString()!, CultureInfo.InvariantCulture) : json.GetDouble();

    private static ByteString Hex(JsonElement json, string name) => ByteString.CopyFrom(Convert.FromHexString(json.TextOf(name, "")!));
}
