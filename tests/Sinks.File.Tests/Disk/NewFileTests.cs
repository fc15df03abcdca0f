namespace AsyncLog.Tests.Disk;

[Collection(nameof(ProcessWide))]
public sealed class NewFileTests
{
    private const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;

    [Fact]
    public void A_file_is_created_with_no_other_mode_than_its_own()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there are no modes");

        Assert.Equal(Mode, NewFile.Options(Mode).UnixCreateMode);
    }

    [Theory]
    [InlineData("000")]
    [InlineData("077")]
    [InlineData("777")]
    public void A_created_file_has_exactly_its_mode_whatever_the_umask(string umask)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "there are no modes");
        using var folder = new TempFolder();
        uint before = NativeMask.Set(Convert.ToUInt32(umask, 8));
        try
        {
            new PortableFileSystem().Open(folder.File("a.log"), FileOpening.New, Mode).Dispose();
            using FileStream model = FileSystems.OpenToRead(folder.File("a.log"));
            NewFile.CreateLike(model, folder.File("b.log")).Dispose();
        }
        finally
        {
            NativeMask.Set(before);
        }

        Assert.Equal(Mode, File.GetUnixFileMode(folder.File("a.log")));
        Assert.Equal(Mode, File.GetUnixFileMode(folder.File("b.log")));
    }

    [Fact]
    public void A_file_that_exists_is_not_replaced()
    {
        using var folder = new TempFolder();
        folder.Write("a.log", "kept");

        Assert.Throws<IOException>(() => NewFile.Create(folder.File("a.log"), Mode, out _).Dispose());

        Assert.Equal("kept", folder.Read("a.log"));
    }
}
