using System.Globalization;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>Processes that are killed, stopped and asked to end.</summary>
[Trait("Category", "slow")]
public sealed class KillTests
{
    private const int Threads = 4;
    private const int MaxQueueLength = 10_000;

    // The records of a batch: as many as a segment has slots.
    private const int MostInHand = 2_048;

    private static readonly int Runs = ReleaseRun.Count(20, 1_000);

    [Fact]
    public async Task A_process_killed_at_any_time_loses_at_most_queue_and_batch_and_the_torn_line_stays_alone()
    {
        using var folder = new TempFolder();
        for (var run = 0; run < Runs; run++)
        {
            var random = new Random(run);
            var path = folder.File($"run{run}", "shop.log");
            using (var victim = await Storming(folder, path, $"ledger{run}", ("QueueFullMode", "Wait"), ("FileSizeLimit", "256KB"), ("RetainedFileCountLimit", "100000")))
            {
                var enough = random.Next(1, 600_000);
                await Eventually.Holds(() => SizeOf(path) >= enough, () => "it does not write: " + victim.Said);
                victim.Program.Signal("KILL");
                await victim.Program.Ended();
            }

            await AssertBound(folder, path, $"ledger{run}");
        }
    }

    [Fact]
    public async Task Killed_at_any_time_it_loses_no_record_whose_Log_returned()
    {
        using var folder = new TempFolder();
        for (var run = 0; run < Runs; run++)
        {
            var random = new Random(run);
            var path = folder.File($"run{run}", "shop.log");
            using (var victim = await Storming(folder, path, $"ledger{run}", ("AcknowledgeLevel", "Information"), ("AcknowledgeTimeout", "1m"), ("FileSizeLimit", "256KB"), ("RetainedFileCountLimit", "100000")))
            {
                var enough = random.Next(1, 400_000);
                await Eventually.Holds(() => SizeOf(path) >= enough, () => "it does not write: " + victim.Said);
                victim.Program.Signal("KILL");
                await victim.Program.Ended();
            }

            await AssertBound(folder, path, $"ledger{run}", most: 0);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    public async Task It_kills_itself_after_Log_returned_and_the_record_is_in_the_file(int records)
    {
        using var folder = new TempFolder();
        using var victim = await new VictimProcess(
            folder.Path, [], ("Path", folder.File("shop.log")), ("AcknowledgeLevel", "Information"), ("AcknowledgeTimeout", "1m"), ("AsyncLog:StartupReport", "false")).Ready();
        victim.Program.Say(string.Create(CultureInfo.InvariantCulture, $"end {records} kill"));

        Assert.Equal(137, await victim.Program.Ended());
        Assert.Equal(Enumerable.Range(1, records).Select(static number => (long)number), StormLine.Numbers(folder.Lines("shop.log"), 0));
    }

    [Fact]
    public async Task A_process_killed_with_a_full_queue_loses_the_queue_and_no_more()
    {
        // A tenth of the queue is kept for warnings.
        const int Nearly = MaxQueueLength * 8 / 10;
        await using var disk = await Disk.Memory("size=4m");
        var ballast = disk.Fill(left: 64 << 10);
        using var folder = new TempFolder();
        var path = disk.File("logs", "shop.log");
        using (var victim = await Started(
            folder, path, "ledger", ("QueueFullMode", "Wait"), ("WaitTimeout", "1m"), ("MaxQueueMemory", "64MB"), ("MinFreeSpace", "0"), ("GapNotices", "false")))
        {
            await victim.Do(string.Create(CultureInfo.InvariantCulture, $"storm {Threads}"));
            await victim.Status(static status => status is { Reason: "no_space", Waiting: >= Nearly });
            victim.Program.Signal("KILL");
            await victim.Program.Ended();
        }

        File.Delete(ballast);
        await AssertBound(folder, path, "ledger", least: Nearly);
    }

    [Theory]
    [InlineData("before-write:20")]
    [InlineData("mid-write:20")]
    [InlineData("after-write:20")]
    [InlineData("successor-created:3")]
    [InlineData("archived:3")]
    [InlineData("published:3")]
    public async Task A_process_killed_at_a_named_point_keeps_the_bound_and_the_next_start_continues(string point)
    {
        using var folder = new TempFolder();
        var path = folder.File("logs", "shop.log");
        using (var victim = await Storming(folder, path, "ledger", ("CrashAt", point), ("QueueFullMode", "Wait"), ("FileSizeLimit", "256KB"), ("RetainedFileCountLimit", "")))
            Assert.Equal(137, await victim.Program.Ended());

        await AssertBound(folder, path, "ledger");
    }

    [Fact]
    public async Task A_process_killed_after_a_batch_was_synced_loses_none_of_it()
    {
        using var folder = new TempFolder();
        var path = folder.File("logs", "shop.log");
        using var victim = await new VictimProcess(
            folder.Path, [], ("Path", path), ("Durability", "FlushToDisk"), ("CrashAt", "after-sync:2"), ("AsyncLog:StartupReport", "false")).Ready();
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        victim.Program.Say("log 1");

        Assert.Equal(137, await victim.Program.Ended());
        Assert.Equal([1, 2], StormLine.Numbers(File.ReadAllLines(path), 0));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SIGTERM_without_a_host_drains_with_FlushOnCrash_and_keeps_the_exit_code(bool flushes)
    {
        using var folder = new TempFolder();
        using var victim = await new VictimProcess(
            folder.Path, [], ("Path", folder.File("shop.log")), ("AsyncLog:FlushOnCrash", flushes ? "true" : "false"), ("Ledger", folder.File("ledger")),
            ("QueueFullMode", "Wait"), ("MaxQueueLength", MaxQueueLength.ToString(CultureInfo.InvariantCulture)), ("ShutdownTimeout", "5s")).Ready();
        await victim.Do("log 20000 Information 100");
        victim.Program.Signal("TERM");

        Assert.Equal(143, await victim.Program.Ended(within: 3 * TimeSpan.FromSeconds(5)));
        var numbers = StormLine.Numbers(folder.Lines("shop.log"), 0);
        Assert.Equal(Enumerable.Range(1, numbers.Length).Select(static number => (long)number), numbers);
        Assert.InRange(20_000 - numbers.Length, 0, flushes ? 0 : MaxQueueLength + MostInHand);
    }

    [Fact]
    public async Task A_process_that_is_stopped_and_continued_resumes_without_a_burst_of_losses()
    {
        Assert.SkipUnless(Directory.Exists("/dev/shm"), "there is no /dev/shm");
        // In memory: a disk that is busy for as long as a caller waits would cost records too.
        using var folder = new TempFolder("/dev/shm");
        using var victim = await new VictimProcess(
            folder.Path, [], ("Path", folder.File("shop.log")), ("Ledger", folder.File("ledger")), ("MinFreeSpace", "0"),
            ("QueueFullMode", "Wait"), ("WaitTimeout", "2s"), ("FlushToDiskInterval", "20ms")).Ready();
        await victim.Do("storm 2");
        var before = await victim.Status(static status => status.Written > 1000);
        victim.Program.Signal("STOP");
        // Longer than a caller waits.
        await Shell.Run("sleep", ReleaseRun.Count(3, 300).ToString(CultureInfo.InvariantCulture));
        victim.Program.Signal("CONT");

        await victim.Status(status => status.Written > before.Written + 1000);
        await victim.Do("halt");
        Assert.True(await victim.Flush());
        var after = await victim.Status();
        Assert.Empty(after.Dropped);
        Assert.Empty(after.Errors);
        var logged = Ledger(folder.File("ledger"))[1..3];
        for (var thread = 1; thread <= 2; thread++)
            Assert.Equal(logged[thread - 1], StormLine.Numbers(folder.Lines("shop.log"), thread).Length);
        after.AssertCountersAddUp(logged.Sum());
    }

    private static async Task<VictimProcess> Storming(TempFolder folder, string path, string ledger, params (string, string)[] settings)
    {
        var victim = await Started(folder, path, ledger, settings);
        victim.Program.Say(string.Create(CultureInfo.InvariantCulture, $"storm {Threads}"));
        return victim;
    }

    private static Task<VictimProcess> Started(TempFolder folder, string path, string ledger, params (string, string)[] settings) => new VictimProcess(
        folder.Path,
        [],
        [("Path", path), ("Ledger", folder.File(ledger)), ("MaxQueueLength", MaxQueueLength.ToString(CultureInfo.InvariantCulture)), ("AsyncLog:StartupReport", "false"), .. settings]).Ready();

    // What is there is a prefix of what each thread logged, at most one line is torn, and a new start begins on a line of its own.
    private static async Task AssertBound(TempFolder folder, string path, string ledger, int least = 0, int most = MaxQueueLength + MostInHand)
    {
        // A kill may come late on a busy machine, and names with more digits would be out of order.
        var files = Directory.GetFiles(Path.GetDirectoryName(path)!, "shop*").OrderBy(File.GetLastWriteTimeUtc).ThenBy(static file => file, StringComparer.Ordinal).ToList();
        var archived = files.Where(file => file != path).SelectMany(File.ReadAllLines).ToArray();
        string[] lines = [.. archived, .. File.Exists(path) ? File.ReadAllLines(path) : []];
        var torn = StormLine.Torn(lines);
        Assert.Empty(StormLine.Torn(archived));
        Assert.True(torn.Length == 0 || (torn.Length == 1 && torn[0] == lines[^1]), string.Join('\n', torn));

        var accepted = Ledger(folder.File(ledger));
        var lost = 0L;
        for (var thread = 1; thread <= Threads; thread++)
        {
            var numbers = StormLine.Numbers(lines, thread);
            Assert.Equal(Enumerable.Range(1, numbers.Length).Select(static number => (long)number), numbers);
            lost += Math.Max(0, accepted[thread] - numbers.Length);
        }

        Assert.InRange(lost, least, most);
        using var healed = await new VictimProcess(Path.GetDirectoryName(path)!, [], ("Path", path), ("RollingInterval", "None"), ("AsyncLog:StartupReport", "false")).Ready();
        await healed.Do("log 1");
        Assert.Equal(0, await healed.End());
        var last = File.ReadAllLines(path);
        Assert.Equal(new StormLine(0, 1), StormLine.Parse(last[^1]));
        Assert.Empty(Directory.GetFiles(Path.GetDirectoryName(path)!, "*.tmp", SearchOption.TopDirectoryOnly).Where(static file => !Path.GetFileName(file).StartsWith('.')));
    }

    private static long SizeOf(string path) =>
        Directory.Exists(Path.GetDirectoryName(path)) ? Directory.GetFiles(Path.GetDirectoryName(path)!).Sum(static file => Exists(file)) : 0;

    // A file may be renamed between the list and the look.
    private static long Exists(string file) => new FileInfo(file) is { Exists: true } info ? info.Length : 0;

    private static long[] Ledger(string file)
    {
        var bytes = File.ReadAllBytes(file);
        return [.. Enumerable.Range(0, bytes.Length / sizeof(long)).Select(index => BitConverter.ToInt64(bytes, index * sizeof(long)))];
    }
}
