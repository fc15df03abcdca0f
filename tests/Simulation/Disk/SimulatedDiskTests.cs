using System.Text;
using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Disk;

public sealed class SimulatedDiskTests
{
    private const string Folder = SimulatedDisk.Root + "/logs";
    private const string File = Folder + "/shop.log";

    [Fact]
    public void A_power_loss_takes_a_file_whose_name_was_not_synced()
    {
        // With some seed each, for a name may be written by itself.
        Assert.Contains(Enumerable.Range(1, 20), static seed => AfterPowerLoss(seed, static disk => disk.Find(File)!.Sync()).Find(File) is null);
        Assert.DoesNotContain(Enumerable.Range(1, 20), static seed => AfterPowerLoss(seed, static disk => disk.Find(Folder)!.SyncNames()).Find(File) is null);
    }

    [Fact]
    public void A_power_loss_leaves_what_was_synced_and_whole_sectors_behind_it()
    {
        var lengths = new HashSet<int>();
        for (var seed = 1; seed <= 50; seed++)
        {
            var disk = AfterPowerLoss(seed, static disk =>
            {
                disk.Find(Folder)!.SyncNames();
                disk.Find(File)!.Sync();
                disk.Append(disk.Find(File)!, Encoding.UTF8.GetBytes(new string('b', 2000)));
            });
            lengths.Add(disk.Find(File)!.Length);
            Assert.Equal("one\n", Encoding.UTF8.GetString(disk.Find(File)!.Bytes[..4]));
        }

        // Sectors of 512 bytes; each outcome has its seed.
        Assert.Equal([4, 512, 1024, 1536, 2004], lengths.Order());
    }

    [Fact]
    public void A_failed_sync_leaves_zeros_after_a_power_loss_though_a_later_one_works()
    {
        var disk = AfterPowerLoss(1, static disk =>
        {
            disk.Find(Folder)!.SyncNames();
            disk.Find(File)!.DropUnsynced();
            disk.Append(disk.Find(File)!, "two\n"u8);
            disk.Find(File)!.Sync();
        });
        Assert.Equal("\0\0\0\0two\n", Encoding.UTF8.GetString(disk.Find(File)!.Bytes));
    }

    [Fact]
    public void A_rename_that_was_not_synced_is_lost_with_everything_that_needs_it()
    {
        const string archive = Folder + "/shop.001.log";
        var outcomes = new HashSet<(int? File, int? Archive)>();
        for (var seed = 1; seed <= 50; seed++)
        {
            var disk = AfterPowerLoss(seed, static disk =>
            {
                disk.Find(File)!.Sync();
                disk.Find(Folder)!.SyncNames();
                disk.Create(Folder + "/shop.tmp");
                disk.Rename(File, archive);
                disk.Rename(Folder + "/shop.tmp", File);
            });
            outcomes.Add((disk.Find(File)?.Length, disk.Find(archive)?.Length));
        }

        // The first rename alone, both, and none: the second one needs the name that the first one frees.
        Assert.Equal([(null, 4), (0, 4), (4, null)], outcomes.Order());
    }

    private static SimulatedDisk AfterPowerLoss(int seed, Action<SimulatedDisk> before)
    {
        var disk = new SimulatedDisk(new Choices(seed), new SimulatedClock());
        disk.Create(Folder, isDirectory: true);
        disk.Find(SimulatedDisk.Root)!.SyncNames();
        disk.Append(disk.Create(File), "one\n"u8);
        before(disk);
        disk.LosePower();
        return disk;
    }
}
