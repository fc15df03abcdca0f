using System.Net;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Transport.Datagram;

namespace AsyncLog.Tests.Transport;

/// <summary>Vectors that say what each send of a UDP socket answers.</summary>
internal static class FakeSocketVector
{
    public static void Run(JsonElement setup, Expectations expect)
    {
        var time = new FakeTimeProvider();
        var clock = new TransportClock(time);
        int records = setup.IntOf("records", 1);
        int lookups = 0;
        TimeSpan step = TimeSpan.FromMilliseconds((double)setup.IntOf("spreadMs") / records);
        var sockets = new FakeUdpSockets(setup.GetProperty("fakeSocket").EnumerateArray().Select(static item => item.GetString()!), clock)
        {
            Waiting = time.Advance,
            Sending = () => time.Advance(step),
        };
        var lookup = new NameLookup("receiver.example", clock, _ =>
        {
            Interlocked.Increment(ref lookups);
            return [IPAddress.Loopback];
        });
        using var pipeline = new SyslogPipeline(
            options => VectorSettings.Apply(options, setup),
            (settings, layout, _, voice) => new DatagramTransport(
                settings, new UdpPath(lookup, sockets, clock, voice), new RecordCutter(layout), new SequenceCounter(), clock, voice));
        pipeline.Log(records, length: setup.IntOf("messageBytes"));
        Task<bool> flush = Task.Run(() => pipeline.Flush());
        bool hasPauses = setup.GetProperty("fakeSocket").EnumerateArray().Any(static item => item.GetString() == "NoBufferSpaceAvailable");
        Eventually.True(() => flush.IsCompleted, () => time.Advance(TimeSpan.FromMilliseconds(hasPauses ? 1 : 0)));

        SinkStatus status = pipeline.AssertConservation(records);
        expect.Number("sends", sockets.Sends.Count);
        expect.Number("sent", status.Written);
        expect.Number("dropped", status.DroppedAfter);
        expect.Number("truncated", sockets.Taken.Count(static datagram => Encoding.UTF8.GetString(datagram).EndsWith("...", StringComparison.Ordinal)));
        expect.AtMost("secondSendMaxBytes", sockets.Sends.ElementAtOrDefault(1)?.Length ?? 0);
        expect.Flag("parsesStrictly", sockets.Sends.All(static datagram => StrictRecord.Parses(datagram)));
        expect.Number("reports", pipeline.ReportedConditions);
        expect.Flag("callerBlocked", status.CallerWait > TimeSpan.Zero);
        expect.DropReason(pipeline);
        foreach (string errorClass in expect.Texts("errorClasses"))
            Assert.Contains(errorClass, status.Errors.Keys);
        if (expect.Has("waitPerRecordMs"))
            Assert.All(sockets.Waits, wait => Assert.Equal(expect.Take("waitPerRecordMs").GetDouble(), wait.TotalMilliseconds));
        if (expect.Has("resolves"))
        {
            int wanted = expect.Take("resolves").GetInt32();
            Eventually.True(() => Volatile.Read(ref lookups) == wanted);
        }
    }
}
