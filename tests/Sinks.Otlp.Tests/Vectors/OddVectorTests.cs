using AsyncLog.Tests.Protocol;
using Kind = AsyncLog.Tests.Protocol.AnyValue.ValueOneofCase;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/odd.jsonl: hostile input that a fixture builds, and what becomes of it.</summary>
public sealed class OddVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("odd.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Hostile_input_has_the_outcome_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "fixture", "expect");
        using var harness = new OtlpHarness();
        var fixture = new OddFixture(vector.TextOf("fixture", null)!, harness);

        await OddOutcome.CheckAsync(
            vector, fixture, async () => [.. (await harness.TakeAsync()).Select(Read)], () => harness.Status, "categoryParameter", "msgid");
    }

    private static OddRecord Read(BatchRecord logged)
    {
        var record = logged.Decoded();
        var value = Attribute(record, "p");
        return new OddRecord
        {
            Bytes = logged.Bytes.Length,
            // The reader replaces what is not UTF-8: then it would write something else than it read.
            IsValidUtf8 = logged.Message().Length == record.CalculateSize(),
            Message = record.Body?.StringValue,
            Text = value?.ValueCase == Kind.StringValue ? value.StringValue : null,
            Container = value is { ValueCase: Kind.ArrayValue } ? (DepthOf(value), value.ArrayValue.Values.Count) : null,
            Properties = record.Attributes.Count(static attribute => !attribute.Key.StartsWith("exception.", StringComparison.Ordinal) && attribute.Key is not ("logrecord.event.id" or "{OriginalFormat}")),
            HasTrace = record.TraceId.Length + record.SpanId.Length + record.Flags > 0,
            ScopeName = logged.Category,
            HasEventName = record.EventName.Length > 0,
            ExceptionType = Attribute(record, "exception.type")?.StringValue,
            ExceptionMessage = Attribute(record, "exception.message")?.StringValue,
            ExceptionText = Attribute(record, "exception.stacktrace")?.StringValue,
        };
    }

    private static AnyValue? Attribute(Protocol.LogRecord record, string key) => record.Attributes.SingleOrDefault(attribute => attribute.Key == key)?.Value;

    private static int DepthOf(AnyValue value) => value.ValueCase == Kind.ArrayValue ? 1 + value.ArrayValue.Values.Select(DepthOf).DefaultIfEmpty().Max() : 0;
}
