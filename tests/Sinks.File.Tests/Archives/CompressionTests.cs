using System.Diagnostics;
using System.IO.Compression;
using System.Text;
using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Archives;

public sealed class CompressionTests
{
    private const string Archive = "shop.2026-11-20.001.log";
    private static readonly string Filler = new('x', 4000);

    [Theory]
    [InlineData("shop.log", "shop.2026-11-20.001.log", "shop.log")]
    [InlineData("shop-{Date}.log", "shop-2026-11-20.log", "shop-2026-11-20.001.log")]
    public void A_finished_file_is_compressed_two_seconds_after_the_roll(string path, string finished, string active)
    {
        using SinkHarness harness = Rolled(options => options.Path = path);

        harness.Clock.PassSeconds(1.9);
        harness.RunDue();
        Assert.Equal(new[] { finished, active }.Order(StringComparer.Ordinal), harness.Names);
        harness.Clock.PassSeconds(0.1);
        harness.RunDue();

        Assert.Equal(new[] { finished + ".gz", active }.Order(StringComparer.Ordinal), harness.Names);
        Assert.Equal($"a {Filler}\n", Unpacked(harness, finished + ".gz"));
        Assert.Equal($"b {Filler}\n", harness.Read(active));
    }

    [Fact]
    public void The_directory_is_listed_once_for_all_files()
    {
        int lists = 0;
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(static options => options.RetainedFileCountLimit = null, files);
        for (int number = 1; number <= 50; number++)
            harness.Folder.Write($"shop.2026-11-19.{number:000}.log", "finished\n");
        harness.Write("a");
        harness.Apply(static options => options.Compression = CompressionMethod.Gzip);
        files.OnList = _ =>
        {
            lists++;
            return null;
        };
        PassAndRun(harness, 2);

        Assert.Equal(50, harness.Names.Count(static name => name.EndsWith(".gz", StringComparison.Ordinal)));
        Assert.Equal(1, lists);
    }

    [Fact]
    public void A_file_in_the_making_is_not_taken_for_one_that_was_left_behind()
    {
        TimeSpan? age = null;
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        File.SetLastWriteTimeUtc(harness.Folder.File(Archive), new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        files.OnPublish = path =>
        {
            age = DateTime.UtcNow - File.GetLastWriteTimeUtc(path);
            return null;
        };
        PassAndRun(harness, 2);

        // A minute after its last write a temporary file counts as left behind.
        Assert.True(age < TimeSpan.FromMinutes(1), $"{age}");
        Assert.Equal(new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc), File.GetLastWriteTimeUtc(harness.Folder.File(Archive + ".gz")));
    }

    [Fact]
    public void A_temporary_file_that_an_earlier_process_with_this_id_left_does_not_stop_compression()
    {
        using var process = Process.GetCurrentProcess();
        DateTimeOffset started = process.StartTime;
        using var harness = new SinkHarness(static options => options.Compression = CompressionMethod.Gzip);
        harness.Clock.Now = started;
        string left = $".shop.2020-01-01.001.log.gz.{Environment.ProcessId}.tmp";
        harness.Folder.Write("shop.2020-01-01.001.log", "finished\n");
        harness.Folder.Write(left, "half");
        File.SetLastWriteTimeUtc(harness.Folder.File(left), started.UtcDateTime.AddSeconds(-1));
        harness.Write("a");
        Assert.Contains(left, harness.Names);

        PassAndRun(harness, 61);

        Assert.Equal(["shop.2020-01-01.001.log.gz", "shop.log"], harness.Names);
        Assert.Equal("finished\n", Unpacked(harness, "shop.2020-01-01.001.log.gz"));
        Assert.Empty(harness.Context.Reports);
        Assert.Empty(harness.Context.Errors);
    }

    [Fact]
    public void Without_the_option_nothing_is_compressed()
    {
        using SinkHarness harness = Rolled(options => options.Compression = CompressionMethod.None);

        PassAndRun(harness, 5);

        Assert.Equal([Archive, "shop.log"], harness.Names);
    }

