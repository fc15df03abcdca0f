using System.Text;
using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/syslog-records.jsonl, one line each, through the whole pipeline up to the sink.</summary>
public sealed class RecordVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("syslog-records.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_record_has_the_bytes_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "in", "opt", "wire", "bytes", "dropped", "truncated");
        var options = vector.Find("opt");
        using var harness = new SyslogHarness(o => Configure(o, options), new VectorClock(VectorOptions.OffsetOf(options)));

        VectorRecord.Log(vector.Find("in") ?? JsonDocument.Parse("{}").RootElement, harness);

        var frame = Assert.Single(await harness.TakeFramesAsync(options?.IntOf("SequenceId", 1) ?? 1));
        Assert.Equal(vector.TextOf("wire", null), Encoding.UTF8.GetString(frame));
        Assert.Equal(vector.IntOf("bytes"), frame.Length);
        Assert.Equal(vector.IntOf("dropped"), harness.Status.PropertiesLeftOut);
        Assert.Equal(vector.BoolOf("truncated") ? 1 : 0, harness.Status.Truncated);
        Assert.Equal(0, harness.Status.RenderErrors);
    }

    private static void Configure(AsyncSyslogOptions options, JsonElement? vector)
    {
        VectorOptions.Set(options, vector);
        options.Endpoint = new Uri(options.Format == "Local" ? "unix:///dev/log" : "udp://127.0.0.1");
    }
}
