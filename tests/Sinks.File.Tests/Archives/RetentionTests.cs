using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Archives;

public sealed class RetentionTests
{
    private static readonly string[] Names = ["d18.7", "d19.1", "d20.2", "d20.10"];

    private static List<ArchiveFile> Files { get; } = [File("d18.7", 18, 7), File("d19.1", 19, 1), File("d20.2", 20, 2), File("d20.10", 20, 10)];

    [Fact]
    public void The_active_file_counts_and_the_oldest_go_first()
    {
        Assert.Equal(["d18.7", "d19.1"], Chosen(new RetentionLimits(Count: 3)));
        Assert.Equal(["d18.7", "d19.1", "d20.2", "d20.10"], Chosen(new RetentionLimits(Count: 1)));
        Assert.Empty(Chosen(new RetentionLimits(Count: 5)));
        Assert.Empty(Chosen(new RetentionLimits()));
    }

    [Theory]
    [InlineData(450, 0)]
    [InlineData(449, 1)]
    [InlineData(350, 1)]
    [InlineData(349, 2)]
    [InlineData(1, 4)]
    public void The_active_file_counts_for_the_total_size_too(long limit, int expected) =>
        Assert.Equal(Names.Take(expected), Chosen(new RetentionLimits(TotalSize: limit), activeSize: 50));

    [Fact]
    public void A_file_is_deleted_when_any_limit_says_so_and_age_counts_from_the_end_of_its_period()
    {
        DateTimeOffset nineteenth = new(2026, 11, 20, 0, 0, 0, TimeSpan.Zero);

        Assert.Equal(["d18.7", "d19.1"], Chosen(new RetentionLimits(KeptSince: nineteenth)));
        Assert.Equal(["d18.7"], Chosen(new RetentionLimits(KeptSince: nineteenth.AddTicks(-1))));
        Assert.Equal(["d18.7", "d19.1", "d20.2"], Chosen(new RetentionLimits(Count: 4, TotalSize: 100, KeptSince: nineteenth)));
        IReadOnlyList<(ArchiveFile File, DeletionReason Reason)> chosen =
            ArchiveRetention.Choose(Files, 0, new RetentionLimits(4, 150, nineteenth), int.MaxValue, out _);
        Assert.Equal(
            [("d18.7", DeletionReason.Count), ("d19.1", DeletionReason.Age), ("d20.2", DeletionReason.TotalSize)],
            chosen.Select(static file => (file.File.Name, file.Reason)));
    }

    [Fact]
    public void What_may_not_be_deleted_for_its_age_now_is_counted_and_still_counts_for_the_size()
    {
        var limits = new RetentionLimits(TotalSize: 200, KeptSince: DateTimeOffset.MaxValue);

        IReadOnlyList<(ArchiveFile File, DeletionReason Reason)> chosen = ArchiveRetention.Choose(Files, 0, limits, 1, out int postponed);

        Assert.Equal(3, postponed);
        Assert.Equal([("d18.7", DeletionReason.Age), ("d19.1", DeletionReason.TotalSize)], chosen.Select(static file => (file.File.Name, file.Reason)));
    }

