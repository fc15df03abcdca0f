using System.Net;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Transport;
using AsyncLog.Tests.Transport.Datagram;
using AsyncLog.Tests.Transport.Stream;
using AsyncLog.Tests.Transport.Tls;
using AsyncLog.Tests.Vectors;

namespace AsyncLog.Tests.Framing;

/// <summary>The lines of vectors/syslog-framing.jsonl: records through the real sink to a receiver on loopback that behaves as the line says.</summary>
public sealed class FramingVectorTests
{
    private static readonly string[] TimeFields = ["closedAfterMs", "attemptEndsAfterMs", "delaysMs", "endsWithinMs"];

    public static TheoryData<string> Lines => [.. VectorFile.Lines("syslog-framing.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task A_stream_or_datagram_is_that_of_its_vector(string line)
    {
        JsonElement vector = VectorFile.Parse(line, "framing", "records", "opt", "server", "expect");
        var expect = new Expectations(vector.GetProperty("expect"));
        JsonElement server = vector.Find("server") ?? JsonDocument.Parse("{}").RootElement;
        Assert.SkipWhen(server.Find("closeAfterBytes") is not null && !OperatingSystem.IsLinux(), "only on Linux: its sockets return what the peer acknowledged");
        VectorFile.RequireKnown(server, "closeAfterBytes", "closeWhenIdle", "sends", "reads", "accepts", "restarts", "refuses", "closesAfterFin");
        byte[][] frames = await FramesAsync(vector);
        using var run = new StreamRun(vector, server, expect);
        run.Play(frames);
        expect.AssertAllChecked();
    }

    // What the formatter makes of the records: with it a frame is recognized. That its bytes are right is for the lines to say that show them.
    private static async Task<byte[][]> FramesAsync(JsonElement vector)
    {
        JsonElement? options = vector.Find("opt");
        using var harness = new SyslogHarness(o => Configure(o, vector, 1), new VectorClock(VectorOptions.OffsetOf(options)));
        Log(vector, harness, 0, int.MaxValue);
        return await harness.TakeFramesAsync(VectorOptions.FirstNumber(options));
    }

    private static void Configure(AsyncSyslogLoggerOptions options, JsonElement vector, int port)
    {
        VectorOptions.Set(options, vector.Find("opt"));
        string framing = vector.GetProperty("framing").GetString()!;
        string scheme = framing switch { "udp" => "udp", "tls" => "tls", "octet" or "lf" => "tcp", _ => throw new NotSupportedException(framing) };
        options.Endpoint = new Uri(FormattableString.Invariant($"{scheme}://{(scheme == "tls" ? "localhost" : "127.0.0.1")}:{port}"));
        if (framing == "lf")
            options.Framing = SyslogFraming.LineFeed;
        if (vector.Find("opt")?.Find("MaxQueueMemory") is null)
            options.MaxQueueMemory = 64 << 20;
    }

    // The records from one number to another; each may be logged several times.
    private static void Log(JsonElement vector, IVectorTarget target, int from, int to)
    {
        int number = 0;
        foreach (JsonElement record in vector.GetProperty("records").EnumerateArray())
        {
            int times = record.IntOf("times", 1);
            int count = Math.Min(to, number + times) - Math.Max(from, number);
            number += times;
            if (count <= 0)
                continue;
            var part = new Dictionary<string, JsonElement>(StringComparer.Ordinal);
            foreach (JsonProperty field in record.EnumerateObject())
                part[field.Name] = field.Value;
            part["times"] = JsonSerializer.SerializeToElement(count);
            VectorRecord.Log(JsonSerializer.SerializeToElement(part), target);
        }
    }

    /// <summary>One line at work.</summary>
    private sealed class StreamRun : IDisposable
    {
        private readonly JsonElement _vector;
        private readonly JsonElement _server;
        private readonly Expectations _expect;
        private readonly string _framing;
        private readonly List<StreamReceiver> _receivers = [];
        private readonly WatchedDialer _dialer = new();
        private readonly FullBacklog? _backlog;
        private readonly TlsReceiver? _tls;
        private readonly DatagramReceiver? _datagrams;
        private readonly VectorRig _rig;
        private readonly int _port;

        public StreamRun(JsonElement vector, JsonElement server, Expectations expect)
        {
            (_vector, _server, _expect) = (vector, server, expect);
            _framing = vector.GetProperty("framing").GetString()!;
            bool isFake = TimeFields.Any(expect.Has) || IsFalse("accepts") || IsFalse("reads") || server.Find("refuses") is not null;
            _port = _framing switch
            {
                "udp" => (_datagrams = new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, 0))).Port,
                "tls" => (_tls = new TlsReceiver("server")).Port,
                _ when IsFalse("accepts") => (_backlog = new FullBacklog()).Port,
                _ when server.Find("refuses") is not null => Ports.Free(),
                _ => Listen(0).Port,
            };
            if (_framing is "udp" or "tls")
                Assert.Empty(server.EnumerateObject().Where(static field => field.Name is not "closesAfterFin"));
            _rig = new VectorRig(Configure, isFake, VectorOptions.OffsetOf(vector.Find("opt")), Transport);
        }

        private List<byte[]> Connections => _tls is not null ? [.. _tls.ConnectionBytes] : [.. _receivers.SelectMany(static receiver => receiver.Connections).Select(static connection => connection.Bytes)];

        private byte[] Stream => [.. Connections.SelectMany(static bytes => bytes)];

        private List<string> Frames => [.. Connections.SelectMany(bytes => FramesOf(bytes, out _))];

        public void Play(byte[][] frames)
        {
            string[] wanted = [.. frames.Select(frame => _framing == "udp" ? Encoding.UTF8.GetString(frame) : Assert.Single(FramesOf(frame, out _)))];
            if (_datagrams is not null)
                PlayDatagrams(wanted);
            else if (IsFalse("accepts"))
                PlayHeld(_dialer.Dialling, "attemptEndsAfterMs", wanted);
            else if (IsFalse("reads"))
                PlayHeld(_dialer.Sending, "closedAfterMs", wanted);
            else
                PlayStream(wanted);
            _expect.Flag("callerBlocked", _rig.Pipeline.Status.CallerWait > TimeSpan.Zero);
        }

        public void Dispose()
        {
            _rig.Dispose();
            _receivers.ForEach(static receiver => receiver.Dispose());
            _backlog?.Dispose();
            _tls?.Dispose();
            _datagrams?.Dispose();
        }

        private bool IsFalse(string field) => !_server.BoolOf(field, missing: true);

        private StreamReceiver Listen(int port)
        {
            bool isFirst = _receivers.Count == 0;
            var receiver = new StreamReceiver(number => Script(isFirst && number == 0), new IPEndPoint(IPAddress.Loopback, port), IsFalse("reads") ? 4096 : null);
            _receivers.Add(receiver);
            return receiver;
        }

        private ReceiverScript Script(bool isFirst) => new()
        {
            ReadLimit = IsFalse("reads") ? 0 : isFirst && _server.Find("closeAfterBytes") is { } limit ? limit.GetInt32() : long.MaxValue,
            AfterLimit = IsFalse("reads") ? ReceiverEnd.Stay : ReceiverEnd.Close,
            Sends = Encoding.UTF8.GetBytes(_server.TextOf("sends", "")!),
            StaysAfterEnd = IsFalse("closesAfterFin"),
        };

        private void Configure(AsyncSyslogLoggerOptions options)
        {
            // Nobody waits for a back-off that the line does not speak of.
            if (_server.Find("refuses") is null)
                (options.ReconnectDelay, options.MaxReconnectDelay) = (TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100));
            options.ShutdownTimeout = TimeSpan.FromSeconds(IsFalse("accepts") || IsFalse("reads") ? 1 : 10);
            if (_framing == "tls")
                options.Tls.CaFile = TestCertificates.File("ca.pem");
            FramingVectorTests.Configure(options, _vector, _port);
        }

