namespace AsyncLog.Tests;

public sealed class FallbackTests
{
    private readonly FaultyByteFiles _files = new();
    private readonly TempFolder _other = new();
    private string? _trouble = FileErrorClass.Permission;

    public FallbackTests()
    {
        _files.PrivateDirectoryPath = _other.Path;
        _files.OnOpen = path => path.StartsWith(_other.Path, StringComparison.Ordinal) ? null : _trouble;
    }

    [Theory]
    [InlineData(FileErrorClass.Permission)]
    [InlineData(FileErrorClass.ReadOnly)]
    [InlineData(FileErrorClass.NotADirectory)]
    public void Fault_F09_What_cannot_be_opened_at_start_goes_to_the_private_directory(string trouble)
    {
        _trouble = trouble;
        using SinkHarness harness = Sink();
        harness.Write("a");

        Assert.Equal("a\n", _other.Read("shop.log"));
        Assert.Empty(harness.Names);
        Assert.Equal(["fallback"], harness.Voice.Degraded);
        string message = Assert.Single(harness.Voice.Reports).Message;
        Assert.Contains(harness.Folder["shop.log"], message, StringComparison.Ordinal);
        Assert.Contains($"Writing to {_other["shop.log"]}; retrying every second", message, StringComparison.Ordinal);
        Assert.Equal($"{_other["shop.log"]} (instead of {harness.Folder["shop.log"]})", harness.Voice.Target);
        Assert.Equal([trouble], harness.Voice.Errors);
        if (OperatingSystem.IsLinux())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_other["shop.log"]));
    }

    [Fact]
    public void FI_94_The_wanted_path_is_taken_when_it_works_again()
    {
        using SinkHarness harness = Sink();
        harness.Write("a");
        Assert.Equal(harness.Clock.Now.AddSeconds(1), harness.Sink.NextDue);
        harness.Clock.PassSeconds(1);
        harness.RunDue();
        harness.Write("b");
        _trouble = null;
        harness.Clock.PassSeconds(0.9);
        harness.Write("c");
        harness.Clock.PassSeconds(0.1);
        harness.RunDue();
        harness.Write("d");

        Assert.Equal("a\nb\nc\n", _other.Read("shop.log"));
        Assert.Equal("d\n", harness.Read("shop.log"));
        Assert.Empty(harness.Voice.Degraded);
        Assert.Equal(harness.Folder["shop.log"], harness.Voice.Target);
        Assert.Single(harness.Voice.Reports);
        Assert.Contains("fallback", harness.Voice.Resolved);
    }

    [Fact]
    public void FI_94_The_wanted_path_is_taken_also_by_a_batch_that_cannot_be_written_to_the_other()
    {
        using SinkHarness harness = Sink();
        harness.Write("a");
        _files.OnAppend = static _ => 0;
        LogBatch batch = harness.BatchNow("b");
        harness.FailToWrite(batch);
        _files.OnAppend = null;
        _trouble = null;
        harness.Clock.PassSeconds(1);
        harness.Write(batch);

        Assert.Equal("a\n", _other.Read("shop.log"));
        Assert.Equal("b\n", harness.Read("shop.log"));
    }

    [Theory]
    [InlineData(FileErrorClass.Symlink)]
    [InlineData(FileErrorClass.NotAFile)]
    [InlineData(FileErrorClass.NoSpace)]
    [InlineData(FileErrorClass.TooManyFiles)]
    public void FI_94_Other_trouble_is_waited_for(string trouble)
    {
        _trouble = trouble;
        using SinkHarness harness = Sink();
        LogBatch batch = harness.BatchNow("a");

        Assert.Equal(trouble, harness.FailToWrite(batch).ErrorType);
        _trouble = FileErrorClass.Permission;
        Assert.Equal(FileErrorClass.Permission, harness.FailToWrite(batch).ErrorType);
        Assert.Empty(_other.Names);
    }

    [Fact]
    public void FI_94_Trouble_after_the_start_is_waited_for()
    {
        _trouble = null;
        using SinkHarness harness = Sink();
        harness.Write("a");
        File.Delete(harness.Folder["shop.log"]);
        _trouble = FileErrorClass.Permission;
        harness.Clock.PassSeconds(1);

        Assert.Equal(FileErrorClass.Permission, harness.FailToWrite(harness.BatchNow("b")).ErrorType);
        Assert.Empty(_other.Names);
    }

    [Theory]
    [InlineData("", false, false)]
    [InlineData("auto", true, false)]
    [InlineData("auto", false, true)]
    public void FI_94_There_is_no_fallback_when_it_is_off_when_the_start_shall_fail_and_on_a_reload(string path, bool failsFast, bool isReload)
    {
        using var harness = new SinkHarness(
            options =>
            {
                options.FallbackPath = path;
                options.FailFastOnStart = failsFast;
            },
            _files,
            isReload);

        Assert.Equal(FileErrorClass.Permission, harness.FailToWrite(harness.BatchNow("a")).ErrorType);
        Assert.Empty(_other.Names);
    }

    [Fact]
    public void FI_94_Without_a_private_directory_the_trouble_is_told_as_it_is()
    {
        _files.PrivateDirectoryPath = null;
        using SinkHarness harness = Sink();

        Assert.Equal(FileErrorClass.Permission, harness.FailToWrite(harness.BatchNow("a")).ErrorType);
        Assert.Empty(harness.Voice.Degraded);
    }

    [Fact]
    public void FI_94_A_fallback_that_cannot_be_opened_either_leaves_the_first_trouble()
    {
        using SinkHarness harness = Sink();
        _files.OnOpen = path => path.StartsWith(_other.Path, StringComparison.Ordinal) ? FileErrorClass.NoSpace : _trouble;
        LogBatch batch = harness.BatchNow("a");
        Assert.Equal(FileErrorClass.Permission, harness.FailToWrite(batch).ErrorType);
        Assert.Equal([FileErrorClass.NoSpace], harness.Voice.Errors);
        _trouble = null;
        harness.Write(batch);

        Assert.Equal("a\n", harness.Read("shop.log"));
    }

    [Fact]
    public void FI_94_A_path_of_ones_own_is_used_with_its_own_names_and_keeps_what_is_there()
    {
        _other.Write("elsewhere.log", "kept\n");
        using SinkHarness harness = Sink(options =>
        {
            options.FallbackPath = _other["elsewhere.log"];
            options.OnStartup = FileStartup.Truncate;
            options.FileSizeLimit = 4096;
        });
        harness.Write("a");
        harness.Write(new string('x', 4090));

        Assert.Equal(["elsewhere.2026-11-20.001.log", "elsewhere.log"], _other.Names);
        Assert.StartsWith("kept\na\n", _other.Read("elsewhere.2026-11-20.001.log"), StringComparison.Ordinal);
    }

    [Fact]
    public void FI_94_A_reload_of_a_limit_applies_to_the_fallback()
    {
        using SinkHarness harness = Sink();
        harness.Write("a");
        harness.Apply(static options => options.FileSizeLimit = 4096);
        harness.Write(new string('x', 4093));
        harness.Write("b");

        Assert.Equal(2, _other.Names.Count);
        Assert.Equal("b\n", _other.Read("shop.log"));
        Assert.Empty(harness.Names);
    }

    [Fact]
    public void FI_94_Another_FallbackPath_waits_for_the_next_start_and_new_names_do_not()
    {
        using SinkHarness harness = Sink(options => options.FallbackPath = _other["first.log"]);
        harness.Write("a");
        harness.Apply(options =>
        {
            options.FallbackPath = _other["second.log"];
            options.FileSizeLimit = 4096;
            options.ArchiveName = "old-{Date}.{Number}{Extension}";
        });
        harness.Write(new string('x', 4093));
        harness.Write("b");
        Assert.Equal(["first.log", "old-2026-11-20.001.log"], _other.Names);

        harness.Restart();
        harness.Write("c");

        Assert.Equal("b\n", _other.Read("first.log"));
        Assert.Equal("c\n", _other.Read("second.log"));
    }

    [Fact]
    public void FI_42_Another_OnStartup_waits_for_the_next_start_too()
    {
        using SinkHarness harness = Sink();
        harness.Folder.Write("shop.log", "kept\n");
        File.SetLastWriteTimeUtc(harness.Folder["shop.log"], harness.Clock.Now.UtcDateTime);
        harness.Write("a");
        harness.Apply(static options => options.OnStartup = FileStartup.Truncate);
        _trouble = null;
        harness.Clock.PassSeconds(1);
        harness.Write("b");

        Assert.Equal("kept\nb\n", harness.Read("shop.log"));
    }

    [Fact]
    public void FI_94_The_condition_ends_with_the_sink()
    {
        using SinkHarness harness = Sink();
        harness.Write("a");
        harness.Restart();

        Assert.Empty(harness.Voice.Degraded);
    }

    private SinkHarness Sink(Action<AsyncFileOptions>? configure = null) => new(
        options =>
        {
            options.FallbackPath = "auto";
            configure?.Invoke(options);
        },
        _files);
}
