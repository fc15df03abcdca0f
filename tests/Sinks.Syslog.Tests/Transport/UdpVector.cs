using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Transport.Datagram;

namespace AsyncLog.Tests.Transport;

/// <summary>Vectors over real UDP sockets.</summary>
internal static partial class UdpVector
{
    public static void Run(JsonElement setup, Expectations expect)
    {
        switch (setup.TextOf("receiver", null))
        {
            case "none":
            case "after 10 records":
                AbsentReceiver(setup, expect);
                break;
            case "rsyslog" or "syslog-ng":
                RealDaemon(setup, expect);
                break;
            case null when setup.Find("resolver") is not null:
                Resolver(setup, expect);
                break;
            case null when expect.Has("remotePort"):
                DefaultPort(setup, expect);
                break;
            case null when expect.Has("dropReason"):
                NameThatDoesNotResolve(setup, expect);
                break;
            default:
                LiteralAddress(setup, expect);
                break;
        }
    }

    private static void AbsentReceiver(JsonElement setup, Expectations expect)
    {
        int port = FreePort();
        using var pipeline = new SyslogPipeline(options =>
        {
            VectorSettings.Apply(options, setup);
            options.Endpoint = new Uri($"udp://127.0.0.1:{port}");
        });
        int records = setup.IntOf("records");
        int before = setup.TextOf("receiver", null) == "none" ? records : 10;
        pipeline.Log(before);
        Assert.True(pipeline.Flush());
        using DatagramReceiver? receiver = before < records ? new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, port)) : null;
        pipeline.Log(records - before, before);
        Assert.True(pipeline.Flush());
        if (expect.Has("arrived"))
        {
            int wanted = expect.Take("arrived").GetInt32();
            Eventually.True(() => receiver!.Records.Count == wanted);
        }

        SinkStatus status = pipeline.AssertConservation(records);
        expect.Number("callerExceptions", 0);
        expect.Number("sent", status.Written);
        expect.Number("dropped", status.Dropped);
    }

    private static void NameThatDoesNotResolve(JsonElement setup, Expectations expect)
    {
        long began = Stopwatch.GetTimestamp();
        using var pipeline = new SyslogPipeline(options =>
        {
            VectorSettings.Apply(options, setup);
            options.Endpoint = new Uri($"udp://{setup.TextOf("host", null)}:514");
            options.ShutdownTimeout = TimeSpan.FromMilliseconds(200);
        });
        expect.Number("startDelayMs", Stopwatch.GetElapsedTime(began).TotalMilliseconds);
        int records = setup.IntOf("records");
        var calls = new TimeSpan[records];
        for (int i = 0; i < records; i++)
        {
            long call = Stopwatch.GetTimestamp();
            pipeline.Log(1, i);
            calls[i] = Stopwatch.GetElapsedTime(call);
        }

        Array.Sort(calls);
        expect.Number("callerP999Us", calls[records * 999 / 1000].TotalMicroseconds);
        pipeline.AssertConservation(records);
        expect.Take("enqueued");
        expect.DropReason(pipeline);
        Assert.All(pipeline.Sink.Thrown, static exception => Assert.Equal("dns", exception.ErrorType));
    }

    private static void Resolver(JsonElement setup, Expectations expect)
    {
        using var receiver = new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, 0));
        string[] answers = [.. setup.GetProperty("resolver").EnumerateArray().Select(static item => item.GetString()!)];
        var time = new FakeTimeProvider();
        var clock = new TransportClock(time);
        int lookups = 0;
        var lookup = new NameLookup("receiver.example", clock, _ =>
        {
            string answer = answers[Math.Min(Interlocked.Increment(ref lookups), answers.Length) - 1];
            return answer == "fail" ? throw new SocketException((int)SocketError.TryAgain) : [IPAddress.Parse(answer)];
        });
        using var pipeline = new SyslogPipeline(
            options =>
            {
                VectorSettings.Apply(options, setup);
                options.Endpoint = new Uri($"udp://receiver.example:{receiver.Port}");
            },
            (settings, layout, _, voice) => new DatagramTransport(
                settings, new UdpPath(lookup, new UdpSockets(clock), clock, voice), new RecordCutter(layout), new SequenceCounter(), clock, voice));
        int records = setup.IntOf("records");
        pipeline.Log(records / 2);
        Assert.True(pipeline.Flush());
        Eventually.True(() => Volatile.Read(ref lookups) >= answers.Length || pipeline.Status.QueueSize == 0);
        time.Advance(TimeSpan.FromMinutes(1));
        pipeline.Log(records - (records / 2), records / 2);
        Assert.True(pipeline.Flush());
        Eventually.True(() => Volatile.Read(ref lookups) >= answers.Length);
        Eventually.True(() => receiver.Records.Count >= records);
        expect.Number("arrived", receiver.Records.Count);
        Assert.Equal(
            Enumerable.Range(0, records).Select(SyslogPipeline.NameOf), receiver.Records.Select(static record => record[(record.LastIndexOf(' ') + 1)..]));
        expect.Text("order", "queued ones first");
    }

    private static void LiteralAddress(JsonElement setup, Expectations expect)
    {
        var address = IPAddress.Parse(setup.TextOf("host", null)!);
        Assert.SkipUnless(Socket.OSSupportsIPv6, "no IPv6 on this machine");
        using var receiver = new DatagramReceiver(new IPEndPoint(address, 0));
        using var pipeline = new SyslogPipeline(options =>
        {
            VectorSettings.Apply(options, setup);
            options.Endpoint = new Uri($"udp://[{address}]:{receiver.Port}");
        });
        pipeline.Log(setup.IntOf("records"));
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Records.Count >= setup.IntOf("records"));
        expect.Number("arrived", receiver.Records.Count);
        expect.Text("hostnameField", StrictRecord.Field(receiver.Records[0], 2));
    }

    private static void DefaultPort(JsonElement setup, Expectations expect)
    {
        int port = 0;
        using var pipeline = new SyslogPipeline(
            options => VectorSettings.Apply(options, setup),
            (settings, layout, clock, voice) =>
            {
                port = settings.Port;
                return SyslogSinkFactory.CreateTransport(settings, layout, clock, voice);
            });
        expect.Number("remotePort", port);
    }

    private static void RealDaemon(JsonElement setup, Expectations expect)
    {
        using RealReceiver receiver = RealReceiver.Start(setup.TextOf("receiver", null)!);
        using var pipeline = new SyslogPipeline(options =>
        {
            VectorSettings.Apply(options, setup);
            options.Endpoint = new Uri($"udp://127.0.0.1:{receiver.Port("udp")}");
        });
        int records = setup.IntOf("records");
        pipeline.Log(records);
        Assert.True(pipeline.Flush());
        pipeline.AssertConservation(records);
        Eventually.True(() => receiver.CountLines() >= records);
        expect.Number("arrived", receiver.CountLines());
        var numbers = receiver.Records().Select(static record => int.Parse(SequenceId().Match(record.GetProperty("sd_raw").GetString()!).Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture)).Order();
        expect.Number("sequenceGaps", numbers.Zip(Enumerable.Range(1, records)).Count(static pair => pair.First != pair.Second));
    }

    private static int FreePort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    [GeneratedRegex("""\[meta sequenceId="(\d+)"\]""")]
    private static partial Regex SequenceId();
}
