using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Faults;

/// <summary>Files while no thread of the pool is left. Alone, because the pool is that of every test.</summary>
[Collection(nameof(StarvationTests))]
[CollectionDefinition(nameof(StarvationTests), DisableParallelization = true)]
public sealed class StarvationTests
{
    [Fact]
    public void With_every_thread_of_the_pool_blocked_a_file_is_written_flushed_rolled_and_drained_by_dispose()
    {
        using var folder = new TempFolder();
        using var pool = new StarvedPool();
        var log = new RunningLogger(
            ("Path", folder.File("shop.log")), ("FileSizeLimit", "64KB"), ("RollingInterval", "None"), ("ArchiveName", "shop.{Number}.log"), ("Durability", "FlushToDisk"));

        log.Logger.LogInformation("written");
        Eventually.True(() => folder.Lines("shop.log") is ["written"]);
        log.Logger.LogInformation("flushed");
        Assert.True(log.Flush().GetAwaiter().GetResult());
        Assert.Equal(["written", "flushed"], folder.Lines("shop.log"));
        for (var number = 0; number < 2_000; number++)
            log.Logger.LogInformation("{Number} {Padding}", number, "0123456789012345678901234567890123456789");
        log.Dispose();

        pool.RequireStarved();
        Assert.True(Directory.GetFiles(folder.Path).Length > 1);
        Assert.Equal(2_002, Directory.GetFiles(folder.Path).Sum(static path => File.ReadAllLines(path).Length));
        log.AssertCountersAddUp(2_002);
    }
}
