using System.Text;
using System.Text.RegularExpressions;
using AsyncLog.Tests;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>Records that survive the process: the spool and the crash buffer.</summary>
internal static partial class SpoolChecks
{
    private const string Area = "spool";
    private const string Spool = "spool";

    public static readonly Check[] All =
    [
        new(Area, "what a server did not take is on the disk and is sent after the next start", Restart),
        new(Area, "what was on the disk when a process was killed is sent", Killed),
        new(Area, "of a damaged file the records are counted and the others sent", Damaged),
        new(Area, "two processes keep their records in one SpoolPath", Shared),
        new(Area, "with FlushToDisk everything is sent", FlushToDisk),
        new(Area, "records above SpoolSizeLimit are counted", Limit),
        new(Area, "the directory is for its user only", Modes, Need.Unix),
        new("crash buffer", "what waited when a process was killed is sent after the next start", CrashBuffer, Need.CrashBuffer),
        new("crash buffer", "where there is none, it is said and logging goes on", NoCrashBuffer, Need.NoCrashBuffer),
    ];

    private static async Task Restart(Ground ground)
    {
        await Leave(ground, 0, 200);
        Expect.True(Files(ground).Length > 0);
        await Send(ground, Messages(0, 200));
    }

    private static async Task Killed(Ground ground)
    {
        using (var child = new Child("stay", 20_000, [.. Options(ground, StreamReceiver.ClosedPort).Select(static option => ("Logging:AsyncSyslog:" + option.Key, option.Value))]))
        {
            await Eventually.Holds(() => Files(ground).Length >= 3);
            await child.Kill();
        }

        var saved = Files(ground).SelectMany(static file => RecordPattern().Matches(Encoding.Latin1.GetString(File.ReadAllBytes(file)))).Select(static match => match.Value).ToHashSet();
        Expect.True(saved.Count > 100);
        using var receiver = new StreamReceiver();
        await using var app = To(ground, receiver.Port);
        await Eventually.Holds(() => Files(ground).Length == 0);
        await app.Flush();
        await Eventually.Holds(() => saved.IsSubsetOf(receiver.Frames.Select(MessageOf)), () => $"{receiver.Frames.Count} of {saved.Count}");
    }

    private static async Task Damaged(Ground ground)
    {
        await Leave(ground, 0, 200);
        var file = Files(ground).Order(StringComparer.Ordinal).First();
        var bytes = await File.ReadAllBytesAsync(file);
        await File.WriteAllBytesAsync(file, bytes[..^20]);
        using var receiver = new StreamReceiver();
        await using var app = To(ground, receiver.Port);
        await Eventually.Holds(() => Files(ground).Length == 0);
        await app.Flush();
        var lost = app.Status.Drops.Where(static drop => drop.Reason == DropReason.SpoolCorrupt).Sum(static drop => drop.Count);
        Expect.True(lost is > 0 and < 200, () => $"{lost}");
        await Eventually.Holds(() => receiver.Frames.Count + lost == 200, () => $"{receiver.Frames.Count} sent, {lost} lost");
        var arrived = receiver.Frames.Select(MessageOf).ToHashSet();
        Expect.Lines(Messages(0, 200).Where(arrived.Contains), receiver.Frames.Select(MessageOf));
    }

    private static async Task Shared(Ground ground)
    {
        await using (var first = To(ground, StreamReceiver.ClosedPort))
        {
            first.Log(0, 100);
            using var child = new Child("dispose", 100, [.. Options(ground, StreamReceiver.ClosedPort).Select(static option => ("Logging:AsyncSyslog:" + option.Key, option.Value))]).Listen();
            Expect.Equal(0, await child.Ended());
        }

        using var receiver = new StreamReceiver();
        await using var app = To(ground, receiver.Port);
        await Eventually.Holds(() => Files(ground).Length == 0 && receiver.Frames.Count == 200, () => $"{receiver.Frames.Count} sent, {Files(ground).Length} files");
        Expect.Lines(Messages(0, 100).Concat(Messages(0, 100)).Order(StringComparer.Ordinal), receiver.Frames.Select(MessageOf).Order(StringComparer.Ordinal));
    }

    private static async Task FlushToDisk(Ground ground)
    {
        await Leave(ground, 0, 200, ("SpoolDurability", "FlushToDisk"));
        await Send(ground, Messages(0, 200));
    }

