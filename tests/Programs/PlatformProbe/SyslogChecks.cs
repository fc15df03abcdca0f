using System.Text;
using AsyncLog.Tests;
using Microsoft.Extensions.Logging;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>Syslog over every transport.</summary>
internal static class SyslogChecks
{
    private const string Area = "syslog";

    public static readonly Check[] All =
    [
        new(Area, "over UDP each record is a datagram", Udp),
        new(Area, "a record has priority, version, time, host, application and process (RFC 5424)", Rfc5424),
        new(Area, "a record has the form of RFC 3164", Rfc3164),
        new(Area, "a datagram is no longer than MaxMessageSize", LongDatagram),
        new(Area, "over TCP each record has its length in front", OctetCounting),
        new(Area, "over TCP with line feeds each record is a line", LineFeed),
        new(Area, "records wait for a server that is not there yet", ServerLater),
        new(Area, "after a restart of the server every record arrives or is counted", ServerRestart),
        new(Area, "over TLS with an authority of one's own each record arrives", Tls, Need.Tls),
        new(Area, "over TLS nothing is sent to a server of another authority", TlsRefused, Need.Tls),
        new(Area, "at a local socket each record is a datagram", LocalSocket, Need.UnixDatagrams),
        new(Area, "a name is resolved", Name),
    ];

    private static async Task Udp(Ground ground)
    {
        using var receiver = new DatagramReceiver();
        await using var app = To(receiver.Endpoint);
        for (var first = 0; first < 500; first += 50)
        {
            app.Log(first, 50);
            await app.Flush();
        }

        await Eventually.Holds(() => receiver.Datagrams.Count == 500, () => $"{receiver.Datagrams.Count} datagrams");
        Expect.Lines(Messages(0, 500), receiver.Datagrams.Select(SpoolChecks.MessageOf));
    }

    private static async Task Rfc5424(Ground ground)
    {
        using var receiver = new DatagramReceiver();
        await using var app = Start("AsyncSyslog", ("Endpoint", receiver.Endpoint), ("AppName", "probe"), ("HostName", "host"));
        app.Logger.LogError("record {Number}.", 7);
        await app.Flush();
        await Eventually.Holds(() => receiver.Datagrams.Count == 1);
        var fields = receiver.Datagrams.Single().Split(' ');
        Expect.Equal("host", fields[2]);
        Expect.Equal("probe", fields[3]);
        Expect.Equal(FormattableString.Invariant($"{Environment.ProcessId}"), fields[4]);
        Expect.True(fields[0].EndsWith("3>1", StringComparison.Ordinal) || fields[0].EndsWith(">1", StringComparison.Ordinal), () => fields[0]);
        Expect.True(DateTimeOffset.TryParse(fields[1], System.Globalization.CultureInfo.InvariantCulture, out _), () => fields[1]);
        Expect.Contains("Number=\"7\"", receiver.Datagrams.Single());
    }

    private static async Task Rfc3164(Ground ground)
    {
        using var receiver = new DatagramReceiver();
        await using var app = Start("AsyncSyslog", ("Endpoint", receiver.Endpoint), ("Format", "Rfc3164"), ("AppName", "probe"), ("HostName", "host"));
        app.Log(0, 1);
        await app.Flush();
        await Eventually.Holds(() => receiver.Datagrams.Count == 1);
        var record = receiver.Datagrams.Single();
        Expect.Contains(" host probe", record);
        Expect.True(record.EndsWith("record 0.", StringComparison.Ordinal), () => record);
    }

    private static async Task LongDatagram(Ground ground)
    {
        using var receiver = new DatagramReceiver();
        await using var app = To(receiver.Endpoint, ("MaxMessageSize", "1024"));
        app.Logger.LogInformation("{Text}", new string('x', 5_000));
        await app.Flush();
        await Eventually.Holds(() => receiver.Datagrams.Count == 1);
        Expect.True(Encoding.UTF8.GetByteCount(receiver.Datagrams.Single()) is > 900 and <= 1_024, () => $"{receiver.Datagrams.Single().Length}");
        Expect.Equal(1, app.Status.Truncated);
    }

    private static async Task OctetCounting(Ground ground)
    {
        using var receiver = new StreamReceiver();
        await using var app = To($"tcp://127.0.0.1:{receiver.Port}");
        app.Log(0, 2_000);
        app.Logger.LogInformation("Grüße, 你好, 😀");
        await app.Flush();
        await Eventually.Holds(() => receiver.Frames.Count == 2_001, () => $"{receiver.Frames.Count} frames");
        Expect.Lines(Messages(0, 2_000), receiver.Frames.Take(2_000).Select(SpoolChecks.MessageOf));
        Expect.Contains("Grüße, 你好, 😀", receiver.Frames[^1]);
    }

