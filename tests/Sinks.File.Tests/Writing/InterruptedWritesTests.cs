using System.Runtime.Versioning;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

public sealed class InterruptedWritesTests
{
    [Theory]
    [InlineData("", 0, true)]
    [InlineData("one\n", 4, true)]
    [InlineData("one\ntwo\nthree\n", 14, true)]
    // Torn: the rest follows there.
    [InlineData("o", 1, true)]
    [InlineData("one\nt", 5, true)]
    // Something else follows: what looks like the beginning of the next record is not one.
    [InlineData("one\nt!\n", 4, false)]
    [InlineData("other\n", 0, false)]
    // A line of another process before, between and behind.
    [InlineData("other\none\ntwo\n", 8, true)]
    [InlineData("other\none\nother\n", 4, false)]
    [InlineData("other\n\none\ntw", 6, true)]
    [InlineData("another one\n", 0, false)]
    // Behind the batch, from another process.
    [InlineData("one\ntwo\nthree\nother\n", 14, false)]
    public void Of_a_batch_the_bytes_that_are_there_are_found(string written, int bytes, bool isAtEnd)
    {
        var batch = LogBatch.Create(Record("one\n"), Record("two\n"), Record("three\n"));
        Assert.Equal((bytes, isAtEnd), InterruptedWrites.Match(Encoding.UTF8.GetBytes(written), batch));
    }

    [Theory]
    [InlineData("", 0, true)]
    [InlineData("ne\n", 3, true)]
    [InlineData("ne\ntw", 5, true)]
    [InlineData("n", 1, true)]
    [InlineData("ne\nother\n", 3, false)]
    [InlineData("n!\n", 0, false)]
    public void Of_a_record_that_was_begun_the_rest_is_found(string written, int bytes, bool isAtEnd)
    {
        var batch = LogBatch.Create(Record("one\n"), Record("two\n"));
        batch.Advance(1);
        Assert.Equal((bytes, isAtEnd), InterruptedWrites.Match(Encoding.UTF8.GetBytes(written), batch));
    }

    [Fact]
    [OnLinux("its system calls")]
    [SupportedOSPlatform("linux")]
    public void A_file_that_is_shorter_than_when_it_was_being_written_is_not_taken_for_it()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "shop.log");
        File.WriteAllText(path, "one\n");
        var files = new LinuxFileSystem();
        var settings = new LogFileSettings(new AsyncFileLoggerOptions { Path = path });
        var stat = files.Stat(path)!.Value;
        Assert.Equal(path, InterruptedWrites.Find(files, settings, path, new WriteMark(stat.Device, stat.Inode, 4)));
        Assert.Null(InterruptedWrites.Find(files, settings, path, new WriteMark(stat.Device, stat.Inode, 5)));
    }

    [Fact]
    public void A_file_without_new_bytes_is_told_from_one_that_was_renamed_or_emptied()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "shop.log");
        File.WriteAllText(path, "one\n");
        IFileSystem files = OperatingSystem.IsLinux() ? new LinuxFileSystem() : new PortableFileSystem();
        var stat = files.Stat(path)!.Value;
        var mark = new WriteMark(stat.Device, stat.Inode, stat.Size);
        Assert.Equal(0, files.Read(path, mark, 100)?.Length);
        File.WriteAllText(path, "");
        Assert.Null(files.Read(path, mark, 100));
        File.WriteAllText(path, "one\n");
        File.Move(path, path + ".1");
        Assert.Null(files.Read(path, mark, 100));
        Assert.Equal(0, files.Read(path + ".1", mark, 100)?.Length);
    }

    private static BatchRecord Record(string text) => new(Encoding.UTF8.GetBytes(text), LogLevel.Information, DateTimeOffset.UnixEpoch, "Test");
}
