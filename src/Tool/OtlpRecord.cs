using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

namespace AsyncLog.Tool;

/// <summary>A record of the OTLP sink, which is protobuf (opentelemetry-proto, logs/v1 and common/v1), as JSON.</summary>
internal static class OtlpRecord
{
    private const int MaxDepth = 32;

    /// <summary>Reads body, attributes and ids.</summary>
    /// <param name="bytes">A record, with the tag that it has in a request.</param>
    /// <returns>Null when it is none.</returns>
    public static JsonObject? Read(ReadOnlySpan<byte> bytes)
    {
        var request = new ProtoReader(bytes);
        // The tag decides: no other record begins with this byte.
        if (bytes is not [OtlpTag.LogRecord, ..] || !request.Read())
            return null;
        var fields = new ProtoReader(request.Content);
        if (request.Read() || request.IsBroken)
            return null;
        var record = new JsonObject();
        var attributes = new JsonObject();
        while (fields.Read())
        {
            switch (fields.Field)
            {
                case OtlpTag.Body >> 3:
                    record["body"] = ValueOf(fields.Content, MaxDepth);
                    break;
                case OtlpTag.Attribute >> 3:
                    AddTo(attributes, fields.Content, MaxDepth);
                    break;
                case OtlpTag.TraceId >> 3:
                    record["traceId"] = Convert.ToHexStringLower(fields.Content);
                    break;
                case OtlpTag.SpanId >> 3:
                    record["spanId"] = Convert.ToHexStringLower(fields.Content);
                    break;
                case OtlpTag.EventName >> 3:
                    record["eventName"] = Encoding.UTF8.GetString(fields.Content);
                    break;
            }
        }

        record["attributes"] = attributes;
        return fields.IsBroken ? null : record;
    }

    private static void AddTo(JsonObject target, ReadOnlySpan<byte> pair, int depth)
    {
        var (name, value) = ("", (JsonNode?)null);
        for (var fields = new ProtoReader(pair); fields.Read();)
        {
            if (fields.Field == OtlpTag.Key >> 3)
                name = Encoding.UTF8.GetString(fields.Content);
            else if (fields.Field == OtlpTag.Value >> 3)
                value = ValueOf(fields.Content, depth);
        }

        target[name] = value;
    }

    private static JsonNode? ValueOf(ReadOnlySpan<byte> value, int depth)
    {
        var field = new ProtoReader(value);
        if (!field.Read())
            return null;
        return field.Field switch
        {
            OtlpTag.Text >> 3 => JsonValue.Create(Encoding.UTF8.GetString(field.Content)),
            OtlpTag.Bool >> 3 => JsonValue.Create(field.Number != 0),
            OtlpTag.Int >> 3 => JsonValue.Create((long)field.Number),
            OtlpTag.Double >> 3 => NumberOf(BitConverter.UInt64BitsToDouble(field.Number)),
            OtlpTag.Array >> 3 when depth > 0 => ArrayOf(field.Content, depth - 1),
            OtlpTag.Map >> 3 when depth > 0 => MapOf(field.Content, depth - 1),
            _ => JsonValue.Create(Convert.ToBase64String(field.Content)),
        };
    }

    // JSON has no such numbers.
    private static JsonValue NumberOf(double number)
        => double.IsFinite(number) ? JsonValue.Create(number) : JsonValue.Create(number.ToString(CultureInfo.InvariantCulture));

    private static JsonArray ArrayOf(ReadOnlySpan<byte> elements, int depth)
    {
        var array = new JsonArray();
        for (var fields = new ProtoReader(elements); fields.Read();)
            array.Add(ValueOf(fields.Content, depth));
        return array;
    }

    private static JsonObject MapOf(ReadOnlySpan<byte> pairs, int depth)
    {
        var map = new JsonObject();
        for (var fields = new ProtoReader(pairs); fields.Read();)
            AddTo(map, fields.Content, depth);
        return map;
    }
}
