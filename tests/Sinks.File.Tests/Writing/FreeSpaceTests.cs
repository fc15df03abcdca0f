using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class FreeSpaceTests
{
    private readonly FaultyFileSystem _files = new();
    private long? _available = 200 << 20;
    private long _total = 10L << 30;
    private int _looks;

    public FreeSpaceTests() => _files.OnSpace = () =>
    {
        _looks++;
        return _available is { } available ? new DiskSpace(available, _total) : null;
    };

    [Fact]
    public void Below_the_floor_only_warnings_and_worse_are_written()
    {
        using SinkHarness harness = Sink();
        _available = 100 << 20;
        harness.Write("before");
        _available--;
        harness.Clock.PassSeconds(5);
        LogBatch batch = harness.BatchOf(
            ("i1", LogLevel.Information), ("w1", LogLevel.Warning), ("d1", LogLevel.Debug), ("e1", LogLevel.Error), ("c1", LogLevel.Critical), ("t1", LogLevel.Trace));
        harness.Write(batch);

        Assert.Equal("before\nw1\ne1\nc1\n", harness.Read("shop.log"));
        Assert.Equal(["disk_low"], harness.Context.Degraded);
        Assert.Equal("disk_low", Assert.Single(harness.Context.Reports).Condition);
        harness.Write("all dropped");
        Assert.Equal("before\nw1\ne1\nc1\n", harness.Read("shop.log"));
    }

    [Theory]
    [InlineData(64, 3, "3 MB are free for {0}, less than MinFreeSpace (3.2 MB)")]
    [InlineData(40, 1, "1 MB are free for {0}, less than MinFreeSpace (2 MB)")]
    [InlineData(2_000, 99, "99 MB are free for {0}, less than MinFreeSpace (100 MB)")]
    [InlineData(1_000_000, 99, "99 MB are free for {0}, less than MinFreeSpace (100 MB)")]
    public void The_floor_is_a_twentieth_of_the_volume_and_at_most_100_MB(int totalMegabytes, int freeMegabytes, string message)
    {
        _total = (long)totalMegabytes << 20;
        _available = _total;
        using SinkHarness harness = Sink();
        harness.Write("all of it is free");
        Assert.Empty(harness.Context.Reports);
        _available = (long)freeMegabytes << 20;
        harness.Clock.PassSeconds(5);
        harness.Write("dropped");

        Assert.Equal("all of it is free\n", harness.Read("shop.log"));
        Assert.Equal(
            string.Format(System.Globalization.CultureInfo.InvariantCulture, message, harness.Folder.Path)
                + ". Records below Warning are dropped: free some space or set MinFreeSpace; 0 switches it off.",
            Assert.Single(harness.Context.Reports).Message);
    }

    [Fact]
    public void Sizes_that_differ_by_a_byte_differ_in_the_message()
    {
        using SinkHarness harness = Sink();
        _available = (100 << 20) - 1;
        harness.Write("dropped");

        Assert.StartsWith(
            $"104857599 B are free for {harness.Folder.Path}, less than MinFreeSpace (104857600 B). ",
            Assert.Single(harness.Context.Reports).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_free_space_is_measured_before_each_batch_while_the_disk_is_low()
    {
        using SinkHarness harness = Sink();
        _available = 1;
        harness.Write("dropped");
        harness.Write("dropped too");
        _available = 1L << 30;
        harness.Write("there is room again");

        Assert.Equal(3, _looks);
        Assert.Equal("there is room again\n", harness.Read("shop.log"));
        Assert.Empty(harness.Context.Degraded);
        Assert.Equal(
            "there is free space again; records of all levels are written. Records dropped meanwhile: 2.",
            harness.Context.ResolvedMessages["disk_low"]);
    }

    [Fact]
    public void While_nothing_can_be_written_all_levels_wait()
    {
        using SinkHarness harness = Sink();
        harness.Write("before");
        (_available, _files.OnAppend) = (0, static _ => 0);
        LogBatch batch = harness.BatchOf(
            ("t", LogLevel.Trace), ("d", LogLevel.Debug), ("i", LogLevel.Information),
            ("w", LogLevel.Warning), ("e", LogLevel.Error), ("c", LogLevel.Critical));
        for (int attempt = 0; attempt < 3; attempt++)
        {
            harness.Clock.PassSeconds(5);
            harness.FailToWrite(batch);
            Assert.Equal(6, batch.Count);
        }

        // What failed was not little space.
        Assert.Empty(harness.Context.Degraded);
        Assert.DoesNotContain(harness.Context.Reports, static report => report.Condition == "disk_low");
        (_available, _files.OnAppend) = (1L << 30, null);
        harness.Write(batch);
        Assert.Equal("before\nt\nd\ni\nw\ne\nc\n", harness.Read("shop.log"));
    }

    [Fact]
    public void After_a_write_that_failed_no_level_is_dropped_until_one_succeeds()
    {
        using SinkHarness harness = Sink();
        _files.OnAppend = static _ => 0;
        LogBatch batch = harness.BatchOf(("i", LogLevel.Information), ("w", LogLevel.Warning));
        harness.FailToWrite(batch);
        _available = 4096;
        harness.Clock.PassSeconds(5);
        harness.FailToWrite(batch);
        _files.OnAppend = null;
        harness.Write(batch);
        harness.Clock.PassSeconds(5);
        harness.Write("dropped");

        Assert.Equal("i\nw\n", harness.Read("shop.log"));
        Assert.Equal(["disk_low"], harness.Context.Degraded);
    }

    [Fact]
    public void While_the_file_cannot_be_opened_no_level_is_dropped()
    {
        using SinkHarness harness = Sink();
        _available = 4096;
        _files.OnOpen = static _ => FileErrorClass.NoSpace;
        LogBatch batch = harness.BatchOf(("w", LogLevel.Warning), ("i", LogLevel.Information));
        harness.FailToWrite(batch);
        harness.FailToWrite(batch);
        Assert.Equal(2, batch.Count);
        _files.OnOpen = null;
        harness.Write(batch);
        Assert.Equal("w\ni\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_file_system_without_a_size_is_not_full()
    {
        Assert.SkipUnless(Directory.Exists("/proc/self"), "needs /proc");

        Assert.Null(Folders.SpaceOf("/proc/nope"));
    }

    [Fact]
    [Trait("Category", "system")]
    public void By_default_an_empty_small_disk_takes_every_record()
    {
        using SmallDisk? disk = SmallDisk.TryMount(5120);
        Assert.SkipWhen(disk is null, "mounting a tmpfs needs root");
        using var harness = new SinkHarness(options =>
        {
            options.Path = Path.Join(disk.Path, "shop.log");
            options.MinFreeSpace = null;
        });
        LogLevel[] levels = [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];
        foreach (LogLevel level in levels)
            harness.Write(harness.BatchOf(($"{level}", level)));

        Assert.Equal(["Trace", "Debug", "Information", "Warning", "Error", "Critical"], File.ReadAllLines(Path.Join(disk.Path, "shop.log")));
        Assert.Empty(harness.Context.Reports);
    }

    [Fact]
    public void It_resumes_by_itself_a_tenth_above_the_floor_also_without_a_record()
    {
        using SinkHarness harness = Sink();
        harness.Write("a");
        _available = 1 << 20;
        harness.Clock.PassSeconds(5);
        harness.Write("dropped");
        _available = (110L << 20) - 1;
        harness.Clock.PassSeconds(5);
        harness.Write("dropped too");
        _available++;
        Assert.Equal(harness.Clock.Now.AddSeconds(5), harness.Sink.NextDue);
        harness.Clock.PassSeconds(5);
        harness.RunDue();

        Assert.Empty(harness.Context.Degraded);
        Assert.Equal(["disk_low"], harness.Context.Resolved.Where(static condition => condition == "disk_low"));
        harness.Write("b");
        Assert.Equal("a\nb\n", harness.Read("shop.log"));
        Assert.Equal(110L << 20, harness.Counters.Available);
        Assert.Equal(100L << 20, harness.Counters.Minimum);
    }

    [Fact]
    public void It_is_looked_at_every_five_seconds_and_every_sixteen_megabytes()
    {
        using SinkHarness harness = Sink(static options => options.RollingInterval = RollingInterval.None);
        for (int i = 0; i < 4; i++)
            harness.Write("a");
        Assert.Equal(1, _looks);
        harness.Clock.PassSeconds(4.9);
        harness.Write("a");
        Assert.Equal(1, _looks);
        harness.Clock.PassSeconds(0.1);
        harness.Write("a");
        Assert.Equal(2, _looks);
        string megabyte = new('x', (1 << 20) - 1);
        for (int i = 0; i < 16; i++)
            harness.Write(megabyte);
        Assert.Equal(2, _looks);
        harness.Write(megabyte);
        Assert.Equal(3, _looks);
        harness.Clock.PassSeconds(5);
        harness.Write("a");
        Assert.Equal(4, _looks);
    }

    [Fact]
    public void Zero_switches_it_off_at_once()
    {
        using SinkHarness harness = Sink();
        _available = 1;
        harness.Write("dropped");
        harness.Apply(static options => options.MinFreeSpace = 0);
        harness.Write("a");

        Assert.Equal("a\n", harness.Read("shop.log"));
        Assert.Empty(harness.Context.Degraded);
    }

    [Fact]
    public void A_floor_that_cannot_be_looked_at_holds_nothing_back()
    {
        using SinkHarness harness = Sink();
        _available = null;
        harness.Write("a");

        Assert.Equal("a\n", harness.Read("shop.log"));
        Assert.Null(Folders.SpaceOf("relative-and-missing"));
        Assert.NotNull(Folders.SpaceOf(harness.Folder.File("missing/too")));
    }

    [Fact]
    public void A_batch_that_was_begun_is_finished_though_the_disk_is_low_by_then()
    {
        using SinkHarness harness = Sink();
        int writes = 0;
        _files.OnAppend = length => writes++ switch
        {
            0 => 3,
            1 => 0,
            _ => length,
        };
        LogBatch batch = harness.BatchNow("abcdef", "second");
        harness.FailToWrite(batch);
        _available = 1;
        harness.Clock.PassSeconds(5);
        harness.Write(batch);

        Assert.Equal("abcdef\nsecond\n", harness.Read("shop.log"));
    }

    [Fact]
    public void The_condition_ends_with_the_sink()
    {
        using SinkHarness harness = Sink();
        _available = 1;
        harness.Write("dropped");
        Assert.Equal(["disk_low"], harness.Context.Degraded);
        harness.Restart();

        Assert.Empty(harness.Context.Degraded);
    }

    [Trait("Category", "system")]
    [Fact]
    public void A_real_small_disk_is_seen()
    {
        using SmallDisk? disk = SmallDisk.TryMount(4096);
        Assert.SkipWhen(disk is null, "mounting a tmpfs needs root");
        using var harness = new SinkHarness(options =>
        {
            options.Path = Path.Join(disk.Path, "logs", "shop.log");
            options.MinFreeSpace = 1 << 20;
        });
        harness.Write("a");
        File.WriteAllBytes(Path.Join(disk.Path, "ballast"), new byte[3200 << 10]);
        harness.Clock.PassSeconds(5);
        harness.Write(harness.BatchOf(("i", LogLevel.Information), ("w", LogLevel.Warning)));
        File.Delete(Path.Join(disk.Path, "ballast"));
        harness.Clock.PassSeconds(5);
        harness.RunDue();
        harness.Write("b");

        Assert.Equal(["a", "w", "b"], File.ReadAllLines(Path.Join(disk.Path, "logs", "shop.log")));
    }

    [Trait("Category", "system")]
    [Fact]
    public void Records_that_wait_behind_one_that_was_begun_on_a_full_disk_are_written_when_there_is_room_again()
    {
        using SmallDisk? disk = SmallDisk.TryMount(256);
        Assert.SkipWhen(disk is null, "mounting a tmpfs needs root");
        string path = Path.Join(disk.Path, "shop.log");
        using var harness = new SinkHarness(options =>
        {
            options.Path = path;
            options.MinFreeSpace = null;
        });
        harness.Write("first");
        File.WriteAllBytes(Path.Join(disk.Path, "ballast"), new byte[200 << 10]);
        LogBatch begun = harness.BatchNow(new string('x', 100 << 10), "waits too");
        harness.FailToWrite(begun);
        harness.Clock.PassSeconds(5);
        harness.FailToWrite(begun);
        Assert.Equal(2, begun.Count);

        File.Delete(Path.Join(disk.Path, "ballast"));
        harness.Write(begun);
        harness.Write("waited");

        Assert.Equal(["first", new string('x', 100 << 10), "waits too", "waited"], File.ReadAllLines(path));
    }

    private SinkHarness Sink(Action<AsyncFileLoggerOptions>? configure = null) => new(
        options =>
        {
            options.MinFreeSpace = null;
            configure?.Invoke(options);
        },
        _files);
}
