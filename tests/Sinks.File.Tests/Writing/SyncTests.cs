using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class SyncTests
{
    private readonly FaultyFileSystem _files = new();

    [Fact]
    public void By_default_nothing_is_synced()
    {
        using SinkHarness harness = Sink(static _ => { });
        harness.Write("a");
        Assert.True(harness.Flush());

        Assert.Empty(_files.Synced);
        Assert.Equal(RollOnly(harness), harness.Sink.NextDue);
    }

    [Fact]
    public void Every_batch_is_synced_and_the_directory_when_the_file_is_new()
    {
        using SinkHarness harness = Sink(static options => options.Durability = WriteDurability.FlushToDisk);
        harness.Write("a");
        string file = harness.Folder.File("shop.log");
        Assert.Equal([harness.Folder.Path, file], _files.Synced);
        int before = _files.Synced.Count;

        harness.Write("b");
        Assert.Equal([file], _files.Synced.Skip(before));
        Assert.True(harness.Flush());
        Assert.Equal(before + 1, _files.Synced.Count);
    }

    [Theory]
    [InlineData("shop.log")]
    [InlineData("shop-{Date}.log")]
    public void A_roll_syncs_the_old_file_and_the_directory(string path)
    {
        using SinkHarness harness = Sink(options =>
        {
            options.Path = path;
            options.Durability = WriteDurability.FlushToDisk;
            options.FileSizeLimit = 4096;
        });
        harness.Write("a");
        _files.Synced.Clear();

        harness.Write(new string('x', 2000), new string('y', 2000), new string('z', 200));

        Assert.Equal(2, harness.Names.Count);
        string old = harness.Folder.File(harness.Names.Single(name => harness.Read(name).StartsWith('a')));
        string next = harness.Folder.File(harness.Names.Single(name => harness.Read(name).EndsWith("z\n", StringComparison.Ordinal)));
        // A fixed file is synced after it was renamed, and known by the name with which it was opened.
        Assert.Equal([path == "shop.log" ? harness.Folder.File("shop.log") : old, harness.Folder.Path, next], _files.Synced);
    }

    [Fact]
    public void A_directory_above_that_may_not_be_opened_is_no_trouble()
    {
        using SinkHarness harness = Sink(static options =>
        {
            options.Path = "made/shop.log";
            options.Durability = WriteDurability.FlushToDisk;
        });
        int refusals = 0;
        _files.OnSync = path => path == harness.Folder.Path && ++refusals > 0 ? FileErrorClass.Permission : null;
        harness.Write("a");

        Assert.True(harness.Flush());
        Assert.Equal(1, refusals);
        Assert.Equal([harness.Folder.File("made"), harness.Folder.File("made", "shop.log")], _files.Synced);
        Assert.Empty(harness.Context.Reports);
        Assert.Empty(harness.Context.Errors);
    }

    [Fact]
    public void Of_the_directories_above_only_those_with_a_new_name_are_synced()
    {
        using SinkHarness harness = Sink(static options =>
        {
            options.Path = "a/b/shop.log";
            options.Durability = WriteDurability.FlushToDisk;
            options.FileSizeLimit = 4096;
        });
        harness.Write("a");
        Assert.Equal([harness.Folder.File("a", "b"), harness.Folder.File("a"), harness.Folder.Path], _files.Synced.Where(static path => !path.EndsWith(".log", StringComparison.Ordinal)));
        _files.Synced.Clear();

        harness.Write(new string('x', 4095));

        Assert.Equal([harness.Folder.File("a", "b")], _files.Synced.Where(static path => !path.EndsWith(".log", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_file_that_cannot_be_closed_makes_a_flush_false()
    {
        using SinkHarness harness = Sink(static options => options.FileSizeLimit = 4096);
        harness.Write("a");
        _files.OnClose = static _ => FileErrorClass.NoSpace;
        harness.Write(new string('x', 4095));

        Assert.False(harness.Flush());
        Assert.Equal([FileErrorClass.NoSpace], harness.Context.Errors);
        Assert.Equal("close", Assert.Single(harness.Context.Reports).Condition);
        _files.OnClose = null;
        Assert.True(harness.Flush());
    }

    [Fact]
    public void A_directory_that_cannot_be_synced_makes_a_flush_false_and_is_tried_again()
    {
        using SinkHarness harness = Sink(static options => options.Durability = WriteDurability.FlushToDisk);
        _files.OnSync = path => path == harness.Folder.Path ? FileErrorClass.IoError : null;
        harness.Write("a");
        Assert.False(harness.Flush());
        Assert.False(harness.Flush());
        Assert.Equal([harness.Folder.File("shop.log")], _files.Synced);
        _files.OnSync = null;
        Assert.True(harness.Flush());

        Assert.Equal([harness.Folder.File("shop.log"), harness.Folder.Path], _files.Synced);
        Assert.Equal(["shop.log"], harness.Names);
        // After opening, after the batch, and with each flush.
        Assert.Equal(Enumerable.Repeat(FileErrorClass.IoError, 4), harness.Context.Errors);
    }

    [Fact]
    public void A_timed_sync_comes_when_the_oldest_unsynced_record_is_as_old_as_the_interval()
    {
        using SinkHarness harness = Sink(static options => options.FlushToDiskInterval = TimeSpan.FromMilliseconds(500));
        harness.Write("a");
        _files.Synced.Clear();
        Assert.Equal(harness.Clock.Now.AddSeconds(0.5), harness.Sink.NextDue);
        harness.Clock.PassSeconds(0.4);
        harness.Write("b");
        Assert.Empty(_files.Synced);
        harness.Clock.PassSeconds(0.1);
        harness.RunDue();

        Assert.Equal([harness.Folder.File("shop.log")], _files.Synced);
        harness.RunDue();
        harness.Clock.PassSeconds(5);
        harness.RunDue();
        Assert.Single(_files.Synced);
    }

    [Fact]
    public void A_timed_sync_does_not_wait_for_an_idle_worker_nor_for_the_wall_clock()
    {
        using SinkHarness harness = Sink(static options => options.FlushToDiskInterval = TimeSpan.FromSeconds(1));
        harness.Write("a");
        _files.Synced.Clear();
        harness.Clock.PassSeconds(1);
        harness.Clock.Now = harness.Clock.Now.AddHours(-3);
        harness.Write("b");

        Assert.Equal([harness.Folder.File("shop.log")], _files.Synced);
    }

    [Fact]
    public void A_batch_with_a_record_of_the_level_is_synced_at_most_ten_times_a_second()
    {
        using SinkHarness harness = Sink(static options => options.FlushToDiskLevel = LogLevel.Error);
        harness.Write(harness.BatchOf(("a", LogLevel.Warning)));
        Assert.Equal([harness.Folder.Path], _files.Synced);
        _files.Synced.Clear();
        Assert.Equal(RollOnly(harness), harness.Sink.NextDue);

        harness.Write(harness.BatchOf(("b", LogLevel.Information), ("c", LogLevel.Error), ("d", LogLevel.Information)));
        Assert.Single(_files.Synced);
        harness.Clock.PassSeconds(0.04);
        harness.Write(harness.BatchOf(("e", LogLevel.Critical)));
        Assert.Single(_files.Synced);
        Assert.Equal(harness.Clock.Now.AddSeconds(0.06), harness.Sink.NextDue);
        harness.Clock.PassSeconds(0.06);
        harness.RunDue();
        Assert.Equal(2, _files.Synced.Count);
    }

    [Theory]
    [InlineData(3600, LogLevel.None)]
    [InlineData(null, LogLevel.Critical)]
    public void A_flush_syncs_what_is_not_due_yet_by_its_interval_or_its_level(int? seconds, LogLevel level)
    {
        using SinkHarness harness = Sink(options =>
            (options.FlushToDiskInterval, options.FlushToDiskLevel) = (seconds is { } interval ? TimeSpan.FromSeconds(interval) : null, level));
        harness.Write("a");
        _files.Synced.Clear();

        Assert.True(harness.Flush());

        Assert.Equal([harness.Folder.File("shop.log")], _files.Synced);
    }

    [Fact]
    public void A_reload_switches_durability_on_and_what_was_written_before_is_synced_too()
    {
        using SinkHarness harness = Sink(static _ => { });
        harness.Write("a");
        harness.Apply(static options => options.Durability = WriteDurability.FlushToDisk);
        Assert.Empty(_files.Synced);
        Assert.True(harness.Flush());

        Assert.Equal([harness.Folder.File("shop.log"), harness.Folder.Path], _files.Synced);
    }

    [Fact]
    public void A_slow_sync_is_reported_and_the_fast_one_that_follows_is_not()
    {
        using SinkHarness harness = Sink(static options => options.Durability = WriteDurability.FlushToDisk);
        _files.OnSync = path =>
        {
            if (path.EndsWith(".log", StringComparison.Ordinal))
                harness.Clock.PassSeconds(30);
            return null;
        };
        harness.Write("a");
        _files.OnSync = null;
        harness.Write("b");

        Assert.True(harness.Flush());
        Assert.Equal(2, _files.Synced.Count(path => path == harness.Folder.File("shop.log")));
        string told = $"the sync of {harness.Folder.File("shop.log")} took 30.0 s. "
            + "Records waited in the queue meanwhile: use a faster disk or sync less often.";
        Assert.Equal([(LogLevel.Warning, "slow_sync", told)], harness.Context.Reports);
    }

    [Fact]
    public void A_real_file_and_its_directory_can_be_synced()
    {
        using var folder = new TempFolder();
        IFileSystem files = FileSystems.ForThisPlatform();
        using IAppendFile file = files.Open(folder.File("a.log"), FileOpening.New, AsyncFileLoggerOptions.DefaultFileMode);
        file.Append("a\n"u8);
        file.Sync();
        files.SyncDirectory(folder.Path);
        if (OperatingSystem.IsLinux())
            Assert.Equal(FileErrorClass.NotFound, Assert.Throws<LogSinkException>(() => files.SyncDirectory(folder.File("missing"))).ErrorType);
        Assert.Equal(2, file.Stat().Size);
    }

    private SinkHarness Sink(Action<AsyncFileLoggerOptions> configure) => new(configure, _files);

    // Midnight and a second.
    private static DateTimeOffset RollOnly(SinkHarness harness) =>
        harness.Clock.Now.AddHours(1) < harness.Clock.Now.Date.AddDays(1) ? harness.Clock.Now.AddHours(1) : harness.Clock.Now.Date.AddDays(1).AddSeconds(1);
}
