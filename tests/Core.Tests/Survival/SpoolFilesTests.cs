namespace AsyncLog.Tests.Survival;

public sealed class SpoolFilesTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private readonly string _folder = Directory.CreateTempSubdirectory("spool-").FullName;
    private readonly ISpoolFiles _files = SpoolFiles.Instance;

    private string Spool => Path.Combine(_folder, "a", "b");

    [Fact]
    public void Directories_and_files_are_the_owners_only()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no modes");
        _files.CreateDirectory(Spool);
        _files.Write(Path.Combine(Spool, "1.seg"), Image(), toDisk: true);
        _files.SyncDirectory(Spool);
        Assert.Equal(OwnerOnly | UnixFileMode.UserExecute, File.GetUnixFileMode(Path.Combine(_folder, "a")));
        Assert.Equal(OwnerOnly | UnixFileMode.UserExecute, File.GetUnixFileMode(Spool));
        Assert.Equal(OwnerOnly, File.GetUnixFileMode(Path.Combine(Spool, "1.seg")));
    }

    [Fact]
    public void A_directory_that_others_may_write_is_refused()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no modes");
        Directory.CreateDirectory(Spool);
        foreach (var others in new[] { UnixFileMode.OtherWrite, UnixFileMode.GroupWrite })
        {
            File.SetUnixFileMode(Spool, OwnerOnly | UnixFileMode.UserExecute | others);
            var refused = Assert.Throws<LogSinkException>(() => _files.CreateDirectory(Spool));
            Assert.Equal(
                ("permission", true, $"{Spool} belongs to another user or others may write it: name a directory of its own below it"),
                (refused.ErrorType, refused.IsPermanent, refused.Message));
        }

        File.SetUnixFileMode(Spool, OwnerOnly | UnixFileMode.UserExecute | UnixFileMode.OtherRead);
        _files.CreateDirectory(Spool);
    }

    [Theory]
    [InlineData(28, "no_space", "no_space", "io_error")]
    [InlineData(30, "read_only", "read_only", "io_error")]
    [InlineData(39, "io_error", "io_error", "no_space")]
    [InlineData(112, "io_error", "io_error", "no_space")]
    [InlineData(19, "io_error", "io_error", "read_only")]
    [InlineData(122, "no_space", "io_error", "io_error")]
    [InlineData(69, "io_error", "no_space", "io_error")]
    public void An_error_number_means_what_the_system_says(int number, string linux, string mac, string windows)
        => Assert.Equal(
            (linux, mac, windows),
            (SpoolFiles.ErrorTypeOf(number, isWindows: false, isMac: false), SpoolFiles.ErrorTypeOf(number, isWindows: false, isMac: true), SpoolFiles.ErrorTypeOf(number, isWindows: true, isMac: false)));

    [Fact]
    public void No_link_is_followed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "links need a privilege");
        _files.CreateDirectory(Spool);
        Directory.CreateSymbolicLink(Path.Combine(_folder, "link"), Spool);
        Assert.Equal("permission", Assert.Throws<LogSinkException>(() => _files.CreateDirectory(Path.Combine(_folder, "link"))).ErrorType);
        File.WriteAllText(Path.Combine(_folder, "secret"), "secret");
        File.CreateSymbolicLink(Path.Combine(Spool, "1.seg"), Path.Combine(_folder, "secret"));
        Assert.Empty(_files.Read(Path.Combine(Spool, "1.seg"))!);
        Assert.Throws<LogSinkException>(() => _files.Write(Path.Combine(Spool, "1.seg"), Image(), toDisk: false));
        Assert.Equal("secret", File.ReadAllText(Path.Combine(_folder, "secret")));
    }

    [Fact]
    public void A_lock_is_held_once_until_it_is_released()
    {
        _files.CreateDirectory(Spool);
        var path = Path.Combine(Spool, ".lock");
        var held = _files.TryLock(path);
        Assert.NotNull(held);
        Assert.Null(_files.TryLock(path));
        held.Dispose();
        using var again = _files.TryLock(path);
        Assert.NotNull(again);
    }

    [Fact]
    public void A_file_is_written_once_read_and_renamed()
    {
        _files.CreateDirectory(Spool);
        var (before, after) = (Path.Combine(Spool, "1.seg.tmp"), Path.Combine(Spool, "1.seg"));
        _files.Write(before, Image(), toDisk: false);
        Assert.Throws<LogSinkException>(() => _files.Write(before, Image(), toDisk: false));
        _files.Rename(before, after);
        Assert.Equal([1, 2, 3, 4, 5], _files.Read(after)!);
        Assert.Equal(["1.seg"], _files.List(Spool));
        _files.Delete(after);
        _files.Delete(after);
        Assert.Null(_files.Read(after));
        Assert.Empty(_files.List(Path.Combine(Spool, "missing")));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static SegmentImage Image() => new([1, 2, 3], new byte[] { 4, 5 }, [], 0, 0);
}
