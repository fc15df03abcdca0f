using System.Text;

namespace AsyncLog.Tests.Disk;

/// <summary>What every way to write files keeps, whatever the platform.</summary>
public abstract class FileSystemContract : IDisposable
{
    private protected TempFolder Folder { get; } = new();

    private protected abstract IFileSystem Files { get; }

    [Fact]
    public void What_is_appended_is_at_the_end_and_the_size_says_so()
    {
        using IAppendFile file = Open("a.log");

        Assert.True(file.IsCreated);
        Assert.Equal(4, file.Append("one\n"u8));
        Assert.Equal(4, file.Append("two\n"u8));
        Assert.Equal("one\ntwo\n", Folder.Read("a.log"));
        Assert.Equal(8, file.Stat().Size);
        Assert.Equal(FileKind.Regular, file.Stat().Kind);
    }

    [Fact]
    public void An_existing_file_is_appended_to_and_not_counted_as_created()
    {
        Folder.Write("a.log", "old\n");
        using IAppendFile file = Open("a.log");

        file.Append("new\n"u8);

        Assert.False(file.IsCreated);
        Assert.Equal("old\nnew\n", Folder.Read("a.log"));
    }

    [Fact]
    [NotUnderWine("it appends in two steps")]
    public void Writers_at_one_time_do_not_overwrite_each_other()
    {
        const int writers = 4;
        const int lines = 2_000;
        using var start = new Barrier(writers);
        Thread[] threads = [.. Enumerable.Range(0, writers).Select(writer => new Thread(() =>
        {
            start.SignalAndWait();
            using IAppendFile file = Open("a.log");
            for (int line = 0; line < lines; line++)
                file.Append(Encoding.ASCII.GetBytes($"{writer} {line:0000}\n"));
        }))];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();

        Assert.Equal(
            Enumerable.Range(0, writers).SelectMany(static writer => Enumerable.Range(0, lines).Select(line => $"{writer} {line:0000}")),
            File.ReadAllLines(Folder.File("a.log")).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_file_that_takes_the_place_of_another_one_with_the_same_times_is_another_file()
    {
        using IAppendFile file = Open("a.log");
        Folder.Write("b.log", "");
        foreach (string name in (string[])["a.log", "b.log"])
        {
            File.SetCreationTimeUtc(Folder.File(name), new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
            File.SetLastWriteTimeUtc(Folder.File(name), new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        }

        Assert.True(Files.Stat(Folder.File("a.log"))!.Value.IsSameFile(file.Stat()));
        File.Move(Folder.File("a.log"), Folder.File("c.log"));
        File.Move(Folder.File("b.log"), Folder.File("a.log"));

        Assert.False(Files.Stat(Folder.File("a.log"))!.Value.IsSameFile(file.Stat()));
    }

    [Fact]
    public void A_file_is_the_same_after_its_times_were_changed()
    {
        using IAppendFile file = Open("a.log");
        FileStat before = file.Stat();

        File.SetLastWriteTimeUtc(Folder.File("a.log"), new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));

        Assert.True(Files.Stat(Folder.File("a.log"))!.Value.IsSameFile(before));
    }

    [Fact]
    public void An_open_file_is_emptied_and_written_on()
    {
        Folder.Write("a.log", "old\n");
        using IAppendFile file = Open("a.log");

        file.Truncate();
        file.Append("new\n"u8);

        Assert.Equal("new\n", Folder.Read("a.log"));
    }

    [Fact]
    public void A_new_file_is_never_one_that_exists()
    {
        Folder.Write("a.log", "old\n");

        LogSinkException refusal = Assert.Throws<LogSinkException>(() => Files.Open(Folder.File("a.log"), FileOpening.New, Mode));

        Assert.Equal(FileErrorClass.Exists, refusal.ErrorType);
        Assert.Equal("old\n", Folder.Read("a.log"));
    }

    [Fact]
    public void A_file_that_was_truncated_is_written_from_its_beginning()
    {
        using IAppendFile file = Open("a.log");
        file.Append(Encoding.ASCII.GetBytes(new string('x', 5000)));

        using (FileStream other = new(Folder.File("a.log"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            other.SetLength(0);
        file.Append("new\n"u8);

        Assert.Equal("new\n", Folder.Read("a.log"));
    }

    [Theory]
    [InlineData("", false)]
    [InlineData("a\n", false)]
    [InlineData("a\nb", true)]
    [InlineData("\0", true)]
    public void A_file_knows_whether_it_ends_inside_a_line(string content, bool expected)
    {
        Folder.Write("a.log", content);
        using IAppendFile file = Open("a.log");

        Assert.Equal(expected, file.EndsInsideLine());
    }

    [Fact]
    public void Renaming_replaces_nothing()
    {
        Folder.Write("a.log", "a");
        Folder.Write("taken.log", "taken");

        Assert.Equal(FileMove.TargetTaken, Files.Archive(Folder.File("a.log"), Folder.File("taken.log")));
        Assert.Equal(FileMove.TargetTaken, Files.Publish(Folder.File("a.log"), Folder.File("taken.log")));
        Assert.Equal(FileMove.SourceGone, Files.Archive(Folder.File("none.log"), Folder.File("b.log")));
        Assert.Equal(FileMove.SourceGone, Files.Publish(Folder.File("none.log"), Folder.File("b.log")));
        Assert.Equal(["a.log", "taken.log"], Folder.Names);
        Assert.Equal(FileMove.Done, Files.Archive(Folder.File("a.log"), Folder.File("b.log")));
        Assert.Equal(FileMove.Done, Files.Publish(Folder.File("b.log"), Folder.File("c.log")));
        Assert.Equal(["c.log", "taken.log"], Folder.Names);
        Assert.Equal(["a", "taken"], Folder.Names.Select(Folder.Read));
    }

    [Fact]
    public void The_end_of_a_file_that_was_moved_is_never_that_of_the_file_at_its_path()
    {
        using IAppendFile file = Open("a.log");
        file.Append("whole\n"u8);
        File.Move(Folder.File("a.log"), Folder.File("b.log"));

        Assert.False(file.EndsInsideLine());
        Folder.Write("a.log", "half");
        Assert.False(file.EndsInsideLine());
    }

    [Fact]
    public void Deleting_says_whether_there_was_a_file()
    {
        Folder.Write("a.log", "a");

        Assert.True(Files.Delete(Folder.File("a.log")));
        Assert.False(Files.Delete(Folder.File("a.log")));
        Assert.False(Files.Delete(Folder.File("none/a.log")));
    }

    [Fact]
    public void A_path_names_the_open_file_until_it_is_moved()
    {
        using IAppendFile file = Open("a.log");

        Assert.True(Files.Stat(Folder.File("a.log"))!.Value.IsSameFile(file.Stat()));
        File.Move(Folder.File("a.log"), Folder.File("b.log"));
        Assert.Null(Files.Stat(Folder.File("a.log")));
        Assert.True(Files.Stat(Folder.File("b.log"))!.Value.IsSameFile(file.Stat()));
        file.Append("still here\n"u8);
        Assert.Equal("still here\n", Folder.Read("b.log"));
    }

    [Fact]
    public void A_missing_directory_is_a_missing_path()
    {
        Assert.Equal(FileErrorClass.NotFound, Assert.Throws<LogSinkException>(() => Files.Open(Folder.File("x/a.log"), FileOpening.NewOrExisting, Mode)).ErrorType);
        Assert.Null(Files.Stat(Folder.File("x/a.log")));
        Files.CreateDirectory(Folder.File("x/y"), AsyncFileLoggerOptions.DefaultDirectoryMode);
        Files.CreateDirectory(Folder.File("x/y"), AsyncFileLoggerOptions.DefaultDirectoryMode);
        Assert.Equal(FileKind.Directory, Files.Stat(Folder.File("x/y"))!.Value.Kind);
    }

    [Fact]
    public void A_file_in_the_place_of_a_directory_is_named()
    {
        Folder.Write("x", "");

        LogSinkException failure = Assert.Throws<LogSinkException>(() => Files.CreateDirectory(Folder.File("x/y"), AsyncFileLoggerOptions.DefaultDirectoryMode));

        Assert.Equal("not_a_directory", failure.ErrorType);
        Assert.Equal($"cannot create directory {Folder.File("x")} (part of the path is not a directory: change Path)", failure.Message);
    }

    [Fact]
    public void Nothing_is_listed_in_a_directory_that_does_not_exist()
    {
        Folder.Write("a.log", "");

        Assert.Empty(Files.List(Folder.File("none")));
        Assert.Equal(["a.log"], Files.List(Folder.Path));
    }

    [Fact]
    [NotUnderWine("it makes no symbolic links")]
    public void A_symbolic_link_is_refused_and_named_with_its_target()
    {
        Folder.Write("target", "precious\n");
        File.CreateSymbolicLink(Folder.File("a.log"), Folder.File("target"));

        LogSinkException refusal = Assert.Throws<LogSinkException>(() => Open("a.log"));

        Assert.Equal((FileErrorClass.Symlink, true), (refusal.ErrorType, refusal.IsPermanent));
        Assert.Equal(
            $"cannot open {Folder.File("a.log")} (it is a symbolic link to {Folder.File("target")}, which is never followed: change Path)", refusal.Message);
        Assert.Equal("precious\n", Folder.Read("target"));
    }

    [Fact]
    public void A_directory_is_refused()
    {
        Directory.CreateDirectory(Folder.File("a.log"));

        Assert.Equal(FileErrorClass.NotAFile, Assert.Throws<LogSinkException>(() => Open("a.log")).ErrorType);
    }

    public void Dispose()
    {
        Folder.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected const UnixFileMode Mode = AsyncFileLoggerOptions.DefaultFileMode;

    private protected IAppendFile Open(string name) => Files.Open(Folder.File(name), FileOpening.NewOrExisting, Mode);
}
