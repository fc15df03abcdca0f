using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Faults;

/// <summary>Flush, dispose and reload while threads write to real files.</summary>
public sealed class RaceTests
{
    [Fact]
    public async Task A_flush_covers_the_records_of_its_caller_while_other_threads_write_flush_and_roll()
    {
        using var folder = new TempFolder();
        using var log = new RunningLogger(
            ("Path", folder.File("shop.log")), ("FileSizeLimit", "64KB"), ("RetainedFileCountLimit", ""), ("RollingInterval", "None"), ("ArchiveName", "shop.{Number}.log"),
            ("QueueFullMode", "Wait"), ("WaitTimeout", "30s"), ("Durability", "FlushToDisk"));
        await Task.WhenAll(Enumerable.Range(0, 6).Select(thread => Task.Run(() => WriteAndFlush(log, folder, thread))));

        log.AssertCountersAddUp(6 * 30 * 50);
        Assert.True(Directory.GetFiles(folder.Path).Length > 3);
    }

    [Fact]
    public void What_32_threads_write_while_it_is_disposed_is_in_the_file_or_counted()
    {
        var rounds = ReleaseRun.Count(usual: 20, release: 10_000);
        using var folder = new TempFolder();
        for (var round = 0; round < rounds; round++)
        {
            var path = folder.File($"{round}.log");
            var log = new RunningLogger(("Path", path), ("GapNotices", "false"));
            var offered = 0L;
            using var go = new ManualResetEventSlim();
            var threads = Enumerable.Range(0, 32).Select(_ => new Thread(() =>
            {
                go.Wait();
                for (var i = 0; i < 300; i++)
                    log.Logger.LogInformation("record {Number}", i);
                Interlocked.Add(ref offered, 300);
            })).ToList();
            threads.ForEach(static thread => thread.Start());
            go.Set();
            log.Dispose();
            threads.ForEach(static thread => thread.Join());

            Assert.Equal(log.AssertCountersAddUp(offered).Written, File.Exists(path) ? File.ReadAllLines(path).Length : 0);
        }
    }

    [Fact]
    public async Task Path_changes_under_load_lose_nothing_and_leave_no_descriptor_open()
    {
        Assert.SkipUnless(Directory.Exists("/proc/self/fd"), "open descriptors are listed on Linux");
        using var folder = new TempFolder();
        using var log = new RunningLogger(("Path", folder.File("start.log")), ("QueueFullMode", "Wait"), ("WaitTimeout", "30s"));
        using var over = new CancellationTokenSource();
        var load = Task.Run(() => WriteUntil(log, over.Token));
        var changes = ReleaseRun.Count(usual: 20, release: 1_000);
        for (var change = 0; change < changes; change++)
        {
            var path = folder.File($"part{change:0000}.log");
            log.Change("Path", path);
            await Eventually.Holds(() => File.Exists(path) && new FileInfo(path).Length > 0, () => $"{path} is not used: {log.Status}");
        }

        await over.CancelAsync();
        var written = await load;
        Assert.True(await log.Flush());
        await Eventually.Holds(() => OpenBelow(folder).Length == 1, () => string.Join('\n', OpenBelow(folder)));

        string[] files = [folder.File("start.log"), .. Enumerable.Range(0, changes).Select(change => folder.File($"part{change:0000}.log"))];
        var numbers = files.SelectMany(File.ReadAllLines).Select(static line => long.Parse(line, CultureInfo.InvariantCulture));
        Assert.Equal(Enumerable.Range(0, (int)written).Select(static number => (long)number), numbers);
        Assert.Equal(written, log.AssertCountersAddUp(written).Written);
    }

    private static async Task WriteAndFlush(RunningLogger log, TempFolder folder, int thread)
    {
        for (var round = 0; round < 30; round++)
        {
            for (var i = 0; i < 50; i++)
                log.Logger.LogInformation("{Thread} {Round} {Number} {Padding}", thread, round, i, "0123456789012345678901234567890123456789");
            Assert.True(await log.Flush());
            var own = string.Create(CultureInfo.InvariantCulture, $"{thread} {round} ");
            Assert.Equal(50, Read(folder).Count(line => line.StartsWith(own, StringComparison.Ordinal)));
        }
    }

    // A file that is renamed between the list and the reading is read again with the others.
    private static string[] Read(TempFolder folder)
    {
        while (true)
        {
            var before = Directory.GetFiles(folder.Path, "shop*").Order(StringComparer.Ordinal).ToArray();
            try
            {
                string[] lines = [.. before.SelectMany(ReadShared)];
                if (Directory.GetFiles(folder.Path, "shop*").Order(StringComparer.Ordinal).SequenceEqual(before))
                    return lines;
            }
            catch (FileNotFoundException)
            {
                // renamed
            }
        }
    }

    private static string[] ReadShared(string path)
    {
        using var reader = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private static long WriteUntil(RunningLogger log, CancellationToken over)
    {
        var number = 0L;
        while (!over.IsCancellationRequested)
        {
            log.Logger.LogInformation("{Number}", number++);
            if (number % 200 == 0)
                Thread.Yield();
        }

        return number;
    }

    private static string[] OpenBelow(TempFolder folder) =>
        [.. Directory.GetFileSystemEntries("/proc/self/fd").Select(static link => new FileInfo(link).LinkTarget).OfType<string>()
            .Where(target => target.StartsWith(folder.Path, StringComparison.Ordinal))];
}
