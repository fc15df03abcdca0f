using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Survival;

[Trait("Category", "system")]
public sealed partial class SpoolTests
{
    private const int PerSecond = 5_000;

    // In memory: less than two seconds of records. A caller waits where a busy machine keeps the spool from moving them in time.
    private const string Memory = "2MB";

    [Fact]
    public async Task A_real_rsyslogd_that_is_away_while_the_application_restarts_gets_every_record_in_order()
    {
        // Of ten minutes away in a release run.
        var awaySeconds = ReleaseRun.Count(8, 600);
        using var folder = new TempFolder();
        using var daemon = RealReceiver.Start("rsyslog");
        var records = awaySeconds * PerSecond / 2;
        using var first = Write(folder, daemon, 0, records);
        await Eventually.Holds(() => daemon.CountLines() > 100, () => "nothing arrives: " + first.Printed);
        daemon.Stop();
        var stopped = Stopwatch.GetTimestamp();
        await Logged(first, records);
        // At most: the first reading behind the stop.
        var loggedBefore = first.Output.Select(static line => Reading().Match(line))
            .Where(match => match.Success && long.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture) >= stopped)
            .Select(static match => int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture)).FirstOrDefault(records);
        var uncertain = await End(first, "uncertain");
        using var second = Write(folder, daemon, records, records);
        await Logged(second, records);
        daemon.Restart();
        await Eventually.Holds(() => Files(folder).Length == 0, () => "not everything is sent: " + second.Printed, TimeSpan.FromMinutes(3));
        Assert.Equal(0, await End(second, "dropped"));
        await Eventually.Holds(() => daemon.CountLines() + uncertain >= 2 * records, () => $"{daemon.CountLines()} of {2 * records} arrived, {uncertain} uncertain: {second.Printed}");

        // TCP has no answer of the receiver: what rsyslogd had not read when it ended is uncertain, and counted so. What it may have read is sent again, and the one
        // file that a restart found in flight.
        var numbers = Numbers(daemon);
        Assert.Equal(numbers.Order().Distinct(), numbers.Distinct());
        var missing = Enumerable.Range(0, 2 * records).Except(numbers).ToList();
        Assert.InRange(missing.Count, 0, uncertain);
        Assert.DoesNotContain(missing, number => number >= loggedBefore);
        Assert.InRange(numbers.Count - numbers.Distinct().Count(), 0, 2_000);
    }

    [Fact]
    public async Task Of_what_was_on_the_disk_when_a_process_was_killed_nothing_is_missing()
    {
        const int records = 6_000;
        var kills = ReleaseRun.Count(8, 500);
        var random = new Random(7);
        using var folder = new TempFolder();
        await using var receiver = new Receiver();
        var saved = new HashSet<int>();
        for (var kill = 0; kill < kills; kill++)
        {
            using (var away = Write(folder, Receiver.ClosedPort, kill * records, records))
            {
                var files = random.Next(1, 8);
                await Eventually.Holds(() => Files(folder).Length >= files, () => "nothing is spooled: " + away.Printed);
                away.Signal("KILL");
                await away.Ended();
            }

            saved.UnionWith(Files(folder).SelectMany(static file => NumbersIn(File.ReadAllText(file, Encoding.Latin1))));
            using var sending = Write(folder, receiver.Port, 0, 0);
            var arrived = receiver.Count + random.Next(1, 2_000);
            await Eventually.Holds(() => receiver.Count >= arrived || Files(folder).Length == 0, () => "nothing is sent: " + sending.Printed);
            sending.Signal("KILL");
            await sending.Ended();
        }

        using var last = Write(folder, receiver.Port, 0, 0);
        await Eventually.Holds(() => Files(folder).Length == 0, () => "not everything is sent: " + last.Printed);
        await End(last, "written");
        var numbers = receiver.Numbers;
        Assert.NotEmpty(saved);
        Assert.Superset(saved, numbers.ToHashSet());

        // A file has 64 KB of records of 150 bytes and more: of those in flight at a kill each is sent again.
        Assert.InRange(numbers.Count - numbers.Distinct().Count(), 0, kills * 450);
    }

    [Fact]
    public async Task An_OTLP_collector_that_comes_back_after_a_restart_gets_every_record_once_and_in_order()
    {
        // Of ten minutes away in a release run.
        var records = ReleaseRun.Count(8, 600) * PerSecond / 2;
        using var folder = new TempFolder();
        var port = Ports.Free();
        using (var first = Export(folder, port, 0, records))
        {
            await Logged(first, records);
            Assert.Equal(0, await End(first, "dropped"));
        }

        using var second = Export(folder, port, records, records);
        await Logged(second, records);
        await using var collector = await OtlpReceiver.StartAsync(port);
        await Eventually.Holds(() => Files(folder).Length == 0, () => "not everything is sent: " + second.Printed, TimeSpan.FromMinutes(3));
        Assert.Equal(0, await End(second, "dropped"));
        Assert.Equal(Enumerable.Range(0, 2 * records), collector.Requests.SelectMany(NumbersIn));
    }

    [Fact]
    public async Task What_the_tool_lists_exports_and_verifies_is_what_is_sent_later()
    {
        using var folder = new TempFolder();
        using (var away = Write(folder, Receiver.ClosedPort, 0, 3_000))
        {
            await Logged(away, 3_000);
            await End(away, "spooled");
        }

        var (listed, list) = await Tool(folder, "list");
        Assert.Matches(@"^syslog-default: \d+ files, 3000 records \(Information 3000\), \d+ bytes, .+Z to .+Z$", Assert.Single(list));
        var (exported, export) = await Tool(folder, "export");
        Assert.Equal(Enumerable.Range(0, 3_000), export.SelectMany(NumbersIn));
        var (_, json) = await Tool(folder, "export", "--json");
        var first = JsonDocument.Parse(json.First()).RootElement;
        Assert.Equal(("Information", "NetworkWriter"), (first.GetProperty("level").GetString(), first.GetProperty("category").GetString()));
        Assert.Equal([0], NumbersIn(first.GetProperty("text").GetString()!));
        var (verified, verify) = await Tool(folder, "verify");
        Assert.EndsWith(" files, 3000 whole records, 0 damaged", Assert.Single(verify), StringComparison.Ordinal);
        Assert.Equal((0, 0, 0), (listed, exported, verified));

        await using var receiver = new Receiver();
        using var last = Write(folder, receiver.Port, 0, 0);
        await Eventually.Holds(() => Files(folder).Length == 0, () => "not everything is sent: " + last.Printed);
        await End(last, "written");
        Assert.Equal(Enumerable.Range(0, 3_000), receiver.Numbers);
    }

    [Fact]
    public async Task The_tool_finds_a_damaged_record_and_ends_with_1()
    {
        using var folder = new TempFolder();
        using (var away = Write(folder, Receiver.ClosedPort, 0, 100))
        {
            await Logged(away, 100);
            await End(away, "spooled");
        }

        // The names begin with the place of a file: it has the last record.
        var path = Files(folder).Order(StringComparer.Ordinal).Last();
        var content = await File.ReadAllBytesAsync(path, TestContext.Current.CancellationToken);
        content[^10] ^= 1;
        await File.WriteAllBytesAsync(path, content, TestContext.Current.CancellationToken);
        var (code, verify) = await Tool(folder, "verify");
        Assert.Equal(1, code);
        Assert.EndsWith(" 99 whole records, 1 damaged", Assert.Single(verify), StringComparison.Ordinal);
        var (_, export) = await Tool(folder, "export");
        // The last byte but nine is one of the last record.
        Assert.Equal(Enumerable.Range(0, 99), export.SelectMany(NumbersIn));
        Assert.Equal(2, (await Tool(folder, "lift")).Code);
    }

    private static async Task<(int Code, IReadOnlyCollection<string> Lines)> Tool(TempFolder folder, string verb, params string[] options)
    {
        using var tool = new ChildProgram("dotnet", [Path.Combine(Repository.Tool, "AsyncLog.Tool.dll"), "spool", verb, folder.File("spool"), .. options], folder.Path);
        var code = await tool.Ended();
        return (code, tool.Output);
    }

    private static string[] Files(TempFolder folder)
        => Directory.Exists(folder.File("spool")) ? Directory.GetFiles(folder.File("spool"), "*.seg", SearchOption.AllDirectories) : [];

    private static ChildProgram Write(TempFolder folder, RealReceiver daemon, int first, int records) => Write(folder, daemon.Port("tcp"), first, records);

    private static ChildProgram Write(TempFolder folder, int port, int first, int records) => new(
        "dotnet",
        [
            Path.Combine(Repository.TestProgram("NetworkWriter"), "NetworkWriter.dll"), Text(first), Text(records), Text(PerSecond),
            $"AsyncSyslog:Endpoint=tcp://127.0.0.1:{port}", "AsyncSyslog:SpoolPath=" + folder.File("spool"), "AsyncSyslog:SpoolSizeLimit=6GB",
            "AsyncSyslog:MaxQueueMemory=" + Memory, "AsyncSyslog:QueueFullMode=Wait", "AsyncSyslog:WaitTimeout=1m", "AsyncSyslog:ShutdownTimeout=20s",
        ],
        folder.Path);

    private static ChildProgram Export(TempFolder folder, int port, int first, int records) => new(
        "dotnet",
        [
            Path.Combine(Repository.TestProgram("NetworkWriter"), "NetworkWriter.dll"), Text(first), Text(records), Text(PerSecond), $"AsyncOtlp:Endpoint=http://127.0.0.1:{port}",
            "AsyncOtlp:SpoolPath=" + folder.File("spool"), "AsyncOtlp:SpoolSizeLimit=6GB",
            "AsyncOtlp:MaxQueueMemory=" + Memory, "AsyncOtlp:QueueFullMode=Wait", "AsyncOtlp:WaitTimeout=1m", "AsyncOtlp:ShutdownTimeout=20s",
        ],
        folder.Path);

    private static Task Logged(ChildProgram writer, int records)
        => Eventually.Holds(() => writer.Output.Contains($"logged: {records}"), () => "it does not log: " + writer.Printed, TimeSpan.FromMinutes(12));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static List<int> Numbers(RealReceiver daemon) => [.. daemon.Records().SelectMany(static record => NumbersIn(record.GetProperty("msg").GetString()!))];

    private static IEnumerable<int> NumbersIn(string text) => Number().Matches(text).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));

    private static async Task<int> End(ChildProgram writer, string count)
    {
        writer.Say("end");
        Assert.Equal(0, await writer.Ended());
        var line = writer.Output.Last(static line => line.StartsWith("written: ", StringComparison.Ordinal)).Split(' ');
        return int.Parse(line[Array.IndexOf(line, count + ":") + 1], CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"^at (\d+) (\d+)$")]
    private static partial Regex Reading();

    [GeneratedRegex(@"<(\d+) x+>")]
    private static partial Regex Number();

    /// <summary>Takes what is sent to a port.</summary>
    private sealed class Receiver : IAsyncDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly List<List<byte>> _connections = [];
        private readonly Task _accepting;

        public Receiver()
        {
            _listener.Start();
            _accepting = Accept();
        }

        /// <summary>No program listens on it.</summary>
        public static int ClosedPort => 1;

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public int Count => Numbers.Count;

        public List<int> Numbers
        {
            get
            {
                lock (_connections)
                    return [.. _connections.SelectMany(static bytes => NumbersIn(Encoding.Latin1.GetString(CollectionsMarshal.AsSpan(bytes))))];
            }
        }

        public async ValueTask DisposeAsync()
        {
            _listener.Dispose();
            await _accepting;
        }

        private async Task Accept()
        {
            var reading = new List<Task>();
            try
            {
                while (true)
                    reading.Add(Read(await _listener.AcceptTcpClientAsync()));
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                await Task.WhenAll(reading);
            }
        }

        private async Task Read(TcpClient client)
        {
            using var own = client;
            var buffer = new byte[1 << 16];
            var bytes = new List<byte>();
            lock (_connections)
                _connections.Add(bytes);
            try
            {
                for (int read; (read = await client.GetStream().ReadAsync(buffer)) > 0;)
                {
                    lock (_connections)
                        bytes.AddRange(buffer.AsSpan(0, read));
                }
            }
            catch (IOException)
            {
                // The sender was killed.
            }
        }
    }
}
