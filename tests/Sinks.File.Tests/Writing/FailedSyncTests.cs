using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class FailedSyncTests
{
    private readonly FaultyFileSystem _files = new();
    private int _failures;

    public FailedSyncTests() => _files.OnSync = path => path.EndsWith(".log", StringComparison.Ordinal) && _failures-- > 0 ? FileErrorClass.IoError : null;

    [Theory]
    [InlineData("shop.log")]
    [InlineData("shop-{Date}.log")]
    public void After_a_failed_sync_a_new_file_begins(string path)
    {
        using SinkHarness harness = Sink(options => options.Path = path);
        harness.Write("safe");
        _failures = 1;

        harness.Write("doubtful", "doubtful too");
        Assert.False(harness.Flush());
        harness.Write("later");
        Assert.True(harness.Flush());

        Assert.Equal(2, harness.Names.Count);
        Assert.Contains("safe\ndoubtful\ndoubtful too\n", harness.Names.Select(harness.Read));
        Assert.Contains("later\n", harness.Names.Select(harness.Read));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Suspect]);
        Assert.Equal([FileErrorClass.IoError], harness.Context.Errors);
        Assert.Equal(["sync"], harness.Context.Reports.Select(static report => report.Condition));
        Assert.Equal(["sync"], harness.Context.Resolved.Where(static condition => condition == "sync"));
    }

    [Fact]
    public void A_file_whose_sync_failed_is_never_synced_again()
    {
        using SinkHarness harness = Sink(static _ => { });
        harness.Write("a");
        _files.OnArchive = static _ => FileErrorClass.IoError;
        _failures = 1;
        harness.Write("b");
        _files.Synced.Clear();

        harness.Write("c");
        Assert.False(harness.Flush());
        Assert.DoesNotContain(harness.Folder.File("shop.log"), _files.Synced);
        Assert.Equal("a\nb\nc\n", harness.Read("shop.log"));
        _files.OnArchive = null;
        harness.Clock.PassSeconds(1);
        harness.RunDue();

        Assert.Equal("a\nb\nc\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Suspect]);
    }

    [Fact]
    public void A_timed_sync_that_fails_begins_a_new_file_with_nothing_in_memory()
    {
        using SinkHarness harness = Sink(static options =>
        {
            options.Durability = WriteDurability.Flush;
            options.FlushToDiskInterval = TimeSpan.FromSeconds(1);
        });
        harness.Write("a");
        _failures = 1;
        harness.Clock.PassSeconds(1);
        harness.RunDue();
        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        harness.Write("b");

        Assert.Equal("a\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("b\n", harness.Read("shop.log"));
        Assert.False(harness.Flush());
        Assert.True(harness.Flush());
    }

    [Fact]
    public void A_failed_sync_of_a_file_that_is_finished_makes_the_flush_false()
    {
        using SinkHarness harness = Sink(static options => options.FileSizeLimit = 4096);
        string[] lines = [.. Enumerable.Range(0, 5).Select(static i => i + new string('x', 1000))];
        harness.Write("first");
        _failures = 1;

        harness.Write(lines);

        Assert.Equal("first\n" + string.Concat(lines.Take(4).Select(static line => line + "\n")), harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal(lines[4] + "\n", harness.Read("shop.log"));
        Assert.False(harness.Flush());
        Assert.Equal(0, harness.Counters.Rolled[RollReason.Suspect]);
    }

    [Fact]
    public void A_disk_that_is_broken_for_good_gets_fewer_and_fewer_new_files_and_every_record()
    {
        using SinkHarness harness = Sink(static options => options.RetainedFileCountLimit = null);
        _failures = int.MaxValue;
        List<int> began = [];
        for (int second = 0; second < 3600; second++)
        {
            harness.Write($"{second}");
            harness.RunDue();
            if (harness.Counters.Rolled[RollReason.Suspect] > began.Count)
                began.Add(second);
            harness.Clock.PassSeconds(1);
        }

        Assert.False(harness.Flush());
        Assert.InRange(harness.Names.Count, 5, 20);
        int[] pauses = [.. began.Zip(began.Skip(1), static (earlier, later) => later - earlier)];
        Assert.Equal(pauses.Order(), pauses);
        Assert.InRange(pauses[^1], 600, 601);
        string[] all = [.. harness.Names.SelectMany(name => harness.Folder.Lines(name))];
        Assert.Equal(Enumerable.Range(0, 3600).Select(static second => $"{second}").Order(StringComparer.Ordinal), all.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_disk_that_is_full_only_at_the_sync_makes_a_flush_false()
    {
        using SinkHarness harness = Sink(static options =>
        {
            options.Durability = WriteDurability.Flush;
            options.FlushToDiskLevel = LogLevel.Critical;
        });
        harness.Write("a");
        _files.OnSync = static path => path.EndsWith(".log", StringComparison.Ordinal) ? FileErrorClass.NoSpace : null;

        Assert.False(harness.Flush());

        Assert.Equal([FileErrorClass.NoSpace], harness.Context.Errors);
        Assert.Equal(
            $"made to fail: {harness.Folder.File("shop.log")} (no space left on the device: free some). "
                + "What was written to it since the last sync may be lost; a new file begins.",
            Assert.Single(harness.Context.Reports).Message);
    }

    private SinkHarness Sink(Action<AsyncFileLoggerOptions> configure) => new(
        options =>
        {
            options.Durability = WriteDurability.FlushToDisk;
            configure(options);
        },
        _files);
}
