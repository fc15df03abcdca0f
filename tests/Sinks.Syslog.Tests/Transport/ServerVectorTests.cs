using System.Diagnostics;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Transport;

/// <summary>The lines of vectors/syslog-framing.jsonl that say how a server behaves, or how much is written at once.</summary>
public sealed class ServerVectorTests
{
    public static TheoryData<string> Lines => [.. VectorFile.Lines("syslog-framing.jsonl").Where(static line =>
        JsonDocument.Parse(line).RootElement is var vector && (vector.Find("server") is not null || vector.GetProperty("expect").Find("maxWriteBytes") is not null))];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Servers(string line)
    {
        JsonElement vector = VectorFile.Parse(line, "id", "req", "what", "framing", "records", "opt", "server", "expect");
        Assert.Equal("octet", vector.GetProperty("framing").GetString());
        var expect = new Expectations(vector.GetProperty("expect"));
        JsonElement? server = vector.Find("server");
        if (server is { } known)
            VectorFile.RequireKnown(known, "closeAfterBytes", "closeWhenIdle", "sends", "accepts", "closesAfterFin");
        if (server?.BoolOf("accepts", missing: true) == false)
            NeverAnswered(vector, expect);
        else
            Answered(vector, server, expect);
        expect.AssertAllChecked();
    }

    private static void Answered(JsonElement vector, JsonElement? server, Expectations expect)
    {
        using var receiver = new StreamReceiver(number => new ReceiverScript
        {
            ReadLimit = number == 0 && server?.Find("closeAfterBytes") is { } limit ? limit.GetInt32() : long.MaxValue,
            AfterLimit = ReceiverEnd.Close,
            Sends = Encoding.UTF8.GetBytes(server?.TextOf("sends", "") ?? ""),
        });
        string[] records = Records(vector);
        var writes = new List<int>();
        using (var pipeline = Pipeline(vector, receiver.Port, writes))
        {
            if (server?.BoolOf("closeWhenIdle") == true)
            {
                Eventually.True(() => receiver.Connections.Count == 1);
                receiver.Connections[0].End(ReceiverEnd.Close);
            }

            foreach (string record in records)
                Microsoft.Extensions.Logging.LoggerExtensions.LogInformation(pipeline.Logger, "{Text}", record);
            Assert.True(pipeline.Flush());
            Eventually.True(() => MessagesOf(receiver).Distinct().Count() == records.Distinct().Count());
            long began = Stopwatch.GetTimestamp();
            pipeline.Dispose();
            if (expect.Has("endsWithinMs"))
                expect.AtMost("endsWithinMs", Stopwatch.GetElapsedTime(began).TotalMilliseconds);
        }

        Eventually.True(() => receiver.Connections[^1].HasEnded);
        expect.Flag("finSeen", receiver.Connections[^1].HasEnded);
        string[] messages = [.. MessagesOf(receiver)];
        expect.Number("framesAtLeastOnce", messages.Distinct().Count());
        expect.Number("lost", records.Except(messages).Count());
        expect.Number("frames", messages.Length);
        expect.Number("connections", receiver.Connections.Count);
        expect.Number("tornFrames", receiver.Connections.Count(static connection => connection.Torn < 0));
        expect.AtMost("maxWriteBytes", writes.Max());
    }

    private static void NeverAnswered(JsonElement vector, Expectations expect)
    {
        using var backlog = new FullBacklog();
        var time = new FakeTimeProvider();
        var clock = new TransportClock(time);
        DateTimeOffset began = time.GetUtcNow();
        using var pipeline = Pipeline(vector, backlog.Port, [], clock);
        pipeline.Log(1);
        Eventually.True(() => pipeline.Sink.Thrown.Count > 0, () => time.Advance(TimeSpan.FromMilliseconds(10)));
        Assert.Equal("timeout", pipeline.Sink.Thrown[0].ErrorType);
        expect.Number("attemptEndsAfterMs", Math.Floor((time.GetUtcNow() - began).TotalSeconds) * 1000);
        expect.Flag("callerBlocked", pipeline.Status.CallerWait > TimeSpan.Zero);
    }

    private static SyslogPipeline Pipeline(JsonElement vector, int port, List<int> writes, TransportClock? given = null) => new(
        options =>
        {
            VectorOptions.Set(options, vector.Find("opt"));
            options.Endpoint = new Uri($"tcp://127.0.0.1:{port}");
            options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
            options.ShutdownTimeout = TimeSpan.FromSeconds(2);
        },
        (settings, _, pipelineClock, voice) =>
        {
            TransportClock clock = given ?? pipelineClock;
            var dialer = new WatchedDialer(new TcpDialer(new SocketDialer(new NameLookup(settings.Host, clock), clock)), writes);
            var sent = new SentRecords(1 << 20, settings.ResendsAcknowledged);
            return new StreamTransport(settings, new StreamLink(dialer, sent, clock, voice, static () => 1), new SequenceCounter(), voice);
        });

    private static string[] Records(JsonElement vector) =>
        [.. vector.GetProperty("records").EnumerateArray().SelectMany(static record => Enumerable.Repeat(record.TextOf("message", "hello")!, record.IntOf("times", 1)))];

    private static IEnumerable<string> MessagesOf(StreamReceiver receiver) =>
        receiver.Frames.Where(static frame => frame.StartsWith('<')).Select(static frame => frame[(frame.LastIndexOf(' ') + 1)..]);

    private sealed class WatchedDialer(IStreamDialer inner, List<int> writes) : IStreamDialer
    {
        public IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken) => new Watched(inner.Dial(settings, cancellationToken), writes);

        private sealed class Watched(IStreamConnection inner, List<int> writes) : IStreamConnection
        {
            public int WriteLimit => inner.WriteLimit;

            public bool IsTransparent => inner.IsTransparent;

            public bool IsOver => inner.IsOver;

            public LogSinkException? Failure => inner.Failure;

            public long WireBytes => inner.WireBytes;

            public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
            {
                writes.Add(frames.Length);
                return inner.Send(frames, stallLimit, cancellationToken);
            }

            public void Look() => inner.Look();

            public void WaitAndLook(TimeSpan time, CancellationToken cancellationToken) => inner.WaitAndLook(time, cancellationToken);

            public bool TryReadAcknowledged(out long acknowledged, out long window) => inner.TryReadAcknowledged(out acknowledged, out window);

            public void Finish(TimeSpan time, CancellationToken cancellationToken) => inner.Finish(time, cancellationToken);

            public void Dispose() => inner.Dispose();
        }
    }
}
