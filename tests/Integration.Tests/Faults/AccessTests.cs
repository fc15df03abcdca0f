using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>Directories and file systems that may not be written to: as a user who is not root, and with mounts.</summary>
[Trait("Category", "system")]
public sealed class AccessTests
{
    private const string Nobody = "65534";
    private static readonly string[] AsNobody = ["setpriv", "--reuid", Nobody, "--regid", Nobody, "--clear-groups"];

    [Fact]
    public async Task Logging_to_a_read_only_file_system_at_start_recovers_after_a_remount()
    {
        await using var disk = await Disk.Memory("size=1m");
        await Shell.Run("mount", "-o", "remount,ro", disk.Path);
        using var folder = new TempFolder();
        using var victim = await new VictimProcess(folder.Path, [], ("Path", disk.File("logs", "shop.log")), ("MinFreeSpace", "0")).Ready();
        await victim.Do("log 3");
        await victim.Status(static status => (status.State, status.Reason) == ("Degraded", "read_only"));

        await Shell.Run("mount", "-o", "remount,rw", disk.Path);
        Assert.True(await victim.Flush());
        Assert.Equal([1, 2, 3], StormLine.Numbers(File.ReadAllLines(disk.File("logs", "shop.log")), 0));
    }

    [Fact]
    public async Task Logging_resumes_after_a_read_only_mount_over_the_directory_is_removed()
    {
        await using var disk = await Disk.Memory("size=1m");
        using var folder = new TempFolder();
        Directory.CreateDirectory(disk.File("logs"));
        using var victim = await new VictimProcess(folder.Path, [], ("Path", disk.File("logs", "shop.log")), ("MinFreeSpace", "0")).Ready();
        await victim.Do("log 3");
        Assert.True(await victim.Flush());

        await Shell.Run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", disk.File("logs"));
        var logged = 3;
        await Eventually.Holds(
            async () => await victim.Do("log 1") == "logged 1" && ++logged > 3 && (await victim.Status()).Reason == "read_only",
            () => "it is not noticed: " + victim.Said);
        await Shell.Run("umount", disk.File("logs"));
        Assert.True(await victim.Flush());

        var status = await victim.Status();
        var numbers = StormLine.Numbers(File.ReadAllLines(disk.File("logs", "shop.log")), 0);
        Assert.Equal(Enumerable.Range(1, logged).Select(static number => (long)number), numbers);
        Assert.Equal(logged, status.Written);
        status.AssertCountersAddUp(logged);
    }

    [Fact]
    public async Task Without_permission_for_the_directory_writing_continues_and_the_roll_is_retried_until_it_works()
    {
        using var folder = await NobodysFolder();
        using var victim = await Start(folder, ("FileSizeLimit", "4KB"), ("RollingInterval", "None"));
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        await Shell.Run("chmod", "0500", folder.File("logs"));
        await victim.Do("log 100 Information 100");

        Assert.True(await victim.Flush());
        Assert.Equal(102, folder.Lines("logs", "shop.log").Length);
        Assert.True((await victim.Status()).Errors["permission"] > 0);
        await Shell.Run("chmod", "0700", folder.File("logs"));
        await Eventually.Holds(
            async () => await victim.Do("log 1") == "logged 1" && await victim.Flush() && folder.Lines("logs", "shop.log").Length < 50,
            () => "it does not roll again: " + victim.Said);
    }

