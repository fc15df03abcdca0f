namespace AsyncLog.Tests.Files;

/// <summary>What the operating system can do to a writer, provoked for real by strace.</summary>
[Trait("Category", "system")]
public sealed class SystemFaultTests
{
    [Theory]
    [InlineData("write")]
    [InlineData("openat")]
    public async Task Interrupted_calls_are_invisible(string call)
    {
        using var writers = new FileWriters();
        var writer = writers.AddFaulty(writers.Path, call + ":error=EINTR:when=1+3", "w", 0, "FileSizeLimit=8KB");

        await Enough(writers, 500);
        writers.End();

        Assert.True(await writer.Ended() == 0, writer.Printed);
        AssertWhole(writers);
        Assert.Empty(writer.Errors);
        Assert.InRange(writers.Faults, 1, int.MaxValue);
    }

    [Theory]
    [InlineData("fdatasync")]
    [InlineData("fsync")]
    public async Task Interrupted_syncs_are_invisible(string call)
    {
        using var writers = new FileWriters();
        var path = call == "fsync" ? writers.Folder : writers.Path;
        var writer = writers.AddFaulty(path, call + ":error=EINTR:when=1+3", "w", 0, "FileSizeLimit=8KB", "Durability=FlushToDisk");

        await Enough(writers, 500);
        writers.End();

        Assert.True(await writer.Ended() == 0, writer.Printed);
        AssertWhole(writers);
        Assert.Empty(writer.Errors);
        Assert.InRange(writers.Faults, 1, int.MaxValue);
    }

    [Fact]
    public async Task An_error_that_a_file_system_returns_only_on_close_is_reported()
    {
        using var writers = new FileWriters();
        var writer = writers.AddFaulty(writers.Path, "close:error=ENOSPC", "w", 0);

        await Enough(writers, 500);
        writers.End();

        // A file that was rolled has another name by now: this is the last one, after the flush.
        await writer.Ended();
        AssertWhole(writers);
        Assert.Single(writer.Errors, static line => line.Contains("cannot close", StringComparison.Ordinal) && line.Contains("may be lost", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_disk_that_takes_200_milliseconds_per_write_makes_no_caller_wait()
    {
        using var writers = new FileWriters();
        var writer = writers.AddFaulty(writers.Path, "write:delay_exit=200000", "w", 0);

        // Records that waited for a write each would take longer than the patience there is.
        await Enough(writers, 1_000);
        writers.End();

        Assert.True(await writer.Ended() == 0, writer.Printed);
        Assert.InRange(writers.Faults, 1, int.MaxValue);
        AssertWhole(writers);
    }

    [Fact]
    public async Task Writes_that_fail_permanently_are_reported_once_and_other_files_continue()
    {
        using var writers = new FileWriters();
        var writer = writers.AddFaulty(writers.Path, "write:error=EIO", "w", 0, "ShutdownTimeout=1s", "Files:other:MaxQueueLength=1000");
        var other = Path.Combine(writers.Folder, "shared-other.log");

        await writers.Begin();
        await Eventually.Holds(() => File.Exists(other) && File.ReadLines(other).Count() > 2_000, () => "the other file stopped: " + writers.Printed);
        writers.End();

        Assert.Equal(1, await writer.Ended());
        Assert.Equal("", File.ReadAllText(writers.Path));
        Assert.Single(writer.Errors, static line => line.Contains("file/default", StringComparison.Ordinal) && line.Contains("input/output error", StringComparison.Ordinal));
        Assert.DoesNotContain(writer.Errors, static line => line.Contains("file/other", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Without_free_descriptors_the_old_file_stays_in_use_and_rolls_later()
    {
        using var writers = new FileWriters();
        var writer = writers.AddFaulty(writers.Successor, "openat:error=EMFILE:when=1..2", "w", 0, "FileSizeLimit=4KB");

        await Enough(writers, 100);
        await Eventually.Holds(() => SharedLog.Archives(writers.Folder).Count > 1, () => "it does not roll any more: " + writers.Printed);
        writers.End();

        Assert.True(await writer.Ended() == 0, writer.Printed);
        AssertWhole(writers);
        Assert.Single(writer.Errors, static line => line.Contains("too many open files", StringComparison.Ordinal));
        Assert.Single(writer.Errors, static line => line.Contains("files roll again", StringComparison.Ordinal));
        Assert.True(new FileInfo(Path.Combine(writers.Folder, SharedLog.Archives(writers.Folder)[0])).Length > 4 << 10);
    }

    [Fact]
    public async Task A_failed_rename_call_leaves_logging_in_the_active_file()
    {
        using var writers = new FileWriters();
        var writer = writers.AddFaulty(writers.Path, "renameat2:error=EACCES", "w", 0, "FileSizeLimit=4KB");

        await Enough(writers, 500);
        writers.End();

        Assert.True(await writer.Ended() == 0, writer.Printed);
        AssertWhole(writers);
        Assert.Empty(SharedLog.Archives(writers.Folder));
        Assert.Single(writer.Errors, static line => line.Contains("cannot begin a new file", StringComparison.Ordinal));
        Assert.Equal(["shared.log"], Directory.EnumerateFiles(writers.Folder).Select(static path => Path.GetFileName(path)));
    }

    private static async Task Enough(FileWriters writers, int records)
    {
        await writers.Begin();
        await Eventually.Holds(
            () => Directory.Exists(writers.Folder) && SharedLog.Read(writers.Folder).Records.Values.Any(numbers => numbers.Count >= records),
            () => "too little is written: " + writers.Printed);
    }

    private static void AssertWhole(FileWriters writers)
    {
        var log = SharedLog.Read(writers.Folder);
        Assert.Empty(log.BrokenLines);
        Assert.Equal(Enumerable.Range(0, log.Records["w"].Count), log.Records["w"]);
    }
}
