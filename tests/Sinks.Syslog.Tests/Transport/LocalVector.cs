using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Transport.Datagram;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Transport;

/// <summary>Vectors over local sockets.</summary>
internal static class LocalVector
{
    public static void Run(JsonElement setup, Expectations expect)
    {
        string path = Path.Combine(Directory.CreateTempSubdirectory("alu-").FullName, "log");
        bool isStream = setup.TextOf("transport", null) == "unixStream";
        bool isLate = setup.TextOf("receiver", null) == "after 10 records";
        int records = setup.IntOf("records");
        using var lines = isStream ? new StreamReceiver(endPoint: new UnixDomainSocketEndPoint(path)) : null;
        using var pipeline = new SyslogPipeline(options =>
        {
            VectorSettings.Apply(options, setup);
            options.Endpoint = new Uri($"unix://{path}");
        });
        int before = isLate ? 10 : records;
        pipeline.Log(before);
        if (isLate)
            Eventually.True(() => pipeline.Sink.Thrown.Count > 1);
        using var datagrams = isStream ? null : new DatagramReceiver(new UnixDomainSocketEndPoint(path));
        pipeline.Log(records - before, before);
        Assert.True(pipeline.Flush());
        Eventually.True(() => Received(lines, datagrams).Length == records);
        string[] received = Received(lines, datagrams);
        expect.Number("arrived", received.Length);
        expect.AtLeast("arrivedAtLeast", received.Length);
        expect.Number("reports", pipeline.ReportedConditions);
        expect.Number("callerExceptions", 0);
        for (int i = 0; i < records; i++)
            Assert.Matches($@"^<14>[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d shop\[4242\]: {SyslogPipeline.NameOf(i)}$", received[i]);
        pipeline.AssertConservation(records);
        Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
    }

    private static string[] Received(StreamReceiver? lines, DatagramReceiver? datagrams) => lines is not null
        ? Encoding.UTF8.GetString([.. lines.Connections.SelectMany(static connection => connection.Bytes)]).Split('\n', StringSplitOptions.RemoveEmptyEntries)
        : [.. datagrams!.Records];
}
