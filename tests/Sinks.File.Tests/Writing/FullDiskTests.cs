using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Writing;

[Trait("Category", "system")]
public sealed class FullDiskTests
{
    private const string Reason = "mounting a tmpfs needs root";

    [Fact]
    public void A_batch_interrupted_by_a_full_disk_continues_at_the_exact_byte()
    {
        using SmallDisk? disk = SmallDisk.TryMount(64);
        Assert.SkipWhen(disk is null, Reason);
        using var harness = new SinkHarness(options => options.Path = Path.Join(disk.Path, "shop.log"));
        File.WriteAllBytes(Path.Join(disk.Path, "ballast"), new byte[40 << 10]);
        string[] lines = [.. Enumerable.Range(0, 400).Select(i => $"{i:000} {new string('x', 90)}")];
        LogBatch batch = harness.BatchNow(lines);

        Assert.Equal(FileErrorClass.NoSpace, harness.FailToWrite(batch).ErrorType);
        Assert.InRange(batch.Count, 1, 399);
        Assert.Equal(FileErrorClass.NoSpace, harness.FailToWrite(batch).ErrorType);
        File.Delete(Path.Join(disk.Path, "ballast"));
        harness.Clock.PassSeconds(1);
        harness.Write(batch);

        Assert.Equal(lines, File.ReadAllLines(Path.Join(disk.Path, "shop.log")));
    }

    [Fact]
    public void A_full_disk_leaves_archives_unchanged_and_the_file_rolls_when_there_is_space()
    {
        using SmallDisk? disk = SmallDisk.TryMount(64);
        Assert.SkipWhen(disk is null, Reason);
        using var harness = new SinkHarness(options =>
        {
            options.Path = Path.Join(disk.Path, "shop.log");
            options.FileSizeLimit = 8192;
        });
        string[] lines = [.. Enumerable.Range(0, 1500).Select(i => $"{i:0000} {new string('x', 90)}")];
        LogBatch batch = harness.BatchNow(lines);
        int times = 0;
        while (!TryWrite())
        {
            // The operator frees space.
            string oldest = Directory.GetFiles(disk.Path, "shop.*.log").Order(StringComparer.Ordinal).First(path => Path.GetFileName(path) != "shop.log");
            File.AppendAllLines(harness.Folder.File("kept"), File.ReadAllLines(oldest));
            File.Delete(oldest);
            harness.Clock.PassSeconds(1);
            // Of about 140 KB in files of 8 KB.
            Assert.True(++times <= 20, $"{batch.Count} records are left");
        }

        Assert.InRange(times, 1, 20);

        string[] rest = [.. Directory.GetFiles(disk.Path, "shop.2*.log").Order(StringComparer.Ordinal), Path.Join(disk.Path, "shop.log")];
        Assert.Equal(lines, File.ReadAllLines(harness.Folder.File("kept")).Concat(rest.SelectMany(File.ReadAllLines)));
        Assert.DoesNotContain(rest, path => new FileInfo(path).Length == 0);

        bool TryWrite()
        {
            try
            {
                harness.Write(batch);
                return true;
            }
            catch (LogSinkException failure) when (failure.ErrorType == FileErrorClass.NoSpace)
            {
                return false;
            }
        }
    }

    [Fact]
    public void A_record_begun_on_a_full_disk_is_whole_when_the_file_is_deleted_to_free_it()
    {
        using SmallDisk? disk = SmallDisk.TryMount(64);
        Assert.SkipWhen(disk is null, Reason);
        using var harness = new SinkHarness(options => options.Path = Path.Join(disk.Path, "shop.log"));
        string[] lines = [.. Enumerable.Range(0, 900).Select(i => $"{i:000} {new string('x', 90)}")];
        LogBatch batch = harness.BatchNow(lines);
        Assert.Equal(FileErrorClass.NoSpace, harness.FailToWrite(batch).ErrorType);
        int left = batch.Count;
        Assert.InRange(left, 1, 899);

        File.Delete(Path.Join(disk.Path, "shop.log"));
        harness.Clock.PassSeconds(1);
        harness.Write(batch);

        Assert.Equal(lines[^left..], File.ReadAllLines(Path.Join(disk.Path, "shop.log")));
    }
}
