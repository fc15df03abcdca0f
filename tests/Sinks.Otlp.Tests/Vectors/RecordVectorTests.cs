using System.Text.Json;
using Google.Protobuf;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/otlp-records.jsonl, through the whole pipeline up to the sink.</summary>
public sealed class RecordVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("otlp-records.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_record_is_that_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "in", "opt", "record", "hex");
        var input = vector.Find("in") ?? JsonDocument.Parse("{}").RootElement;
        using var harness = new OtlpHarness(options => VectorOption.SetAll(options, vector.Find("opt")));

        VectorRecord.Log(input, harness);

        var records = await harness.TakeAsync();
        Assert.Equal(input.IntOf("times", 1), records.Length);
        foreach (var bytes in records.Select(EncodedRecord.Message))
        {
            var record = Protocol.LogRecord.Parser.ParseFrom(bytes);
            // Fields in ascending order, lengths in as few bytes as possible; attributes may stand in another order, and nothing else.
            Assert.Equal(Convert.ToHexStringLower(record.ToByteArray()), Convert.ToHexStringLower(bytes));
            Assert.Equal(Sorted(Convert.FromHexString(vector.GetProperty("hex").GetString()!)), Sorted(bytes));
            Assert.Equal(OtlpJson.Sorted(OtlpJson.Record(vector.GetProperty("record"))), OtlpJson.Sorted(record));
        }

        Assert.Equal(0, harness.Status.RenderErrors);
    }

    private static string Sorted(byte[] bytes) => Convert.ToHexStringLower(OtlpJson.Sorted(Protocol.LogRecord.Parser.ParseFrom(bytes)).ToByteArray());
}