    [Fact]
    public void Mode_and_modification_time_are_kept()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there are no modes");
        using SinkHarness harness = Rolled(options => options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite);
        DateTime written = new(2026, 11, 20, 7, 8, 9, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(harness.Folder.File(Archive), written);

        PassAndRun(harness, 2);

        Assert.Equal(written, File.GetLastWriteTimeUtc(harness.Folder.File(Archive + ".gz")));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(harness.Folder.File(Archive + ".gz")));
    }

    [Fact]
    public void A_file_that_another_process_still_writes_waits_until_it_rests()
    {
        using SinkHarness harness = Rolled();
        for (int i = 0; i < 3; i++)
        {
            harness.Clock.PassSeconds(1.5);
            File.AppendAllText(harness.Folder.File(Archive), $"late {i}\n");
            harness.Clock.PassSeconds(0.5);
            harness.RunDue();
            Assert.Equal([Archive, "shop.log"], harness.Names);
        }

        PassAndRun(harness, 2);

        Assert.Equal([Archive + ".gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\nlate 0\nlate 1\nlate 2\n", Unpacked(harness, Archive + ".gz"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_written_while_it_is_compressed_is_not_lost(bool isAfterTheRename)
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        bool isWritten = false;
        files.OnPublish = path => path.EndsWith(".gz." + Environment.ProcessId + ".tmp", StringComparison.Ordinal) && !isAfterTheRename ? WriteOnce() : null;
        files.OnStat = path => path.EndsWith(Archive, StringComparison.Ordinal) && isAfterTheRename && File.Exists(path + ".gz") ? WriteOnce() : null;

        PassAndRun(harness, 2);
        Assert.True(isWritten);
        Assert.Equal([Archive, "shop.log"], harness.Names);
        PassAndRun(harness, 2);
        PassAndRun(harness, 2);

        Assert.Equal([Archive + ".gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\nlate\n", Unpacked(harness, Archive + ".gz"));

        string? WriteOnce()
        {
            if (!isWritten)
                File.AppendAllText(harness.Folder.File(Archive), "late\n");
            isWritten = true;
            return null;
        }
    }

    [Fact]
    public void When_another_process_finished_it_meanwhile_the_compressed_file_stays()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        bool isFinished = false;
        files.OnStat = path =>
        {
            if (path.EndsWith(Archive, StringComparison.Ordinal) && File.Exists(path + ".gz"))
            {
                File.Delete(path);
                isFinished = true;
            }

            return null;
        };

        PassAndRun(harness, 2);

        Assert.True(isFinished);
        Assert.Empty(harness.Context.Errors);
        Assert.Empty(harness.Context.Reports);
        Assert.Equal([Archive + ".gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\n", Unpacked(harness, Archive + ".gz"));
    }

    [Fact]
    public void A_file_that_vanishes_before_it_is_opened_is_no_error()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        files.OnStat = path =>
        {
            // The last look before it is opened.
            if (path.EndsWith(".gz", StringComparison.Ordinal))
                File.Delete(harness.Folder.File(Archive));
            return null;
        };

        PassAndRun(harness, 2);

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Empty(harness.Context.Errors);
        Assert.Empty(harness.Context.Reports);
    }

    [Fact]
    [NotUnderWine("it deletes an open file when it is closed")]
    public void When_retention_deletes_it_meanwhile_nothing_is_left_of_it()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        files.OnStat = path =>
        {
            if (path.EndsWith(".tmp", StringComparison.Ordinal))
                File.Delete(harness.Folder.File(Archive));
            return null;
        };

        PassAndRun(harness, 2);

        Assert.Equal(["shop.log"], harness.Names);
    }

    [Fact]
    public void Both_files_of_a_process_that_died_become_one_after_a_minute()
    {
        using SinkHarness harness = Rolled();
        Pack(harness, Archive, $"a {Filler}\n");

        PassAndRun(harness, 2);
        Assert.Equal([Archive, Archive + ".gz", "shop.log"], harness.Names);
        // The minute begins with the first pass, and passes come every two seconds.
        PassAndRun(harness, 59);
        Assert.Equal([Archive, Archive + ".gz", "shop.log"], harness.Names);
        PassAndRun(harness, 2);

        Assert.Equal([Archive + ".gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\n", Unpacked(harness, Archive + ".gz"));
    }

    [Fact]
    public void A_compressed_file_of_others_is_left_alone()
    {
        using SinkHarness harness = Rolled();
        harness.Folder.Write(Archive + ".gz", "not even gzip");
        harness.Write($"c {Filler}");
        Pack(harness, "shop.2026-11-20.002.log", "other content");

        PassAndRun(harness, 2);
        PassAndRun(harness, 60);
        PassAndRun(harness, 60);

        Assert.Equal([Archive, Archive + ".gz", "shop.2026-11-20.002.log", "shop.2026-11-20.002.log.gz", "shop.log"], harness.Names);
        Assert.Equal("not even gzip", harness.Read(Archive + ".gz"));
        Assert.Equal($"a {Filler}\n", harness.Read(Archive));
        Assert.Equal("other content", Unpacked(harness, "shop.2026-11-20.002.log.gz"));
        Assert.Equal($"b {Filler}\n", harness.Read("shop.2026-11-20.002.log"));
        Assert.Equal(2, harness.Context.Reports.Count(report => report.Condition == "compression"));
        Assert.True(harness.Sink.NextDue > harness.Clock.Now.AddSeconds(3));
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void What_dead_processes_left_in_the_making_is_removed()
    {
        using var harness = new SinkHarness(options => options.LatestLink = "latest");
        string[] left = [".shop.log.99999.tmp", $".{Archive}.gz.99999.tmp", ".latest.99999.tmp"];
        string[] foreign = [".shop.log.099.tmp", ".shop.2026-11-20.001.log.99999.tmp", ".other.log.gz.99999.tmp", ".tmp", "..tmp"];
        foreach (string name in left.Take(2).Concat(foreign))
        {
            harness.Folder.Write(name, "");
            File.SetLastWriteTimeUtc(harness.Folder.File(name), harness.Clock.Now.UtcDateTime.AddMinutes(-2));
        }

        File.CreateSymbolicLink(harness.Folder.File(left[2]), "gone");
        harness.Clock.Now = new DateTimeOffset(2100, 1, 1, 0, 0, 0, TimeSpan.Zero);

        harness.Write("first");

        Assert.Equal([.. foreign.Order(StringComparer.Ordinal), "latest", "shop.log"], harness.Names);
    }

    [Fact]
    public void A_file_that_another_process_has_in_hand_is_left_to_it()
    {
        using SinkHarness harness = Rolled();
        string temporary = $".{Archive}.gz.99999.tmp";
        harness.Folder.Write(temporary, "");
        File.SetLastWriteTimeUtc(harness.Folder.File(temporary), harness.Clock.Now.UtcDateTime);

        PassAndRun(harness, 2);
        Assert.Equal([temporary, Archive, "shop.log"], harness.Names);
        PassAndRun(harness, 61);

        Assert.Equal([temporary, Archive + ".gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\n", Unpacked(harness, Archive + ".gz"));
    }

    [Trait("Category", "system")]
    [Fact]
    public void On_a_full_disk_the_plain_file_stays_and_is_tried_again_after_the_next_roll()
    {
        using SmallDisk? disk = SmallDisk.TryMount(512);
        Assert.SkipWhen(disk is null, "this process may not mount");
        using SinkHarness harness = Rolled(options =>
        {
            options.Path = Path.Join(disk.Path, "shop.log");
            options.FileSizeLimit = 100_000;
        }, filler: Random(90_000));
        string ballast = Path.Join(disk.Path, "ballast");
        Assert.Throws<IOException>(() => File.WriteAllBytes(ballast, new byte[1 << 20]));

        PassAndRun(harness, 2);
        Assert.Equal([FileErrorClass.NoSpace], harness.Context.Errors);
        Assert.Equal(["compression"], harness.Context.Reports.Select(static report => report.Condition));
        Assert.Equal(["ballast", Archive, "shop.log"], Names(disk.Path));
        Assert.Equal($"a {Random(90_000)}\n", File.ReadAllText(Path.Join(disk.Path, Archive)));
        File.Delete(ballast);
        PassAndRun(harness, 4);
        Assert.Equal([Archive, "shop.log"], Names(disk.Path));
        Assert.DoesNotContain("compression", harness.Context.Resolved);
        harness.Write($"c {Random(90_000)}");

        Assert.Equal([Archive + ".gz", "shop.2026-11-20.002.log", "shop.log"], Names(disk.Path));
        Assert.Contains("compression", harness.Context.Resolved);
    }

    [Theory]
    [InlineData("publish", Archive)]
    [InlineData("delete", Archive + "|" + Archive + ".gz")]
    [InlineData("list", Archive)]
    public void A_compression_step_that_fails_leaves_the_plain_file_and_logging_continues(string step, string left)
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        files.OnPublish = path => step == "publish" && path.Contains(".gz.", StringComparison.Ordinal) ? FileErrorClass.Permission : null;
        files.OnDelete = path => step == "delete" && path.EndsWith(Archive, StringComparison.Ordinal) ? FileErrorClass.Permission : null;
        files.OnList = _ => step == "list" ? FileErrorClass.Permission : null;

        PassAndRun(harness, 2);
        harness.Write("goes on");

        Assert.Equal([.. left.Split('|'), "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\n", harness.Read(Archive));
        Assert.Equal($"b {Filler}\ngoes on\n", harness.Read("shop.log"));
        Assert.Equal([FileErrorClass.Permission], harness.Context.Errors);
    }

    [Fact]
    public void A_failure_is_over_when_a_file_is_compressed_and_not_before()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        files.OnPublish = static path => path.Contains(".gz.", StringComparison.Ordinal) ? FileErrorClass.Permission : null;
        PassAndRun(harness, 2);
        Assert.Single(harness.Context.Reports, static report => report.Condition == "compression");
        // The next try finds that another process still writes the file.
        files.OnPublish = path =>
        {
            if (path.Contains(".gz.", StringComparison.Ordinal))
                File.AppendAllText(harness.Folder.File(Archive), "late\n");
            return null;
        };
        harness.Write($"c {Filler}");
        Assert.Equal("late\n", harness.Read(Archive)[^5..]);
        Assert.DoesNotContain("compression", harness.Context.Resolved);

        files.OnPublish = null;
        PassAndRun(harness, 2);
        PassAndRun(harness, 2);

        Assert.Equal([Archive + ".gz", "shop.2026-11-20.002.log.gz", "shop.log"], harness.Names);
        Assert.Equal("finished files are compressed again.", harness.Context.ResolvedMessages["compression"]);
    }

    [Fact]
    public void One_file_that_cannot_be_compressed_does_not_keep_others_from_being_compressed()
    {
        var files = new FaultyFileSystem();
        using SinkHarness harness = Rolled(files: files);
        harness.Write($"c {Filler}");
        files.OnPublish = path => path.Contains(".001.", StringComparison.Ordinal) ? FileErrorClass.IoError : null;

        PassAndRun(harness, 2);
        PassAndRun(harness, 2);

        Assert.Equal([Archive, "shop.2026-11-20.002.log.gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\n", harness.Read(Archive));
        Assert.Equal($"b {Filler}\n", Unpacked(harness, "shop.2026-11-20.002.log.gz"));
        Assert.Equal([FileErrorClass.IoError], harness.Context.Errors);
    }

    [Fact]
    public void Compressed_files_count_for_retention_under_the_name_of_the_archive()
    {
        using SinkHarness harness = Rolled(options => options.RetainedFileCountLimit = 3);
        foreach (char line in "cde")
        {
            PassAndRun(harness, 2);
            harness.Write($"{line} {Filler}");
        }

        PassAndRun(harness, 2);

        Assert.Equal(["shop.2026-11-20.003.log.gz", "shop.2026-11-20.004.log.gz", "shop.log"], harness.Names);
    }

    [Fact]
    public void What_the_last_start_left_is_compressed_too()
    {
        using SinkHarness harness = Rolled();
        harness.Restart();
        harness.Write("c");

        PassAndRun(harness, 2);

        Assert.Equal([Archive + ".gz", "shop.log"], harness.Names);
        Assert.Equal($"a {Filler}\n", Unpacked(harness, Archive + ".gz"));
    }

    [Fact]
    [NotUnderWine("it deletes an open file when it is closed")]
    public void A_dated_file_that_another_process_finished_and_compressed_is_not_begun_anew()
    {
        using var harness = new SinkHarness(options => options.Path = "shop-{Date}.log");
        harness.Write("a");
        File.Delete(harness.Folder.File("shop-2026-11-20.log"));
        Pack(harness, "shop-2026-11-20.log", "a\n");
        harness.Folder.Write("shop-2026-11-20.001.log", "other\n");

        harness.Clock.PassSeconds(0.25);
        harness.Write("b");

        Assert.Equal(["shop-2026-11-20.001.log", "shop-2026-11-20.log.gz"], harness.Names);
        Assert.Equal("other\nb\n", harness.Read("shop-2026-11-20.001.log"));
    }

    [Fact]
    public void An_archive_that_another_process_compressed_since_the_names_were_read_keeps_its_number()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);
        harness.Write($"a {Filler}");
        files.OnList = _ =>
        {
            // After the names were read.
            files.OnStat = path =>
            {
                files.OnStat = null;
                Pack(harness, Archive, "theirs");
                return null;
            };
            return null;
        };

        harness.Write($"b {Filler}");

        Assert.Equal([Archive + ".gz", "shop.2026-11-20.002.log", "shop.log"], harness.Names);
        Assert.Equal("theirs", Unpacked(harness, Archive + ".gz"));
        Assert.Equal($"a {Filler}\n", harness.Read("shop.2026-11-20.002.log"));
    }

    [Fact]
    public void Switching_it_on_compresses_what_is_there_and_switching_it_off_ends_the_waiting()
    {
        using SinkHarness harness = Rolled(options => options.Compression = CompressionMethod.None);
        int wakes = harness.Context.Wakes;
        harness.Apply(options => options.Compression = CompressionMethod.Gzip);
        Assert.True(harness.Context.Wakes > wakes, $"{wakes} wakes before, {harness.Context.Wakes} after");
        harness.Apply(options => options.Compression = CompressionMethod.None);
        PassAndRun(harness, 2);
        Assert.Equal([Archive, "shop.log"], harness.Names);
        Assert.True(harness.Sink.NextDue > harness.Clock.Now.AddSeconds(3));

        harness.Apply(options => options.Compression = CompressionMethod.Gzip);
        PassAndRun(harness, 2);

        Assert.Equal([Archive + ".gz", "shop.log"], harness.Names);
    }

    private static SinkHarness Rolled(Action<AsyncFileLoggerOptions>? configure = null, IFileSystem? files = null, string? filler = null)
    {
        var harness = new SinkHarness(options =>
        {
            options.Compression = CompressionMethod.Gzip;
            options.FileSizeLimit = 4096;
            configure?.Invoke(options);
        }, files);
        harness.Write($"a {filler ?? Filler}");
        harness.Write($"b {filler ?? Filler}");
        return harness;
    }

    private static void PassAndRun(SinkHarness harness, double seconds)
    {
        harness.Clock.PassSeconds(seconds);
        harness.RunDue();
    }

    private static string Unpacked(SinkHarness harness, string name)
    {
        using var gzip = new GZipStream(File.OpenRead(harness.Folder.File(name)), CompressionMode.Decompress);
        using var reader = new StreamReader(gzip);
        return reader.ReadToEnd();
    }

    private static void Pack(SinkHarness harness, string name, string content)
    {
        using var gzip = new GZipStream(File.Create(harness.Folder.File(name + ".gz")), CompressionLevel.Optimal);
        gzip.Write(Encoding.UTF8.GetBytes(content));
    }

    private static string Random(int length)
    {
        var random = new Random(1);
        return string.Create(length, random, static (text, source) =>
        {
            for (int i = 0; i < text.Length; i++)
                text[i] = (char)source.Next('!', '~');
        });
    }

    private static IEnumerable<string> Names(string folder) => Directory.EnumerateFiles(folder).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal);
}
