using AsyncLog.Tests.Protocol;
namespace AsyncLog.Tests.Differential;

/// <summary>One field that the two exporters wrote differently for the same call.</summary>
/// <param name="Field">A field of LogRecord, or the key of an attribute in brackets.</param>
/// <param name="Official">OpenTelemetry .NET's values: none, one, or several with one key.</param>
/// <param name="Own">AsyncLog's values.</param>
/// <param name="Record">AsyncLog's record.</param>
internal sealed record Difference(string Field, IReadOnlyList<AnyValue> Official, IReadOnlyList<AnyValue> Own, Protocol.LogRecord Record)
{
    /// <summary>All of them between two records of one call. Each exporter has its own clock, so times are judged apart from each other.</summary>
    public static IEnumerable<Difference> Between(DeliveredRecord official, DeliveredRecord own)
    {
        var fields = FieldsOf(official).Concat(FieldsOf(own)).Select(static field => field.Key).Distinct(StringComparer.Ordinal);
        var (left, right) = (ByName(official), ByName(own));
        return fields.Select(field => new Difference(field, [.. left[field]], [.. right[field]], own.Record)).Where(static difference => !difference.Official.SequenceEqual(difference.Own, SameMeaning.Instance));
    }

    public override string ToString() => $"{Field}: OpenTelemetry .NET [{string.Join(", ", Official)}], AsyncLog [{string.Join(", ", Own)}]";

    private static ILookup<string, AnyValue> ByName(DeliveredRecord record) =>
        FieldsOf(record).ToLookup(static field => field.Key, static field => field.Value, StringComparer.Ordinal);

    private static IEnumerable<KeyValue> FieldsOf(DeliveredRecord delivered)
    {
        Protocol.LogRecord record = delivered.Record;
        yield return Scalar("scope", delivered.Scope);
        yield return Scalar("severity_number", record.SeverityNumber);
        yield return Scalar("severity_text", record.SeverityText);
        yield return Scalar("dropped_attributes_count", record.DroppedAttributesCount);
        yield return Scalar("flags", record.Flags);
        yield return Scalar("trace_id", Convert.ToHexString(record.TraceId.Span));
        yield return Scalar("span_id", Convert.ToHexString(record.SpanId.Span));
        yield return Scalar("event_name", record.EventName);
        if (record.Body is not null)
            yield return new KeyValue { Key = "body", Value = record.Body };
        foreach (KeyValue attribute in record.Attributes)
            yield return new KeyValue { Key = $"[{attribute.Key}]", Value = attribute.Value };
    }

    // NaN has many forms, of which AsyncLog writes one; in JSON all are one.
    private sealed class SameMeaning : EqualityComparer<AnyValue>
    {
        public static readonly SameMeaning Instance = new();

        public override bool Equals(AnyValue? x, AnyValue? y)
            => Equals((object?)x, y) || (x?.ToString() is { } text && text.Contains("\"NaN\"", StringComparison.Ordinal) && text == y?.ToString());

        public override int GetHashCode(AnyValue obj) => 0;
    }

    private static KeyValue Scalar(string name, string text) => new() { Key = name, Value = new AnyValue { StringValue = text } };

    private static KeyValue Scalar(string name, long number) => new() { Key = name, Value = new AnyValue { IntValue = number } };
}
