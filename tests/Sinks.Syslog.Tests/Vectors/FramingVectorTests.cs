using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>The samples of vectors/syslog-framing.jsonl that say what the bytes are; those with a server are the transports'.</summary>
public sealed class FramingVectorTests
{
    public static TheoryData<string> Lines() =>
        [.. VectorFile.Lines("syslog-framing.jsonl").Where(static line => JsonDocument.Parse(line).RootElement.Find("server") is null)];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Frames_have_the_bytes_of_their_vector(string line)
    {
        var vector = VectorFile.Parse(line, "id", "req", "what", "framing", "records", "opt", "expect");
        var options = vector.Find("opt");
        using var harness = new SyslogHarness(o => Configure(o, vector));

        foreach (var record in vector.GetProperty("records").EnumerateArray())
            VectorRecord.Log(record, harness);

        var frames = await harness.TakeFramesAsync(options?.IntOf("SequenceId", 1) ?? 1);
        Check(vector.GetProperty("expect"), frames);
    }

    private static void Configure(AsyncSyslogOptions options, JsonElement vector)
    {
        VectorOptions.Set(options, vector.Find("opt"));
        var framing = vector.GetProperty("framing").GetString();
        options.Endpoint = new Uri(framing switch { "udp" => "udp://127.0.0.1", "tls" => "tls://127.0.0.1", _ => "tcp://127.0.0.1" });
        if (framing == "lf")
            options.Framing = SyslogFraming.LineFeed;
    }

    private static void Check(JsonElement expect, byte[][] frames)
    {
        VectorFile.RequireKnown(expect, "stream", "datagrams", "startsWith", "streamBytes", "lfCount", "frames", "maxWriteBytes");
        byte[] stream = [.. frames.SelectMany(static frame => frame)];
        if (expect.TextOf("stream", null) is { } hex)
            Assert.Equal(hex, Convert.ToHexStringLower(stream));
        if (expect.Find("datagrams") is { } datagrams)
            Assert.Equal(datagrams.EnumerateArray().Select(static datagram => datagram.GetString()), frames.Select(Convert.ToHexStringLower));
        if (expect.TextOf("startsWith", null) is { } start)
            Assert.StartsWith(start, Convert.ToHexStringLower(stream), StringComparison.Ordinal);
        if (expect.Find("streamBytes") is { } bytes)
            Assert.Equal(bytes.GetInt32(), stream.Length);
        if (expect.Find("lfCount") is { } lines)
            Assert.Equal(lines.GetInt32(), stream.Count(static value => value == '\n'));
        if (expect.Find("frames") is { } count)
            Assert.Equal(count.GetInt32(), CountOctetFrames(stream));
    }

    private static int CountOctetFrames(ReadOnlySpan<byte> stream)
    {
        var count = 0;
        for (; !stream.IsEmpty; count++)
        {
            var space = stream.IndexOf((byte)' ');
            stream = stream[(space + 1 + int.Parse(stream[..space], CultureInfo.InvariantCulture))..];
        }

        return count;
    }
}