    [Fact]
    public async Task A_failed_rename_leaves_the_active_file_in_use_and_whole()
    {
        using var folder = await NobodysFolder();
        using var victim = await Start(folder, ("FileSizeLimit", "4KB"), ("RollingInterval", "None"));
        await victim.Do("log 30 Information 100");
        Assert.True(await victim.Flush());

        // The sticky bit of somebody else's directory lets everybody create, and nobody rename what is not his.
        await Shell.Run("chown", "0", folder.File("logs"), folder.File("logs", "shop.log"));
        await Shell.Run("chmod", "1777", folder.File("logs"));
        await Shell.Run("chmod", "0666", folder.File("logs", "shop.log"));
        var finished = Directory.GetFiles(folder.File("logs"), "shop.0*").Concat(Directory.GetFiles(folder.File("logs"), "shop.2*")).Count();
        await victim.Do("log 100 Information 100");
        Assert.True(await victim.Flush());

        Assert.True((await victim.Status()).Errors["permission"] > 0);
        Assert.Equal(finished + 1, Directory.GetFiles(folder.File("logs"), "shop*").Length);
        Assert.Empty(Directory.GetFiles(folder.File("logs"), ".*.tmp"));
        Assert.Equal(130, Directory.GetFiles(folder.File("logs"), "shop*").Sum(static file => StormLine.Numbers(File.ReadAllLines(file), 0).Length));
        Assert.Equal(0, await victim.End());
        Assert.Single(victim.Program.Errors, static line => line.Contains("cannot begin a new file", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Without_permission_at_start_records_wait_and_are_written_when_the_path_works()
    {
        using var folder = await NobodysFolder();
        await Shell.Run("chmod", "0000", folder.File("logs"));
        using var victim = await Start(folder);
        await victim.Do("log 3");

        var status = await victim.Status(static status => status.State == "Failed");
        Assert.Equal(("permission", 0L), (status.Reason, status.Dropped.Values.Sum()));
        await Eventually.Holds(
            () => victim.Program.Errors.Any(line => line.Contains($"cannot open {folder.File("logs", "shop.log")} (permission denied", StringComparison.Ordinal)),
            () => "nothing is said: " + victim.Said);
        Assert.Equal([folder.File("logs")], Directory.GetFileSystemEntries(folder.Path));

        await Shell.Run("chmod", "0700", folder.File("logs"));
        Assert.True(await victim.Flush());
        Assert.Equal([1, 2, 3], StormLine.Numbers(folder.Lines("logs", "shop.log"), 0));
    }

    [Fact]
    public async Task A_file_in_a_directory_without_permission_fails_alone()
    {
        using var folder = await NobodysFolder();
        Directory.CreateDirectory(folder.File("closed"));
        await Shell.Run("chmod", "0000", folder.File("closed"));
        using var victim = await Start(folder, ("Logging:AsyncFile:Files:closed:Path", folder.File("closed", "shop.log")));
        await victim.Do("log 3");

        var closed = await victim.Status(static status => status.State == "Failed", "file/closed");
        Assert.Equal("permission", closed.Reason);
        await Eventually.Holds(() => StormLine.Numbers(folder.Lines("logs", "shop.log"), 0).Length == 3, () => "the other does not work: " + victim.Said);
        Assert.Equal("Healthy", (await victim.Status()).State);
    }

    [Fact]
    public async Task With_FailFastOnStart_a_directory_without_permission_throws()
    {
        using var folder = await NobodysFolder();
        await Shell.Run("chmod", "0000", folder.File("logs"));
        using var victim = new VictimProcess(folder.Path, AsNobody, ("Path", folder.File("logs", "shop.log")), ("FailFastOnStart", "true"));

        Assert.NotEqual(0, await victim.Program.Ended());
        Assert.DoesNotContain("ready", victim.Program.Output);
        Assert.Single(victim.Program.Errors, line =>
            line.StartsWith("Unhandled exception. ", StringComparison.Ordinal)
            && line.Contains($"cannot open {folder.File("logs", "shop.log")} (permission denied", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_mode_of_a_created_directory_is_never_set_by_its_path()
    {
        await Shell.Needs("strace");
        using var folder = new TempFolder();
        using var probe = new ChildProgram("strace", ["-f", "-qq", "-o", folder.File("probe"), "true"], folder.Path);
        Assert.SkipUnless(await probe.Ended() == 0, "strace may not trace here: " + probe.Printed);

        // The umask takes bits that have to be given back; by its path, another user's link in its place would be followed.
        string[] launcher = ["/bin/sh", "-c", "umask 077; exec strace -f -qq -o \"$0\" -e trace=chmod,fchmod,fchmodat,?fchmodat2 \"$@\"", folder.File("trace")];
        using var victim = await new VictimProcess(folder.Path, launcher, ("Path", folder.File("made", "logs", "shop.log"))).Ready();
        await victim.Do("log 1");
        Assert.True(await victim.Flush());
        Assert.Equal(0, await victim.End());

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute, File.GetUnixFileMode(folder.File("made", "logs")));
        Assert.Equal(3, folder.Lines("trace").Count(static call => call.Contains("fchmod(", StringComparison.Ordinal)));
        Assert.DoesNotContain(folder.Lines("trace"), call => call.Contains(folder.Path, StringComparison.Ordinal));
    }

    private static Task<VictimProcess> Start(TempFolder folder, params (string, string)[] settings) =>
        new VictimProcess(folder.Path, AsNobody, [("Path", folder.File("logs", "shop.log")), ("MinFreeSpace", "0"), .. settings]).Ready();

    private static async Task<TempFolder> NobodysFolder()
    {
        Shell.NeedsRoot("becoming another user");
        await Shell.Needs("setpriv");
        var folder = new TempFolder();
        Directory.CreateDirectory(folder.File("logs"));
        await Shell.Run("chown", "-R", $"{Nobody}:{Nobody}", folder.Path);
        return folder;
    }
}
