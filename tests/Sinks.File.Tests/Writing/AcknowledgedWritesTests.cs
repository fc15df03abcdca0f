using AsyncLog.Tests.Disk;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

/// <summary>Records whose callers wait: what is on the disk when their batch is settled.</summary>
public sealed class AcknowledgedWritesTests
{
    private readonly FaultyFileSystem _files = new();

    [Fact]
    public void With_FlushToDiskLevel_every_record_is_synced_when_its_Log_returns()
    {
        using var folder = new TempFolder();
        var type = new FileSinkDefinition(
            new AsyncFileControl(), createSink: (options, context) => new FileSink(new LogFileSettings(options), context, _files, new LogFileRegistry()));
        using ServiceProvider services = new ServiceCollection()
            .AddLogging(logging => logging.AddSink<AsyncFileLoggerProvider, AsyncFileLoggerOptions>(type, options =>
            {
                options.Path = folder.File("shop.log");
                options.Template = "{Message}{NewLine}";
                options.MinFreeSpace = 0;
                (options.FlushToDiskLevel, options.AcknowledgeLevel, options.AcknowledgeFailureMode) = (LogLevel.Warning, LogLevel.Warning, AcknowledgeFailureMode.Throw);
                options.AcknowledgeTimeout = TimeSpan.FromMinutes(1);
            }))
            .BuildServiceProvider();
        ILogger logger = services.GetRequiredService<ILogger<AcknowledgedWritesTests>>();
        long length = 0;
        _files.OnSync = path =>
        {
            if (path == folder.File("shop.log"))
                length = new FileInfo(path).Length;
            return null;
        };

        // More than ten within a second: the pause between syncs for a level does not hold for them.
        for (int i = 0; i < 20; i++)
        {
            logger.LogInformation("ordinary {Number}", i);
            logger.LogWarning("audited {Number}", i);
            Assert.Contains($"audited {i}\n", folder.Read("shop.log")[..(int)length], StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(LogLevel.Warning, LogLevel.Error, LogLevel.Warning, false)]
    [InlineData(LogLevel.Warning, LogLevel.Error, LogLevel.Error, true)]
    [InlineData(LogLevel.Error, LogLevel.Warning, LogLevel.Error, true)]
    [InlineData(LogLevel.Error, LogLevel.None, LogLevel.Critical, false)]
    [InlineData(LogLevel.None, LogLevel.Trace, LogLevel.Critical, false)]
    public void A_batch_is_synced_at_once_for_records_that_both_levels_name(LogLevel acknowledge, LogLevel flushToDisk, LogLevel level, bool isSynced)
    {
        using SinkHarness harness = Sink(acknowledge, flushToDisk);
        harness.Write(harness.BatchOf(("begins the pause of a tenth of a second", LogLevel.Critical)));
        _files.Synced.Clear();

        harness.Write(harness.BatchOf(("a", LogLevel.Information), ("b", level)));

        Assert.Equal(isSynced ? [harness.Folder.File("shop.log")] : [], _files.Synced);
        Assert.Equal(0, harness.Context.Uncertain);
    }

    [Fact]
    public void Records_whose_sync_failed_are_uncertain()
    {
        using SinkHarness harness = Sink(LogLevel.Warning, LogLevel.Warning);
        harness.Write(harness.BatchOf(("safe", LogLevel.Warning)));
        FailSyncs(1);

        harness.Write(harness.BatchOf(("ordinary", LogLevel.Information), ("doubtful", LogLevel.Warning), ("doubtful too", LogLevel.Error)));
        Assert.Equal(2, harness.Context.Uncertain);
        harness.Write(harness.BatchOf(("safe again", LogLevel.Warning)));

        Assert.Equal(2, harness.Context.Uncertain);
    }

    [Fact]
    public void Records_in_a_file_that_cannot_be_synced_any_more_are_uncertain_until_there_is_a_new_one()
    {
        using SinkHarness harness = Sink(LogLevel.Warning, LogLevel.Warning);
        harness.Write(harness.BatchOf(("safe", LogLevel.Warning)));
        _files.OnArchive = static _ => FileErrorClass.IoError;
        FailSyncs(1);
        harness.Write(harness.BatchOf(("one", LogLevel.Warning)));
        harness.Write(harness.BatchOf(("two", LogLevel.Warning)));
        harness.Write(harness.BatchOf(("ordinary", LogLevel.Information)));
        Assert.Equal(2, harness.Context.Uncertain);

        _files.OnArchive = null;
        harness.Clock.PassSeconds(1);
        harness.RunDue();
        harness.Write(harness.BatchOf(("three", LogLevel.Warning)));

        Assert.Equal(2, harness.Context.Uncertain);
        Assert.EndsWith("three\n", harness.Read("shop.log"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_record_that_was_written_before_the_disk_was_full_is_synced_with_the_rest_of_its_batch()
    {
        using SinkHarness harness = Sink(LogLevel.Warning, LogLevel.Warning);
        harness.Write(harness.BatchOf(("begins the pause", LogLevel.Warning)));
        _files.Synced.Clear();
        int writes = 0;
        _files.OnAppend = length => writes++ switch
        {
            0 => "audited\n".Length,
            1 => 0,
            _ => length,
        };
        LogBatch batch = harness.BatchOf(("audited", LogLevel.Warning), ("ordinary", LogLevel.Information));
        _ = harness.FailToWrite(batch);
        Assert.Empty(_files.Synced);

        harness.Write(batch);

        Assert.Equal([harness.Folder.File("shop.log")], _files.Synced);
        Assert.Equal("begins the pause\naudited\nordinary\n", harness.Read("shop.log"));
        Assert.Equal(0, harness.Context.Uncertain);
    }

    [Fact]
    public void A_name_that_cannot_be_synced_makes_the_records_of_the_new_file_uncertain()
    {
        using SinkHarness harness = Sink(LogLevel.Warning, LogLevel.Warning);
        string folder = harness.Folder.Path;
        _files.OnSync = path => path == folder ? FileErrorClass.IoError : null;

        harness.Write(harness.BatchOf(("a", LogLevel.Warning)));
        Assert.Equal(1, harness.Context.Uncertain);
        _files.OnSync = null;
        harness.Write(harness.BatchOf(("b", LogLevel.Warning)));

        Assert.Equal(1, harness.Context.Uncertain);
    }

    private void FailSyncs(int failures)
        => _files.OnSync = path => path.EndsWith(".log", StringComparison.Ordinal) && failures-- > 0 ? FileErrorClass.IoError : null;

    private SinkHarness Sink(LogLevel acknowledge, LogLevel flushToDisk)
        => new(options => (options.AcknowledgeLevel, options.FlushToDiskLevel) = (acknowledge, flushToDisk), _files);
}
