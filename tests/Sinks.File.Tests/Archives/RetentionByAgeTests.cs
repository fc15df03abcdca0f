using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Archives;

public sealed class RetentionByAgeTests
{
    [Theory]
    [InlineData("shop.log", "shop.2026-11-17.001.log", "shop.2026-11-18.001.log.gz")]
    [InlineData("shop-{Date}.log", "shop-2026-11-17.log", "shop-2026-11-18.001.log.gz")]
    public void Age_counts_from_the_end_of_the_day_in_the_name(string path, string old, string young)
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = path;
            options.RetainedFileTimeLimit = TimeSpan.FromHours(37);
        });
        harness.Folder.Write(old, "own");
        harness.Folder.Write(young, "own");

        harness.Write("first");
        Assert.DoesNotContain(old, harness.Names);
        Assert.Contains(young, harness.Names);
        harness.Clock.Pass(TimeSpan.FromHours(1));
        harness.RunDue();

        Assert.Equal(2, harness.Counters.Deleted[DeletionReason.Age]);
        Assert.DoesNotContain(young, harness.Names);
    }

    [Theory]
    [InlineData(16, 17, 18, 19)]
    [InlineData(18, 19)]
    public void While_the_clock_is_in_doubt_one_file_a_minute_is_deleted_for_its_age(params int[] days)
    {
        using var harness = new SinkHarness(options => options.RetainedFileTimeLimit = TimeSpan.FromDays(30));
        foreach (int day in days)
            harness.Folder.Write($"shop.2026-11-{day}.001.log", "own");
        harness.Write("first");
        Assert.Equal(0, harness.Counters.Deleted[DeletionReason.Age]);
        harness.Clock.Now += TimeSpan.FromDays(3650);

        List<long> deleted = [];
        for (int pass = 0; pass < 6; pass++)
        {
            harness.RunDue();
            deleted.Add(harness.Counters.Deleted[DeletionReason.Age]);
            harness.Clock.PassSeconds(25);
        }

        Assert.Equal([1, 1, 1, 2, 2, 2], deleted);
    }

    [Fact]
    public void Files_that_cannot_be_deleted_are_still_among_the_retained_and_those_that_are_gone_are_not()
    {
        string? failing = null;
        var files = new FaultyFileSystem { OnDelete = path => Path.GetFileName(path) == failing ? FileErrorClass.Permission : null };
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 2, files);
        foreach (int number in (int[])[1, 2, 3])
            harness.Folder.Write($"shop.2026-11-19.{number:000}.log", "own");
        failing = "shop.2026-11-19.001.log";

        harness.Write("first");

        // With the active file, of six bytes.
        Assert.Equal((3, 12), (harness.Counters.RetainedCount, harness.Counters.RetainedSize));
        Assert.Equal(["shop.2026-11-19.001.log", "shop.2026-11-19.003.log", "shop.log"], harness.Names);
    }

    [Fact]
    public void The_active_file_is_never_deleted_however_old_or_large_it_is()
    {
        using var harness = new SinkHarness(options =>
        {
            options.RollingInterval = RollingInterval.None;
            options.FileSizeLimit = null;
            options.RetainedFileTimeLimit = TimeSpan.FromMinutes(1);
            options.RetainedTotalSizeLimit = 10;
        });
        harness.Write("more than ten bytes");
        for (int day = 0; day < 3; day++)
        {
            harness.Clock.Pass(TimeSpan.FromDays(1));
            harness.RunDue();
        }

        Assert.Equal(["shop.log"], harness.Names);
    }

    [Fact]
    public void The_total_size_counts_what_lies_on_disk()
    {
        using var harness = new SinkHarness(options =>
        {
            options.FileSizeLimit = 4096;
            options.RetainedTotalSizeLimit = 10_000;
        });
        // A compressed file counts with the bytes that it has.
        foreach (string name in (string[])["001.log", "002.log", "003.log.gz", "004.log"])
            harness.Folder.Write($"shop.2026-11-19.{name}", new string('x', 3000));

        harness.Write("first");

        Assert.Equal(["shop.2026-11-19.002.log", "shop.2026-11-19.003.log.gz", "shop.2026-11-19.004.log", "shop.log"], harness.Names);
        Assert.Equal(1, harness.Counters.Deleted[DeletionReason.TotalSize]);
    }

    [Fact]
    public void Without_an_interval_the_last_write_counts_because_the_content_is_younger_than_the_name()
    {
        using var harness = new SinkHarness(options =>
        {
            options.RollingInterval = RollingInterval.None;
            options.RetainedFileTimeLimit = TimeSpan.FromDays(1);
        });
        harness.Folder.Write("shop.2020-01-01.001.log", "written lately");
        harness.Folder.Write("shop.2020-01-01.002.log", "old");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.2020-01-01.001.log"), harness.Clock.Now.UtcDateTime.AddHours(-23));
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.2020-01-01.002.log"), harness.Clock.Now.UtcDateTime.AddHours(-25));

        harness.Write("first");

        Assert.Equal(["shop.2020-01-01.001.log", "shop.log"], harness.Names);
    }

    [Fact]
    public void While_the_clock_is_in_doubt_at_most_one_file_a_minute_is_deleted_for_its_age()
    {
        using var harness = new SinkHarness(options =>
        {
            options.RetainedFileTimeLimit = TimeSpan.FromDays(30);
            options.RetainedFileCountLimit = null;
        });
        for (int day = 1; day <= 15; day++)
            harness.Folder.Write($"shop.2026-11-{day:00}.001.log", "own");
        harness.Write("a");
        harness.Clock.Now = harness.Clock.Now.AddYears(10);
        harness.Write("b");
        Assert.Equal(1, Deleted());

        harness.Clock.PassSeconds(59);
        harness.RunDue();
        Assert.Equal(1, Deleted());
        harness.Clock.PassSeconds(1);
        harness.RunDue();
        Assert.Equal(2, Deleted());
        harness.Clock.Now = harness.Clock.Now.AddYears(-10);
        for (int minute = 0; minute < 200; minute++)
        {
            harness.Clock.PassSeconds(60);
            harness.Write("c");
            harness.RunDue();
        }

        Assert.Equal(2, Deleted());
        Assert.Contains("shop.2026-11-15.001.log", harness.Names);

        long Deleted() => harness.Counters.Deleted[DeletionReason.Age];
    }

    [Fact]
    public void A_clock_that_was_set_right_for_good_is_believed_when_nothing_old_is_left()
    {
        using var harness = new SinkHarness(options => options.RetainedFileTimeLimit = TimeSpan.FromDays(30));
        harness.Folder.Write("shop.2026-11-01.001.log", "own");
        harness.Folder.Write("shop.2026-11-02.001.log", "own");
        harness.Write("a");
        harness.Clock.Now = harness.Clock.Now.AddYears(1);
        for (int minute = 0; minute < 3; minute++)
        {
            harness.RunDue();
            harness.Clock.PassSeconds(60);
        }

        // The file of "a" was rolled, and was too old then.
        Assert.Equal(["shop.log"], harness.Names);
        foreach (int number in (int[])[7, 8, 9])
            harness.Folder.Write($"shop.2026-11-02.{number:000}.log", "own");
        harness.Clock.Pass(TimeSpan.FromHours(1));
        harness.RunDue();

        Assert.Equal(["shop.log"], harness.Names);
    }

    [Fact]
    public void After_the_clock_went_back_retention_still_runs_every_hour()
    {
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 1);
        harness.Write("a");
        harness.Clock.Now = harness.Clock.Now.AddDays(-2);
        for (int hour = 0; hour < 2; hour++)
        {
            harness.Folder.Write("shop.2020-01-01.001.log", "own");
            harness.Clock.Pass(TimeSpan.FromMinutes(59));
            harness.RunDue();
            Assert.Equal(["shop.2020-01-01.001.log", "shop.log"], harness.Names);
            harness.Clock.Pass(TimeSpan.FromMinutes(1));
            harness.RunDue();

            Assert.Equal(["shop.log"], harness.Names);
        }
    }

    [Fact]
    public void A_file_that_vanishes_during_retention_is_not_an_error()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 1, files);
        foreach (int number in (int[])[1, 2, 3])
            harness.Folder.Write($"shop.2020-01-01.{number:000}.log", "own");
        files.OnStat = path => Vanish(path, ".001.log");
        files.OnDelete = path => Vanish(path, ".002.log");

        harness.Write("first");

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Empty(harness.Context.Errors);
        Assert.Equal(1, harness.Counters.Deleted[DeletionReason.Count]);

        static string? Vanish(string path, string end)
        {
            if (path.EndsWith(end, StringComparison.Ordinal))
                File.Delete(path);
            return null;
        }
    }

    [Fact]
    public void Changed_limits_apply_at_once()
    {
        using var harness = new SinkHarness();
        harness.Folder.Write("shop.2020-01-01.001.log", "own");
        harness.Folder.Write("shop.2026-11-19.001.log", "own");
        harness.Write("first");

        harness.Apply(options => options.RetainedFileTimeLimit = TimeSpan.FromDays(7));
        Assert.Equal(["shop.2026-11-19.001.log", "shop.log"], harness.Names);
        harness.Apply(options =>
        {
            options.FileSizeLimit = null;
            options.RetainedTotalSizeLimit = 7;
        });

        Assert.Equal(["shop.log"], harness.Names);
    }
}
