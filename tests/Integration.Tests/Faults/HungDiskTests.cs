using System.Globalization;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>Writes that never return: ext4 on a loop device that is frozen.</summary>
[Trait("Category", "system")]
public sealed class HungDiskTests
{
    [Fact]
    public async Task A_write_that_hangs_blocks_neither_callers_nor_flush_nor_dispose()
    {
        await using var disk = await FreezableDisk();
        using var folder = new TempFolder();
        using var victim = await new VictimProcess(folder.Path, [], ("Path", disk.File("shop.log")), ("MinFreeSpace", "0"), ("ShutdownTimeout", "1s")).Ready();
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        VictimStatus hung;
        string disposed;
        await Shell.Run("fsfreeze", "-f", disk.Path);
        try
        {
            Assert.Equal("logged 1000", await victim.Do("log 1000"));
            Assert.False(await victim.Flush(0.3));
            hung = await victim.Status();
            disposed = await victim.Do("dispose");
        }
        finally
        {
            await Shell.Run("fsfreeze", "-u", disk.Path);
        }

        Assert.StartsWith("disposed ", disposed, StringComparison.Ordinal);
        Assert.Equal((1001, 1, 1000), (hung.Enqueued, hung.Written, hung.Waiting));
        hung.AssertCountersAddUp(1001);
        var after = await victim.Status();
        Assert.Equal(1000, after.Dropped["ShutdownTimeout"]);
        after.AssertCountersAddUp(1001);
        Assert.Equal(0, await victim.End());
        Assert.Single(victim.Program.Errors, static line => line.Contains(" 1000 records were left", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Instances_that_all_hang_are_disposed_in_parallel_within_one_budget()
    {
        await using var disk = await FreezableDisk();
        using var folder = new TempFolder();
        using var victim = await new VictimProcess(
            folder.Path,
            [],
            [("Path", disk.File("shop.log")), ("MinFreeSpace", "0"), ("ShutdownTimeout", "4s"),
            .. Enumerable.Range(0, 4).Select(i => ($"Logging:AsyncFile:Files:f{i}:Path", disk.File($"f{i}.log")))]).Ready();
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        string disposed;
        await Shell.Run("fsfreeze", "-f", disk.Path);
        try
        {
            await victim.Do("log 10");
            disposed = await victim.Do("dispose");
        }
        finally
        {
            await Shell.Run("fsfreeze", "-u", disk.Path);
        }

        // One after the other would be five times as long.
        Assert.InRange(int.Parse(disposed.Split(' ')[1], CultureInfo.InvariantCulture), 3_900, 12_000);
        await victim.End();
        Assert.Equal(5, victim.Program.Errors.Count(static line => line.Contains(" 10 records were left", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_host_with_a_dead_disk_ends_by_the_deadline_and_reports_the_remaining_records()
    {
        await using var disk = await Disk.Memory("size=64k");
        disk.Fill(left: 0);
        using var folder = new TempFolder();
        using var victim = await new VictimProcess(
            folder.Path, [], ("Host", "1"), ("Path", disk.File("shop.log")), ("MinFreeSpace", "0"), ("ShutdownTimeout", "2s"), ("AsyncLog:StartupReport", "false"), ("Logging:LogLevel:Microsoft", "None")).Ready();
        await victim.Do("log 500");
        await victim.Status(static status => status.Reason == "no_space");
        victim.Program.Signal("TERM");

        // The host waits a second for its services, the logger two for its records; coarsely, because the machine may be busy.
        await victim.Program.Ended(within: 3 * TimeSpan.FromSeconds(1 + 2));
        Assert.Single(victim.Program.Errors, static line => line.Contains(" 500 records were left", StringComparison.Ordinal));
    }

    private static async Task<Disk> FreezableDisk()
    {
        await Shell.Needs("fsfreeze");
        return await Disk.Loop(8);
    }
}
