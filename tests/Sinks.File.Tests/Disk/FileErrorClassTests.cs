namespace AsyncLog.Tests.Disk;

public sealed class FileErrorClassTests
{
    [Theory]
    [InlineData(28, "no_space", false)]
    [InlineData(122, "quota", false)]
    [InlineData(30, "read_only", false)]
    [InlineData(13, "permission", true)]
    [InlineData(1, "permission", true)]
    [InlineData(5, "io_error", false)]
    [InlineData(24, "too_many_files", false)]
    [InlineData(23, "too_many_files", false)]
    [InlineData(40, "symlink", true)]
    [InlineData(21, "not_a_file", true)]
    [InlineData(20, "not_a_directory", true)]
    [InlineData(36, "name_too_long", true)]
    [InlineData(27, "file_too_large", false)]
    [InlineData(2, "not_found", false)]
    [InlineData(6, "not_a_file", true)]
    [InlineData(17, "exists", false)]
    [InlineData(999, "other", false)]
    public void Errors_have_classes(int errno, string expected, bool isPermanent)
    {
        Assert.Equal(expected, FileErrorClass.OfErrno(errno));
        Assert.Equal(isPermanent, FileErrorClass.IsPermanent(expected));
    }

    [Theory]
    [InlineData(13, "permission", "permission")]
    [InlineData(28, "no_space", "no_space")]
    [InlineData(11, "io_error", "other")]
    [InlineData(121, "io_error", "other")]
    [InlineData(36, "name_too_long", "other")]
    [InlineData(40, "symlink", "other")]
    [InlineData(122, "quota", "other")]
    [InlineData(35, "other", "io_error")]
    [InlineData(62, "other", "symlink")]
    [InlineData(63, "other", "name_too_long")]
    [InlineData(69, "other", "quota")]
    public void Linux_and_macOS_have_their_own_error_numbers(int errno, string onLinux, string onMacOS)
    {
        Assert.Equal(onLinux, FileErrorClass.OfErrno(errno, isMacOS: false));
        Assert.Equal(onMacOS, FileErrorClass.OfErrno(errno, isMacOS: true));
    }

    [Theory]
    [InlineData(95, true, false)]
    [InlineData(38, true, false)]
    [InlineData(45, false, true)]
    [InlineData(102, false, true)]
    [InlineData(78, false, true)]
    [InlineData(28, false, false)]
    public void What_a_file_system_cannot_do_has_other_numbers_on_Linux_and_macOS(int errno, bool onLinux, bool onMacOS)
    {
        Assert.Equal(onLinux, FileErrorClass.IsUnsupported(errno, isMacOS: false));
        Assert.Equal(onMacOS, FileErrorClass.IsUnsupported(errno, isMacOS: true));
    }

    [Theory]
    [InlineData(0x80070020)]
    [InlineData(0x80070021)]
    public void A_file_that_another_program_does_not_share_is_no_error_of_the_disk(uint code)
    {
        string errorType = FileErrorClass.Of(new IOException("", unchecked((int)code)));

        Assert.Equal("in_use", errorType);
        Assert.Equal("another program has it open and does not share it: close it there", FileErrorClass.Describe(errorType));
        Assert.False(FileErrorClass.IsPermanent(errorType));
    }

    [Theory]
    [InlineData("no_space", "no space left on the device: free some")]
    [InlineData("quota", "the disk quota is used up: free space or raise it")]
    [InlineData("read_only", "the file system is read-only: mount it writable or change Path")]
    [InlineData("permission", "permission denied: let the user of the process write there or change Path")]
    [InlineData("io_error", "input/output error: check the disk")]
    [InlineData("in_use", "another program has it open and does not share it: close it there")]
    [InlineData("too_many_files", "too many open files: raise the limit of the process")]
    [InlineData("symlink", "it is a symbolic link, which is never followed: change Path")]
    [InlineData("not_a_file", "it is not a regular file: change Path")]
    [InlineData("not_a_directory", "part of the path is not a directory: change Path")]
    [InlineData("not_found", "it does not exist: create it or change Path")]
    [InlineData("exists", "it exists already: remove or rename it")]
    [InlineData("file_too_large", "the file size limit of the process is reached: raise it or set a smaller FileSizeLimit")]
    [InlineData("name_too_long", "the name is too long: change Path")]
    public void The_description_of_an_error_says_what_to_do(string errorType, string expected) => Assert.Equal(expected, FileErrorClass.Describe(errorType));

