using System.Globalization;
using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class RollingTests
{
    private static readonly string Filler = new('x', 2000);

    [Fact]
    public void A_record_at_midnight_opens_the_next_file_inside_a_batch_too()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);

        harness.Write(SinkHarness.Batch(
            ("a", At("2026-11-20 23:59:59.999")), ("b", At("2026-11-21 00:00:00")), ("late", At("2026-11-20 23:59:59.998")), ("c", At("2026-11-21 00:00:01"))));

        Assert.Equal("a\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("b\nlate\nc\n", harness.Read("shop.log"));
        Assert.Equal(2, files.Appends);
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Interval]);
    }

    [Fact]
    public void A_record_from_before_midnight_that_is_written_after_it_is_in_the_file_of_yesterday()
    {
        using var harness = new SinkHarness(options => options.Path = "shop-{Date}.log");
        harness.Clock.Now = At("2026-11-21 00:00:00.010");

        harness.Write(SinkHarness.Batch(("late", At("2026-11-20 23:59:59.999"))));
        harness.Write("today");

        Assert.Equal("late\n", harness.Read("shop-2026-11-20.log"));
        Assert.Equal("today\n", harness.Read("shop-2026-11-21.log"));
    }

    [Theory]
    [InlineData("shop.log", "shop.2026-11-20.001.log|shop.2026-11-30.001.log|shop.log")]
    [InlineData("shop-{Date}.log", "shop-2026-11-20.log|shop-2026-11-30.log|shop-2026-12-10.log")]
    public void Without_an_interval_a_file_is_dated_by_the_day_on_which_it_begins(string path, string names)
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = path;
            options.RollingInterval = RollingInterval.None;
            options.FileSizeLimit = 4096;
        });

        harness.Write($"a{Filler}", $"b{Filler}");
        harness.Clock.Pass(TimeSpan.FromDays(10));
        harness.Write($"c{Filler}");
        harness.WriteAt(harness.Clock.Now.AddDays(-1), $"late{Filler}");
        harness.Clock.Pass(TimeSpan.FromDays(10));
        harness.Write($"d{Filler}");

        Assert.Equal(names.Split('|'), harness.Names);
        Assert.Equal([$"a{Filler}\nb{Filler}\n", $"c{Filler}\nlate{Filler}\n", $"d{Filler}\n"], harness.Names.Select(harness.Read));
    }

    [Fact]
    public void Without_an_interval_an_empty_file_at_the_path_of_a_moved_one_begins_on_that_day()
    {
        using var harness = new SinkHarness(static options =>
        {
            options.RollingInterval = RollingInterval.None;
            options.FileSizeLimit = 4096;
        });
        harness.Write("a");
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("moved"));
        harness.Clock.Pass(TimeSpan.FromDays(10));

        harness.Write($"b{Filler}", $"c{Filler}");
        harness.Write($"d{Filler}");

        Assert.Equal(["moved", "shop.2026-11-30.001.log", "shop.log"], harness.Names);
        Assert.Equal(["a\n", $"b{Filler}\nc{Filler}\n", $"d{Filler}\n"], harness.Names.Select(harness.Read));
    }

    [Fact]
    public void A_roll_that_can_be_neither_finished_nor_undone_is_over_when_the_path_is_opened_again()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = WithTwoSmallFiles(files);
        harness.Folder.Write("shop.2020-01-01.001.log", "own");
        harness.Write($"a{Filler}", $"b{Filler}");
        files.OnPublish = static _ => FileErrorClass.IoError;
        harness.Write($"c{Filler}");
        Assert.Equal(["roll"], harness.Context.Reports.Select(static report => report.Condition));

        files.OnPublish = null;
        harness.Clock.PassSeconds(0.25);
        harness.Write("d");

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal($"a{Filler}\nb{Filler}\nc{Filler}\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("d\n", harness.Read("shop.log"));
        Assert.Single(harness.Context.Resolved, "roll");
    }

    [Fact]
    public void The_batch_is_split_at_the_exact_record()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}", $"d{Filler}", "e");

        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal($"c{Filler}\nd{Filler}\ne\n", harness.Read("shop.log"));
        Assert.Equal(2, files.Appends);
    }

    [Fact]
    public void A_record_larger_than_the_limit_gets_a_file_of_its_own()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        string large = new('l', 9000);

        harness.Write("a", large, "b", large, large);

        Assert.Equal(
            ["a\n", large + "\n", "b\n", large + "\n", large + "\n"],
            [.. harness.Names.Where(name => name != "shop.log").Select(harness.Read), harness.Read("shop.log")]);
    }

    [Fact]
    public void What_is_in_the_file_already_counts()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        harness.Folder.Write("shop.log", $"{Filler}\n");
        harness.Clock.Now = new DateTimeOffset(File.GetLastWriteTimeUtc(harness.Folder.File("shop.log")));

        harness.Write(Filler);
        harness.Write(Filler);

        Assert.Equal([$"{Filler}\n{Filler}\n", $"{Filler}\n"], harness.Names.Select(harness.Read));
    }

    [Fact]
    public void What_others_append_counts_after_the_next_look()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        harness.Write("a");
        harness.Folder.Append("shop.log", new string('o', 4090) + "\n");

        harness.Write("b");
        harness.Clock.PassSeconds(0.25);
        harness.Write("c");

        Assert.Equal("c\n", harness.Read("shop.log"));
        Assert.Equal($"a\n{new string('o', 4090)}\nb\n", harness.Read("shop.2026-11-20.001.log"));
    }

    [Fact]
    public void A_file_of_an_older_day_is_rolled_before_the_first_record_and_bears_its_date()
    {
        using var harness = new SinkHarness();
        harness.Folder.Write("shop.log", "old\n");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), new DateTime(2026, 11, 17, 8, 0, 0, DateTimeKind.Utc));

        harness.Write("new");

        Assert.Equal("old\n", harness.Read("shop.2026-11-17.001.log"));
        Assert.Equal("new\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_file_from_the_future_counts_as_of_now()
    {
        using var harness = new SinkHarness();
        harness.Folder.Write("shop.log", "future\n");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), new DateTime(2036, 1, 1, 0, 0, 0, DateTimeKind.Utc));

        harness.Write("now");
        harness.WriteAt(At("2026-11-21 00:00:00"), "tomorrow");

        Assert.Equal("future\nnow\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("tomorrow\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Without_traffic_the_file_is_rolled_within_two_seconds()
    {
        using var harness = new SinkHarness();
        harness.Write("a");
        harness.Clock.Now = At("2026-11-20 23:59:59");
        Assert.InRange(harness.Sink.NextDue!.Value, At("2026-11-21 00:00:00"), At("2026-11-21 00:00:02"));
        harness.Clock.Now = At("2026-11-21 00:00:00.5");
        harness.RunDue();
        Assert.Equal(["shop.log"], harness.Names);
        harness.Clock.Now = At("2026-11-21 00:00:02");
        harness.RunDue();
        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        harness.Clock.Now = At("2026-11-23 00:00:02");
        harness.RunDue();

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal(["a\n", ""], harness.Names.Select(harness.Read));
    }

    [Theory]
    [InlineData(RollingInterval.Hour, "2026-11-20 13:00:02", "2026-11-20 15:30", "2026-11-20 16:00:02", "shop.2026-11-20-15.001.log")]
    [InlineData(RollingInterval.Day, "2026-11-21 00:00:02", "2026-11-24 08:00", "2026-11-25 00:00:02", "shop.2026-11-24.001.log")]
    [InlineData(RollingInterval.Month, "2026-12-01 00:00:02", "2027-02-10 08:00", "2027-03-01 00:00:02", "shop.2027-02.001.log")]
    public void After_periods_without_a_record_the_archive_bears_the_period_of_its_records(RollingInterval interval, string over, string again, string end, string archive)
    {
        using var harness = new SinkHarness(options => options.RollingInterval = interval);
        harness.Write("before");
        harness.Clock.Now = At(over);
        harness.RunDue();
        harness.Clock.Now = At(again);
        harness.RunDue();
        harness.Write("first");
        harness.Write("second");
        Assert.Equal(2, harness.Names.Count);
        harness.Clock.Now = At(end);
        harness.RunDue();

        Assert.Equal("first\nsecond\n", harness.Read(archive));
        Assert.Equal(3, harness.Names.Count);
        Assert.Equal(2, harness.Counters.Rolled[RollReason.Interval]);
    }

    [Theory]
    [InlineData(RollingInterval.Hour, "2026-11-20 13:00:02", "2026-11-20 15:30", "shop-2026-11-20-12.log", "shop-2026-11-20-15.log")]
    [InlineData(RollingInterval.Day, "2026-11-21 00:00:02", "2026-11-24 08:00", "shop-2026-11-20.log", "shop-2026-11-24.log")]
    [InlineData(RollingInterval.Month, "2026-12-01 00:00:02", "2027-02-10 08:00", "shop-2026-11.log", "shop-2027-02.log")]
    public void After_periods_without_a_record_the_empty_dated_file_gives_way_to_that_of_the_record(
        RollingInterval interval, string over, string again, string finished, string active)
    {
        using var harness = new SinkHarness(options => (options.Path, options.RollingInterval, options.Header) = ("shop-{Date}.log", interval, "header"));
        harness.Write("before");
        harness.Clock.Now = At(over);
        harness.RunDue();
        harness.Clock.Now = At(again);
        harness.RunDue();
        harness.Write("first");
        harness.Write("second");

        Assert.Equal([finished, active], harness.Names);
        Assert.Equal("header\nfirst\nsecond\n", harness.Read(active));
        Assert.Equal(harness.Folder.File(active), harness.Context.Target);
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Interval]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Where_another_process_has_the_file_of_the_present_period_an_empty_dated_file_is_left_for_it(bool wasRenamed)
    {
        using var harness = new SinkHarness(static options => (options.Path, options.RollingInterval) = ("shop-{Date}.log", RollingInterval.Hour));
        harness.Write("before");
        harness.Clock.Now = At("2026-11-20 13:00:02");
        harness.RunDue();
        harness.Clock.Now = At("2026-11-20 15:30");
        harness.Clock.PassSeconds(1);
        if (wasRenamed)
            File.Move(harness.Folder.File("shop-2026-11-20-13.log"), harness.Folder.File("shop-2026-11-20-15.log"));
        harness.Folder.Append("shop-2026-11-20-15.log", "other\n");
        harness.Write("first");

        string[] left = wasRenamed ? [] : ["shop-2026-11-20-13.log"];
        Assert.Equal(["shop-2026-11-20-12.log", .. left, "shop-2026-11-20-15.log"], harness.Names);
        Assert.Equal(["before\n", .. left.Select(static _ => ""), "other\nfirst\n"], harness.Names.Select(harness.Read));
    }

    [Theory]
    [InlineData("roll", ".shop.log.{0}.tmp")]
    [InlineData("compress", ".shop.2026-11-20.001.log.gz.{0}.tmp")]
    [InlineData("link", ".latest.log.{0}.tmp")]
    [NotUnderWine("it makes no symbolic links")]
    public void A_file_of_another_user_under_a_temporary_name_is_no_hindrance(string step, string name)
    {
        name = string.Format(CultureInfo.InvariantCulture, name, Environment.ProcessId);
        var files = new FaultyFileSystem { OnDelete = path => path.EndsWith(name, StringComparison.Ordinal) ? FileErrorClass.Permission : null };
        using var harness = new SinkHarness(
            options =>
            {
                options.FileSizeLimit = 4096;
                options.Compression = step == "compress" ? CompressionMethod.Gzip : CompressionMethod.None;
                options.LatestLink = step == "link" ? "latest.log" : null;
            }, files);
        harness.Folder.Write(name, "theirs");
        File.SetLastWriteTimeUtc(harness.Folder.File(name), harness.Clock.Now.UtcDateTime.AddMinutes(-2));
        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");
        harness.Clock.PassSeconds(2);
        harness.RunDue();

        Assert.Equal("theirs", harness.Read(name));
        string archive = step == "compress" ? "shop.2026-11-20.001.log.gz" : "shop.2026-11-20.001.log";
        string[] expected = step == "link" ? [name, "latest.log", archive, "shop.log"] : [name, archive, "shop.log"];
        Assert.Equal(expected, harness.Names);
        Assert.Equal(step == "link" ? "shop.log" : null, new FileInfo(harness.Folder.File("latest.log")).LinkTarget);
        Assert.Equal($"c{Filler}\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_changed_interval_tells_how_many_files_it_orphans_and_where()
    {
        using var harness = new SinkHarness(static options => options.Path = "shop-{Date}.log");
        harness.Folder.Write("shop-2026-11-18.log", "");
        harness.Folder.Write("shop-2026-11-19.log.gz", "");
        harness.Folder.Write("shop-notes.log", "");
        harness.Write("a");
        harness.Apply(static options => options.RollingInterval = RollingInterval.Hour);
        harness.Apply(static options => options.FileSizeLimit = 4096);

        string told = "RollingInterval was changed from Day to Hour, and with it the {Date} in the names: "
            + $"3 files with the old names in {harness.Folder.Path} will not be counted or deleted any more. Delete them yourself.";
        Assert.Equal([(LogLevel.Warning, "former_names", told)], harness.Context.Reports);
    }

    [Fact]
    public void A_changed_interval_orphans_no_file_whose_date_has_a_format_of_its_own()
    {
        using var harness = new SinkHarness(static options => options.Path = "shop-{Date:yyyyMMddHH}.log");
        harness.Write("a");
        harness.Apply(static options => options.RollingInterval = RollingInterval.Hour);

        Assert.Empty(harness.Context.Reports);
    }

    [Theory]
    [InlineData("shop.2026-11-20.007.log.gz", "shop.2026-11-20.003.log")]
    [InlineData("shop.2026-11-20.007.log", "shop.2026-11-20.003.log.gz")]
    public void The_next_number_follows_the_highest_compressed_or_not(string highest, string lower)
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        harness.Folder.Write(highest, "");
        harness.Folder.Write(lower, "");
        harness.Folder.Write("shop.2026-11-19.099.log", "");
        harness.Folder.Write("shop.2026-11-20.notes.log", "");

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");

        string[] expected = ["shop.2026-11-19.099.log", lower, highest, "shop.2026-11-20.008.log", "shop.2026-11-20.notes.log", "shop.log"];
        Assert.Equal(expected, harness.Names);
        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read("shop.2026-11-20.008.log"));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Size]);
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void An_existing_archive_is_never_replaced()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        Directory.CreateDirectory(harness.Folder.File("shop.2026-11-20.001.log"));
        File.CreateSymbolicLink(harness.Folder.File("shop.2026-11-20.002.log"), harness.Folder.File("nowhere"));

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");

        Assert.Equal(["shop.2026-11-20.001.log", "shop.2026-11-20.002.log", "shop.2026-11-20.003.log", "shop.log"], harness.Names);
        Assert.True(Directory.Exists(harness.Folder.File("shop.2026-11-20.001.log")));
        Assert.Equal(harness.Folder.File("nowhere"), new FileInfo(harness.Folder.File("shop.2026-11-20.002.log")).LinkTarget);
        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read("shop.2026-11-20.003.log"));
    }

    [Fact]
    public void A_hard_link_at_the_name_of_an_archive_leaves_the_linked_file_unchanged()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "hard links are made with a call of Linux");
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        harness.Write($"a{Filler}");
        harness.Folder.Write("elsewhere", "theirs");
        Assert.Equal(0, LinuxNative.Link(harness.Folder.File("elsewhere"), harness.Folder.File("shop.2026-11-20.001.log")));
        Assert.Equal(0, LinuxNative.Link(harness.Folder.File("elsewhere"), harness.Folder.File("shop.2026-11-20.002.log")));

        harness.Write($"b{Filler}", $"c{Filler}");

        Assert.Equal("theirs", harness.Read("elsewhere"));
        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read("shop.2026-11-20.003.log"));
        Assert.Equal($"c{Filler}\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_directory_that_cannot_be_listed_is_rolled_in_all_the_same()
    {
        var files = new FaultyFileSystem { OnList = static _ => FileErrorClass.Permission };
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);
        harness.Folder.Write("shop.2026-11-20.001.log", "taken");

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");

        Assert.Equal("taken", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read("shop.2026-11-20.002.log"));
    }

    [Theory]
    [InlineData("open")]
    [InlineData("archive")]
    [InlineData("publish")]
    public void A_failed_roll_goes_on_in_the_old_file_and_is_tried_again_after_a_second(string step)
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);
        harness.Write($"a{Filler}", $"b{Filler}");
        Func<string, string?> fail = static path => path.EndsWith(".tmp", StringComparison.Ordinal) || path.EndsWith(".001.log", StringComparison.Ordinal)
            ? FileErrorClass.TooManyFiles
            : null;
        files.OnOpen = step == "open" ? fail : null;
        files.OnArchive = step == "archive" ? fail : null;
        bool isFirst = true;
        files.OnPublish = step == "publish" ? path => isFirst && !(isFirst = false) ? fail(path) : null : null;

        harness.Write($"c{Filler}", "d");
        harness.Clock.PassSeconds(0.5);
        harness.Write("e");
        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal($"a{Filler}\nb{Filler}\nc{Filler}\nd\ne\n", harness.Read("shop.log"));
        Assert.Equal(["roll"], harness.Context.Reports.Select(static report => report.Condition));
        Assert.Equal([FileErrorClass.TooManyFiles], harness.Context.Errors);
        files.OnOpen = files.OnArchive = files.OnPublish = null;
        harness.Clock.PassSeconds(0.5);
        harness.Write("f");

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal([$"a{Filler}\nb{Filler}\nc{Filler}\nd\ne\n", "f\n"], harness.Names.Select(harness.Read));
        Assert.Equal(["roll"], harness.Context.Resolved.Where(condition => condition == "roll"));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Size]);
    }

    [Fact]
    public void A_failed_idle_roll_is_tried_again_after_a_second()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);
        harness.Write("a");
        files.OnArchive = static _ => FileErrorClass.Permission;
        harness.Clock.Now = At("2026-11-21 00:00:02");
        harness.RunDue();
        Assert.Equal(harness.Clock.Now.AddSeconds(1), harness.Sink.NextDue);
        files.OnArchive = null;
        harness.RunDue();
        Assert.Equal(["shop.log"], harness.Names);

        harness.Clock.PassSeconds(1);
        harness.RunDue();

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
    }

    [Fact]
    public void What_a_dead_process_left_under_the_successors_name_is_no_hindrance()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        harness.Folder.Write(string.Create(CultureInfo.InvariantCulture, $".shop.log.{Environment.ProcessId}.tmp"), "left");

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal([$"a{Filler}\nb{Filler}\n", $"c{Filler}\n"], harness.Names.Select(harness.Read));
    }

    [Fact]
    public void Who_finds_that_another_process_rolled_opens_what_is_there()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096);
        harness.Write($"a{Filler}", $"b{Filler}");
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("shop.2026-11-20.001.log"));
        harness.Folder.Write("shop.log", "other\n");

        harness.Write($"c{Filler}");

        Assert.Equal($"other\nc{Filler}\n", harness.Read("shop.log"));
        Assert.Equal(0, harness.Counters.Rolled[RollReason.Size]);
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Moved]);
        Assert.Equal(2, harness.Names.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Another_process_between_the_steps_wins(bool beforeArchiving)
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);
        if (beforeArchiving)
        {
            files.OnArchive = _ =>
            {
                File.Move(harness.Folder.File("shop.log"), harness.Folder.File("shop.2026-11-20.077.log"));
                return null;
            };
        }
        else
        {
            files.OnPublish = _ =>
            {
                harness.Folder.Write("shop.log", "other\n");
                return null;
            };
        }

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");

        string finished = beforeArchiving ? "shop.2026-11-20.077.log" : "shop.2026-11-20.001.log";
        Assert.Equal([finished, "shop.log"], harness.Names);
        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read(finished));
        Assert.Equal(beforeArchiving ? $"c{Filler}\n" : $"other\nc{Filler}\n", harness.Read("shop.log"));
        Assert.Equal(0, harness.Counters.Rolled[RollReason.Size]);
    }

    [Fact]
    public void Who_lost_the_race_to_roll_cleans_too_because_all_may_have_lost_it()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = WithTwoSmallFiles(files);
        harness.Write(new string('a', 4000));
        harness.Folder.Write("shop.2026-11-18.001.log", "old\n");
        files.OnPublish = _ =>
        {
            harness.Folder.Write("shop.log", "other\n");
            return null;
        };
        harness.Write(new string('b', 4000));

        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal(0, harness.Counters.Rolled[RollReason.Size]);
    }

    [Fact]
    public void A_dated_file_is_continued_by_numbers_and_never_renamed()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = "shop-{Date}.log";
            options.FileSizeLimit = 4096;
        });

        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}", $"d{Filler}", $"e{Filler}");
        harness.WriteAt(At("2026-11-21 03:00"), "tomorrow");

        Assert.Equal(["shop-2026-11-20.001.log", "shop-2026-11-20.002.log", "shop-2026-11-20.log", "shop-2026-11-21.log"], harness.Names);
        Assert.Equal([$"c{Filler}\nd{Filler}\n", $"e{Filler}\n", $"a{Filler}\nb{Filler}\n", "tomorrow\n"], harness.Names.Select(harness.Read));
        Assert.Equal(harness.Folder.File("shop-2026-11-21.log"), harness.Context.Target);
    }

    [Fact]
    public void At_start_the_last_dated_file_is_appended_to_while_it_is_below_the_limit()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = "shop-{Date}.log";
            options.FileSizeLimit = 4096;
        });
        harness.Write($"a{Filler}", $"b{Filler}", $"c{Filler}");
        harness.Restart();
        harness.Write("d");
        Assert.Equal($"c{Filler}\nd\n", harness.Read("shop-2026-11-20.001.log"));
        harness.Write($"e{new string('e', 2090)}");
        harness.Restart();
        harness.Write("f");

        Assert.Equal("f\n", harness.Read("shop-2026-11-20.002.log"));
    }

    [Fact]
    public void A_finished_dated_file_is_not_returned_to_when_it_was_compressed()
    {
        using var harness = new SinkHarness(options => options.Path = "shop-{Date}.log");
        harness.Folder.Write("shop-2026-11-20.001.log.gz", "");

        harness.Write("a");

        Assert.Equal(["shop-2026-11-20.001.log.gz", "shop-2026-11-20.002.log"], harness.Names);
    }

    [Theory]
    [InlineData("shop.log", ExistingFile.Append, "old\nnew\n", 1)]
    [InlineData("shop.log", ExistingFile.Roll, "new\n", 2)]
    [InlineData("shop.log", ExistingFile.Truncate, "new\n", 1)]
    [InlineData("shop-{Date}.log", ExistingFile.Append, "old\nnew\n", 1)]
    [InlineData("shop-{Date}.log", ExistingFile.Roll, "new\n", 2)]
    [InlineData("shop-{Date}.log", ExistingFile.Truncate, "new\n", 1)]
    public void At_start_the_file_is_continued_finished_or_replaced(string path, object onStartup, string expected, int files)
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = path;
            options.ExistingFile = (ExistingFile)onStartup;
        });
        string existing = path.Replace("{Date}", "2026-11-20", StringComparison.Ordinal);
        harness.Folder.Write(existing, "old\n");
        File.SetLastWriteTimeUtc(harness.Folder.File(existing), harness.Clock.Now.UtcDateTime);

        harness.Write("new");
        string active = Path.GetFileName(harness.Context.Target!);
        harness.WriteAt(harness.Clock.Now, "again");

        Assert.Equal(expected + "again\n", harness.Read(active));
        Assert.Equal(files, harness.Names.Count);
        Assert.Equal(files == 2 ? ["old\n"] : [], harness.Names.Where(name => name != active).Select(harness.Read));
        Assert.Equal((ExistingFile)onStartup == ExistingFile.Roll ? 1 : 0, harness.Counters.Rolled[RollReason.Startup]);
    }

    [Fact]
    public void An_empty_file_is_not_archived_at_start()
    {
        using var harness = new SinkHarness(options => options.ExistingFile = ExistingFile.Roll);
        harness.Folder.Write("shop.log", "");

        harness.Write("a");
        harness.Write("b");

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal("a\nb\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Truncate_cuts_a_file_it_may_not_delete()
    {
        var files = new FaultyFileSystem { OnDelete = static _ => FileErrorClass.Permission };
        using var harness = new SinkHarness(options => options.ExistingFile = ExistingFile.Truncate, files);
        harness.Folder.Write("shop.log", "old\n");

        harness.Write("new");

        Assert.Equal("new\n", harness.Read("shop.log"));
    }

    [Theory]
    [InlineData(ExistingFile.Roll)]
    [InlineData(ExistingFile.Truncate)]
    public void At_a_reload_the_start_plays_no_part(object onStartup)
    {
        using var harness = new SinkHarness(options => options.ExistingFile = (ExistingFile)onStartup, isReload: true);
        harness.Folder.Write("shop.log", "old\n");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), harness.Clock.Now.UtcDateTime);

        harness.Write("new");

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal("old\nnew\n", harness.Read("shop.log"));
    }

    [Theory]
    [InlineData("shop.log", "shop.2026-11-20.001.log", "shop.log")]
    [InlineData("shop-{Date}.log", "shop-2026-11-20.log", "shop-2026-11-20.001.log")]
    public void A_new_layout_begins_a_new_file(string path, string before, string after)
    {
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("old layout");

        harness.Sink.RollForNewLayout();
        harness.Write("new layout");
        harness.Write("more");

        Assert.Equal("old layout\n", harness.Read(before));
        Assert.Equal("new layout\nmore\n", harness.Read(after));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Configuration]);
    }

    [Fact]
    public void A_new_layout_for_an_empty_file_rolls_nothing()
    {
        using var harness = new SinkHarness();
        harness.RunDue();

        harness.Sink.RollForNewLayout();
        harness.Write("a");
        harness.Write("b");

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal("a\nb\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Changed_options_apply_while_running()
    {
        using var harness = new SinkHarness();
        harness.Write($"a{Filler}", $"b{Filler}");

        harness.Apply(options =>
        {
            options.FileSizeLimit = 4096;
            options.Header = "h";
            options.ArchiveName = "old-{Number}-{Date}";
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        });
        harness.Write($"c{Filler}");

        Assert.Equal(["old-001-2026-11-20", "shop.log"], harness.Names);
        Assert.Equal($"a{Filler}\nb{Filler}\n", harness.Read("old-001-2026-11-20"));
        Assert.Equal($"h\nc{Filler}\n", harness.Read("shop.log"));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(harness.Folder.File("shop.log")));
    }

    [Fact]
    public void A_changed_interval_applies_to_the_file_in_hand()
    {
        using var harness = new SinkHarness();
        harness.Write("a");

        harness.Apply(options => options.RollingInterval = RollingInterval.Hour);
        harness.WriteAt(harness.Clock.Now.AddMinutes(59), "b");
        harness.WriteAt(harness.Clock.Now.AddMinutes(60), "c");

        Assert.Equal("a\nb\n", harness.Read("shop.2026-11-20-12.001.log"));
        Assert.Equal("c\n", harness.Read("shop.log"));
    }

    // Files of 4 KB; the older ones are deleted, and two stay.
    private static SinkHarness WithTwoSmallFiles(FaultyFileSystem files) =>
        new(static options => (options.FileSizeLimit, options.RetainedFileCountLimit) = (4096, 2), files);

    private static DateTimeOffset At(string utc) => DateTimeOffset.Parse(utc, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
}
