using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>Disks that are full, for all or for some, and the end of it.</summary>
[Trait("Category", "system")]
public sealed class FullDiskTests
{
    [Fact]
    public async Task A_full_disk_degrades_keeps_the_batch_and_counts_what_overflows()
    {
        await using var disk = await Disk.Memory("size=256k");
        disk.Fill(left: 32 << 10);
        using var victim = await Start(disk, ("MaxQueueMemory", "256KB"));

        Assert.Equal("logged 5000", await victim.Do("log 5000 Information 100"));
        var status = await victim.Status(static status => status.Errors.GetValueOrDefault("no_space") > 1 && status.Dropped.ContainsKey("QueueMemory"));

        Assert.Equal(("Degraded", "no_space"), (status.State, status.Reason));
        Assert.True(status.Waiting > 0);
        status.AssertCountersAddUp(5000);
        Assert.False(await victim.Flush(0.2));
        await victim.End();
        Assert.Single(victim.Program.Errors, static line => line.Contains("no space left", StringComparison.Ordinal));
    }

    [Fact]
    public async Task When_space_returns_writing_resumes_with_a_notice_and_without_a_torn_line()
    {
        await using var disk = await Disk.Memory("size=256k");
        var ballast = disk.Fill(left: 32 << 10);
        using var victim = await Start(disk, ("MaxQueueMemory", "256KB"));
        await victim.Do("log 5000 Information 100");
        var full = await victim.Status(static status => status.Dropped.ContainsKey("QueueMemory") && status.Errors.ContainsKey("no_space"));
        await Shell.Run("mount", "-o", "remount,size=4m", disk.Path);
        File.Delete(ballast);

        await victim.Status(static status => status.Waiting == 0);
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        var lines = File.ReadAllLines(disk.File("shop.log"));
        var numbers = StormLine.Numbers(lines, 0);

        Assert.Empty(StormLine.Torn(lines));
        Assert.Equal(numbers.Distinct().Order(), numbers);
        Assert.Equal(5001, numbers.Length + full.Sum("QueueMemory", "QueueFull"));
        var notice = Array.FindIndex(lines, line => line.Contains("records dropped", StringComparison.Ordinal));
        Assert.InRange(notice, 1, Array.FindIndex(lines, static line => StormLine.Parse(line)?.Number == 5001));
        Assert.Equal(0, await victim.End());
    }

    [Fact]
    public async Task A_batch_that_was_written_in_part_continues_at_the_exact_byte()
    {
        await using var disk = await Disk.Loop(8);
        var ballast = disk.Fill(left: 64 << 10);
        using var victim = await Start(disk);
        await victim.Do("log 3000 Information 100");
        await victim.Status(static status => status.Errors.ContainsKey("no_space"));
        File.Delete(ballast);

        Assert.True(await victim.Flush());
        var lines = File.ReadAllLines(disk.File("shop.log"));
        Assert.Empty(StormLine.Torn(lines));
        Assert.Equal(Enumerable.Range(1, 3000).Select(static number => (long)number), StormLine.Numbers(lines, 0));
    }

    [Fact]
    public async Task Without_free_inodes_writing_stays_in_its_file_warns_once_and_deletes_nothing()
    {
        await using var disk = await Disk.Memory("size=4m,nr_inodes=6");
        using var victim = await Start(disk, ("FileSizeLimit", "4KB"));
        await victim.Do("log 50 Information 100");
        Assert.True(await victim.Flush());
        string[] before = [.. Directory.GetFiles(disk.Path).Order(StringComparer.Ordinal)];
        Assert.True(before.Length >= 2);
        var fillers = UseUpInodes(disk);

        await victim.Do("log 200 Information 100");
        Assert.True(await victim.Flush());
        var status = await victim.Status();
        Assert.Equal("Degraded", status.State);
        Assert.True(status.Errors["no_space"] > 0);
        Assert.Equal(before, Directory.GetFiles(disk.Path, "shop*").Order(StringComparer.Ordinal));
        Assert.True(new FileInfo(disk.File("shop.log")).Length > 20_000);

        fillers.ForEach(File.Delete);
        await Eventually.Holds(
            async () => await victim.Do("log 1") == "logged 1" && await victim.Flush() && Directory.GetFiles(disk.Path, "shop*").Length > before.Length,
            () => "it does not roll again: " + victim.Said);
        await victim.End();
        Assert.Single(victim.Program.Errors, static line => line.Contains("cannot begin a new file", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Below_the_floor_of_a_real_disk_the_rest_is_counted_and_it_resumes_by_itself()
    {
        await using var disk = await Disk.Memory("size=4m");
        var ballast = disk.Fill(left: 512 << 10);
        using var victim = await Start(disk, ("MinFreeSpace", "1MB"));
        await victim.Do("log 10 Information");
        await victim.Do("log 5 Warning");
        await victim.Do("log 5");
        var status = await victim.Status(static status => status.Dropped.GetValueOrDefault("DiskLow") == 15);
        Assert.Equal(("Degraded", "disk_low"), (status.State, status.Reason));
        Assert.Equal(15, status.Dropped["DiskLow"]);
        status.AssertCountersAddUp(20);

        File.Delete(ballast);
        await victim.Status(static status => status.Reason != "disk_low");
        await victim.Do("log 3");
        Assert.True(await victim.Flush());
        var lines = File.ReadAllLines(disk.File("shop.log"));
        Assert.Equal([11, 12, 13, 14, 15, 21, 22, 23], StormLine.Numbers(lines, 0));
        Assert.Contains(lines, static line => line.Contains("(disk_low)", StringComparison.Ordinal));
    }

    [Fact]
    public async Task On_a_full_disk_with_the_default_floor_all_levels_wait()
    {
        await using var disk = await Disk.Memory("size=1m");
        using var victim = await Start(disk, ("MinFreeSpace", ""));
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        var ballast = disk.Fill(left: 0);
        await victim.Do("log 3000 Information 100");
        foreach (var level in (string[])["Warning", "Error", "Critical"])
            await victim.Do($"log 1 {level}");

        // Also after the free space was looked at again, which happens every five seconds.
        await victim.Status(static status => status.Reason == "no_space");
        await Eventually.Holds(async () => (await victim.Status()).Errors["no_space"] >= 16, () => victim.Said);
        var status = await victim.Status();
        Assert.Empty(status.Dropped);
        File.Delete(ballast);
        Assert.True(await victim.Flush());
        Assert.Equal(Enumerable.Range(1, 3004).Select(static number => (long)number), StormLine.Numbers(File.ReadAllLines(disk.File("shop.log")), 0));
    }

    private static Task<VictimProcess> Start(Disk disk, params (string, string)[] settings) => new VictimProcess(
        disk.Path, [], [("Path", disk.File("shop.log")), ("MinFreeSpace", "0"), ("RollingInterval", "None"), ("FileSizeLimit", ""), .. settings]).Ready();

    private static List<string> UseUpInodes(Disk disk)
    {
        List<string> fillers = [];
        try
        {
            for (var i = 0; i < 100; i++)
            {
                File.Create(disk.File($"filler{i}")).Dispose();
                fillers.Add(disk.File($"filler{i}"));
            }
        }
        catch (IOException)
        {
            // none is left: that is what this is for
        }

        return fillers;
    }
}
