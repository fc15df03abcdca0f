using AsyncLog.Tests.Disk;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class WritingTests
{
    [Theory]
    [InlineData(FileErrorClass.Permission)]
    [InlineData(FileErrorClass.ReadOnly)]
    [InlineData(FileErrorClass.NotADirectory)]
    [InlineData(FileErrorClass.NoSpace)]
    public void A_path_that_cannot_be_opened_at_start_keeps_its_records_and_is_tried_again(string trouble)
    {
        string? errorType = trouble;
        var files = new FaultyFileSystem { OnOpen = _ => errorType };
        using var harness = new SinkHarness(files: files);
        LogBatch batch = harness.BatchNow("a");

        LogSinkException failure = harness.FailToWrite(batch);

        Assert.Equal(trouble, failure.ErrorType);
        Assert.Contains(harness.Folder.File("shop.log"), failure.Message, StringComparison.Ordinal);
        Assert.Equal((1, harness.Clock.Now.AddSeconds(1)), (batch.Count, harness.Sink.NextDue));
        Assert.Empty(harness.Names);
        errorType = null;
        harness.Clock.PassSeconds(1);
        harness.RunDue();
        Assert.Equal(["shop.log"], harness.Names);
        harness.Write(batch);
        Assert.Equal("a\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Where_modes_cannot_be_set_files_roll_and_it_is_told_once()
    {
        var files = new FaultyFileSystem { OnLimitation = static path => $"the mode of {path} cannot be set to 0640" };
        using var harness = new SinkHarness(static options => options.FileSizeLimit = 4096, files);
        for (int i = 0; i < 4; i++)
            harness.Write(new string('x', 4000));

        Assert.Equal(4, harness.Names.Count);
        string told = $"the mode of {harness.Folder.File("shop.log")} cannot be set to 0640. "
            + "Logging continues; UnixCreateMode has no effect there.";
        Assert.Equal([(LogLevel.Warning, "mode", told)], harness.Context.Reports);
    }

    [Fact]
    public void Another_ExistingFile_waits_for_the_next_start()
    {
        string? errorType = FileErrorClass.Permission;
        var files = new FaultyFileSystem { OnOpen = _ => errorType };
        using var harness = new SinkHarness(files: files);
        harness.Folder.Write("shop.log", "kept\n");
        File.SetLastWriteTimeUtc(harness.Folder.File("shop.log"), harness.Clock.Now.UtcDateTime);
        LogBatch batch = harness.BatchNow("a");
        harness.FailToWrite(batch);
        harness.Apply(static options => options.ExistingFile = ExistingFile.Truncate);
        errorType = null;
        harness.Write(batch);

        Assert.Equal("kept\na\n", harness.Read("shop.log"));
        harness.Restart();
        harness.Write("b");
        Assert.Equal("b\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_batch_is_one_write()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);

        harness.Write("a", "b", "c");

        Assert.Equal(1, files.Appends);
        Assert.Equal("a\nb\nc\n", harness.Read("shop.log"));
        Assert.Equal(6, harness.Counters.ActiveSize);
    }

    [Fact]
    public void An_empty_batch_is_written_without_a_file()
    {
        using var harness = new SinkHarness();

        harness.Write(LogBatch.Create());

        Assert.Empty(harness.Names);
    }

    [Fact]
    public void Missing_directories_are_created_with_the_mode_that_follows_from_that_of_files()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Path = "x/y/shop.log";
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        });

        harness.Write("a");

        Assert.Equal("a\n", harness.Read("x/y/shop.log"));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(harness.Folder.File("x")));
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(harness.Folder.File("x/y")));
        }
    }

    [Fact]
    public void The_header_is_the_first_line_of_every_file_that_is_created_and_of_no_other()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Header = "time;text";
            options.FileSizeLimit = 4096;
        });
        harness.RunDue();
        Assert.Equal("", harness.Read("shop.log"));

        harness.Write("a");
        harness.Restart();
        harness.Write("b");
        harness.Write(new string('x', 4085));

        Assert.Equal("time;text\na\nb\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal($"time;text\n{new string('x', 4085)}\n", harness.Read("shop.log"));
    }

    [Fact]
    public void The_line_end_of_headers_and_repairs_is_the_configured_one()
    {
        using var harness = new SinkHarness(options =>
        {
            options.Header = "h";
            options.LineEnding = LineEnding.CrLf;
        });

        harness.Write("a");
        Assert.Equal("h\r\na\n", harness.Read("shop.log"));
        harness.Restart();
        harness.Folder.Append("shop.log", "torn");
        harness.Clock.Now = new DateTimeOffset(File.GetLastWriteTimeUtc(harness.Folder.File("shop.log")));
        harness.Write("b");

        Assert.Equal("h\r\na\ntorn\r\nb\n", harness.Read("shop.log"));
    }

    [Theory]
    [InlineData("half a li")]
    [InlineData("whole\nhalf")]
    public void A_torn_last_line_stays_on_its_own_line(string existing)
    {
        using var harness = new SinkHarness();
        harness.Folder.Write("shop.log", existing);
        harness.Clock.Now = new DateTimeOffset(File.GetLastWriteTimeUtc(harness.Folder.File("shop.log")));

        harness.Write("a");
        harness.Write("b");

        Assert.Equal(existing + "\na\nb\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Zeros_and_invalid_text_in_an_existing_file_stay_unchanged()
    {
        using var harness = new SinkHarness();
        byte[] seed = [0, 0, 0xff, 0xfe, (byte)'\n', 0xc3];
        File.WriteAllBytes(harness.Folder.File("shop.log"), seed);
        harness.Clock.Now = new DateTimeOffset(File.GetLastWriteTimeUtc(harness.Folder.File("shop.log")));

        harness.Write("a");

        Assert.Equal([.. seed, .. "\na\n"u8], harness.Folder.Bytes("shop.log"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(11)]
    public void The_rest_of_a_short_write_is_written_next(int most)
    {
        var files = new FaultyFileSystem { OnAppend = length => Math.Min(most, length) };
        using var harness = new SinkHarness(files: files);

        harness.Write("first line", "second line");

        Assert.Equal("first line\nsecond line\n", harness.Read("shop.log"));
    }

    [Fact]
    public void After_an_error_in_the_middle_writing_continues_at_the_exact_byte()
    {
        int writes = 0;
        var files = new FaultyFileSystem { OnAppend = length => writes++ == 0 ? 7 : 0 };
        using var harness = new SinkHarness(files: files);
        LogBatch batch = harness.BatchNow("first", "second");

        Assert.Equal(FileErrorClass.NoSpace, harness.FailToWrite(batch).ErrorType);
        Assert.Equal(1, batch.Count);
        Assert.Equal("first\ns", harness.Read("shop.log"));
        files.OnAppend = null;
        harness.Clock.PassSeconds(1);
        harness.Write(batch);

        Assert.Equal("first\nsecond\n", harness.Read("shop.log"));
    }

    [Fact]
    public void A_half_record_whose_batch_was_given_up_stays_alone()
    {
        int writes = 0;
        var files = new FaultyFileSystem { OnAppend = length => writes++ == 0 ? 3 : 0 };
        using var harness = new SinkHarness(files: files);
        harness.FailToWrite(harness.BatchNow("first"));
        files.OnAppend = null;

        harness.Write("second");

        Assert.Equal("fir\nsecond\n", harness.Read("shop.log"));
    }

    [Fact]
    public void Whatever_write_calls_return_every_byte_is_written_once()
    {
        var results = Gen.ArrayOf(Gen.Frequency((3, Gen.Choose(1, 40)), (1, Gen.Constant(0)), (1, Gen.Constant(int.MaxValue)))).ToArbitrary();
        var sizes = Gen.ArrayOf(Gen.Choose(1, 60)).Where(lengths => lengths.Length > 0).ToArbitrary();
        Prop.ForAll(results, sizes, (written, lengths) =>
        {
            int next = 0;
            var files = new FaultyFileSystem { OnAppend = length => next < written.Length ? written[next++] : length };
            using var harness = new SinkHarness(files: files);
            string[] lines = [.. lengths.Select((length, index) => new string((char)('a' + (index % 26)), length))];
            LogBatch batch = harness.BatchNow(lines);
            for (int attempt = 0; attempt <= written.Length && batch.Count > 0; attempt++)
                TryWrite(harness, batch);
            return harness.Read("shop.log") == string.Concat(lines.Select(static line => line + "\n"));
        }).QuickCheckThrowOnFailureWith(300);
    }

    [Fact]
    public void Rolls_truncations_and_moves_between_short_writes_tear_no_record()
    {
        var steps = Gen.ArrayOf(Gen.Choose(0, 6)).ToArbitrary();
        Prop.ForAll(steps, actions =>
        {
            int next = 0;
            var files = new FaultyFileSystem();
            using var harness = new SinkHarness(options => options.FileSizeLimit = 4096, files);
            files.OnAppend = length => next < actions.Length && actions[next++] is var action and < 5 ? Act(harness, action, length) : length;
            var written = new List<string>();
            for (int i = 0; i < 8; i++)
            {
                string[] lines = [.. Enumerable.Range(0, 5).Select(j => $"<{string.Concat(Enumerable.Repeat($"{i}.{j} ", 40))}>")];
                LogBatch batch = harness.BatchNow(lines);
                for (int attempt = 0; attempt <= actions.Length && batch.Count > 0; attempt++)
                {
                    harness.Clock.PassSeconds(2);
                    TryWrite(harness, batch);
                }

                written.AddRange(lines);
            }

            string[] contents = [.. harness.Names.Select(harness.Read)];
            string[] found = [.. contents.SelectMany(static text => text.Split('\n', StringSplitOptions.RemoveEmptyEntries))];

            // What stands behind the last line end is the beginning of a record that is written whole elsewhere.
            string[] ended = [.. contents.SelectMany(static text => text.Split('\n')[..^1])];
            string[] whole = [.. ended.Where(static line => line.StartsWith('<') && line.EndsWith('>'))];
            bool isComplete = actions.Any(static action => action is 2 or 3) || whole.Length == written.Count;
            return isComplete && whole.Distinct().Count() == whole.Length && whole.All(written.Contains) && found.All(line => IsPieceOf(line, written));
        }).QuickCheckThrowOnFailureWith(300);
    }

    [Fact]
    public void Opening_fails_without_harm_and_works_when_the_cause_is_gone()
    {
        var files = new FaultyFileSystem { OnOpen = static _ => FileErrorClass.Permission };
        using var harness = new SinkHarness(files: files);
        LogBatch batch = harness.BatchNow("a");

        LogSinkException failure = harness.FailToWrite(batch);
        Assert.True(failure.IsPermanent);
        Assert.Equal(harness.Clock.Now.AddSeconds(1), harness.Sink.NextDue);
        files.OnOpen = null;
        harness.Write(batch);

        Assert.Equal("a\n", harness.Read("shop.log"));
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Error]);
    }

    [Fact]
    public void A_file_in_the_place_of_the_directory_is_reported_and_heals()
    {
        using var harness = new SinkHarness(options => options.Path = "logs/shop.log");
        harness.Folder.Write("logs", "in the way");
        LogBatch batch = harness.BatchNow("a");

        LogSinkException failure = harness.FailToWrite(batch);
        Assert.Equal(FileErrorClass.NotADirectory, failure.ErrorType);
        Assert.True(failure.IsPermanent);
        Assert.StartsWith($"cannot open {harness.Folder.File("logs", "shop.log")}", failure.Message, StringComparison.Ordinal);
        Assert.Contains(" (part of the path is not a directory: change Path)", failure.Message, StringComparison.Ordinal);
        File.Delete(harness.Folder.File("logs"));
        harness.Write(batch);

        Assert.Equal("a\n", harness.Read("logs/shop.log"));
    }

    [Fact]
    public void The_file_size_limit_of_the_process_rolls_once()
    {
        var files = new FaultyFileSystem { WriteError = FileErrorClass.FileTooLarge };
        using var harness = new SinkHarness(files: files);
        harness.Write("first");
        int failures = 1;
        files.OnAppend = length => failures-- > 0 ? 0 : length;

        harness.Write("second");
        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], harness.Names);
        Assert.Equal("second\n", harness.Read("shop.log"));
        files.OnAppend = static _ => 0;
        Assert.Equal(FileErrorClass.FileTooLarge, harness.FailToWrite(harness.BatchNow("third")).ErrorType);
        Assert.Equal(FileErrorClass.FileTooLarge, harness.FailToWrite(harness.BatchNow("third")).ErrorType);

        Assert.Equal(["shop.2026-11-20.001.log", "shop.2026-11-20.002.log", "shop.log"], harness.Names);
        Assert.Equal(["first\n", "second\n", ""], harness.Names.Select(harness.Read));
        Assert.Equal(2, harness.Counters.Rolled[RollReason.Size]);
    }

    [Fact]
    public async Task Dispose_may_come_first_and_twice()
    {
        using var harness = new SinkHarness();
        await harness.Sink.DisposeAsync();
        await harness.Sink.DisposeAsync();
        Assert.Empty(harness.Names);
        harness.Restart();
        harness.Write("a");
        await harness.Sink.DisposeAsync();
        await harness.Sink.DisposeAsync();

        Assert.Equal("a\n", harness.Read("shop.log"));
    }

    // 0: fails; 1 to 4: something happens to the file, and part of the bytes is written.
    private static int Act(SinkHarness harness, int action, int length)
    {
        string path = harness.Folder.File("shop.log");
        switch (action)
        {
            case 0:
                return 0;
            case 1 when File.Exists(path):
                File.Move(path, harness.Folder.File($"moved-{Guid.NewGuid():N}"));
                break;
            case 2 when File.Exists(path):
                File.Delete(path);
                break;
            case 3 when File.Exists(path):
                using (var stream = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
                    stream.SetLength(0);
                break;
        }

        return Math.Max(1, length / 3);
    }

    // A line that lost its beginning or end to a deletion or truncation in the middle of a write is alone; never are two in one line.
    private static bool IsPieceOf(string line, List<string> written) => written.Exists(whole => whole.Contains(line, StringComparison.Ordinal));

    private static void TryWrite(SinkHarness harness, LogBatch batch)
    {
        try
        {
            harness.Sink.WriteAsync(batch, CancellationToken.None).AsTask().GetAwaiter().GetResult();
        }
        catch (LogSinkException)
        {
            // As the worker: what is left comes again.
        }
    }
}