    [Fact]
    [OnLinux("its symbolic links")]
    public void A_file_ahead_of_the_clock_whose_time_cannot_be_set_is_counted_with_the_class_of_the_error()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(static options => options.Path = "logs/shop.log", files);
        Directory.CreateDirectory(harness.Folder.File("real"));
        LinkTo("real");
        string ahead = harness.Folder.File("real", "shop.2036-01-01.001.log");
        DateTime written = new(2036, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        System.IO.File.WriteAllText(ahead, "own");
        System.IO.File.SetLastWriteTimeUtc(ahead, written);
        // From the look at the file to the next one its directory is a link to itself.
        files.AfterStat = path =>
        {
            if (path.EndsWith("shop.2036-01-01.001.log", StringComparison.Ordinal))
                LinkTo("logs");
        };
        files.OnStat = _ =>
        {
            LinkTo("real");
            return null;
        };

        harness.Write("first");

        LinkTo("real");
        Assert.Equal([FileErrorClass.Symlink], harness.Context.Errors);
        Assert.Equal(written, System.IO.File.GetLastWriteTimeUtc(ahead));

        void LinkTo(string target)
        {
            System.IO.File.Delete(harness.Folder.File("logs"));
            System.IO.File.CreateSymbolicLink(harness.Folder.File("logs"), target);
        }
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void Only_files_that_provably_belong_to_the_set_are_deleted()
    {
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 2);
        string[] foreign =
        [
            "shop2.log", "shop.log.bak", "shop.notes.log", "shop.2026-13-45.001.log", "notes.gz", "application.log", "shop.2020-01-01.01.log",
            "shop.2020-01-01.001.log.1", ".shop.log.x.tmp",
        ];
        foreach (string name in foreign)
            harness.Folder.Write(name, "foreign");
        harness.Folder.Write("precious", "foreign");
        System.IO.File.CreateSymbolicLink(harness.Folder.File("shop.2020-01-01.001.log"), harness.Folder.File("precious"));
        Directory.CreateDirectory(harness.Folder.File("shop.2020-01-01.002.log"));
        harness.Folder.Write("shop.2020-01-01.003.log", "own");
        harness.Folder.Write("shop.2020-01-02.001.log.gz", "own");
        harness.Folder.Write("shop.2020-01-03.001.log", "own");

        harness.Write("first");

        string[] kept = [.. foreign, "precious", "shop.2020-01-01.001.log", "shop.2020-01-01.002.log", "shop.2020-01-03.001.log", "shop.log"];
        Assert.Equal(kept.Order(StringComparer.Ordinal), harness.Names);
        Assert.Equal(2, harness.Counters.Deleted[DeletionReason.Count]);
    }

    [Fact]
    public void A_hundred_rolls_keep_exactly_the_newest_files()
    {
        using var harness = new SinkHarness(options =>
        {
            options.FileSizeLimit = 4096;
            options.RetainedFileCountLimit = 10;
        });
        string filler = new('x', 4080);

        for (int i = 0; i < 101; i++)
            harness.Write($"{i:000} {filler}");

        Assert.Equal(10, harness.Names.Count);
        Assert.Equal(
            Enumerable.Range(91, 10).Select(i => $"{i:000}"),
            harness.Names.Order(StringComparer.Ordinal).Select(name => harness.Read(name)[..3]));
        Assert.Equal(100, harness.Counters.Rolled[RollReason.Size]);
        Assert.Equal(91, harness.Counters.Deleted[DeletionReason.Count]);
    }

    [Fact]
    public void Retention_runs_at_start_and_once_an_hour()
    {
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 1);
        harness.Folder.Write("shop.2020-01-01.001.log", "own");
        harness.RunDue();
        Assert.Equal(["shop.log"], harness.Names);

