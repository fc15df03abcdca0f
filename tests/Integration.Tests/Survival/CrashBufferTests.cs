using System.Globalization;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Survival;

/// <summary>Real processes that are killed with a crash buffer, in files: each record whose <c>Log</c> returned is there once.</summary>
[Trait("Category", "slow")]
public sealed partial class CrashBufferTests
{
    private const int Threads = 4;

    // Numbers of one process; the next one begins behind them.
    private const long PerProcess = 100_000_000;

    // In one folder, so that files stay few.
    private const int KillsInARow = 25;
    private static readonly int Kills = ReleaseRun.Count(38, 964);

    [Fact]
    public async Task Killed_at_any_time_also_while_it_recovers_it_loses_no_record_and_repeats_none()
    {
        for (var left = Kills; left > 0; left -= KillsInARow)
        {
            using var store = new Store();
            var random = new Random(left);
            for (var process = 1; process <= Math.Min(left, KillsInARow); process++)
            {
                using var victim = await store.Storming(process);
                // A process that recovers may be killed before it writes a record of its own.
                var enough = store.Size + random.Next(0, 600_000);
                await Eventually.Holds(() => store.Size >= enough, () => "it does not write: " + victim.Said);
                victim.Program.Signal("KILL");
                await victim.Program.Ended();
            }

            await store.Recover();
            store.AssertExact();
        }
    }

    [Theory]
    [InlineData("before-write:20")]
    [InlineData("mid-write:20")]
    [InlineData("mid-write:1")]
    [InlineData("after-write:20")]
    [InlineData("successor-created:3")]
    [InlineData("archived:3")]
    [InlineData("published:3")]
    public async Task Killed_twice_at_a_named_point_it_loses_no_record_and_repeats_none(string point)
    {
        using var store = new Store();
        using (var victim = await store.Storming(1, ("CrashAt", point)))
            Assert.Equal(137, await victim.Program.Ended());
        // It may be killed before it says that it is ready.
        using (var again = store.Start(2, ("CrashAt", point)))
        {
            again.Program.Say("storm 4 200000001");
            Assert.Equal(137, await again.Program.Ended());
        }

        await store.Recover();
        store.AssertExact();
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(50, false)]
    [InlineData(20_000, false)]
    [InlineData(1, true)]
    [InlineData(50, true)]
    [InlineData(10_000, true)]
    public async Task Killed_after_the_commit_of_a_record_the_next_process_writes_it(int records, bool isHeld)
    {
        using var store = new Store();
        // Longer than the test takes: none is written before the end.
        (string, string)[] hold = isHeld ? [("CrashAt", "held:600000")] : [];
        using (var victim = await store.Start(1, [("GapNotices", "true"), .. hold]).Ready())
        {
            victim.Program.Say(string.Create(CultureInfo.InvariantCulture, $"end {records} kill"));
            Assert.Equal(137, await victim.Program.Ended());
        }

        Assert.True(!isHeld || store.Size == 0);
        var said = await store.Recover(("GapNotices", "true"));
        Assert.Equal(Enumerable.Range(1, records).Select(static number => (long)number), StormLine.Numbers(store.Lines, 0));
        // Without a hold all may have been written before.
        var report = RecoveryReport().Match(said);
        if (isHeld)
            Assert.StartsWith(records == 1 ? "1 record of process " : $"{records} records of process ", report.Groups[1].Value, StringComparison.Ordinal);
        Assert.Equal(report.Success ? 1 : 0, store.Lines.Count(static line => line.Contains(" recovered", StringComparison.Ordinal)));

        // It is told where its records are, too: behind them.
        if (report.Success)
            Assert.Matches($" AsyncLog: {report.Groups[1].Value}, (was|were) recovered$", store.Lines[^1]);
    }

    [Fact]
    public async Task Several_processes_with_one_file_and_one_path_are_killed_and_whoever_starts_next_recovers_all()
    {
        using var store = new Store();
        for (var round = 0; round < ReleaseRun.Count(2, 10); round++)
        {
            var victims = new List<VictimProcess>();
            for (var process = 1; process <= 3; process++)
                victims.Add(await store.Storming((round * 3) + process));
            var enough = store.Size + 300_000;
            await Eventually.Holds(() => store.Size >= enough, () => "they do not write: " + victims[0].Said);
            foreach (var victim in victims)
                victim.Program.Signal("KILL");
            foreach (var victim in victims)
            {
                await victim.Program.Ended();
                victim.Dispose();
            }
        }

        await store.Recover();
        store.AssertExact(isShared: true);
    }

