namespace AsyncLog.Tests;

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
    [InlineData(999, "other", false)]
    public void FI_90_Errors_have_classes(int errno, string expected, bool isPermanent)
    {
        Assert.Equal(expected, FileErrorClass.OfErrno(errno));
        Assert.Equal(isPermanent, FileErrorClass.IsPermanent(expected));
        Assert.NotEmpty(FileErrorClass.Describe(expected));
    }

    [Fact]
    public void FI_90_What_the_framework_throws_has_a_class()
    {
        Assert.Equal("permission", FileErrorClass.Of(new UnauthorizedAccessException()));
        Assert.Equal("not_found", FileErrorClass.Of(new DirectoryNotFoundException()));
        Assert.Equal("no_space", FileErrorClass.Of(new IOException("", 28)));
        Assert.Equal("no_space", FileErrorClass.Of(new IOException("", unchecked((int)0x80070070))));
        Assert.Equal("io_error", FileErrorClass.Of(new IOException("")));
        Assert.Equal("other", FileErrorClass.Of(new InvalidOperationException()));
    }

    [Fact]
    public void FI_90_A_failure_says_what_where_and_what_to_do()
    {
        LogSinkException failure = FileErrorClass.Failure("cannot open", "/srv/a.log", FileErrorClass.Permission);

        Assert.Equal("cannot open /srv/a.log (permission denied: let the user of the process write there or change Path)", failure.Message);
        Assert.True(failure.IsPermanent);
    }

    [Fact]
    public void FI_96_Nothing_is_said_of_a_directory_that_cannot_be_looked_at()
    {
        Assert.Null(Folders.NetworkFileSystemOf("/none\0"));
        Assert.Null(Folders.NetworkFileSystemOf("/does/not/exist"));
        Assert.Null(Folders.NetworkFileSystemOf("/proc/self"));
    }

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
    public void FI_96_File_systems_of_other_hosts_are_known_by_name(string format, bool expected) =>
        Assert.Equal(expected, Folders.IsNetwork(format));
}