        for (int hour = 0; hour < 2; hour++)
        {
            harness.Folder.Write("shop.2020-01-01.002.log", "own");
            harness.Clock.Pass(TimeSpan.FromMinutes(59));
            harness.RunDue();
            Assert.Equal(["shop.2020-01-01.002.log", "shop.log"], harness.Names);
            harness.Clock.Pass(TimeSpan.FromMinutes(1));
            harness.RunDue();

            Assert.Equal(["shop.log"], harness.Names);
        }
    }

    [Fact]
    public void A_smaller_limit_applies_at_once()
    {
        using var harness = new SinkHarness();
        harness.Folder.Write("shop.2020-01-01.001.log", "own");
        harness.Write("first");

        harness.Apply(options => options.RetainedFileCountLimit = 1);

        Assert.Equal(["shop.log"], harness.Names);
    }

    [Fact]
    public void The_newest_dated_file_is_never_deleted_even_if_the_wish_is_older()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = "shop-{Date}.log";
            options.RetainedFileCountLimit = 1;
        });
        harness.Folder.Write("shop-2026-11-19.log", "older\n");
        harness.Folder.Write("shop-2026-11-21.log", "newer\n");

        harness.Write("now");

        Assert.Equal(["shop-2026-11-20.log", "shop-2026-11-21.log"], harness.Names);
    }

    [Fact]
    public void A_file_belongs_to_the_set_with_the_longer_pattern()
    {
        using var harness = new SinkHarness(options =>
        {
            options.RetainedFileCountLimit = 1;
            options.RollingInterval = RollingInterval.None;
            options.ArchiveName = "{Name}.{Date:yyyy}-{Number}{Extension}";
            options.Path = "a.log";
        });
        var other = new AsyncFileLoggerOptions
        {
            Path = harness.Folder.File("a.2026-123.log"),
            RollingInterval = RollingInterval.None,
            ArchiveName = "a.2026-{Number}{Extension}",
        };
        harness.Registry.Set(new object(), new LogFileSettings(other));
        foreach (string name in (string[])["a.2025-001.log", "a.2026-001.log", "a.2026-123.log"])
            harness.Folder.Write(name, "x");

        harness.Write("first");

        Assert.Equal(["a.2026-001.log", "a.2026-123.log", "a.log"], harness.Names);
    }

    [Fact]
    public void A_failed_deletion_is_counted_and_reported_and_tried_again()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 1, files);
        harness.Folder.Write("shop.2020-01-01.001.log", "own");
        files.OnDelete = path => path.EndsWith(".001.log", StringComparison.Ordinal) ? FileErrorClass.Permission : null;

        harness.Write("first");
        string told = $"made to fail: {harness.Folder.File("shop.2020-01-01.001.log")} "
            + "(permission denied: let the user of the process write there or change Path). 1 old file stays; trying again later.";
        Assert.Equal([(LogLevel.Warning, "retention", told)], harness.Context.Reports);
        Assert.Equal([FileErrorClass.Permission], harness.Context.Errors);
        Assert.DoesNotContain("retention", harness.Context.Resolved);
        Assert.Equal(["shop.2020-01-01.001.log", "shop.log"], harness.Names);
        files.OnDelete = null;
        harness.Clock.Pass(TimeSpan.FromHours(1));
        harness.RunDue();

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Contains("retention", harness.Context.Resolved);
    }

    [Fact]
    public void A_leftover_that_cannot_be_deleted_does_not_keep_the_old_files()
    {
        var files = new FaultyFileSystem { OnDelete = static path => path.EndsWith(".shop.log.123.tmp", StringComparison.Ordinal) ? FileErrorClass.Permission : null };
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 2, files);
        string leftover = ".shop.log.123.tmp";
        harness.Folder.Write(leftover, "");
        System.IO.File.SetLastWriteTimeUtc(harness.Folder.File(leftover), harness.Clock.Now.UtcDateTime.AddDays(-1));
        foreach (int number in (int[])[1, 2, 3])
            harness.Folder.Write($"shop.2020-01-01.{number:000}.log", "own");

        harness.Write("first");

        Assert.Equal([leftover, "shop.2020-01-01.003.log", "shop.log"], harness.Names);
        Assert.Equal([FileErrorClass.Permission], harness.Context.Errors);
        Assert.Contains($"{leftover} (permission denied", Assert.Single(harness.Context.Reports).Message, StringComparison.Ordinal);
        Assert.DoesNotContain("retention", harness.Context.Resolved);
    }

    [Fact]
    public void A_successor_left_behind_is_removed()
    {
        using var harness = new SinkHarness();
        harness.Folder.Write(".shop.log.99999.tmp", "");
        harness.Folder.Write(".shop.log.88888.tmp", "");
        System.IO.File.SetLastWriteTimeUtc(harness.Folder.File(".shop.log.99999.tmp"), harness.Clock.Now.UtcDateTime.AddMinutes(-2));
        System.IO.File.SetLastWriteTimeUtc(harness.Folder.File(".shop.log.88888.tmp"), harness.Clock.Now.UtcDateTime.AddSeconds(-2));

        harness.Write("first");

        Assert.Equal([".shop.log.88888.tmp", "shop.log"], harness.Names);
    }

    [Fact]
    public async Task Old_files_are_deleted_before_a_short_process_has_ended()
    {
        using var folder = new TempFolder();
        using var disposing = new ManualResetEventSlim();
        var operations = new System.Collections.Concurrent.ConcurrentQueue<string>();
        for (int number = 1; number <= 5; number++)
            folder.Write($"shop.2026-11-19.{number:000}.log", "old\n");
        var files = new FaultyFileSystem
        {
            OnList = _ =>
            {
                disposing.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
                return null;
            },
            OnDelete = path =>
            {
                if (path.EndsWith(".log", StringComparison.Ordinal))
                    operations.Enqueue("delete");
                return null;
            },
            OnClose = _ =>
            {
                operations.Enqueue("close");
                return null;
            },
        };
        var clock = new TestClock();
        var options = new AsyncFileLoggerOptions { Path = folder.File("shop.log"), MinFreeSpace = 0, RetainedFileCountLimit = 1 };
        var sink = new FileSink(new LogFileSettings(options), new CapturingContext(clock), files, new LogFileRegistry());
        await sink.OpenAsync(TestContext.Current.CancellationToken);
        disposing.Set();
        await sink.DisposeAsync();

        Assert.Equal(["delete", "delete", "delete", "delete", "delete", "close"], operations);
        Assert.Equal(["shop.log"], folder.Names);
    }

    [Fact]
    [OnLinux("reads /proc")]
    public async Task Compression_has_the_lowest_priority_on_Linux_and_retention_has_not()
    {
        using var folder = new TempFolder();
        var clock = new TestClock();
        string? retaining = null;
        string? compressing = null;
        var files = new FaultyFileSystem
        {
            OnDelete = path =>
            {
                if (path.EndsWith(".001.log", StringComparison.Ordinal))
                    Volatile.Write(ref retaining, NiceValue());
                return null;
            },
            OnPublish = path =>
            {
                if (path.Contains(".gz.", StringComparison.Ordinal))
                    Volatile.Write(ref compressing, NiceValue());
                return null;
            },
        };
        folder.Write("shop.2026-11-19.001.log", "deleted\n");
        folder.Write("shop.2026-11-19.002.log", "compressed\n");
        var options = new AsyncFileLoggerOptions { Path = folder.File("shop.log"), MinFreeSpace = 0, RetainedFileCountLimit = 2, Compression = CompressionMethod.Gzip };
        var sink = new FileSink(new LogFileSettings(options), new CapturingContext(clock), files, new LogFileRegistry());
        await sink.OpenAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => Volatile.Read(ref retaining) is not null);
        // Files are compressed when they have rested.
        await Eventually.Holds(async () =>
        {
            clock.PassSeconds(2);
            await sink.RunDueAsync(TestContext.Current.CancellationToken);
            return Volatile.Read(ref compressing) is not null;
        });
        await Eventually.Holds(() => folder.Names.SequenceEqual(["shop.2026-11-19.002.log.gz", "shop.log"]));
        await sink.DisposeAsync();

        Assert.Equal((NiceValue(), "19"), (retaining, compressing));

        // Field 19; the second one ends with a parenthesis.
        static string NiceValue() => System.IO.File.ReadAllText("/proc/thread-self/stat") is var status ? status[(status.LastIndexOf(')') + 2)..].Split(' ')[16] : "";
    }

    [Fact]
    public void A_request_waits_for_no_action_the_last_one_replaces_others_that_wait_and_a_failure_is_reported()
    {
        using var gate = new ManualResetEventSlim();
        var happened = new System.Collections.Concurrent.ConcurrentQueue<string>();
        var task = new BackgroundTask("test", exception => happened.Enqueue(exception.Message));

        task.Request(() =>
        {
            happened.Enqueue("first");
            gate.Wait(TestContext.Current.CancellationToken);
        });
        Eventually.True(() => !happened.IsEmpty);
        task.Request(() => happened.Enqueue("replaced"));
        task.Request(() => throw new InvalidOperationException("failed"));
        gate.Set();
        Eventually.True(() => happened.Count == 2);
        task.Request(() => happened.Enqueue("last"));
        Eventually.True(() => happened.Count == 3);

        Assert.Equal(["first", "failed", "last"], happened);
    }

    private static ArchiveFile File(string name, int day, long number) => new(
        name, new ArchiveKey(new DateTime(2026, 11, day), number), new FileStat(0, 0, FileKind.Regular, 1, 100, default),
        new DateTimeOffset(2026, 11, day + 1, 0, 0, 0, TimeSpan.Zero));

    private static IEnumerable<string> Chosen(RetentionLimits limits, long activeSize = 0) =>
        ArchiveRetention.Choose(Files, activeSize, limits, int.MaxValue, out _).Select(chosen => chosen.File.Name);
}
