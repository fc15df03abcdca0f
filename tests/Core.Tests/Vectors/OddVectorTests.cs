using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>The hostile input of vectors/odd.jsonl, one line each, in every layout that has properties, through a real logger.</summary>
public sealed class OddVectorTests
{
    public static TheoryData<string, string> Lines()
    {
        var data = new TheoryData<string, string>();
        foreach (var line in VectorFile.Lines("odd.jsonl"))
        {
            foreach (var format in (string[])["Text", "Json", "Clef"])
                data.Add(line, format);
        }
        return data;
    }

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Odd_input_has_the_outcome_of_its_vector(string line, string format)
    {
        var vector = VectorFile.Parse(line, "fixture", "expect");
        var expect = vector.GetProperty("expect");
        // A property that has a hole of its own is not among the properties: one layout shows the one or the others.
        var hasHole = expect.Find("properties") is null || expect.Find("text") is not null;
        var sink = new ByteSink();
        using var pipeline = new TestPipeline(sink, options =>
        {
            options.Format = format;
            options.Template = format == "Text" ? "{Category}|{Message}|" + (hasHole ? "{p}" : "") + "|{Properties}|{TraceId}|{Scopes}{NewLine}{Exception}" : null;
        });
        var fixture = new OddFixture(vector.TextOf("fixture", null)!, new Target(pipeline));

        await OddOutcome.CheckAsync(vector, fixture, ReadAsync, () => pipeline.Status, Unknown(format, hasHole));

        async Task<OddRecord[]> ReadAsync()
        {
            Assert.True(await pipeline.Flush());
            pipeline.AssertConservation(sink.Records.Count);
            var hasContainer = expect.Find("maxDepth") is not null || expect.Find("elements") is not null;
            OddRecord[] records = [.. sink.Records.Select(bytes => format == "Text" ? ReadText(bytes, hasContainer) : ReadJson(bytes, format == "Clef"))];
            // A message that cannot be had spoils the exception's whole text.
            if (expect.TextOf("exceptionMessage", null) is { } message && message.StartsWith("<error:", StringComparison.Ordinal))
                Assert.Contains(message, records[^1].ExceptionText!, StringComparison.Ordinal);
            return records;
        }
    }

    // Of syslog and OTLP, which have a field for each; exceptions are one text here.
    private static string[] Unknown(string format, bool hasHole) => format == "Text"
        ? ["categoryParameter", "msgid", "exceptionType", "exceptionMessage", "eventNamePresent", .. hasHole ? (string[])["properties"] : []]
        : ["categoryParameter", "msgid", "exceptionType", "exceptionMessage"];

    private static OddRecord ReadText(byte[] bytes, bool hasContainer)
    {
        var lines = Encoding.UTF8.GetString(bytes).Split('\n', 2);
        var parts = lines[0].Split('|');
        return new OddRecord
        {
            Bytes = bytes.Length,
            IsValidUtf8 = Utf8.IsValid(bytes),
            ScopeName = parts[0],
            Message = parts[1],
            Text = parts[2],
            Container = hasContainer ? (DepthOf(JsonDocument.Parse(parts[2]).RootElement), JsonDocument.Parse(parts[2]).RootElement.GetArrayLength()) : null,
            Properties = parts[3].Split(' ', StringSplitOptions.RemoveEmptyEntries).Length,
            HasTrace = parts[4].Length > 0,
            ExceptionText = lines.ElementAtOrDefault(1),
        };
    }

    private static OddRecord ReadJson(byte[] bytes, bool isClef)
    {
        Assert.Equal(bytes.Length - 1, bytes.AsSpan().IndexOf((byte)'\n'));
        var root = JsonDocument.Parse(bytes, new JsonDocumentOptions { AllowDuplicateProperties = false }).RootElement;
        var state = isClef ? root : root.Find("State");
        var value = state?.Find("p");
        return new OddRecord
        {
            Bytes = bytes.Length,
            IsValidUtf8 = Utf8.IsValid(bytes),
            ScopeName = root.GetProperty(isClef ? "SourceContext" : "Category").GetString(),
            Message = root.GetProperty(isClef ? "@m" : "Message").GetString(),
            Text = value is { ValueKind: JsonValueKind.String } ? value.Value.GetString() : value?.GetRawText(),
            Container = value is { ValueKind: JsonValueKind.Array } items ? (DepthOf(items), items.GetArrayLength()) : null,
            Properties = CountProperties(state) + (root.Find("Scopes")?.EnumerateArray().Sum(static scope => CountProperties(scope)) ?? 0),
            HasTrace = root.TryGetProperty(isClef ? "@tr" : "TraceId", out _),
            HasEventName = isClef ? root.Find("EventId")?.TryGetProperty("Name", out _) == true : root.TryGetProperty("EventName", out _),
            ExceptionText = root.TextOf(isClef ? "@x" : "Exception", null),
        };
    }

    // Those of the library are not the user's.
    private static int CountProperties(JsonElement? members) => members is { ValueKind: JsonValueKind.Object } map
        ? map.EnumerateObject().Count(static member => !member.Name.StartsWith('@') && member.Name is not ("SourceContext" or "EventId" or "EventName" or "Scope" or "Message" or "{OriginalFormat}"))
        : 0;

    private static int DepthOf(JsonElement value) => value.ValueKind == JsonValueKind.Array ? 1 + value.EnumerateArray().Select(DepthOf).DefaultIfEmpty().Max() : 0;

    /// <summary>Keeps the bytes of each record.</summary>
    private sealed class ByteSink : ILogSink
    {
        public List<byte[]> Records { get; } = [];

        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
        {
            for (var i = 0; i < batch.Count; i++)
                Records.Add(batch[i].Bytes.ToArray());
            return default;
        }

        public ValueTask DisposeAsync() => default;
    }

    private sealed class Target(TestPipeline pipeline) : IVectorTarget
    {
        public VectorClock Clock { get; } = new();

        public string DefaultCategory => "Test";

        public string DefaultMessage => "m";

        public ILogger Logger(string category) => pipeline.Factory.CreateLogger(category);
    }
}
