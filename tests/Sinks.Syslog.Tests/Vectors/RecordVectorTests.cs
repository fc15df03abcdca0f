using System.Text;
using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/syslog-records.jsonl, through the whole pipeline up to the sink.</summary>
public sealed class RecordVectorTests
{
    public static TheoryData<string> Lines() => [.. VectorFile.Lines("syslog-records.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_record_has_the_bytes_of_its_vector(string line)
    {
        var vector = VectorFile.Parse(line, "in", "opt", "wire", "bytes", "dropped", "truncated");
        var options = vector.Find("opt");
        var record = vector.Find("in") ?? JsonDocument.Parse("{}").RootElement;
        using var harness = new SyslogHarness(o => Configure(o, options), new VectorClock(VectorOptions.OffsetOf(options)));

        VectorRecord.Log(record, harness);

        var frames = await harness.TakeFramesAsync(VectorOptions.FirstNumber(options));
        var times = record.IntOf("times", 1);
        Assert.Equal(times, frames.Length);
        Assert.All(frames, frame => Assert.Equal(vector.TextOf("wire", null), Encoding.UTF8.GetString(frame)));
        Assert.All(frames, frame => Assert.Equal(vector.GetProperty("bytes").GetInt32(), frame.Length));
        Assert.Equal(vector.IntOf("dropped") * times, harness.Status.PropertiesLeftOut);
        Assert.Equal(vector.BoolOf("truncated") ? times : 0, harness.Status.Truncated);
        Assert.Equal(0, harness.Status.RenderErrors);
    }

    private static void Configure(AsyncSyslogLoggerOptions options, JsonElement? vector)
    {
        VectorOptions.Set(options, vector);
        options.Endpoint ??= new Uri(options.Format == "Local" ? "unix:///dev/log" : "udp://127.0.0.1");
    }
}
