using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Writing;

public sealed class FollowingTests
{
    [Fact]
    public void A_file_truncated_inside_a_line_after_a_roll_continues_on_a_new_line()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 10);
        harness.Write("aaaaaaaa");
        harness.Write("bbbbbbbb");
        Assert.Equal("bbbbbbbb\n", harness.Read("shop.log"));
        using (FileStream file = File.Open(harness.Folder.File("shop.log"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            file.SetLength(4);

        harness.Clock.PassSeconds(0.25);
        harness.Write("c");

        Assert.Equal("bbbb\nc\n", harness.Read("shop.log"));
    }

    [Fact]
    [NotUnderWine("it deletes an open file when it is closed")]
    public void A_directory_that_was_removed_is_created_again()
    {
        using var harness = new SinkHarness(options => options.Path = "x/shop.log");
        harness.Write("a");
        Directory.Delete(harness.Folder.File("x"), recursive: true);

        harness.Clock.PassSeconds(1);
        harness.Write("b");

        Assert.Equal("b\n", harness.Read("x/shop.log"));
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Deleted]);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(AsyncFileLoggerOptions.DefaultDirectoryMode, File.GetUnixFileMode(harness.Folder.File("x")));
    }

    [Fact]
    [NotUnderWine("it deletes an open file when it is closed")]
    public void A_deleted_file_is_created_again()
    {
        using var harness = new SinkHarness(options => options.Header = "h");
        harness.Write("a");
        File.Delete(harness.Folder.File("shop.log"));

        harness.Clock.PassSeconds(0.25);
        harness.Write("b");

        Assert.Equal("h\nb\n", harness.Read("shop.log"));
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Deleted]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void After_a_rename_records_go_to_the_path_and_to_exactly_one_file(bool isCreatedAnew)
    {
        using var harness = new SinkHarness();
        harness.Write("a");
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("shop.log.1"));
        if (isCreatedAnew)
            harness.Folder.Write("shop.log", "");

        harness.Write("b");
        harness.Clock.PassSeconds(0.25);
        harness.Write("c");

        Assert.Equal("a\nb\n", harness.Read("shop.log.1"));
        Assert.Equal("c\n", harness.Read("shop.log"));
        Assert.Equal(["shop.log", "shop.log.1"], harness.Names);
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Moved]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_stale_handle_is_closed_and_the_path_is_opened_again(bool reopensWhenMoved)
    {
        bool isStale = false;
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.ReopenWhenMoved = reopensWhenMoved, files);
        harness.Write("a");

        // The file system was mounted anew: the path works, the open file does not.
        files.OnStatOpen = _ => isStale ? FileErrorClass.Other : null;
        files.OnAppend = length => isStale ? 0 : length;
        files.WriteError = FileErrorClass.Other;
        files.OnOpen = _ =>
        {
            isStale = false;
            return null;
        };
        isStale = true;
        LogBatch batch = harness.BatchNow("b");
        harness.FailToWrite(batch);
        harness.Clock.PassSeconds(0.25);
        harness.Write(batch);
        harness.Write("c");

        Assert.Equal("a\nb\nc\n", harness.Read("shop.log"));
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Error]);
        Assert.Equal(1, files.OpenFiles);
    }

    [Fact]
    public async Task A_reopen_request_replaces_a_stale_handle()
    {
        bool isStale = false;
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(static options => options.ReopenWhenMoved = false, files);
        harness.Write("a");
        files.OnStatOpen = _ => isStale ? FileErrorClass.Other : null;
        files.OnOpen = _ =>
        {
            isStale = false;
            return null;
        };
        isStale = true;
        Task<bool> reopened = harness.Sink.RequestAsync(FileRequest.Reopen);
        harness.RunDue();

        Assert.True(await reopened);
        harness.Write("b");
        Assert.Equal("a\nb\n", harness.Read("shop.log"));
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Signal]);
        Assert.Equal((false, 1), (isStale, files.OpenFiles));
    }

    [Fact]
    public void While_the_file_system_is_unavailable_opening_is_retried()
    {
        bool isAway = false;
        int openings = 0;
        var files = new FaultyFileSystem { WriteError = FileErrorClass.Other };
        using var harness = new SinkHarness(files: files);
        harness.Write("a");
        files.OnStatOpen = _ => isAway ? FileErrorClass.Other : null;
        files.OnOpen = _ =>
        {
            openings++;
            return isAway ? FileErrorClass.Other : null;
        };
        files.OnAppend = length => isAway ? 0 : length;
        isAway = true;
        harness.Clock.PassSeconds(1);
        LogBatch batch = harness.BatchNow("b");
        for (int i = 0; i < 5; i++)
        {
            harness.FailToWrite(batch);
            harness.Clock.PassSeconds(1);
        }

        Assert.Equal(5, openings);
        isAway = false;
        harness.Write(batch);

        Assert.Equal("a\nb\n", harness.Read("shop.log"));
    }

    [Fact]
    public void The_path_is_looked_at_four_times_a_second_at_most()
    {
        int looks = 0;
        var files = new FaultyFileSystem
        {
            OnStat = _ =>
            {
                looks++;
                return null;
            },
        };
        using var harness = new SinkHarness(files: files);
        harness.Write("open");
        looks = 0;

        for (int i = 0; i < 100; i++)
        {
            harness.Clock.PassSeconds(0.01);
            harness.Write("a");
        }

        Assert.Equal(4, looks);
    }

    [Fact]
    public void Without_ReopenWhenMoved_only_a_roll_looks()
    {
        using var harness = new SinkHarness(options =>
        {
            options.ReopenWhenMoved = false;
            options.FileSizeLimit = 4096;
        });
        harness.Write("a");
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("moved"));

        harness.Clock.PassSeconds(60);
        harness.Write("b");
        Assert.Equal("a\nb\n", harness.Read("moved"));
        harness.Write(new string('c', 4095));

        Assert.Equal("a\nb\n", harness.Read("moved"));
        Assert.Equal(new string('c', 4095) + "\n", harness.Read("shop.log"));
        Assert.Equal((0, 1), (harness.Counters.Rolled[RollReason.Size], harness.Counters.Reopened[ReopenReason.Moved]));
    }

    [Fact]
    public void A_file_that_is_copied_and_truncated_contains_no_NUL_byte()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 8192);
        for (int i = 0; i < 200; i++)
        {
            harness.Write($"record {i} {new string('x', 50)}");
            harness.Clock.PassSeconds(0.1);
            if (i % 20 == 19)
            {
                File.Copy(harness.Folder.File("shop.log"), harness.Folder.File($"copy-{i}"));
                using var stream = new FileStream(harness.Folder.File("shop.log"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
                stream.SetLength(0);
            }
        }

        string all = string.Concat(harness.Names.Select(harness.Read));
        Assert.DoesNotContain('\0', all);
        Assert.Equal(
            Enumerable.Range(0, 200).Select(i => $"record {i} {new string('x', 50)}").Order(StringComparer.Ordinal),
            all.Split('\n')[..^1].Order(StringComparer.Ordinal));
        Assert.Equal(0, harness.Counters.Rolled[RollReason.Size]);
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void A_file_replaced_by_a_link_is_refused_and_the_target_untouched()
    {
        using var harness = new SinkHarness();
        harness.Folder.Write("precious", "precious\n");
        harness.Write("a");
        File.Delete(harness.Folder.File("shop.log"));
        File.CreateSymbolicLink(harness.Folder.File("shop.log"), harness.Folder.File("precious"));
        harness.Clock.PassSeconds(1);
        LogBatch batch = harness.BatchNow("b");

        Assert.Equal(FileErrorClass.Symlink, harness.FailToWrite(batch).ErrorType);
        Assert.Equal(FileErrorClass.Symlink, harness.FailToWrite(batch).ErrorType);
        Assert.Equal("precious\n", harness.Read("precious"));
        File.Delete(harness.Folder.File("shop.log"));
        harness.Write(batch);

        Assert.Equal("b\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Writing_continues_without_permission_for_the_directory()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);
        harness.Write("a");
        files.OnStat = files.OnOpen = files.OnArchive = static _ => FileErrorClass.Permission;

        harness.Clock.PassSeconds(1);
        harness.Write("b");
        harness.Write(new string('c', 4095));
        harness.Write("d");

        Assert.Equal($"a\nb\n{new string('c', 4095)}\nd\n", harness.Read("shop.log"));
        Assert.Equal(["roll"], harness.Context.Reports.Select(static report => report.Condition));
    }

    [Fact]
    public void A_record_begun_in_a_moved_file_is_whole_in_one_file()
    {
        int writes = 0;
        var files = new FaultyFileSystem { OnAppend = length => writes++ == 0 ? 4 : 0 };
        using var harness = new SinkHarness(files: files);
        LogBatch first = harness.BatchNow("first", "second");
        harness.FailToWrite(first);
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("moved"));

        // The rest of the record goes where its beginning is, if that file can be written.
        files.OnAppend = null;
        harness.Write(first);
        Assert.Equal("first\n", harness.Read("moved"));
        Assert.Equal("second\n", harness.Read("shop.log"));

        // If not, the record is written whole into the new one.
        writes = 0;
        files.OnAppend = length => writes++ switch
        {
            0 => 4,
            1 or 2 => 0,
            _ => length,
        };
        LogBatch third = harness.BatchNow("third", "fourth");
        harness.FailToWrite(third);
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("moved2"));
        harness.Write(third);

        Assert.Equal("second\nthir", harness.Read("moved2"));
        Assert.Equal("third\nfourth\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_record_begun_in_a_deleted_or_cut_file_is_written_whole()
    {
        int writes = 0;
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);
        foreach (Action<string> harm in (Action<string>[])[File.Delete, Cut])
        {
            writes = 0;
            files.OnAppend = length => writes++ switch
            {
                0 => 4,
                1 => 0,
                _ => length,
            };
            LogBatch batch = harness.BatchNow("first", "second");
            harness.FailToWrite(batch);
            harm(harness.Folder.File("shop.log"));
            harness.Write(batch);

            Assert.Equal("first\nsecond\n", harness.Read("shop.log"));
        }
    }

    [Fact]
    [OnLinux("Windows opens no file for one reader alone while it is written")]
    public void A_reader_that_holds_a_lock_changes_nothing()
    {
        using var harness = new SinkHarness();
        harness.Write("a");
        using (new FileStream(harness.Folder.File("shop.log"), FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            for (int i = 0; i < 5; i++)
            {
                harness.Clock.PassSeconds(1);
                harness.Write("b");
            }
        }

        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal("a\nb\nb\nb\nb\nb\n", harness.Read("shop.log"));
    }

    private static void Cut(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        stream.SetLength(0);
    }
}
