using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using AsyncLog.Tests.Delivery;

namespace AsyncLog.Tests;

/// <summary>The hostile input of vectors/odd.jsonl, one line each, in every layout that has properties, through a real logger.</summary>
public sealed class OddVectorTests
{
    private static readonly string[] Fields = ["id", "req", "what", "fixture", "expect"];

    public static TheoryData<string, string> Lines()
    {
        var data = new TheoryData<string, string>();
        foreach (var line in File.ReadLines(Path.Combine(AppContext.BaseDirectory, "vectors", "odd.jsonl")))
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
        using var document = JsonDocument.Parse(line);
        var vector = document.RootElement;
        Assert.All(vector.EnumerateObject(), static field => Assert.Contains(field.Name, Fields));
        var sink = new ByteSink();
        using var pipeline = new TestPipeline(sink, options =>
        {
            options.Format = format;
            options.Template = format == "Text" ? "{Category}|{Message}|{v}|{Properties}|{TraceId}|{Scopes}{NewLine}{Exception}" : null;
        });

        // What it throws would fail the test: callerException is false in every vector.
        new OddFixture(vector.GetProperty("fixture").GetString()!).Log(pipeline);

        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(sink.Records.Count);
        var records = sink.Records.Select(bytes => new OddRecord(bytes, format)).ToArray();
        Assert.NotEmpty(records);
        foreach (var expected in vector.GetProperty("expect").EnumerateObject())
            Check(expected, records, pipeline.Status);
    }

    private static void Check(JsonProperty expected, OddRecord[] records, SinkStatus status)
    {
        var record = records[0];
        switch (expected.Name)
        {
            case "text": Assert.Equal(expected.Value.GetString(), record.Value); break;
            case "message": Assert.Equal(expected.Value.GetString(), record.Message); break;
            case "properties": Assert.Equal(expected.Value.GetInt32(), record.PropertyCount); break;
            case "maxDepth": Assert.Equal(expected.Value.GetInt32(), record.Value.Count(static c => c == '[')); break;
            case "formatErrors": Assert.Equal(expected.Value.GetInt64(), status.RenderErrors); break;
            case "maxPayloadBytes": Assert.InRange(record.Length, expected.Value.GetInt32() / 2, expected.Value.GetInt32()); break;
            case "truncated": Assert.Equal(expected.Value.GetInt64(), status.Truncated); break;
            case "traceFields": Assert.False(record.HasTrace); break;
            case "scopeName": Assert.Equal(expected.Value.GetString(), record.Category); break;
            case "exceptionMessage": Assert.Contains(expected.Value.GetString()!, record.Text, StringComparison.Ordinal); break;
            // Of syslog and OTLP, which have a field for each; what holds for the line is checked by reading it.
            case "categoryParameter" or "exceptionType": break;
            case "returns" or "validUtf8" or "parsesStrictly" or "callerException": break;
            default: Assert.Fail($"{expected.Name} is not known."); break;
        }
    }

    /// <summary>Keeps the bytes of each record and checks that they are one line of UTF-8.</summary>
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

    /// <summary>One record, read as its layout says.</summary>
    private sealed class OddRecord
    {
        private readonly JsonElement _root;
        private readonly string[] _parts = [];

        public OddRecord(byte[] bytes, string format)
        {
            Assert.True(Utf8.IsValid(bytes));
            Text = Encoding.UTF8.GetString(bytes);
            Length = bytes.Length;
            if (format == "Text")
            {
                _parts = Text.Split('\n')[0].Split('|');
                return;
            }
            Assert.Equal(bytes.Length - 1, bytes.AsSpan().IndexOf((byte)'\n'));
            using var document = JsonDocument.Parse(bytes, new JsonDocumentOptions { AllowDuplicateProperties = false });
            _root = document.RootElement.Clone();
        }

        public string Text { get; }

        public int Length { get; }

        private bool IsText => _parts.Length > 0;

        private bool IsClef => !IsText && _root.TryGetProperty("@t", out _);

        public string Category => IsText ? _parts[0] : _root.GetProperty(IsClef ? "SourceContext" : "Category").GetString()!;

        public string Message => IsText ? _parts[1] : _root.GetProperty(IsClef ? "@m" : "Message").GetString()!;

        public string Value => IsText ? _parts[2] : (IsClef ? _root : _root.GetProperty("State")).GetProperty("v") is { ValueKind: JsonValueKind.String } text ? text.GetString()! : Raw();

        public bool HasTrace => IsText ? _parts[4].Length > 0 : _root.TryGetProperty(IsClef ? "@tr" : "TraceId", out _);

        public int PropertyCount => IsText ? _parts[3].Split(' ', StringSplitOptions.RemoveEmptyEntries).Length
            : IsClef ? _root.EnumerateObject().Count(static member => !member.Name.StartsWith('@') && member.Name != "SourceContext")
            : _root.TryGetProperty("State", out var state) ? state.EnumerateObject().Count() : 0;

        private string Raw() => (IsClef ? _root : _root.GetProperty("State")).GetProperty("v").GetRawText();
    }
}