    private static async Task LineFeed(Ground ground)
    {
        using var receiver = new StreamReceiver();
        await using var app = To($"tcp://127.0.0.1:{receiver.Port}", ("Framing", "LineFeed"));
        app.Log(0, 500);
        await app.Flush();
        await Eventually.Holds(() => Ground.LinesOf(receiver.Bytes).Length == 500);
        Expect.Lines(Messages(0, 500), Ground.LinesOf(receiver.Bytes).Select(SpoolChecks.MessageOf));
        Expect.Equal((byte)'\n', receiver.Bytes[^1]);
    }

    private static async Task ServerLater(Ground ground)
    {
        var port = StreamReceiver.ClosedPort;
        await using var app = To($"tcp://127.0.0.1:{port}");
        app.Log(0, 100);
        await Eventually.Holds(() => app.Status.LastErrorType is not null);
        Expect.Equal("refused", app.Status.LastErrorType);
        using var receiver = new StreamReceiver(port);
        await app.Flush();
        await Eventually.Holds(() => receiver.Frames.Count == 100, () => $"{receiver.Frames.Count} frames");
        Expect.Lines(Messages(0, 100), receiver.Frames.Select(SpoolChecks.MessageOf));
    }

    private static async Task ServerRestart(Ground ground)
    {
        var first = new StreamReceiver();
        await using var app = To($"tcp://127.0.0.1:{first.Port}");
        app.Log(0, 100);
        await app.Flush();
        await Eventually.Holds(() => first.Frames.Count == 100);
        first.Dispose();
        using var second = new StreamReceiver(first.Port);
        var next = 100;
        await Eventually.Holds(() =>
        {
            app.Log(next++, 1);
            return second.Frames.Count > 0;
        });
        await app.Flush();
        await Eventually.Holds(() => second.Frames.Count > 0 && SpoolChecks.MessageOf(second.Frames[^1]) == $"record {next - 1}.");
        var missing = Messages(100, next - 100).Except(second.Frames.Select(SpoolChecks.MessageOf)).Count();
        Expect.True(missing <= app.Status.Uncertain, () => $"{missing} missing, {app.Status.Uncertain} uncertain");
    }

    private static async Task Tls(Ground ground)
    {
        using var authority = new Authority(ground.Folder);
        using var receiver = new StreamReceiver(authority: authority);
        await using var app = To($"tls://localhost:{receiver.Port}", ("Tls:CaFile", authority.RootFile));
        app.Log(0, 500);
        await app.Flush();
        await Eventually.Holds(() => receiver.Frames.Count == 500, () => $"{receiver.Frames.Count} frames, {app.Status.LastErrorType}");
        Expect.Lines(Messages(0, 500), receiver.Frames.Select(SpoolChecks.MessageOf));
    }

    private static async Task TlsRefused(Ground ground)
    {
        using var authority = new Authority(ground.Folder);
        Directory.CreateDirectory(ground.File("other"));
        using var other = new Authority(ground.File("other"));
        using var receiver = new StreamReceiver(authority: authority);
        await using var app = To($"tls://localhost:{receiver.Port}", ("Tls:CaFile", other.RootFile), ("ShutdownTimeout", "0s"));
        app.Log(0, 1);
        await Eventually.Holds(() => app.Status.LastErrorType?.StartsWith("tls", StringComparison.Ordinal) == true, () => $"{app.Status.LastErrorType}");
        Expect.Equal(0, receiver.Bytes.Length);
    }

    private static async Task LocalSocket(Ground ground)
    {
        using var receiver = new DatagramReceiver(ground.File("log"));
        await using var app = To("unix://" + ground.File("log"));
        app.Log(0, 100);
        await app.Flush();
        await Eventually.Holds(() => receiver.Datagrams.Count == 100, () => $"{receiver.Datagrams.Count} datagrams");
        Expect.Lines(Messages(0, 100), receiver.Datagrams.Select(SpoolChecks.MessageOf));
    }

    private static async Task Name(Ground ground)
    {
        using var receiver = new StreamReceiver();
        await using var app = To($"tcp://localhost:{receiver.Port}");
        app.Log(0, 10);
        await app.Flush();
        await Eventually.Holds(() => receiver.Frames.Count == 10);
    }

    private static Application To(string endpoint, params ReadOnlySpan<(string Key, string Value)> options) =>
        Start("AsyncSyslog", [("Endpoint", endpoint), ("ReconnectDelay", "100ms"), ("ShutdownTimeout", "2s"), ("StructuredData", "false"), .. options]);
}