        private ISyslogTransport Transport(AsyncSyslogLoggerOptions options, BoundedWait clock, SinkContext context)
        {
            var sequence = new SequenceCounter(VectorOptions.FirstNumber(_vector.Find("opt")));
            if (_framing == "udp")
                return new UdpTransport(options, new DnsResolver("127.0.0.1", clock), new UdpSockets(clock), sequence, clock, context);
            _dialer.Use(options, new WatchedClock(context.TimeProvider));
            return new StreamTransport(options, _dialer.Connect, sequence, clock, context, static () => 1);
        }

        private void PlayDatagrams(string[] wanted)
        {
            Log(_vector, _rig, 0, int.MaxValue);
            _rig.Flush();
            _rig.Wait(() => _datagrams!.Records.Count >= wanted.Length);
            if (_expect.Has("datagrams"))
                Assert.Equal(_expect.Texts("datagrams"), _datagrams!.Records.Select(static record => Convert.ToHexStringLower(Encoding.UTF8.GetBytes(record))));
            _expect.Number("frames", _datagrams!.Records.Count);
            _expect.Number("framesAtLeastOnce", wanted.Intersect(_datagrams.Records, StringComparer.Ordinal).Count());
            _expect.Number("writtenPlusDropped", WrittenPlusDropped());
        }

