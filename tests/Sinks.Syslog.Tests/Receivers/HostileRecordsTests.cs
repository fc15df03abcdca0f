using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Formatting;
using AsyncLog.Tests.Vectors;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Receivers;

/// <summary>Hostile records reach real receivers: every one is parsed, every field is what the rules give, none is missing, none is merged.</summary>
[Trait("Category", "system")]
public sealed class HostileRecordsTests
{
    private const int Threads = 8;
    private const int PerThread = 1250;
    private const int Large = 1 << 20;

    [Theory]
    [InlineData("rsyslog", "tcp")]
    [InlineData("rsyslog", "tls")]
    [InlineData("syslog-ng", "tcp")]
    [InlineData("syslog-ng", "tls")]
    public void Records_of_8_threads_arrive_whole(string kind, string transport)
    {
        using RealReceiver receiver = RealReceiver.Start(kind);
        HostileCall[] calls = [.. HostileCall.All.Sample(Threads * PerThread, 20).Select(Distinct)];
        var clock = new VectorClock();
        var options = new AsyncSyslogLoggerOptions();
        Configure(options, receiver, transport);
        var expected = calls.Select(call => Encoding.UTF8.GetString(new ReferenceRecord(call, options).Render())).ToDictionary(IdOf, StringComparer.Ordinal);
        Assert.Equal(calls.Length, expected.Count);

        using (var sender = new SyslogHarness(o => Configure(o, receiver, transport), clock, static (options, context) => new SyslogSink(options, context)))
        {
            Parallel.For(0, Threads, new ParallelOptions { MaxDegreeOfParallelism = Threads }, thread =>
            {
                for (int i = 0; i < PerThread; i++)
                    HostileCallTests.Log(calls[(thread * PerThread) + i], sender);
            });
            Assert.True(sender.Flush());
            SinkStatus status = sender.Status;
            Assert.Equal((calls.Length, 0L, 0L), (status.Written, status.Dropped, status.Uncertain));
            Eventually.True(() => receiver.CountLines() >= calls.Length, pollMilliseconds: 100);
        }

        List<JsonElement> records = receiver.Records();
        Assert.Equal(calls.Length, records.Count);
        foreach (JsonElement record in records)
        {
            string raw = record.GetProperty("raw").GetString()!;
            Assert.True(expected.Remove(IdOf(raw), out string? wanted), raw);
            Assert.Equal(wanted, raw);
            ReceivedRecord.AssertParsed(kind, record, Rfc5424Parser.Parse(Encoding.UTF8.GetBytes(wanted)));
        }

        Assert.Empty(expected);
    }

    // An event id of its own makes each record recognizable; some have texts that no limit lets through.
    private static HostileCall Distinct(HostileCall call, int index) => call with
    {
        EventId = index + 1,
        EventName = $"e{index + 1}",
        Message = index % 2500 == 0 ? new string('M', Large) + call.Message : call.Message,
        State = index % 2500 == 1 ? [KeyValuePair.Create("large", (object?)new string('\n', Large)), .. call.State] : call.State,
    };

    // The field MSGID.
    private static string IdOf(string record) => record.Split(' ', 7)[5];

    private static void Configure(AsyncSyslogLoggerOptions options, RealReceiver receiver, string transport)
    {
        VectorOptions.Set(options, null);
        options.MaxMessageSize = 8096;
        options.Endpoint = new Uri($"{transport}://localhost:{receiver.Port(transport)}");
        if (transport == "tls")
            options.Tls.CaFile = Path.Combine(receiver.Certificates, "ca.pem");
    }
}