    [Fact]
    public void A_directory_that_the_system_does_not_make_is_named_with_what_to_do()
    {
        Assert.SkipUnless(Directory.Exists("/proc/self"), "needs /proc");

        LogSinkException failure = Assert.Throws<LogSinkException>(
            static () => FileSystems.ForThisPlatform().CreateDirectory("/proc/nowhere", AsyncFileLoggerOptions.DefaultDirectoryMode));

        Assert.Equal("cannot create directory /proc/nowhere (a directory cannot be created there: change Path)", failure.Message);
        Assert.Equal("not_found", failure.ErrorType);
    }

    [Fact]
    public void What_the_framework_throws_has_a_class()
    {
        Assert.Equal("permission", FileErrorClass.Of(new UnauthorizedAccessException()));
        Assert.Equal("not_found", FileErrorClass.Of(new DirectoryNotFoundException()));
        Assert.Equal("no_space", FileErrorClass.Of(new IOException("", 28)));
        Assert.Equal("no_space", FileErrorClass.Of(new IOException("", unchecked((int)0x80070070))));
        Assert.Equal("io_error", FileErrorClass.Of(new IOException("")));
        Assert.Equal("other", FileErrorClass.Of(new InvalidOperationException()));
    }

    [Fact]
    public void A_failure_says_what_where_and_what_to_do()
    {
        LogSinkException failure = FileErrorClass.Failure("cannot open", "/srv/a.log", FileErrorClass.Permission);

        Assert.Equal("cannot open /srv/a.log (permission denied: let the user of the process write there or change Path)", failure.Message);
        Assert.True(failure.IsPermanent);
    }

    [Fact]
    public void Nothing_is_said_of_a_directory_that_cannot_be_looked_at()
    {
        Assert.Null(Folders.NetworkFileSystemOf("/none\0"));
        Assert.Null(Folders.NetworkFileSystemOf("/does/not/exist"));
        Assert.Null(Folders.NetworkFileSystemOf("/proc/self"));
    }

    [Theory]
    [InlineData(DriveType.Network, "NTFS", true, "a network drive")]
    [InlineData(DriveType.Fixed, "NTFS", true, null)]
    [InlineData(DriveType.Network, "nfs4", false, "nfs4")]
    [InlineData(DriveType.Network, "autofs", false, null)]
    public void A_network_drive_of_Windows_has_the_file_system_of_a_local_one(DriveType type, string format, bool isWindows, string? expected) =>
        Assert.Equal(expected, Folders.NetworkNameOf(type, format, isWindows));

    [Theory]
    [InlineData(@"\\server\share\logs", true)]
    [InlineData(@"\\?\UNC\server\share", true)]
    [InlineData(@"\\?\C:\logs", false)]
    [InlineData(@"\\.\C:\logs", false)]
    [InlineData(@"C:\logs", false)]
    public void A_share_of_Windows_is_known_by_its_path(string path, bool expected) => Assert.Equal(expected, Folders.IsShare(path));

    [Theory]
    [InlineData("nfs", true)]
    [InlineData("nfs4", true)]
    [InlineData("cifs", true)]
    [InlineData("smb3", true)]
    [InlineData("fuse.sshfs", true)]
    [InlineData("ext4", false)]
    [InlineData("tmpfs", false)]
    [InlineData("overlay", false)]
    [InlineData("fuseblk", false)]
    [InlineData("", false)]
    public void File_systems_of_other_hosts_are_known_by_name(string format, bool expected) =>
        Assert.Equal(expected, Folders.IsNetwork(format));
}
