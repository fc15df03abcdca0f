using System.Diagnostics;
using System.Globalization;
using AsyncLog.Tests.Disk;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class ClockTests
{
    [Fact]
    public void Changed_file_times_roll_no_file_in_use_and_the_end_of_its_period_does()
    {
        using var harness = new SinkHarness(static options => options.RollingInterval = RollingInterval.Minute);
        harness.Write("a");
        foreach (double hours in (double[])[-1000, -1, 1, 1000])
        {
            File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), harness.Clock.Now.UtcDateTime.AddHours(hours));
            harness.Clock.PassSeconds(10);
            harness.Write("a");
            harness.RunDue();
        }

        Assert.Equal(["shop.log"], harness.Names);
        harness.Clock.PassSeconds(21);
        harness.RunDue();
        Assert.Equal(["shop.2026-11-20-1200.001.log", "shop.log"], harness.Names);
    }

    [Fact]
    public void A_clock_set_back_an_hour_within_a_day_changes_nothing()
    {
        using var harness = new SinkHarness();
        harness.Write("a");
        harness.Clock.Now -= TimeSpan.FromHours(1);

        harness.Write("b");
        harness.RunDue();

        Assert.Equal("a\nb\n", harness.Read("shop.log"));
        Assert.Equal(["shop.log"], harness.Names);
    }

    [Fact]
    public async Task A_clock_set_back_an_hour_between_records_loses_and_reorders_none()
    {
        using var folder = new TempFolder();
        var clock = new RunningClock();
        await using ServiceProvider services = Start(folder, clock, static options => options.RollingInterval = RollingInterval.Year);
        ILogger logger = services.GetRequiredService<ILogger<ClockTests>>();

        for (int i = 0; i < 20_000; i++)
        {
            if (i == 10_000)
                clock.Set(TimeSpan.FromHours(-1));
            logger.LogInformation("{Number}", i);
        }

        Assert.True(await services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        Assert.Equal(["shop.log"], folder.Names);
        Assert.Equal(Enumerable.Range(0, 20_000).Select(static number => number.ToString(CultureInfo.InvariantCulture)), folder.Lines("shop.log"));
    }

    [Fact]
    public void A_file_in_use_rolls_by_its_own_state_and_never_by_file_times()
    {
        using var harness = new SinkHarness(options => options.RollingInterval = RollingInterval.Minute);
        harness.Write("a");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), harness.Clock.Now.UtcDateTime.AddMinutes(-10));
        harness.Clock.PassSeconds(1);
        harness.Write("b");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), harness.Clock.Now.UtcDateTime.AddMinutes(10));
        harness.Clock.PassSeconds(60);
        harness.Write("c");

        Assert.Equal("a\nb\n", harness.Read("shop.2026-11-20-1200.001.log"));
        Assert.Equal("c\n", harness.Read("shop.log"));
        Assert.Equal(2, harness.Names.Count);
    }

    [Theory]
    [InlineData("shop.log", 2)]
    [InlineData("shop-{Date}.log", 2)]
    public void A_clock_set_back_across_midnight_keeps_the_active_file(string path, int files)
    {
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Clock.Now = At("2026-11-20 23:59");
        harness.Write("a");
        harness.Clock.Now = At("2026-11-21 00:01");
        harness.Write("b");
        string active = Path.GetFileName(harness.Context.Target!);
        harness.Clock.Now = At("2026-11-20 23:30");

        harness.Write("c");
        harness.RunDue();
        harness.Clock.Now = At("2026-11-21 00:05");
        harness.Write("d");

        Assert.Equal("b\nc\nd\n", harness.Read(active));
        Assert.Equal(files, harness.Names.Count);
    }

    [Theory]
    [InlineData("shop.log")]
    [InlineData("shop-{Date}.log")]
    public void A_clock_set_ten_years_forward_and_back_rolls_at_most_once_each_way(string path)
    {
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("a");
        harness.Clock.Now = At("2036-11-20 12:00");
        harness.Write("b");
        harness.Write("c");
        harness.Clock.Now = At("2026-11-20 12:01");
        for (int i = 0; i < 10; i++)
        {
            harness.Write("d");
            harness.RunDue();
        }

        Assert.Equal(
            path == "shop.log" ? ["shop.2026-11-20.001.log", "shop.log"] : ["shop-2026-11-20.log", "shop-2036-11-20.log"], harness.Names);
        Assert.Equal(["a\n", "b\nc\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\n"], harness.Names.Select(harness.Read));
    }

    [Theory]
    [InlineData("shop.log")]
    [InlineData("shop-{Date}.log")]
    public void A_minute_after_the_clock_is_corrected_files_roll_by_the_present_day(string path)
    {
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("a");
        harness.Clock.Now = At("2036-11-20 12:00");
        harness.Write("b");
        harness.Clock.Now = At("2026-11-20 12:01");
        harness.Write("c");
        harness.Clock.PassSeconds(59);
        harness.RunDue();
        Assert.Equal(2, harness.Names.Count);
        harness.Clock.PassSeconds(1);
        harness.RunDue();
        harness.Write("d");
        for (int day = 21; day <= 23; day++)
        {
            harness.Clock.Pass(TimeSpan.FromDays(1));
            harness.WriteAt(harness.Clock.Now, $"{day}");
        }

        Dictionary<string, string> content = harness.Names.ToDictionary(static name => name, harness.Read);
        if (path == "shop.log")
        {
            Assert.Equal(
                [
                    ("shop.2026-11-20.001.log", "a\n"), ("shop.2026-11-20.002.log", "b\nc\nd\n"), ("shop.2026-11-21.001.log", "21\n"),
                    ("shop.2026-11-22.001.log", "22\n"), ("shop.log", "23\n"),
                ],
                content.Select(static file => (file.Key, file.Value)));
        }
        else
        {
            // The file that was finished when the clock went ahead is not written again.
            Assert.Equal(
                [
                    ("shop-2026-11-20.001.log", "d\n"), ("shop-2026-11-20.log", "a\n"), ("shop-2026-11-21.log", "21\n"), ("shop-2026-11-22.log", "22\n"),
                    ("shop-2026-11-23.log", "23\n"), ("shop-2036-11-20.log", "b\nc\n"),
                ],
                content.Select(static file => (file.Key, file.Value)));
        }
    }

    [Theory]
    [InlineData("shop.log", "shop.2026-06-15.002.log", "b\nc\nd\n")]
    [InlineData("shop-{Date}.log", "shop-2026-06-15.001.log", "d\n")]
    public async Task The_provider_rolls_by_the_present_day_a_minute_after_the_clock_is_corrected(string path, string archive, string content)
    {
        using var folder = new TempFolder();
        var clock = new RunningClock();
        await using ServiceProvider services = Start(folder, clock, options =>
        {
            options.Path = folder.File(path);
            options.RollingInterval = RollingInterval.Day;
        });
        ILogger logger = services.GetRequiredService<ILogger<ClockTests>>();
        async Task Log(string text)
        {
            logger.LogInformation("{Text}", text);
            Assert.True(await services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
        }

        await Log("a");
        clock.Set(TimeSpan.FromDays(3653));
        await Log("b");
        clock.Set(TimeSpan.FromDays(-3653));
        await Log("c");
        clock.Pass(TimeSpan.FromMinutes(1));
        await Log("d");
        clock.Pass(TimeSpan.FromDays(1));
        await Log("e");

        Assert.Equal(content, folder.Read(archive));
        Assert.Equal("e\n", folder.Read(path.Replace("{Date}", "2026-06-16", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("shop.log")]
    [InlineData("shop-{Date}.log")]
    public void With_one_record_a_day_after_the_clock_is_corrected_each_day_has_its_file(string path)
    {
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("a");
        harness.Clock.Now = At("2036-11-20 12:00");
        harness.Write("b");
        harness.Clock.Now = At("2026-11-20 12:01");
        for (int day = 21; day <= 24; day++)
        {
            // Without what a worker does between batches.
            harness.Clock.Pass(TimeSpan.FromDays(1));
            harness.Write($"{day}");
        }

        string[] expected = path == "shop.log"
            ? ["a\n", "b\n21\n", "22\n", "23\n", "24\n"]
            : ["a\n", "22\n", "23\n", "24\n", "b\n21\n"];
        Assert.Equal(expected, harness.Names.Select(harness.Read));
    }

    [Fact]
    public void A_clock_that_is_corrected_for_less_than_a_minute_changes_nothing()
    {
        using var harness = new SinkHarness();
        harness.Write("a");
        harness.Clock.Now = At("2036-11-20 12:00");
        harness.Write("b");
        for (int i = 0; i < 5; i++)
        {
            harness.Clock.Now = At("2026-11-20 12:01");
            harness.Write("c");
            harness.Clock.PassSeconds(59);
            harness.RunDue();
            harness.Clock.Now = At("2036-11-20 13:00");
            harness.Write("d");
        }

        Assert.Equal(2, harness.Names.Count);
        harness.Clock.Now = At("2036-11-21 13:00");
        harness.Write("e");
        Assert.Equal("b\nc\nd\nc\nd\nc\nd\nc\nd\nc\nd\n", harness.Read("shop.2036-11-20.001.log"));
    }

    [Theory]
    [InlineData("shop.log")]
    [InlineData("shop-{Date}.log")]
    public void Files_with_future_dates_are_deleted_as_the_oldest_and_do_not_count_as_the_newest(string path)
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = path;
            options.FileSizeLimit = 4096;
            options.RetainedFileCountLimit = 4;
        });
        string full = new('x', 4000);
        WriteAsOfNow(harness, "a");
        harness.Clock.Now = At("2036-11-20 12:00");
        for (int i = 0; i < 6; i++)
            WriteAsOfNow(harness, "ahead" + full);
        harness.Clock.Now = At("2026-11-20 12:01");
        WriteAsOfNow(harness, "back");
        harness.Clock.PassSeconds(60);
        for (int day = 21; day <= 28; day++)
        {
            WriteAsOfNow(harness, $"{day}");
            harness.Clock.Pass(TimeSpan.FromDays(1));
            if (day == 24)
                harness.Restart();
        }

        string[] kept = [.. harness.Names.Select(name => harness.Read(name).TrimEnd('\n')).Order(StringComparer.Ordinal)];
        Assert.Equal(["25", "26", "27", "28"], kept);
    }

    [Fact]
    public void While_every_file_is_ahead_of_the_clock_names_decide_which_is_the_oldest()
    {
        using var harness = new SinkHarness(options => options.RetainedFileCountLimit = 3);
        foreach (int day in (int[])[17, 18, 19])
        {
            harness.Folder.Write($"shop.2026-11-{day}.001.log", $"{day}\n");
            File.SetLastWriteTimeUtc(harness.Folder.File($"shop.2026-11-{day}.001.log"), new DateTime(2026, 11, 30 - day, 0, 0, 0, DateTimeKind.Utc));
        }

        // A machine without a clock of its own begins in 1970.
        harness.Clock.Now = At("1970-01-01 00:01");
        harness.Write("a");

        Assert.Equal(["shop.2026-11-18.001.log", "shop.2026-11-19.001.log", "shop.log"], harness.Names);
        Assert.Equal(new DateTime(2026, 11, 11, 0, 0, 0, DateTimeKind.Utc), File.GetLastWriteTimeUtc(harness.Folder.File("shop.2026-11-19.001.log")));
    }

    [Fact]
    [NotUnderWine("it deletes an open file when it is closed")]
    public void A_finished_file_is_not_reopened_when_the_active_file_is_lost_after_the_clock_went_back()
    {
        using var harness = new SinkHarness(options => options.Path = "shop-{Date}.log");
        harness.Write("a");
        harness.Clock.Now = At("2026-11-21 00:01");
        harness.Write("b");
        harness.Clock.Now = At("2026-11-20 23:00");
        harness.Clock.PassSeconds(1);
        File.Delete(harness.Folder.File("shop-2026-11-21.log"));

        harness.Write("c");

        Assert.Equal("a\n", harness.Read("shop-2026-11-20.log"));
        Assert.Equal("c\n", harness.Read("shop-2026-11-21.log"));
    }

    [Theory]
    [InlineData("shop.log", "shop.2026-11-01-01.001.log", "shop.2026-11-01-01.002.log")]
    [InlineData("shop-{Date}.log", "shop-2026-11-01-01.log", "shop-2026-11-01-01.001.log")]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void The_repeated_hour_gets_its_own_number(string path, string first, string second)
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = path;
            options.RollingInterval = RollingInterval.Hour;
        });
        harness.Clock.Zone = TimeZoneInfo.FindSystemTimeZoneById("America/New_York");

        foreach (int minute in (int[])[0, 30, 59, 60, 90, 119, 120])
            harness.WriteAt(At("2026-11-01 05:00").AddMinutes(minute), $"{minute}");

        Assert.Equal("0\n30\n59\n", harness.Read(first));
        Assert.Equal("60\n90\n119\n", harness.Read(second));
        Assert.Equal(2, harness.Counters.Rolled[RollReason.Interval]);
    }

    [Fact]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void A_new_time_zone_applies_from_the_next_boundary()
    {
        using var harness = new SinkHarness(options => options.RollingInterval = RollingInterval.Day);
        harness.Write("a");
        harness.Clock.Zone = TimeZoneInfo.FindSystemTimeZoneById("Asia/Kathmandu");

        harness.WriteAt(At("2026-11-20 23:00"), "b");
        harness.WriteAt(At("2026-11-21 00:00"), "c");
        harness.WriteAt(At("2026-11-21 18:15"), "d");

        Assert.Equal("a\nb\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("c\n", harness.Read("shop.2026-11-21.001.log"));
        Assert.Equal("d\n", harness.Read("shop.log"));
    }

    [Theory]
    // 12:00 UTC is 01:00, 17:45, 01:00 and 01:45 there: records of so many full hours are left of the day.
    [InlineData("Pacific/Pago_Pago", 23)]
    [InlineData("Asia/Kathmandu", 7)]
    [InlineData("Pacific/Tongatapu", 23)]
    [InlineData("Pacific/Chatham", 23)]
    [NotUnderWine("it has no ICU, which .NET needs for the names of time zones")]
    public void Local_and_UTC_days_both_roll_once_a_day(string zone, int ofFirstDay)
    {
        foreach ((bool usesUtc, int first) in ((bool, int)[])[(false, ofFirstDay), (true, 12)])
        {
            using var harness = new SinkHarness(options => options.UseUtcTimestamp = usesUtc);
            harness.Clock.Zone = TimeZoneInfo.FindSystemTimeZoneById(zone);
            for (int hour = 0; hour < 24 * 4; hour++)
                harness.WriteAt(harness.Clock.Now.AddHours(hour), $"{hour}");

            Assert.Equal(4, harness.Counters.Rolled[RollReason.Interval]);
            string[][] lines = [.. harness.Names.Select(name => harness.Folder.Lines(name))];
            Assert.Equal([first, 24, 24, 24, 24 - first], lines.Select(static ofDay => ofDay.Length));
            Assert.Equal(Enumerable.Range(0, 24 * 4).Select(static hour => $"{hour}"), lines.SelectMany(static ofDay => ofDay));
        }
    }

    [Theory]
    [InlineData("0001-01-01 00:00")]
    [InlineData("1969-12-31 23:59")]
    [InlineData("9999-12-31 23:59:59")]
    public void Times_at_both_ends_of_the_calendar_are_written(string utc)
    {
        foreach (RollingInterval interval in Enum.GetValues<RollingInterval>())
        {
            using var harness = new SinkHarness(options => options.RollingInterval = interval);
            harness.Write("a");
            harness.WriteAt(At(utc), "b");
            harness.WriteAt(At(utc), "c");

            Assert.EndsWith("b\nc\n", harness.Read("shop.log"), StringComparison.Ordinal);
            Assert.Equal("a\nb\nc\n", string.Concat(harness.Names.Select(harness.Read)));
        }
    }

    [Fact]
    public void A_file_that_cannot_be_opened_is_tried_again_after_a_second_when_the_clock_was_set_back()
    {
        string? errorType = FileErrorClass.Permission;
        using var harness = new SinkHarness(files: new FaultyFileSystem { OnOpen = _ => errorType });
        harness.FailToWrite(harness.BatchNow("a"));
        errorType = null;
        harness.Clock.Now -= TimeSpan.FromHours(1);
        Assert.Equal(harness.Clock.Now.AddSeconds(1), harness.Sink.NextDue);
        harness.Clock.PassSeconds(0.9);
        harness.RunDue();
        Assert.Empty(harness.Names);
        harness.Clock.PassSeconds(0.1);
        harness.RunDue();
        Assert.Equal(["shop.log"], harness.Names);
    }

    private static ServiceProvider Start(TempFolder folder, TimeProvider clock, Action<AsyncFileLoggerOptions> configure) => new ServiceCollection()
        .AddSingleton(clock)
        .AddKeyedSingleton("AsyncLog.Waits", clock)
        .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
        .AddLogging(logging => logging.AddAsyncFile(options =>
        {
            options.Path = folder.File("shop.log");
            options.Template = "{Message}{NewLine}";
            options.UseUtcTimestamp = true;
            options.QueueFullMode = QueueFullMode.Wait;
            configure(options);
        }))
        .BuildServiceProvider();

    // Runs from the middle of a year on; the wall clock can be set, and time can pass at once.
    private sealed class RunningClock : TimeProvider
    {
        private static readonly DateTimeOffset Begin = new(2026, 6, 15, 12, 30, 0, TimeSpan.Zero);
        private readonly long _began = Stopwatch.GetTimestamp();
        private long _set;
        private long _passed;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Stopwatch.GetElapsedTime(_began).Ticks + Interlocked.Read(ref _passed);

        public override DateTimeOffset GetUtcNow() => Begin.AddTicks(GetTimestamp() + Interlocked.Read(ref _set));

        public void Set(TimeSpan ahead) => Interlocked.Add(ref _set, ahead.Ticks);

        public void Pass(TimeSpan time) => Interlocked.Add(ref _passed, time.Ticks);
    }

    // The file system has a clock of its own.
    private static void WriteAsOfNow(SinkHarness harness, string line)
    {
        harness.Write(line);
        File.SetLastWriteTimeUtc(harness.Context.Target!, harness.Clock.Now.UtcDateTime);
    }

    private static DateTimeOffset At(string utc) => DateTimeOffset.Parse(utc, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
}