    private static async Task Limit(Ground ground)
    {
        const int records = 5_000;
        var text = new string('x', 4_000);
        await using var app = Start("AsyncSyslog", [.. Options(ground, StreamReceiver.ClosedPort), ("SpoolSizeLimit", "8MB"), ("QueueFullMode", "Wait"), ("WaitTimeout", "30s")]);
        for (var number = 0; number < records; number++)
            Microsoft.Extensions.Logging.LoggerExtensions.LogInformation(app.Logger, "record {Number}. {Text}", number, text);
        await Eventually.Holds(() => app.Status.Drops.Any(static drop => drop.Reason == DropReason.SpoolFull), () => $"{app.Status.SpooledBytes} bytes");
        var status = app.Status;
        Expect.True(status.SpooledBytes <= 8 << 20, () => $"{status.SpooledBytes} bytes");
        Expect.Equal(records, status.Dropped + status.Spooled + status.QueueSize + status.InFlight);
    }

    private static async Task Modes(Ground ground)
    {
        await Leave(ground, 0, 1);
        if (!OperatingSystem.IsWindows())
            Expect.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(ground.File(Spool)));
    }

    private static async Task CrashBuffer(Ground ground)
    {
        const string directory = "/dev/shm/asynclog-probe";
        try
        {
            (string Key, string Value)[] Options(int port) => [("Endpoint", $"tcp://127.0.0.1:{port}"), ("CrashBuffer", "true"), ("MaxQueueMemory", "1MB"), ("ShutdownTimeout", "1s")];
            (string, string) path = (":AsyncLog:CrashBufferPath", directory);
            using (var child = new Child("stay", 300, [("AsyncLog:CrashBufferPath", directory), .. Options(StreamReceiver.ClosedPort).Select(static option => ("Logging:AsyncSyslog:" + option.Key, option.Value))]).Listen())
            {
                await Eventually.Holds(() => child.Output.Contains("ready"), () => child.Printed);
                await child.Kill();
            }

            using var receiver = new StreamReceiver();
            await using var app = Start("AsyncSyslog", [path, .. Options(receiver.Port)]);
            await Eventually.Holds(() => receiver.Frames.Count >= 300, () => $"{receiver.Frames.Count} sent, {app.Status.Recovered} recovered");
            // A notice may follow.
            Expect.Lines(Messages(0, 300), receiver.Frames.Select(MessageOf).Where(static message => message.Length > 0));
            Expect.Equal(300, app.Status.Recovered);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static async Task NoCrashBuffer(Ground ground)
    {
        using var child = new Child(
            "dispose", 10, ("Logging:AsyncFile:Path", ground.File("app.log")), ("Logging:AsyncFile:Template", "{Message}{NewLine}"), ("Logging:AsyncFile:CrashBuffer", "true"),
            ("AsyncLog:SelfReportLevel", "Warning")).Listen();
        Expect.Equal(0, await child.Ended());
        Expect.Contains("CrashBuffer 'true' has no effect here", child.Printed);
        Expect.Lines(Messages(0, 10), ground.Lines("app.log"));
    }

    /// <summary>The message in a record of syslog.</summary>
    public static string MessageOf(string record) => RecordPattern().Match(record).Value;

    private static (string Key, string Value)[] Options(Ground ground, int port) =>
    [
        ("Endpoint", $"tcp://127.0.0.1:{port}"), ("SpoolPath", ground.File(Spool)), ("ShutdownTimeout", "1s"), ("MaxQueueMemory", "256KB"), ("StructuredData", "false"),
        ("ReconnectDelay", "100ms"), ("QueueFullMode", "Wait"), ("WaitTimeout", "30s"), ("GapNotices", "false"),
    ];

    private static Application To(Ground ground, int port, params ReadOnlySpan<(string Key, string Value)> options) => Start("AsyncSyslog", [.. Options(ground, port), .. options]);

    private static async Task Leave(Ground ground, int first, int count, params (string Key, string Value)[] options)
    {
        await using var app = To(ground, StreamReceiver.ClosedPort, options);
        app.Log(first, count);
    }

    private static async Task Send(Ground ground, IEnumerable<string> messages)
    {
        using var receiver = new StreamReceiver();
        await using var app = To(ground, receiver.Port);
        await Eventually.Holds(() => Files(ground).Length == 0, () => $"{receiver.Frames.Count} sent");
        await app.Flush();
        var expected = messages.ToList();
        await Eventually.Holds(() => receiver.Frames.Count >= expected.Count, () => $"{receiver.Frames.Count} sent");
        Expect.Lines(expected, receiver.Frames.Select(MessageOf));
    }

    private static string[] Files(Ground ground) => Directory.Exists(ground.File(Spool)) ? Directory.GetFiles(ground.File(Spool), "*.seg", SearchOption.AllDirectories) : [];

    [GeneratedRegex(@"record \d+\.")]
    private static partial Regex RecordPattern();
}
