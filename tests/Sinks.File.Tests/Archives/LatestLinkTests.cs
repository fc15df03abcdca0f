using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Archives;

public sealed class LatestLinkTests
{
    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void The_link_follows_the_active_file_and_is_relative()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = "shop-{Date}.log";
            options.LatestLink = "latest.log";
        });
        harness.Write("a");
        Assert.Equal("shop-2026-11-20.log", Target(harness));
        harness.Clock.Pass(TimeSpan.FromDays(1));
        harness.Write("b");

        Assert.Equal("shop-2026-11-21.log", Target(harness));
        Assert.Equal("b\n", harness.Read("latest.log"));
        Assert.Equal(["latest.log", "shop-2026-11-20.log", "shop-2026-11-21.log"], harness.Names);
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void A_link_that_points_elsewhere_or_nowhere_is_replaced_and_one_that_is_gone_is_made_again()
    {
        using var harness = new SinkHarness(options => options.LatestLink = "latest.log");
        harness.Folder.Write("precious", "precious");
        File.CreateSymbolicLink(harness.Folder.File("latest.log"), "precious");

        harness.Write("a");
        Assert.Equal("shop.log", Target(harness));
        foreach (string? target in (string?[])["nowhere", null])
        {
            File.Delete(harness.Folder.File("latest.log"));
            if (target is not null)
                File.CreateSymbolicLink(harness.Folder.File("latest.log"), target);
            harness.Clock.Pass(TimeSpan.FromHours(1));
            harness.RunDue();
            Assert.Equal("shop.log", Target(harness));
        }

        Assert.Equal("precious", harness.Read("precious"));
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void A_file_of_that_name_is_left_alone_and_reported()
    {
        using var harness = new SinkHarness(options => options.LatestLink = "latest.log");
        harness.Folder.Write("latest.log", "mine");

        harness.Write("a");
        Assert.Equal("mine", harness.Read("latest.log"));
        string told = $"{harness.Folder.File("latest.log")} is not a symbolic link and is not replaced: remove it or change LatestLink. "
            + "Logging continues without it.";
        Assert.Equal([(LogLevel.Warning, "latest_link", told)], harness.Context.Reports);
        Assert.DoesNotContain("latest_link", harness.Context.Resolved);
        Assert.Equal("a\n", harness.Read("shop.log"));
        File.Delete(harness.Folder.File("latest.log"));
        harness.Clock.Pass(TimeSpan.FromHours(1));
        harness.RunDue();

        Assert.Equal("shop.log", Target(harness));
        Assert.Single(harness.Context.Resolved, "latest_link");
    }

    [Fact]
    public void What_cannot_be_linked_is_reported_and_does_no_harm()
    {
        var files = new FaultyFileSystem { OnStat = path => path.EndsWith("latest.log", StringComparison.Ordinal) ? FileErrorClass.IoError : null };
        using var harness = new SinkHarness(options => options.LatestLink = "latest.log", files);

        harness.Write("a");

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal("a\n", harness.Read("shop.log"));
        Assert.Equal([FileErrorClass.IoError], harness.Context.Errors);
        Assert.Equal(["latest_link"], harness.Context.Reports.Select(static report => report.Condition));
    }

    [Fact]
    public void A_report_of_a_link_that_cannot_be_looked_at_is_that_of_the_look()
    {
        var files = new FaultyFileSystem { OnStat = static path => path.EndsWith("latest.log", StringComparison.Ordinal) ? FileErrorClass.IoError : null };
        using var harness = new SinkHarness(static options => options.LatestLink = "latest.log", files);

        harness.Write("a");

        Assert.Equal(
            $"made to fail: {harness.Folder.File("latest.log")} (input/output error: check the disk). Logging continues without it.",
            Assert.Single(harness.Context.Reports).Message);
    }

    [Fact]
    [OnLinux("its errors")]
    public void A_report_of_a_link_that_cannot_be_made_names_the_link()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(static options => options.LatestLink = "latest.log", files);
        // A directory takes the name after the look at it.
        files.AfterStat = path =>
        {
            if (path.EndsWith("latest.log", StringComparison.Ordinal))
                Directory.CreateDirectory(path);
        };

        harness.Write("a");

        Assert.StartsWith(
            $"cannot create the link {harness.Folder.File("latest.log")} (", Assert.Single(harness.Context.Reports).Message, StringComparison.Ordinal);
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public async Task Of_two_sets_with_one_link_one_keeps_it_and_the_other_says_so()
    {
        using var harness = new SinkHarness(options => options.LatestLink = "latest.log");
        var context = new CapturingContext(harness.Clock);
        var settings = new LogFileSettings(new AsyncFileLoggerOptions { Path = harness.Folder.File("a.log"), MinFreeSpace = 0, LatestLink = "latest.log" });
        var other = new FileSink(settings, context, FileSystems.ForThisPlatform(), harness.Registry, static action => action());
        await other.WriteAsync(SinkHarness.Batch(("theirs", harness.Clock.Now)), TestContext.Current.CancellationToken);

        harness.Write("ours");

        Assert.Equal("a.log", Target(harness));
        Assert.Equal("theirs\n", harness.Read("latest.log"));
        Assert.Empty(context.Reports);
        Assert.Equal(
            $"{harness.Folder.File("latest.log")} is also the LatestLink of another file, which keeps it: give each file its own. Logging continues without it.",
            Assert.Single(harness.Context.Reports).Message);
        await other.DisposeAsync();
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public async Task Of_several_processes_on_one_path_the_one_that_rolls_links()
    {
        using var folder = new TempFolder();
        var clock = new TestClock();
        var options = new AsyncFileLoggerOptions { Path = folder.File("shop-{Date}.log"), MinFreeSpace = 0, LatestLink = "latest.log" };
        var contexts = new[] { new CapturingContext(clock), new CapturingContext(clock) };
        // Registries know the sinks of one process.
        FileSink[] sinks =
        [
            .. contexts.Select(context => new FileSink(
                new LogFileSettings(options), context, FileSystems.ForThisPlatform(), new LogFileRegistry(), background: static action => action())),
        ];
        List<string?> targets = [];
        for (int day = 0; day < 4; day++)
        {
            await sinks[day % 2].WriteAsync(SinkHarness.Batch(($"day {day}", clock.Now)), TestContext.Current.CancellationToken);
            targets.Add(new FileInfo(folder.File("latest.log")).LinkTarget);
            clock.Pass(TimeSpan.FromDays(1));
        }

        foreach (FileSink sink in sinks)
            await sink.DisposeAsync();
        Assert.Equal(["shop-2026-11-20.log", "shop-2026-11-21.log", "shop-2026-11-22.log", "shop-2026-11-23.log"], targets);
        Assert.Equal("day 3\n", folder.Read("latest.log"));
        Assert.Empty(contexts.SelectMany(static context => context.Reports));
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public async Task A_sink_that_ends_before_its_background_work_leaves_a_link_to_the_active_file()
    {
        using var folder = new TempFolder();
        var clock = new TestClock();
        var options = new AsyncFileLoggerOptions { Path = folder.File("shop-{Date}.log"), MinFreeSpace = 0, LatestLink = "latest.log" };
        var sink = new FileSink(
            new LogFileSettings(options), new CapturingContext(clock), FileSystems.ForThisPlatform(), new LogFileRegistry(), background: static _ => { });

        await sink.WriteAsync(SinkHarness.Batch(("a", clock.Now)), TestContext.Current.CancellationToken);
        await sink.DisposeAsync();

        Assert.Equal("shop-2026-11-20.log", new FileInfo(folder.File("latest.log")).LinkTarget);
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void The_link_is_no_file_of_the_set()
    {
        using var harness = new SinkHarness(options =>
        {
            options.LatestLink = "latest.log";
            options.RetainedFileCountLimit = 1;
            options.RetainedFileTimeLimit = TimeSpan.FromMinutes(1);
        });
        harness.Write("a");
        harness.Clock.Pass(TimeSpan.FromDays(1));
        harness.Write("b");

        Assert.Equal(["latest.log", "shop.log"], harness.Names);
        Assert.Equal("b\n", harness.Read("latest.log"));
    }

    private static string? Target(SinkHarness harness) => new FileInfo(harness.Folder.File("latest.log")).LinkTarget;
}