        // The server holds an operation up until its time is over.
        private void PlayHeld(OperationWatch operation, string field, string[] wanted)
        {
            Log(_vector, _rig, 0, int.MaxValue);
            _expect.Number(field, () => _rig.MillisecondsOf(operation, _expect.Take(field).GetDouble()));
            _rig.Wait(() => _rig.Pipeline.Sink.Thrown.Count > 0);
            Assert.Equal("timeout", _rig.Pipeline.Sink.Thrown[0].ErrorType);
            if (_expect.Has("reconnects") || _expect.Has("connections"))
                _rig.Wait(() => Connections.Count > 1);
            _expect.Number("connections", Connections.Count);
            _expect.Number("reconnects", Connections.Count - 1);
            // Everything that was offered has a place.
            _expect.Number("writtenPlusDropped", WrittenPlusDropped());
            _rig.Pipeline.AssertConservation(wanted.Length);
        }

        private void PlayStream(string[] wanted)
        {
            int refuses = _server.IntOf("refuses");
            if (refuses > 0)
                Refuse(refuses, wanted);
            if (_server.BoolOf("closeWhenIdle"))
            {
                _rig.Wait(() => _receivers[0].Connections.Count == 1);
                _receivers[0].Connections[0].End(ReceiverEnd.Close);
            }

            Send(wanted);
            CheckStream(wanted);
            CheckEnd();
            CheckCounts(wanted);
        }

        // Connects are refused as long as nobody listens.
        private void Refuse(int refuses, string[] wanted)
        {
            // Somebody has to want something of the server.
            Log(_vector, _rig, 0, wanted.Length);
            _rig.WaitThroughRests(() => _rig.Pipeline.FailedConnects >= refuses, TimeSpan.FromMilliseconds(100));
            Listen(_port);
            // Until the sink knows of it: afterwards time passes without a rest, and would end the attempt.
            _rig.WaitThroughRests(() => Connections.Count == 1 && _rig.Pipeline.Connects == 1, TimeSpan.FromMilliseconds(100));
            if (!_expect.Has("delaysMs"))
                return;
            // Each pause that was made is at most the one with the random number at its upper end.
            double[] delays = [.. _expect.Take("delaysMs").EnumerateArray().Select(static delay => delay.GetDouble())];
            var options = new AsyncSyslogLoggerOptions();
            Configure(options);
            Backoff backoff = new SyslogSinkDefinition().BackoffOf(options);
            Assert.Equal(delays, delays.Select((_, number) => backoff.DelayOf(number, random: 1).TotalMilliseconds));
            TimeSpan[] made = [.. _dialer.DialledAt.Zip(_dialer.DialledAt.Skip(1), static (first, second) => second - first)];
            Assert.True(made.Length >= delays.Length, $"{made.Length} pauses");
            Assert.All(made.Zip(delays), static pair => Assert.InRange(pair.First.TotalMilliseconds, 0, pair.Second + 100));
        }

