using System.Text;
using AsyncLog.Tests.Formatting;
using AsyncLog.Tests.Transport;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Receivers;

/// <summary>The receivers' configurations of docs/receivers.md: real ones run them, and what is in their files is what was sent.</summary>
[Trait("Category", "system")]
public sealed class ReceiversPageTests
{
    [Theory]
    [InlineData("rsyslog")]
    [InlineData("syslog-ng")]
    public void A_receiver_with_the_configuration_of_the_page_writes_what_was_sent(string kind)
    {
        string snippet = Path.GetTempFileName();
        try
        {
            File.WriteAllText(snippet, Snippet(kind));
            using RealReceiver receiver = RealReceiver.Start(kind, ("RECEIVER_SNIPPET", snippet));
            string[] transports = ["udp", "tcp", "tls"];
            foreach (string transport in transports)
                Send(receiver, transport);
            Eventually.True(() => receiver.CountLines() == transports.Length, pollMilliseconds: 50);
            var records = File.ReadLines(receiver.Output).Select(static line => Rfc5424Parser.Parse(Encoding.UTF8.GetBytes(line)));
            Assert.Equal(transports, records.Select(Check));
        }
        finally
        {
            File.Delete(snippet);
        }
    }

    // In order: the next one goes out when the one before is there.
    private static void Send(RealReceiver receiver, string transport)
    {
        int before = receiver.CountLines();
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri($"{transport}://localhost:{receiver.Port(transport)}");
            options.Tls.CaFile = transport == "tls" ? Path.Combine(receiver.Certificates, "ca.pem") : null;
        });
        pipeline.Logger.LogWarning(new EventId(7, "Paid"), "Over {Transport}: \"quoted\" [and] more", transport);
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.CountLines() == before + 1, pollMilliseconds: 50);
    }

    private static string Check(ParsedRecord record)
    {
        Assert.Equal((12, "host-1", "shop", "4242", "Paid"), (record.Pri, record.HostName, record.AppName, record.ProcId, record.MsgId));
        string transport = record.Value("prop@32473", "Transport")!;
        Assert.Equal("Shop.Cart", record.Value("log@32473", "category"));
        Assert.Equal($"Over {transport}: \"quoted\" [and] more", record.Message);
        return transport;
    }

    // What stands in the fence that is called after the receiver.
    private static string Snippet(string kind)
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "receivers.md"));
        string[] parts = page.Split($"```{kind}\n");
        Assert.Equal(2, parts.Length);
        return parts[1][..parts[1].IndexOf("```", StringComparison.Ordinal)];
    }
}