    [Fact]
    public async Task What_belongs_to_a_process_that_lives_is_not_touched()
    {
        using var store = new Store();
        using var first = await store.Storming(1);
        await Eventually.Holds(() => store.Size > 100_000, () => "it does not write: " + first.Said);
        var file = Assert.Single(store.Regions);
        var said = await store.Recover();
        Assert.DoesNotContain("recovered", said, StringComparison.Ordinal);
        Assert.DoesNotContain("cannot open", said, StringComparison.Ordinal);
        Assert.Equal(file, Assert.Single(store.Regions));
        first.Program.Signal("KILL");
        await first.Program.Ended();
        Assert.Contains("recovered", await store.Recover(), StringComparison.Ordinal);
        store.AssertExact();
    }

    [Fact]
    public async Task An_orderly_end_leaves_no_file_behind()
    {
        using var store = new Store();
        using (var disposed = await store.Start(1).Ready())
        {
            await disposed.Do("log 100");
            Assert.Single(store.Regions);
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(store.Regions[0]));
            Assert.Equal(0, await disposed.End());
        }

        Assert.Empty(store.Regions);
        using var hosted = await store.Start(2, ("Host", "30")).Ready();
        await hosted.Do("log 100");
        hosted.Program.Signal("TERM");
        await hosted.Program.Ended();
        Assert.Empty(store.Regions);
    }

    [Fact]
    public async Task A_directory_on_a_disk_is_refused_and_logging_goes_on()
    {
        using var store = new Store();
        using var folder = new TempFolder();
        Assert.SkipWhen(new DriveInfo(folder.Path).DriveFormat == "tmpfs", "the temporary directory is in memory");
        using var victim = await store.Start(1, ("AsyncLog:CrashBufferPath", folder.File("crash"))).Ready();
        await victim.Do("log 3");
        Assert.True(await victim.Flush());
        Assert.Equal(("Degraded", "crash_buffer"), await victim.Status() is var status ? (status.State, status.Reason) : default);
        Assert.Equal(0, await victim.End());
        Assert.Matches($"AsyncLog:CrashBufferPath '{folder.File("crash")}': .* is on .*tmpfs", victim.Said);
        Assert.Equal([1, 2, 3], StormLine.Numbers(store.Lines, 0));
        Assert.Empty(Directory.GetFiles(folder.File("crash")));
    }

    [Fact]
    public async Task Memory_that_is_full_is_refused_and_logging_goes_on()
    {
        await using var disk = await Disk.Memory("size=1m");
        using var store = new Store();
        using var victim = await store.Start(1, ("AsyncLog:CrashBufferPath", disk.File("crash"))).Ready();
        await victim.Do("log 3");
        Assert.True(await victim.Flush());
        Assert.Equal(0, await victim.End());
        Assert.Contains("cannot allocate", victim.Said, StringComparison.Ordinal);
        Assert.Contains("no_space", victim.Said, StringComparison.Ordinal);
        Assert.Equal([1, 2, 3], StormLine.Numbers(store.Lines, 0));
        Assert.Empty(Directory.GetFiles(disk.File("crash")));
    }

    [Fact]
    public async Task A_server_gets_what_a_killed_process_had_not_sent()
    {
        const int records = 5_000;
        using var store = new Store();
        using var folder = new TempFolder();
        using (var away = Write(folder, store.Path, "http://127.0.0.1:1", 0, records))
        {
            await Eventually.Holds(() => away.Output.Contains($"logged: {records}"), () => "it does not log: " + away.Printed);
            away.Signal("KILL");
            await away.Ended();
        }

        Assert.Single(store.Regions);
        await using var collector = await OtlpReceiver.StartAsync();
        using var next = Write(folder, store.Path, collector.Endpoint, records, records);
        await Eventually.Holds(() => next.Output.Contains($"logged: {records}"), () => "it does not log: " + next.Printed);
        next.Say("end");
        Assert.Equal(0, await next.Ended());
        Assert.Equal(Enumerable.Range(0, 2 * records), collector.Requests.SelectMany(NumbersIn));
        Assert.Empty(store.Regions);
    }

    [Fact]
    public async Task The_tool_finds_the_records_of_a_region_and_of_a_dump()
    {
        using var store = new Store();
        using var folder = new TempFolder();
        using (var away = Write(folder, store.Path, "http://127.0.0.1:1", 0, 1_000))
        {
            await Eventually.Holds(() => away.Output.Contains("logged: 1000"), () => "it does not log: " + away.Printed);
            away.Signal("KILL");
            await away.Ended();
        }

        // As in a dump: behind other bytes, at a place that no page begins with.
        var region = await File.ReadAllBytesAsync(Assert.Single(store.Regions), TestContext.Current.CancellationToken);
        var noise = new byte[(20 << 20) + 77];
        new Random(7).NextBytes(noise);
        await File.WriteAllBytesAsync(folder.File("core"), [.. noise, .. region[4096..], .. noise], TestContext.Current.CancellationToken);
        var (code, lines) = await Recover(folder, store.Regions[0]);
        Assert.Equal(0, code);
        Assert.Equal(Enumerable.Range(0, 1_000), lines.SelectMany(NumbersIn));
        var (_, json) = await Recover(folder, store.Regions[0], "--json");
        Assert.Contains("\"level\":\"Information\",\"category\":\"NetworkWriter\"", json.First(), StringComparison.Ordinal);
        var (_, dumped) = await Recover(folder, folder.File("core"));
        Assert.Equal(Enumerable.Range(0, 1_000), dumped.SelectMany(NumbersIn));
        await File.WriteAllBytesAsync(folder.File("other"), noise, TestContext.Current.CancellationToken);
        Assert.Equal(1, (await Recover(folder, folder.File("other"))).Code);
        Assert.Equal(2, (await Recover(folder, folder.File("missing"))).Code);
    }

    private static IEnumerable<int> NumbersIn(string text)
        => Sent().Matches(text).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));

    [GeneratedRegex(@"<(\d+) x+>")]
    private static partial Regex Sent();

    private static async Task<(int Code, IReadOnlyCollection<string> Lines)> Recover(TempFolder folder, string path, params string[] options)
    {
        using var tool = new ChildProgram("dotnet", [Path.Combine(Repository.Tool, "AsyncLog.Tool.dll"), "recover", path, .. options], folder.Path);
        return (await tool.Ended(), tool.Output);
    }

    private static ChildProgram Write(TempFolder folder, string crash, string endpoint, int first, int records) => new(
        "dotnet",
        [
            Path.Combine(Repository.TestProgram("NetworkWriter"), "NetworkWriter.dll"), first.ToString(CultureInfo.InvariantCulture), records.ToString(CultureInfo.InvariantCulture), "20000",
            "AsyncOtlp:Endpoint=" + endpoint, "AsyncOtlp:CrashBuffer=true", "AsyncOtlp:QueueFullMode=Wait", "AsyncOtlp:ShutdownTimeout=20s",
        ],
        folder.Path,
        ("AsyncLog__CrashBufferPath", crash));

    [GeneratedRegex(@": (\d+ records? of process \d+, killed after [^,]+), (?:is|are) recovered\.")]
    private static partial Regex RecoveryReport();

    /// <summary>A log and a crash path, and the processes that write there one after the other.</summary>
    private sealed partial class Store : IDisposable
    {
        private readonly TempFolder _folder = new();
        private readonly string _crash = $"/dev/shm/asynclog-test-{Guid.NewGuid():N}";

        public Store() => Assert.SkipUnless(Directory.Exists("/dev/shm"), "there is no /dev/shm");

        /// <summary>The crash path.</summary>
        public string Path => _crash;

        public string[] Regions => Directory.Exists(_crash) ? Directory.GetFiles(_crash) : [];

        public long Size => Files.Sum(static file => new FileInfo(file) is { Exists: true } info ? info.Length : 0);

        /// <summary>All lines, oldest first.</summary>
        public string[] Lines => [.. Files.SelectMany(File.ReadAllLines)];

        // Archives by number, then the file that is written.
        private IEnumerable<string> Files => Directory.Exists(Logs)
            ? Directory.GetFiles(Logs, "shop*.log").OrderBy(static file => Number().Match(file) is { Success: true } match ? int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture) : int.MaxValue)
            : [];

        private string Logs => _folder.File("logs");

        public VictimProcess Start(int process, params (string, string)[] settings) => new(
            _folder.Path,
            [],
            [
                ("Path", _folder.File("logs", "shop.log")), ("CrashBuffer", "true"), ("Ledger", _folder.File(string.Create(CultureInfo.InvariantCulture, $"ledger{process}"))),
                ("QueueFullMode", "Wait"), ("WaitTimeout", "1m"), ("MaxQueueLength", "20000"), ("MaxQueueMemory", "4MB"), ("FileSizeLimit", "256KB"), ("RollingInterval", "None"), ("RetainedFileCountLimit", ""), ("MinFreeSpace", "0"),
                ("ShutdownTimeout", "1m"), ("AsyncLog:StartupReport", "false"),
                .. settings.Any(static setting => setting.Item1 == "GapNotices") ? [] : new[] { ("GapNotices", "false") },
                .. settings.Any(static setting => setting.Item1 == "AsyncLog:CrashBufferPath") ? [] : new[] { ("AsyncLog:CrashBufferPath", _crash) },
                .. settings,
            ]);

        public async Task<VictimProcess> Storming(int process, params (string, string)[] settings)
        {
            var victim = await Start(process, settings).Ready();
            victim.Program.Say(string.Create(CultureInfo.InvariantCulture, $"storm {Threads} {(process * PerProcess) + 1}"));
            return victim;
        }

        /// <summary>A process recovers what is there, and ends.</summary>
        /// <returns>What it said.</returns>
        public async Task<string> Recover(params (string, string)[] settings)
        {
            using var victim = await Start(0, settings).Ready();
            Assert.Equal(0, await victim.End());
            // But for claims of threads that were killed inside Log.
            Assert.DoesNotContain(victim.Program.Errors, static line => line.Contains("lost", StringComparison.Ordinal) && !line.Contains("lost in all: crash_uncommitted ", StringComparison.Ordinal));
            return victim.Said;
        }

        /// <summary>No record whose <c>Log</c> returned is missing, none is there twice, none is torn, and those of one thread are in order.</summary>
        /// <param name="isShared">
        /// True if several processes wrote at once. What a killed one left comes behind what the others wrote, and the line that a kill cut off
        /// stays where another process writes before the rest is recovered: its record is there whole besides.
        /// </param>
        public void AssertExact(bool isShared = false)
        {
            var ledgers = Directory.GetFiles(_folder.Path, "ledger*");
            var lines = Lines;
            var torn = StormLine.Torn(lines);
            // One for each kill; process 0 is never killed.
            Assert.InRange(torn.Length, 0, isShared ? ledgers.Count(static ledger => System.IO.Path.GetFileName(ledger) != "ledger0") : 0);
            Assert.DoesNotContain(torn, half => !Array.Exists(lines, line => line.Length > half.Length && line.StartsWith(half, StringComparison.Ordinal)));
            var numbers = lines.Select(StormLine.Parse).OfType<StormLine>().ToLookup(static line => (line.Thread, Process: line.Number / PerProcess), static line => line.Number);
            foreach (var ledger in ledgers)
            {
                var process = long.Parse(System.IO.Path.GetFileName(ledger)["ledger".Length..], CultureInfo.InvariantCulture);
                var bytes = File.ReadAllBytes(ledger);
                for (var thread = 1; thread <= Threads && process > 0; thread++)
                {
                    // A process that was killed between the creation of its ledger and the setting of its length has logged nothing.
                    var last = bytes.Length == 0 ? 0 : BitConverter.ToInt64(bytes, thread * sizeof(long));
                    var found = numbers[(thread, process)].ToArray();
                    Assert.Equal(Enumerable.Range(1, found.Length).Select(number => (process * PerProcess) + number), isShared ? found.Order() : found);
                    // The ledger is written after Log returned: one record more may be there.
                    Assert.InRange(found.Length, last == 0 ? 0 : last % PerProcess, (last % PerProcess) + 1);
                }
            }

            Assert.Empty(Regions);
        }

        public void Dispose()
        {
            _folder.Dispose();
            if (Directory.Exists(_crash))
                Directory.Delete(_crash, recursive: true);
        }

        [GeneratedRegex(@"(\d+)\.log$")]
        private static partial Regex Number();
    }
}