        private void Send(string[] wanted)
        {
            int restarts = _server.IntOf("restarts");
            for (int part = 0; part <= restarts; part++)
            {
                int from = wanted.Length * part / (restarts + 1);
                int to = wanted.Length * (part + 1) / (restarts + 1);
                if (part > 0)
                    Restart(from);
                // A server that was away finds at least one record waiting.
                if (_server.Find("refuses") is null)
                    Log(_vector, _rig, part > 0 ? from + 1 : from, to);
                _rig.Wait(() => Missing(wanted[..to]) <= LossAllowed);
            }

            _rig.Flush();
        }

        private double LossAllowed => _expect.Has("lossAtMost") && _expect.Take("lossAtMost") is { ValueKind: JsonValueKind.Number } most ? most.GetDouble() : 0;

        private void Restart(int from)
        {
            StreamReceiver before = _receivers[^1];
            before.StopListening();
            foreach (StreamReceiver.Received connection in before.Connections)
                connection.End(ReceiverEnd.Close);
            Log(_vector, _rig, from, from + 1);
            Listen(_port);
        }

        private void CheckStream(string[] wanted)
        {
            List<byte[]> connections = Connections;
            if (_expect.Has("stream"))
                Assert.Equal(_expect.Take("stream").GetString(), Convert.ToHexStringLower(Stream));
            if (_expect.Has("startsWith"))
                Assert.StartsWith(_expect.Take("startsWith").GetString()!, Convert.ToHexStringLower(Stream), StringComparison.Ordinal);
            _expect.Number("streamBytes", Stream.Length);
            _expect.Number("lfCount", Stream.Count(static value => value == '\n'));
            _expect.Number("frames", Frames.Count);
            _expect.Number("framesAtLeastOnce", wanted.Length - Missing(wanted));
            _expect.Number("lost", Missing(wanted));
            if (_expect.Has("lossAtMost") && _expect.Take("lossAtMost").ValueKind == JsonValueKind.Number)
                _expect.AtMost("lossAtMost", Missing(wanted));
            else
                _expect.Number("lossAtMost", Missing(wanted));
            _expect.Number("connections", connections.Count);
            _expect.Number("reconnects", connections.Count - 1);
        }

        private void CheckEnd()
        {
            StreamReceiver.Received? last = _tls is null ? _receivers[^1].Connections[^1] : null;
            TimeSpan began = _rig.Time is null ? default : _dialer.Dialling.Now;
            // Not a step passes before the receiver has had the chance to answer. Where it does not answer, time passes only while the connection waits
            // for it: the time that a busy machine needs for the rest does not count.
            Task end = Task.Run(_rig.Dispose);
            if (IsFalse("closesAfterFin"))
                _rig.WaitThroughReadings(() => end.IsCompleted, _dialer.Clock, TimeSpan.FromMilliseconds(10));
            else
                Eventually.True(() => end.IsCompleted);
            end.GetAwaiter().GetResult();
            if (_expect.Has("endsWithinMs"))
                _expect.AtMost("endsWithinMs", (_dialer.Dialling.Now - began).TotalMilliseconds);
            _expect.Flag("finSeen", () => last?.HasFinished ?? _tls!.CloseNotifies > 0);
        }

