using System.Text.Json;
using AsyncLog.Tests.Formatting;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/odd.jsonl: hostile input that a fixture builds, and what becomes of it.</summary>
public sealed class OddVectorTests
{
    private const string Library = "log@32473";
    private const string Property = "prop@32473";

    public static TheoryData<string> Lines() => [.. VectorFile.Lines("odd.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Hostile_input_has_the_outcome_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "fixture", "expect");
        // The largest limit there is, as the vector of the largest message has it.
        using var harness = new SyslogHarness(static options =>
        {
            VectorOptions.Set(options, null);
            (options.Endpoint, options.MaxMessageSize) = (new Uri("unix:///dev/log"), 65536);
            options.Format = "Rfc5424";
        });
        var expect = vector.GetProperty("expect");
        var hasContainer = expect.Find("maxDepth") is not null || expect.Find("elements") is not null;
        var fixture = new OddFixture(vector.TextOf("fixture", null)!, harness);

        await OddOutcome.CheckAsync(
            vector, fixture, async () => [.. (await harness.TakeAsync()).Select(bytes => Read(bytes, hasContainer))], () => harness.Status, "scopeName", "eventNamePresent");
    }

    private static OddRecord Read(byte[] bytes, bool hasContainer)
    {
        var record = Rfc5424Parser.Parse(bytes);
        var text = record.Value(Property, "p");
        return new OddRecord
        {
            Bytes = bytes.Length,
            Message = record.Message,
            Text = text,
            Container = hasContainer && text is not null ? ContainerOf(JsonDocument.Parse(text).RootElement) : null,
            Properties = record.Parameters(Property).Count,
            HasTrace = record.Ids.Contains("opentelemetry"),
            HasCategory = record.Value(Library, "category") is not null,
            MessageId = record.MsgId,
            ExceptionType = record.Value(Library, "exceptionType"),
            ExceptionMessage = record.Value(Library, "exceptionMessage"),
            ExceptionText = record.Message,
        };
    }

    private static (int Depth, int Elements) ContainerOf(JsonElement value) => (DepthOf(value), value.GetArrayLength());

    private static int DepthOf(JsonElement value) => value.ValueKind == JsonValueKind.Array ? 1 + value.EnumerateArray().Select(DepthOf).DefaultIfEmpty().Max() : 0;
}
