using System.Globalization;
using System.Runtime.Versioning;

namespace AsyncLog.Tests;

[SupportedOSPlatform("linux")]
public sealed class LinuxPrivateDirectoryTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private const UnixFileMode Everybody = OwnerOnly | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    private readonly TempFolder _temporary = new();

    public LinuxPrivateDirectoryTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "modes and owners are those of Linux");

    private string Expected => _temporary[string.Create(CultureInfo.InvariantCulture, $"asynclog-{LinuxNative.EffectiveUser()}")];

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public void FI_94_It_is_created_for_the_user_alone_and_found_again()
    {
        Assert.Equal(Expected, LinuxPrivateDirectory.Open(_temporary.Path + "/"));
        Assert.Equal(OwnerOnly, File.GetUnixFileMode(Expected));
        Assert.Equal(Expected, LinuxPrivateDirectory.Open(_temporary.Path));
    }

    [Fact]
    public void FI_94_It_may_lie_where_everybody_writes_if_the_sticky_bit_is_set()
    {
        File.SetUnixFileMode(_temporary.Path, Everybody | UnixFileMode.StickyBit);
        Assert.NotNull(LinuxPrivateDirectory.Open(_temporary.Path));
        File.SetUnixFileMode(_temporary.Path, Everybody);
        Assert.Null(LinuxPrivateDirectory.Open(_temporary.Path));
    }

    [Fact]
    public void Security_S19_A_directory_with_another_mode_is_not_taken()
    {
        Directory.CreateDirectory(Expected, OwnerOnly | UnixFileMode.GroupExecute);
        Assert.Null(LinuxPrivateDirectory.Open(_temporary.Path));
    }

    [Fact]
    public void FI_94_A_link_is_not_followed()
    {
        string target = _temporary["target"];
        Directory.CreateDirectory(target, OwnerOnly);
        File.CreateSymbolicLink(Expected, target);

        Assert.Null(LinuxPrivateDirectory.Open(_temporary.Path));
        Assert.Empty(Directory.GetFiles(target));
        File.Delete(Expected);
        File.CreateSymbolicLink(_temporary["linked"], target);
        Assert.Null(LinuxPrivateDirectory.Open(_temporary["linked"]));
    }

    [Fact]
    public void FI_94_A_file_in_its_place_and_a_missing_parent_are_doubt()
    {
        File.WriteAllText(Expected, "");
        Assert.Null(LinuxPrivateDirectory.Open(_temporary.Path));
        Assert.Null(LinuxPrivateDirectory.Open(_temporary["missing"]));
    }

    [Fact]
    public void FI_94_A_directory_of_another_user_is_not_taken()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "giving a directory away needs root");
        Directory.CreateDirectory(Expected, OwnerOnly);
        using (var chown = System.Diagnostics.Process.Start("chown", ["65534", Expected]))
            chown.WaitForExit();

        Assert.Null(LinuxPrivateDirectory.Open(_temporary.Path));
    }

    [Fact]
    public void FI_94_There_is_no_private_directory_where_none_can_be_made()
    {
        Assert.SkipUnless(Directory.Exists("/proc/self"), "there is no file system in which nobody can create anything");
        Assert.Null(LinuxPrivateDirectory.Open("/proc/sys"));
    }
}