        private void CheckCounts(string[] wanted)
        {
            int torn = 0;
            List<byte[]> connections = Connections;
            for (int i = 0; i < connections.Count; i++)
            {
                FramesOf(connections[i], out int rest);
                // What a server did not read to its end is not torn by the sender.
                if (rest < 0 || (rest > 0 && i == connections.Count - 1))
                    torn++;
            }

            _expect.Number("tornFrames", torn);
            _expect.Number("writtenPlusDropped", WrittenPlusDropped());
            if (_expect.Has("maxWrites"))
                _expect.AtMost("maxWrites", _dialer.Writes.Count);
            if (_expect.Has("maxWriteBytes"))
                _expect.AtMost("maxWriteBytes", _dialer.Writes.Max());
            SinkStatus status = _rig.Pipeline.AssertConservation(wanted.Length);
            Assert.InRange(Missing(wanted), 0, status.Uncertain + status.Dropped);
        }

        private double WrittenPlusDropped() => _rig.Pipeline.Status.Written + _rig.Pipeline.Status.Dropped;

        // Records that have not arrived once.
        private int Missing(string[] wanted)
        {
            Dictionary<string, int> arrived = Frames.CountBy(static frame => frame).ToDictionary(StringComparer.Ordinal);
            return wanted.CountBy(static frame => frame).Sum(frame => Math.Max(0, frame.Value - arrived.GetValueOrDefault(frame.Key)));
        }

        private List<string> FramesOf(byte[] bytes, out int rest)
        {
            if (_framing != "lf")
                return FrameReader.Octets(bytes, out rest);
            List<string> lines = [.. Encoding.UTF8.GetString(bytes).Split('\n')];
            rest = lines.Exists(static line => line.Length > 0 && line[0] != '<') ? -1 : lines[^1].Length;
            lines.RemoveAt(lines.Count - 1);
            return lines;
        }
    }

    /// <summary>The real dialer and its connections, watched.</summary>
    private sealed class WatchedDialer
    {
        private readonly List<int> _writes = [];
        private readonly List<TimeSpan> _dialledAt = [];
        private ConnectStream _inner = null!;

        /// <summary>The clock of the dialer and its connections.</summary>
        public WatchedClock Clock { get; private set; } = null!;

        public OperationWatch Dialling { get; private set; } = null!;

        public OperationWatch Sending { get; private set; } = null!;

        public List<int> Writes
        {
            get
            {
                lock (_writes)
                    return [.. _writes];
            }
        }

        public List<TimeSpan> DialledAt
        {
            get
            {
                lock (_dialledAt)
                    return [.. _dialledAt];
            }
        }

        public void Use(AsyncSyslogLoggerOptions options, WatchedClock clock)
        {
            (Clock, Dialling, Sending) = (clock, new OperationWatch(clock), new OperationWatch(clock));
            _inner = new StreamDialer(options, new BoundedWait(clock)).Connect;
        }

        public IStreamConnection Connect(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken)
        {
            lock (_dialledAt)
                _dialledAt.Add(Dialling.Now);
            using var running = Dialling.Begin();
            return new Watched(_inner(options, cancellationToken), this);
        }

        private void Note(int bytes)
        {
            lock (_writes)
                _writes.Add(bytes);
        }

        private sealed class Watched(IStreamConnection inner, WatchedDialer owner) : IStreamConnection
        {
            public int WriteLimit => inner.WriteLimit;

            public bool IsTransparent => inner.IsTransparent;

            public bool IsClosed => inner.IsClosed;

            public LogSinkException? Failure => inner.Failure;

            public long BytesSent => inner.BytesSent;

            public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
            {
                owner.Note(frames.Length);
                using var running = owner.Sending.Begin();
                return inner.Send(frames, stallLimit, cancellationToken);
            }

            public void ProcessIncoming() => inner.ProcessIncoming();

            public void ProcessIncoming(TimeSpan time, CancellationToken cancellationToken) => inner.ProcessIncoming(time, cancellationToken);

            public bool TryReadAcknowledged(out long acknowledged, out long window) => inner.TryReadAcknowledged(out acknowledged, out window);

            public void Shutdown(TimeSpan time, CancellationToken cancellationToken) => inner.Shutdown(time, cancellationToken);

            public void Dispose() => inner.Dispose();
        }
    }
}
